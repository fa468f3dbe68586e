"""A tokenizer for spaCy: tokens and sentences of a sapwood pipeline."""

from collections.abc import Callable, Iterable, Iterator

from spacy.language import Language
from spacy.tokens import Doc as SpacyDoc
from spacy.util import minibatch, registry
from spacy.vocab import Vocab

from sapwood.io.source import encoded
from sapwood.spacy.analysis import Annotation
from sapwood.spacy.docs import spacy_doc
from sapwood.spacy.models import AUTO, ComponentModel, WithModel


class SapwoodTokenizer(WithModel):
    """Cuts texts into the tokens and sentences of a sapwood pipeline. Nothing of a text is lost."""

    def __init__(self, vocab: Vocab, model: ComponentModel) -> None:
        self.vocab, self.model = vocab, model

    def __call__(self, text: str) -> SpacyDoc:
        """Return a text as a document. Raises DataError for a NUL character, or half of a character."""
        return next(self.pipe([text]))

    def pipe(self, texts: Iterable[str], batch_size: int = 1000) -> Iterator[SpacyDoc]:
        for batch in minibatch(texts, size=batch_size):
            for core in self.model.pipeline.pipeline_.read_each([encoded(text) for text in batch], 1):
                yield spacy_doc(Annotation.of(core), self.vocab)


@registry.tokenizers("sapwood.Tokenizer.v1")  # type: ignore[untyped-decorator]
def make_tokenizer(model: str | None = AUTO) -> Callable[[Language], SapwoodTokenizer]:
    """Return a maker of tokenizers for spaCy's pipelines; `model` is as a component has it."""

    def make(nlp: Language) -> SapwoodTokenizer:
        return SapwoodTokenizer(nlp.vocab, ComponentModel(model, nlp.lang, ("segment",), "the tokenizer"))

    return make
