"""Bytes of model files with coded tables and without, and the CPU time to load them.

    python -m bench.model.file_format MODEL.sap...

Each model is written anew. Columns: bytes of the file given; of the new one; bytes of its tables without coding and
coded; keys among them; milliseconds of CPU to load the old and the new file, the least of ten.
"""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import sapwood
from measure.processes import timed
from sapwood.model.file.schema import ModelFile


def costs(model: ModelFile) -> Iterator[tuple[str, int, int]]:
    """Yield the name of each section of a table, its bytes, and its bytes without coding."""
    for table in model.tables:
        for name, (size, uncoded) in table.costs(model.bits).items():
            yield name, size, uncoded
    for part in model.parts.values():
        yield from costs(part)


def load_time(path: Path) -> float:
    """Return the least milliseconds of CPU that loading takes."""
    return 1000 * min(timed(partial(sapwood.load, path)) for _ in range(10))


def main() -> None:
    """Print a line for each model."""
    heads = f"{'tables':>11}{'coded':>11}{'keys':>11}{'ms old':>8}{'ms new':>8}"
    print(f"{'model':<28}{'old':>11}{'new':>11}{'ratio':>7}{heads}")
    with TemporaryDirectory() as folder:
        for name in sys.argv[1:]:
            old, new = Path(name), Path(folder, "new.sap")
            model = sapwood.load(old)
            model.save(new)
            sections = list(costs(model.model_))
            uncoded, coded = sum(row[2] for row in sections), sum(row[1] for row in sections)
            keys = sum(size for section, size, _ in sections if section == "keys")
            sizes = [old.stat().st_size, new.stat().st_size]
            files = f"{sizes[0]:>11,}{sizes[1]:>11,}{sizes[1] / sizes[0]:>7.2f}"
            tables = f"{uncoded:>11,}{coded:>11,}{keys:>11,}"
            print(f"{old.stem:<28}{files}{tables}{load_time(old):>8.1f}{load_time(new):>8.1f}")


if __name__ == "__main__":
    main()
