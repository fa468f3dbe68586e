"""How many files of the package have functions that run in one command?

    python -m bench.cli.files_run [--json FILE] [--files VERB]

Each command runs in a process of its own, on generated data, and `sys.setprofile` and `threading.setprofile` see every
call of a function. What runs only while a module is imported is not counted: the bodies of modules and classes, and
the functions that these call. --files names the files of one command, with the number of their functions that ran.
"""

import json
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from measure.layout import command_line, print_rows, write_rows
from measure.processes import PYTHON, run

COMMANDS: Mapping[str, list[str]] = {
    "annotate": ["annotate", "en", "text.txt"],
    "train tag": ["train", "tag", "train.txt", "-o", "tagger.sap", "--quiet"],
    "train parse": ["train", "parse", "train.conllu", "-o", "parser.sap", "--quiet"],
    "explain": ["explain", "en", "text.txt", "--sentence", "1"],
    "tag": ["tag", "tagger.sap", "train.txt"],
    "parse": ["parse", "parser.sap", "train.conllu"],
}

_COUNTED = """
import json, sys, threading
from pathlib import Path
from types import CodeType, FrameType
import sapwood
from sapwood.cli.app import run_verb

root = str(Path(sapwood.__file__).parent)
ran: set[CodeType] = set()

def is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False

def see(frame: FrameType, event: str, argument: object) -> None:
    code = frame.f_code
    if event == "call" and code not in ran and code.co_filename.startswith(root) and not is_importing(frame):
        ran.add(code)

threading.setprofile(see)
sys.setprofile(see)
status = run_verb(sys.argv[2:])
sys.setprofile(None)
Path(sys.argv[1]).write_text(json.dumps([str(Path(code.co_filename).relative_to(root)) for code in ran]))
sys.exit(status)
"""


def files_run(arguments: list[str], folder: Path) -> Counter[str]:
    """Return how many functions of each file of the package run in a command."""
    found = folder / "found.json"
    command = [*PYTHON, "-c", _COUNTED, str(found), *arguments]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return Counter(json.loads(found.read_text(encoding="utf-8")))


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--files", choices=COMMANDS, metavar="VERB", help="name the files of this command")
    given = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        run([*PYTHON, "-m", "sapwood", "generate", "treebank", "--sentences", "200", "-o", folder])
        (folder / "text.txt").write_text("Ada Lovelace wrote the first program in 1843.\n", encoding="utf-8")
        found = {verb: files_run(arguments, folder) for verb, arguments in COMMANDS.items()}
    if given.files:
        print("\n".join(f"{functions:4} {file}" for file, functions in sorted(found[given.files].items())))
        return
    rows = [
        {"name": f"sapwood {verb}", "files": len(files), "functions": files.total()} for verb, files in found.items()
    ]
    print_rows(rows, {"files": ("files", "d"), "functions": ("functions", "d")})
    if given.json:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
