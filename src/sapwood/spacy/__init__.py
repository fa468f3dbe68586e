"""Components, a tokenizer and documents for spaCy; imported on demand.

`nlp.add_pipe("sapwood")` finds the components by the package's entry points; ``import sapwood.spacy`` registers them,
too.
"""

from sapwood.base.optional import require

require("spacy", "a spaCy pipeline")

from sapwood.spacy import components, tokenizer  # noqa: E402

__all__ = ["components", "tokenizer"]
