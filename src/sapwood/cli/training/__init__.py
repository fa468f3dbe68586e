"""Verbs that train a model, make it smaller, or calibrate it."""
