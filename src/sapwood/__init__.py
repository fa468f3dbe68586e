"""sapwood: small, fast, explainable linear models for language."""
