"""Files, habits and machines that other people have are given to sapwood, each in several ways: is what it does right?

python tests/attacks/world.py [--json FILE] [SUBJECT...]
"""

import argparse
import contextlib
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
sys.path.insert(1, str(Path(__file__).resolve().parents[2]))

from kinds import Variation, all_variations

from measure.records import measuring_command, write_measurements


def is_right(variation: Variation) -> bool:
    """Whether sapwood does what is right. What is wrong is shown."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("always")
        try:
            right = bool(variation.right(Path(folder)))
        except Exception:
            traceback.print_exc()
            right = False
    if not right:
        print(f"wrong: {variation.subject}, {variation.kind}: {variation.name}", file=sys.stderr)
    return right


def main() -> None:
    """Show, and write, how many variations of each kind are right."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("subjects", metavar="SUBJECT", nargs="*", help="a module of tests/shared/kinds")
    parser.add_argument("--json", help="a file for the figures")
    given = parser.parse_args()
    tried, right = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for variation in all_variations():
        if not given.subjects or variation.subject in given.subjects:
            key = variation.subject, variation.kind
            tried[key] += 1
            right[key] += is_right(variation)
    rows = [{"subject": key[0], "name": key[1], "right": right[key], "tried": tried[key]} for key in tried]
    for row in rows:
        print(f"{row['subject']:20} {row['right']:>3} of {row['tried']:>3}  {row['name']}")
    print(f"{'all':20} {right.total():>3} of {tried.total():>3}")
    if given.json:
        write_measurements(given.json, rows, measuring_command(["python", *sys.argv]))


if __name__ == "__main__":
    main()
