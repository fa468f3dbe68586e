"""How much of English as people type it the bundled pipeline gets right, kind by kind (tests/shared/typed).

python tests/model/typed_english.py [--model FILE] [--before FILE] [--json FILE] [--show KIND...]
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
sys.path.insert(1, str(Path(__file__).resolve().parents[2]))

from typed import answer, kinds

import sapwood
from measure.records import measuring_command, write_measurements


def main() -> None:
    """Count the frames that a model gets wrong; show those of some kinds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", default="en")
    parser.add_argument("--before", type=Path, help="what --json of an earlier version has written")
    parser.add_argument("--json", help="a file for the figures")
    parser.add_argument("--show", metavar="KIND", nargs="*", default=())
    given = parser.parse_args()
    earlier = (
        {row["name"]: row["wrong"] for row in json.loads(given.before.read_text())["rows"]} if given.before else {}
    )
    nlp, rows = sapwood.load(given.model), []
    for kind, frames in kinds().items():
        tried = list(frames())
        wrong = [(frame, found) for frame in tried if (found := answer(nlp(frame.text), frame)) != frame.right]
        row = {"name": kind, "frames": len(tried), "wrong": len(wrong)}
        if kind in earlier:
            row["before"] = earlier[kind]
        rows.append(row)
        print(f"{kind:50} {len(wrong):>4} of {len(tried):>4}")
        for frame, found in wrong if kind in given.show else ():
            print(f"    {frame.text!r}\n        right {frame.right}\n        found {found}")
    if given.json:
        write_measurements(given.json, rows, measuring_command(["python", *sys.argv]))


if __name__ == "__main__":
    main()
