"""The root class of models, their file, and the parts that they hold."""
