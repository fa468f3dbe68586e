"""A process in which sapwood, its laboratory and rich are installed: other libraries are kept from being imported.

What stands beside the package in its sources is there, too.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
_SOURCES = {"sapwood", "sapwood_lab", "measure", "papers", "recipes"}
_THERE = {*_SOURCES, "rich", "markdown_it", "mdurl", "pygments", *sys.stdlib_module_names}


class _NotInstalled:
    def find_spec(self, name, path=None, target=None):
        first = name.partition(".")[0]
        if first not in _THERE and not any((HERE / each).exists() for each in (first, f"{first}.py")):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def block():
    """Let this process find no other library."""
    sys.meta_path.insert(0, _NotInstalled())


def run_alone(code, folder):
    """Run Python in such a process, in a folder."""
    places = [str(HERE), str(ROOT), str(ROOT / "lab/src")]
    code = f"import sys\nsys.path[:0] = {places}\nimport alone\nalone.block()\n{code}"
    return subprocess.run([sys.executable, "-B", "-c", code], cwd=folder, capture_output=True, text=True)
