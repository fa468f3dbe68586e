"""What the tests of the tables of classification share: generated corpora as the real ones are, and checks of rows."""

import gzip
import re
import statistics

from reviews import fasttext, senseval

from measure.corpora import generate_senses
from sapwood.datasets.documents import generate_reviews

SENSES, REVIEWS = 80, 60
TOO_FEW = "4 examples are too few: each fold needs one, and two classes outside of it"


def write_corpora(folder):
    """Write interest/ and movie_reviews/ as the real ones are, the second compressed."""
    senses = [(sense, " ".join(w for w, _ in tokens), at) for tokens, at, sense in generate_senses(SENSES, seed=1)]
    (folder / "interest").mkdir()
    (folder / "interest" / "interest.pos").write_text(senseval(senses))
    write_reviews(folder, [(label, text) for text, label in generate_reviews(REVIEWS, seed=1)])


def write_reviews(folder, examples):
    (folder / "movie_reviews").mkdir()
    (folder / "movie_reviews" / "movie_reviews.txt.gz").write_bytes(gzip.compress(fasttext(examples).encode()))


def cells(out, name):
    """The cells of the table's line that begins with a name."""
    [line] = [line for line in out.splitlines() if line.startswith(f"{name}  ")]
    return re.split(" {2,}", line)


def check_results(out, rows):
    for row in rows:
        found = cells(out, row["name"])
        right = row["accuracies"]
        least, middle, most = min(right), statistics.median(right), max(right)
        assert [row["accuracy"], row["accuracy_least"], row["accuracy_most"]] == [middle, least, most]
        assert found[1:4] == [f"{middle:.2f}", f"{least:.2f}", f"{most:.2f}"]
        assert found[4:6] == [f"{row['features']:,}", f"{row['bytes']:,}"]
        assert row["train_cpu_s"] > 0
