"""Model files of every task and checkpoints, each changed some times with the checksum made right again.

What comes of a change is refused by an error of one line, or works. fuzz/model_files.py makes the changes, and
thousands more of them; here they are always the same.
"""

import importlib.util
from pathlib import Path

import pytest

_PATH = Path(__file__).parents[4] / "fuzz" / "model_files.py"
CHANGES = 50  # of each file


@pytest.fixture(scope="module")
def model_files():
    spec = importlib.util.spec_from_file_location("model_files", _PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:without entities")
def test_forged_files_are_refused_or_work(model_files, tmp_path):
    kinds = list(model_files.models(tmp_path))
    assert {"tagger", "classifier", "reranker", "parser", "pipeline", "checkpoint"} <= {
        kind.split(",")[0] for kind, _, _ in kinds
    }
    for kind, honest, try_it in kinds:
        row = model_files.run(kind, honest, try_it, CHANGES, 1, tmp_path / "forged.sap")
        _, made, works, refused, *_ = row
        assert int(works) + int(refused) == int(made) == CHANGES
