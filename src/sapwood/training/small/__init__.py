"""Making a model small: weights that are dropped, lines of a template that are left out."""
