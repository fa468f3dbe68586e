"""Making a model small: weights that are dropped, and trained on without."""
