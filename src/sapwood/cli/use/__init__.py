"""Verbs that use a model."""
