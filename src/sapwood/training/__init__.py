"""The run of a training: epochs, checkpoints, making small."""
