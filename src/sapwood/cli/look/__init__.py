"""Verbs that look inside a model."""
