"""The model file: the container and what stands in it."""
