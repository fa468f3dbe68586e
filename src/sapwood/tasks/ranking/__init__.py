"""Choosing among candidate structures."""
