"""Word clusters from text."""
