"""Scores of labels, of the chunks that labels spell, of trees, of whole analyses and of rerankers; significance.

Ratios are in percent, as papers print them, and 0.0 where they are undefined.

>>> gold = [["B-NP", "I-NP", "O"]]
>>> guess = [["B-NP", "O", "O"]]
>>> round(label_scores(gold, guess).accuracy, 2)
66.67
>>> chunk_scores(gold, guess).f1
0.0
"""

from sapwood.metrics.brackets import BracketReport, bracket_counts, bracket_scores
from sapwood.metrics.chunks import (
    Chunk,
    ChunkReport,
    bio_to_iobes,
    chunk_scores,
    extract_chunks,
    iobes_to_bio,
    looks_like_chunks,
)
from sapwood.metrics.confusion import Confusion, confusion
from sapwood.metrics.labels import (
    Average,
    LabelReport,
    LabelScore,
    LabelSetReport,
    class_scores,
    label_scores,
    label_set_scores,
    set_scores,
)
from sapwood.metrics.ranking import RankingReport, ranking_scores
from sapwood.metrics.significance import Comparison, ScoreDifference, compare, compare_f1, sign_test
from sapwood.metrics.trees import AttachmentScore, ParsedSentence, TreeReport, tree_scores
from sapwood.metrics.words import LemmaReport, SplitReport, lemma_scores, split_scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sapwood.metrics.conll2018 import Conll2018Report, Conll2018Score, conll2018_scores

__all__ = [
    "AttachmentScore", "Average", "BracketReport", "Chunk", "ChunkReport", "Comparison", "Confusion",
    "Conll2018Report", "Conll2018Score", "LabelReport", "LabelScore", "LabelSetReport", "LemmaReport",
    "ParsedSentence", "RankingReport", "ScoreDifference", "SplitReport", "TreeReport", "bio_to_iobes",
    "bracket_counts", "bracket_scores", "chunk_scores", "class_scores", "compare", "compare_f1", "confusion",
    "conll2018_scores", "extract_chunks", "iobes_to_bio", "label_scores", "label_set_scores", "lemma_scores",
    "looks_like_chunks", "ranking_scores", "set_scores", "sign_test", "split_scores", "tree_scores",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Import the scores of the CoNLL-2018 shared task when they are asked for: the core reads their treebanks."""
    if name in __all__:
        from sapwood.metrics import conll2018

        return getattr(conll2018, name)
    raise AttributeError(f"module 'sapwood.metrics' has no attribute {name!r}")
