"""The model file: a strict safetensors container, and what it holds."""
