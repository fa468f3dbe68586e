"""sapwood: small, fast, explainable linear models for language.

>>> import sapwood
>>> tagger = sapwood.SequenceTagger(template="U00:%x[0,0]\\nU01:%x[-1,0]\\nB\\n", epochs=5, min_updates=1)
>>> _ = tagger.fit([[("the", "DT"), ("dog", "NN")], [("a", "DT"), ("cat", "NN")]])
>>> tagger.predict([["a", "dog"]])
[['DT', 'NN']]
"""

from __future__ import annotations

from sapwood.errors import (
    DataError,
    ModelError,
    OptionError,
    SapwoodError,
    SapwoodWarning,
    TemplateError,
    UnfamiliarWarning,
)
from sapwood.version import __version__ as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Literal, overload

    from sapwood.documents.doc import Doc
    from sapwood.frames import annotate_frame
    from sapwood.model.base import AnyModel
    from sapwood.sklearn.estimator import PerceptronClassifier
    from sapwood.sklearn.kernels import PolynomialKernel, SubsequenceKernel, TreeKernel
    from sapwood.tasks.classifying.model import Classifier
    from sapwood.tasks.clustering.model import WordClusterer
    from sapwood.tasks.parsing.grammar import PhraseParser
    from sapwood.tasks.parsing.model import DependencyParser
    from sapwood.tasks.pipeline.languages import Languages
    from sapwood.tasks.pipeline.model import Pipeline
    from sapwood.tasks.ranking.model import Reranker
    from sapwood.tasks.rewriting.model import Lemmatizer, Splitter
    from sapwood.tasks.segmenting.model import Segmenter
    from sapwood.tasks.structured.model import structured
    from sapwood.tasks.tagging.model import SequenceTagger
    from sapwood.training.suspects import suspects

    # Type checkers know the classes of the bundled models; of a file, `SequenceTagger.load` and the like tell it.
    @overload
    def load(path: Literal["en", "ca", "de", "es", "fr", "it", "pt", "ro", "sv"]) -> Pipeline: ...
    @overload
    def load(path: Literal["language"]) -> Classifier: ...
    @overload
    def load(path: Literal["auto"]) -> Languages: ...
    @overload
    def load(path: str | os.PathLike[str]) -> AnyModel: ...
    def load(path: str | os.PathLike[str]) -> AnyModel:
        """Load a model file of any task; see sapwood.loading."""
        raise NotImplementedError


__all__ = [
    "Classifier", "DataError", "DependencyParser", "Doc", "Lemmatizer", "ModelError", "OptionError",
    "PerceptronClassifier", "PhraseParser", "Pipeline", "PolynomialKernel", "Reranker", "SapwoodError",
    "SapwoodWarning", "Segmenter", "SequenceTagger", "Splitter", "SubsequenceKernel", "TemplateError", "TreeKernel",
    "UnfamiliarWarning", "WordClusterer", "annotate_frame", "load", "structured", "suspects",
]  # fmt: skip

_HOMES = {
    "Classifier": "tasks.classifying.model",
    "DependencyParser": "tasks.parsing.model",
    "Doc": "documents.doc",
    "Lemmatizer": "tasks.rewriting.model",
    "PerceptronClassifier": "sklearn.estimator",
    "PhraseParser": "tasks.parsing.grammar",
    "Pipeline": "tasks.pipeline.model",
    "Reranker": "tasks.ranking.model",
    "Segmenter": "tasks.segmenting.model",
    "PolynomialKernel": "sklearn.kernels",
    "SequenceTagger": "tasks.tagging.model",
    "Splitter": "tasks.rewriting.model",
    "SubsequenceKernel": "sklearn.kernels",
    "TreeKernel": "sklearn.kernels",
    "WordClusterer": "tasks.clustering.model",
    "annotate_frame": "frames",
    "load": "loading",
    "structured": "tasks.structured.model",
    "suspects": "training.suspects",
}


def __getattr__(name: str) -> object:
    """Import the tasks when they are asked for, so that the command line starts quickly."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"sapwood.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'sapwood' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names, whether they are imported yet or not."""
    return sorted([*globals(), *_HOMES])
