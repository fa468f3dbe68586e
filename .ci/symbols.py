"""Checks that the extensions in wheels need nothing but what the wheels' tags promise: python .ci/symbols.py WHEEL...

For Linux auditwheel reads the versions of all symbols. For macOS load commands name the processor, the oldest system
and the libraries; symbols that are in none of these have to be Python's.
"""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from macholib.mach_o import LC_BUILD_VERSION, LC_LOAD_DYLIB
from macholib.MachO import MachO
from macholib.SymbolTable import SymbolTable

PROCESSORS = {0x01000007: "x86_64", 0x0100000C: "arm64"}


def check_linux(wheel: Path, tag: str) -> None:
    """Raise an error unless auditwheel gives the wheel this tag."""
    with tempfile.TemporaryDirectory() as folder:
        # By name auditwheel takes tags of this processor alone.
        command = [sys.executable, "-m", "auditwheel", "repair", "--plat", "auto", "--wheel-dir", folder, str(wheel)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        [made] = Path(folder).iterdir()
        assert tag in made.stem.rpartition("-")[2].split("."), made.name


def check_macos(wheel: Path, tag: str) -> None:
    """Raise an error unless the extension runs on the system that the tag names."""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".so")]
        extension = MachO(archive.extract(name, folder))
        symbols = SymbolTable(extension)
    [header] = extension.headers
    oldest = [command.minos for load, command, _ in header.commands if load.cmd == LC_BUILD_VERSION]
    names = [data.rstrip(b"\0").decode() for load, _, data in header.commands if load.cmd == LC_LOAD_DYLIB]
    versions = "_".join(f"{version >> 16}_{version >> 8 & 255}" for version in oldest)
    assert f"macosx_{versions}_{PROCESSORS[header.header.cputype]}" == tag, (oldest, header.header.cputype)
    assert names == ["/usr/lib/libSystem.B.dylib"], names
    nowhere = [name.decode() for symbol, name in symbols.undefsyms if symbol.n_desc >> 8 == 0]
    assert nowhere and all(name.lstrip("_").startswith("Py") for name in nowhere), nowhere
    assert b"_PyInit__core" in [name for _, name in symbols.extdefsyms]


for wheel in map(Path, sys.argv[1:]):
    tag = wheel.stem.rpartition("-")[2]
    (check_macos if tag.startswith("macosx") else check_linux)(wheel, tag)
    print(f"{wheel.name}: {wheel.stat().st_size} bytes, symbols as the tag promises")
