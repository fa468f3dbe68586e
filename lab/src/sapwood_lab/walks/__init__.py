"""Trainings to walk through, update by update: the examples, the algorithms on them, and what is said about them."""
