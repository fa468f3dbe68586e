"""The bundled English pipeline: its recipe, and what it scores: ``python -m recipes.en`` from a checkout."""
