"""Verbs about the program itself."""
