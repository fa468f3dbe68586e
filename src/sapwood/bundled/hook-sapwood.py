"""What PyInstaller puts into a program beside the modules that imports name: models, templates, modules by name.

Adapters to other libraries (`sapwood.spacy` and the like) come along where the program imports them.
"""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

_ADAPTERS = ("cli", "dask", "lab", "sklearn", "spacy", "web")

datas = collect_data_files("sapwood")
hiddenimports = collect_submodules("sapwood", lambda name: name.split(".")[1:2] not in [[each] for each in _ADAPTERS])
