"""Reading and writing files: the model container and the text formats."""
