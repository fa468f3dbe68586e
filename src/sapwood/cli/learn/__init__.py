"""Verbs that show how the algorithms work, and reproduce what the papers report."""
