"""What sapwood does: a package for each task, from segmenting to pipelines."""
