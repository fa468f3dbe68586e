"""What all verbs share: a verb and its parser, flags, files, progress, workers."""
