"""The measuring behind papers, recipes and benches: clocks, commands as processes, tables, and the files of ``--json``.

`papers`, `recipes` and `bench` import it; it knows none of them.
"""
