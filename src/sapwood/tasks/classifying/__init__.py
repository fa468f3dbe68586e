"""Labels of texts, of words in context, of features."""
