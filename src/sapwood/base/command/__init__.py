"""A command line: its verbs, the files that they read and write, what it shows, and how it ends."""
