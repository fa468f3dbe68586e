"""The build backend takes the compiler of the package ziglang where the machine has none, and for a target."""

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FILE = ROOT / "core" / "bindings" / "sapwood_build.py"
pytest.importorskip("scikit_build_core")
pytestmark = pytest.mark.skipif(not FILE.is_file(), reason="the sources are not here")


@pytest.fixture
def backend(monkeypatch, tmp_path):
    """The backend where there is nothing but the project's file, on a machine without programs."""
    spec = importlib.util.spec_from_file_location("sapwood_build", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("CXX", "SAPWOOD_TARGET", "CMAKE_ARGS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("wheel", "editable"):
        monkeypatch.setattr(module._build, f"get_requires_for_build_{name}", lambda settings: ["cmake"])
        monkeypatch.setattr(module._build, f"build_{name}", lambda *_: dict(os.environ))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    return module


ZIGLANG = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["js"]
HEADERS = f'-idirafter "{Path(sysconfig.get_path("include")).parent}" '  # Debian's Python.h needs what lies there


def commands(environment):
    """What the tools of CMake in this environment call."""
    words = environment["CMAKE_ARGS"].split()
    tools = dict(each.removeprefix("-DCMAKE_").split("=") for each in words if each.startswith("-DCMAKE_"))
    paths = (environment["CXX"], tools["AR"], tools["RANLIB"])
    assert all(os.access(path, os.X_OK) for path in paths)
    return [Path(path).read_text().partition(" -m ziglang ")[2].rstrip() for path in paths]


def test_without_a_compiler_ziglang_is_required_and_called(backend):
    assert backend.get_requires_for_build_wheel() == backend.get_requires_for_build_editable() == ["cmake", *ZIGLANG]
    before = dict(os.environ)
    for build in (backend.build_wheel, backend.build_editable):
        inside = build("dist")
        compiler, *others = commands(inside)
        assert compiler.endswith(f'-mcpu=baseline {HEADERS}"$@"') and others == ['ar "$@"', 'ranlib "$@"']
        assert "_PYTHON_HOST_PLATFORM" not in inside and "-DCMAKE_SYSTEM_NAME" not in inside["CMAKE_ARGS"]
        assert dict(os.environ) == before


@pytest.mark.parametrize("name", ["c++", "g++", "clang++"])
def test_a_compiler_on_the_path_is_taken(backend, tmp_path, name):
    program = tmp_path / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert backend.get_requires_for_build_wheel() == backend.get_requires_for_build_editable() == ["cmake"]
    assert backend.build_wheel("dist") == dict(os.environ)


def test_a_compiler_that_is_named_is_taken(backend, tmp_path, monkeypatch):
    monkeypatch.setenv("CXX", "/opt/compiler")
    assert backend.get_requires_for_build_wheel() == ["cmake"]
    assert backend.build_wheel("dist") == dict(os.environ)
    assert [path.name for path in tmp_path.iterdir()] == ["pyproject.toml"]


def test_for_a_target_ziglang_is_called_whatever_the_machine_has(backend, monkeypatch):
    monkeypatch.setenv("CXX", "/opt/compiler")
    monkeypatch.setenv("CMAKE_ARGS", "-DSAPWOOD_SANITIZE=OFF")
    for target, name in backend.TARGETS.items():
        monkeypatch.setenv("SAPWOOD_TARGET", target)
        assert backend.get_requires_for_build_wheel() == ["cmake", *ZIGLANG]
        inside = backend.build_wheel("dist")
        assert commands(inside)[0] == f'c++ -target {target} -mcpu=baseline {HEADERS * ("linux" in target)}"$@"'
        assert inside["_PYTHON_HOST_PLATFORM"] == name
        assert inside["CMAKE_ARGS"].startswith("-DSAPWOOD_SANITIZE=OFF -D")
        assert ("dynamic_lookup" in inside.get("LDFLAGS", "")) == ("macos" in target)


def test_a_target_that_is_unknown_is_refused_with_those_that_are_known(backend, monkeypatch):
    monkeypatch.setenv("SAPWOOD_TARGET", "sparc-solaris")
    with pytest.raises(SystemExit, match=r"'sparc-solaris', which is none of x86_64-linux-gnu\.2\.17, "):
        backend.get_requires_for_build_wheel()


# A project with an extension in C++ that needs no C++ library, which would be compiled first, also to try the compiler.
CMAKE = """cmake_minimum_required(VERSION 3.20)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
project(small LANGUAGES CXX)
find_package(Python REQUIRED COMPONENTS Development.Module)
add_library(helper STATIC helper.cpp)
add_library(small MODULE small.cpp)
set_target_properties(small PROPERTIES PREFIX "")
target_include_directories(small PRIVATE ${Python_INCLUDE_DIRS})
target_link_libraries(small PRIVATE helper)
target_link_options(small PRIVATE -nostdlib++)
install(TARGETS small LIBRARY DESTINATION .)
"""
SMALL = """#define Py_LIMITED_API 0x030B0000
#include <Python.h>
extern "C" long answer();
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "small", nullptr, -1, nullptr, nullptr, nullptr, nullptr, nullptr};
PyMODINIT_FUNC PyInit_small() {
    PyObject* made = PyModule_Create(&module);
    PyModule_AddIntConstant(made, "answer", answer());
    return made;
}
"""
HELPER = 'extern "C" __attribute__((visibility("hidden"))) long answer() { return 42; }\n'
PROJECT = '[project]\nname = "small"\nversion = "1"\n'


def built(folder, **environment):
    """Build the small project on a machine without a compiler. Return the name of the wheel and the extension."""
    pytest.importorskip("ziglang")
    texts = {"CMakeLists.txt": CMAKE, "small.cpp": SMALL, "helper.cpp": HELPER, "pyproject.toml": PROJECT}
    for name, text in texts.items():
        folder.joinpath(name).write_text(text)
    folder.joinpath("bin").mkdir()
    for name in ("cmake", "ninja"):
        program = shutil.which(name, path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
        if program is None:
            pytest.skip(f"{name} is not here")
        folder.joinpath("bin", name).symlink_to(program)
    environment |= {"HOME": os.environ.get("HOME", str(folder)), "PATH": str(folder / "bin")}
    environment["PYTHONPATH"] = os.pathsep.join([str(FILE.parent), *sys.path])
    program = """import sapwood_build as backend  # as pip calls it
name = backend.prepare_metadata_for_build_wheel("metadata")
backend.build_wheel("dist", None, f"metadata/{name}")"""
    run = subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    [wheel] = folder.joinpath("dist").iterdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "installed")
    return wheel.name, folder / "installed" / "small.so"


@pytest.mark.slow
def test_a_machine_without_a_compiler_builds_what_it_imports(tmp_path):
    built(tmp_path)
    program = "import small; print(small.answer)"
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path / "installed", capture_output=True, text=True)
    assert run.stdout == "42\n", run.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "tag", "start"),
    [
        ("x86_64-linux-gnu.2.17", "manylinux2014_x86_64", b"\x7fELF\x02"),
        ("aarch64-linux-gnu.2.17", "manylinux2014_aarch64", b"\x7fELF\x02"),
        ("x86_64-macos.11.0", "macosx_11_0_x86_64", bytes.fromhex("cffaedfe07000001")),
        ("aarch64-macos.11.0", "macosx_11_0_arm64", bytes.fromhex("cffaedfe0c000001")),
    ],
)
def test_a_wheel_for_a_target_has_its_tag_and_an_extension_for_it(tmp_path, target, tag, start):
    name, extension = built(tmp_path, SAPWOOD_TARGET=target)
    assert name.endswith(f"-{tag}.whl")
    content = extension.read_bytes()
    assert content.startswith(start)
    if "linux" in tag:
        assert content[18] == {"x86_64": 62, "aarch64": 183}[target.partition("-")[0]]  # e_machine
