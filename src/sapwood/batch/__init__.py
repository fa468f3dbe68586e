"""Files to files: a run over many, each written as a whole."""
