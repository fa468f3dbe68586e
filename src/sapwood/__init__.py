"""sapwood: small, fast, explainable linear models for language.

>>> import sapwood
>>> tagger = sapwood.SequenceTagger(template="U00:%x[0,0]\\nU01:%x[-1,0]\\nB\\n", epochs=5, min_updates=1)
>>> _ = tagger.fit([[("the", "DT"), ("dog", "NN")], [("a", "DT"), ("cat", "NN")]])
>>> tagger.predict([["a", "dog"]])
[['DT', 'NN']]
"""

from __future__ import annotations

from sapwood.errors import DataError, ModelError, OptionError, SapwoodError, TemplateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sapwood.models.classifier import Classifier
    from sapwood.models.clusters import WordClusterer
    from sapwood.models.doc import Doc
    from sapwood.models.grammar import PhraseParser
    from sapwood.models.lemmatizer import Lemmatizer
    from sapwood.models.load import load
    from sapwood.models.parser import DependencyParser
    from sapwood.models.pipeline import Pipeline
    from sapwood.models.reranker import Reranker
    from sapwood.models.segmenter import Segmenter
    from sapwood.models.splitter import Splitter
    from sapwood.models.tagger import SequenceTagger
    from sapwood.sklearn.estimator import PerceptronClassifier
    from sapwood.sklearn.kernels import PolynomialKernel, SubsequenceKernel, TreeKernel

__all__ = [
    "Classifier", "DataError", "DependencyParser", "Doc", "Lemmatizer", "ModelError", "OptionError",
    "PerceptronClassifier", "PhraseParser", "Pipeline", "PolynomialKernel", "Reranker", "SapwoodError",
    "Segmenter", "SequenceTagger", "Splitter", "SubsequenceKernel", "TemplateError", "TreeKernel",
    "WordClusterer", "load",
]  # fmt: skip

__version__ = "0.2.0"


_HOMES = {
    "Classifier": "models.classifier",
    "DependencyParser": "models.parser",
    "Doc": "models.doc",
    "Lemmatizer": "models.lemmatizer",
    "PerceptronClassifier": "sklearn.estimator",
    "PhraseParser": "models.grammar",
    "Pipeline": "models.pipeline",
    "Reranker": "models.reranker",
    "Segmenter": "models.segmenter",
    "PolynomialKernel": "sklearn.kernels",
    "SequenceTagger": "models.tagger",
    "Splitter": "models.splitter",
    "SubsequenceKernel": "sklearn.kernels",
    "TreeKernel": "sklearn.kernels",
    "WordClusterer": "models.clusters",
    "load": "models.load",
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
