"""sapwood: small, fast, explainable linear models for language.

>>> import sapwood
>>> tagger = sapwood.SequenceTagger(template="U00:%x[0,0]\\nU01:%x[-1,0]\\nB\\n", epochs=5, min_updates=1)
>>> _ = tagger.fit([[("the", "DT"), ("dog", "NN")], [("a", "DT"), ("cat", "NN")]])
>>> tagger.predict([["a", "dog"]])
[['DT', 'NN']]
"""

from typing import TYPE_CHECKING, Any

from sapwood.errors import DataError, ModelError, OptionError, SapwoodError, TemplateError

if TYPE_CHECKING:
    from sapwood.classify import Classifier
    from sapwood.estimator import PerceptronClassifier
    from sapwood.grammar import PhraseParser
    from sapwood.kernels import PolynomialKernel, SubsequenceKernel, TreeKernel
    from sapwood.models import load
    from sapwood.parse import DependencyParser
    from sapwood.rank import Reranker
    from sapwood.tag import SequenceTagger

__all__ = [
    "Classifier",
    "DataError",
    "DependencyParser",
    "ModelError",
    "OptionError",
    "PerceptronClassifier",
    "PhraseParser",
    "PolynomialKernel",
    "Reranker",
    "SapwoodError",
    "SequenceTagger",
    "SubsequenceKernel",
    "TemplateError",
    "TreeKernel",
    "load",
]

__version__ = "0.1.0"


_HOMES = {
    "Classifier": "classify",
    "DependencyParser": "parse",
    "PerceptronClassifier": "estimator",
    "PhraseParser": "grammar",
    "Reranker": "rank",
    "PolynomialKernel": "kernels",
    "SequenceTagger": "tag",
    "SubsequenceKernel": "kernels",
    "TreeKernel": "kernels",
    "load": "models",
}


def __getattr__(name: str) -> Any:
    """Import the tasks when they are asked for, so that the command line starts quickly."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"sapwood.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'sapwood' has no attribute {name!r}")
