"""The build backend: that of scikit-build-core, with the compiler of the package ziglang where the machine has none.

A compiler is one that CXX names, or a c++, g++ or clang++ on the path. With a target ziglang's is taken in any case,
and the wheel is for the target's system: SAPWOOD_TARGET=aarch64-linux-gnu.2.17 pip wheel .
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scikit_build_core import build as _build
from scikit_build_core.build import (
    build_sdist,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = dict[str, list[str] | str] | None

# The systems that wheels are built for, and the names that package indexes have for them.
TARGETS = {
    "x86_64-linux-gnu.2.17": "manylinux2014_x86_64",
    "aarch64-linux-gnu.2.17": "manylinux2014_aarch64",
    "x86_64-macos.11.0": "macosx_11_0_x86_64",
    "aarch64-macos.11.0": "macosx_11_0_arm64",
}


def _target() -> str | None:
    """Return the target of ziglang's compiler, or None if the machine's own compiler is taken."""
    if target := os.environ.get("SAPWOOD_TARGET"):
        if target not in TARGETS:
            raise SystemExit(f"SAPWOOD_TARGET is {target!r}, which is none of {', '.join(TARGETS)}")
        return target
    if os.environ.get("CXX") or any(map(shutil.which, ("c++", "g++", "clang++"))):
        return None
    libc = "gnu.2.17" if platform.libc_ver()[0] == "glibc" else "musl"
    return f"{platform.machine()}-linux-{libc}" if sys.platform == "linux" else "native"


@contextmanager
def _compiler() -> Iterator[None]:
    """Let CMake find the compiler, by scripts in build/zig, since it remembers where its tools are."""
    target, before = _target(), dict(os.environ)
    if target is None:
        yield
        return
    folder = Path("build", "zig", target).resolve()  # in the folder of the sources, where a backend is called
    folder.mkdir(parents=True, exist_ok=True)
    compiler = f"-target {target} -mcpu=baseline "
    if "linux" in target:  # Debian's Python.h includes a header from elsewhere; ziglang's own come before what is there
        compiler += f'-idirafter "{Path(sysconfig.get_path("include")).parent}" '
    for tool, options in {"c++": compiler, "ar": "", "ranlib": ""}.items():
        script = folder / tool
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ziglang {tool} {options}"$@"\n', encoding="utf-8")
        script.chmod(0o755)
    defines = {"AR": f"{folder}/ar", "RANLIB": f"{folder}/ranlib", "CXX_COMPILER_LAUNCHER": ""}
    if before.get("SAPWOOD_TARGET"):
        os.environ["_PYTHON_HOST_PLATFORM"] = TARGETS[target]
        # Always Linux: ziglang's linkers know few options that CMake has for macOS, and there are no paths to set.
        defines |= {"SYSTEM_NAME": "Linux", "SKIP_RPATH": "ON"}
        if "macos" in target:
            os.environ["LDFLAGS"] = "-Wl,-undefined,dynamic_lookup"
    arguments = [f"-DCMAKE_{name}={value}" for name, value in defines.items()]
    os.environ |= {"CXX": f"{folder}/c++", "CMAKE_ARGS": " ".join([before.get("CMAKE_ARGS", ""), *arguments])}
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _ziglang() -> list[str]:
    """Return the requirement of the package ziglang if its compiler is taken; otherwise none."""
    if _target() is None:
        return []
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    return list(project["optional-dependencies"]["js"])


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Return the requirements of building a wheel that pyproject.toml does not name."""
    return _build.get_requires_for_build_wheel(config_settings) + _ziglang()


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """Return the requirements of an editable installation that pyproject.toml does not name."""
    return _build.get_requires_for_build_editable(config_settings) + _ziglang()


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    """Write the metadata of the wheel, whose tag is that of its target. Return the name of their folder."""
    with _compiler():
        return _build.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Build a wheel. Return its name."""
    with _compiler():
        return _build.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Build an editable wheel. Return its name."""
    with _compiler():
        return _build.build_editable(wheel_directory, config_settings, metadata_directory)
