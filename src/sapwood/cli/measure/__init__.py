"""Verbs that measure how good a model is."""
