"""Structures of the user's own: features and search are functions in Python, the learner is the core's."""
