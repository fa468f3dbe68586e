"""Reading and writing text: files and pipes, examples, lists of candidates, CoNLL-U."""
