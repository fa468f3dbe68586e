"""Tags, chunks and names: a label for each token."""
