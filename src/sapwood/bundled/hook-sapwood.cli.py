"""Modules that PyInstaller puts into a program with a command line: the verbs, which it finds by their names."""

from PyInstaller.utils.hooks import collect_submodules

hiddenimports = collect_submodules("sapwood.cli")
