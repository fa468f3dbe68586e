"""The bundled pipelines beside the English one: their recipe and what they score: ``python -m recipes.languages``."""
