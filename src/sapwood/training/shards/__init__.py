"""Training on parts of the data: shards and streams."""
