"""The version of sapwood, which models, packages and checkpoints keep."""

__version__ = "0.4.0.dev0"
