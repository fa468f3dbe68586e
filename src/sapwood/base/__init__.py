"""The ground that sapwood shares with its laboratory, which has this folder inside of its own package.

Here is what both need and neither may have twice: sentences drawn for a terminal and as SVG, files that appear whole,
a command line's files, errors and help. Imports are relative, and lead to this folder and to ``errors.py`` beside it
alone, so that the folder works under any name. Nothing here knows of the core, of models or of the laboratory.
"""
