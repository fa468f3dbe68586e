"""Programs that PyInstaller makes: its hook names what sapwood finds by name, not by an import."""

import pkgutil
import runpy
import sys
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

import pytest

import sapwood
from sapwood import loading


@pytest.fixture
def hook(monkeypatch):
    """Run the hook that PyInstaller finds by the entry point, with its functions in a plain form."""

    def submodules(package, wanted):
        names = (each.name for each in pkgutil.walk_packages(sys.modules[package].__path__, f"{package}."))
        return [name for name in [package, *names] if wanted(name)]

    hooks = ModuleType("PyInstaller.utils.hooks")
    hooks.collect_submodules = submodules
    hooks.collect_data_files = lambda package: f"data of {package}"
    for name, module in {
        "PyInstaller": ModuleType("p"),
        "PyInstaller.utils": ModuleType("u"),
        hooks.__name__: hooks,
    }.items():
        monkeypatch.setitem(sys.modules, name, module)
    [entry] = [each for each in entry_points(group="pyinstaller40") if each.value.startswith("sapwood.")]
    [folder] = entry.load()()
    return runpy.run_path(str(Path(folder) / "hook-sapwood.py"))


def test_all_that_is_found_by_name_comes_along_but_adapters(hook):
    adapters = ("sapwood.sklearn",)
    homes = {f"sapwood.{home}" for home in sapwood._HOMES.values()}
    tasks = {f"sapwood.tasks.{module}" for module, *_ in loading._TASKS.values()}
    assert {name for name in homes | tasks if not name.startswith(adapters)} <= {*hook["hiddenimports"]}
    assert hook["datas"] == "data of sapwood"


def test_adapters_stay_out(hook):
    rooms = {name.split(".")[1] for name in hook["hiddenimports"] if "." in name}
    assert rooms.isdisjoint(["cli", "dask", "lab", "sklearn", "spacy", "web"])
    assert {"tasks", "documents", "io"} <= rooms
