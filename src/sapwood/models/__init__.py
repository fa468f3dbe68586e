"""The models: one file a task, and how a file becomes a model again."""
