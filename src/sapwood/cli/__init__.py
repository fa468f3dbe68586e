"""The command line: ``sapwood VERB ...``; verbs that belong together are in one file.

A folder for each heading of the overview; each file in it has a table VERBS. What only some verbs need is imported
inside the functions.
"""

from sapwood.cli.app import main, run

__all__ = ["main", "run"]
