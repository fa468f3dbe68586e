"""Raw text to documents, part by part."""
