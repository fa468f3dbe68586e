"""The recipes of the models that come with the package: a folder for each, run by ``python -m recipes.NAME``."""
