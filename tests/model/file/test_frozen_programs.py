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
from sapwood.cli import app


@pytest.fixture
def hooks(monkeypatch):
    """Return a function that runs a package's hook of the entry point, with plain forms of PyInstaller's functions."""

    def submodules(package, wanted=lambda name: True):
        names = (each.name for each in pkgutil.walk_packages(sys.modules[package].__path__, f"{package}."))
        return [name for name in [package, *names] if wanted(name)]

    module = ModuleType("PyInstaller.utils.hooks")
    module.collect_submodules = submodules
    module.collect_data_files = lambda package: f"data of {package}"
    for name, each in {
        "PyInstaller": ModuleType("p"),
        "PyInstaller.utils": ModuleType("u"),
        module.__name__: module,
    }.items():
        monkeypatch.setitem(sys.modules, name, each)
    [entry] = [each for each in entry_points(group="pyinstaller40") if each.value.startswith("sapwood.")]
    [folder] = entry.load()()
    return lambda package: runpy.run_path(str(Path(folder) / f"hook-{package}.py"))


def test_all_that_is_found_by_name_comes_along_but_adapters(hooks):
    hook = hooks("sapwood")
    adapters = ("sapwood.sklearn",)
    homes = {f"sapwood.{home}" for home in sapwood._HOMES.values()}
    tasks = {f"sapwood.tasks.{module}" for module, *_ in loading._TASKS.values()}
    assert {name for name in homes | tasks if not name.startswith(adapters)} <= {*hook["hiddenimports"]}
    assert hook["datas"] == "data of sapwood"


def test_verbs_come_along_with_the_command_line(hooks):
    wanted = {f"sapwood.cli.{file}" for file in app._FILES.values()}
    assert "sapwood.cli.use.annotate" in wanted <= {*hooks("sapwood.cli")["hiddenimports"]}


def test_adapters_stay_out(hooks):
    hook = hooks("sapwood")
    rooms = {name.split(".")[1] for name in hook["hiddenimports"] if "." in name}
    assert rooms.isdisjoint(["cli", "dask", "lab", "sklearn", "spacy", "web"])
    assert {"tasks", "documents", "io"} <= rooms
