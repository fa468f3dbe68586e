"""The base of all verbs: a verb and its parser, flags, files, progress, workers."""
