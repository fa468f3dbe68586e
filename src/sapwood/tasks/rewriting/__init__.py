"""Lemmas, and the words of multiword tokens."""
