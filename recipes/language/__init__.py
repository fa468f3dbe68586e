"""The bundled classifier of languages: its recipe and what it scores: ``python -m recipes.language``."""
