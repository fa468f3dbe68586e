"""Files and modules that PyInstaller puts into a program though no import names them: models, templates, tasks.

Adapters to other libraries (`sapwood.spacy` and the like) come along where the program imports them.
"""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

_ADAPTERS = ("cli", "dask", "lab", "sklearn", "spacy", "web")

datas = collect_data_files("sapwood")
hiddenimports = collect_submodules("sapwood", lambda name: name.split(".")[1:2] not in [[each] for each in _ADAPTERS])
