"""The tasks: a package for each, from segmenting to pipelines."""
