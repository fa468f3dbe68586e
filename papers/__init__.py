"""The tables and figures of the papers and lectures, measured again: ``python -m papers NAME`` from a checkout.

Each is a module with a function ``run(data, on_start, **options)`` that returns a `Report`. One with a figure also has
a function ``draw(rows, path)``, which draws the rows of the report. `papers.contents` has the list.
"""
