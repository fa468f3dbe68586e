"""The silver data of a pipeline: treebanks that another model or person labelled, in which any column may be missing.

Each model learns from the sentences that can teach it: tagger, morphology and lemmatizer from tags, FEATS and lemmas,
the parser from trees, the names from NER= in MISC. Segmenter and splitter learn from gold data alone.
"""

from collections.abc import Iterable, Mapping, Sequence

import sapwood._core as _core
from sapwood.errors import DataError, warn
from sapwood.io.conllu import read_treebank
from sapwood.io.entities import items_of
from sapwood.options import Values
from sapwood.parts import PARTS, TAGS, Part
from sapwood.tasks.parsing.training import choose_trees
from sapwood.tasks.pipeline.data import (
    LEAST,
    MORPHOLOGY,
    Tags,
    filled_columns,
    tag_examples,
    tag_rows,
    with_feats,
    with_tags,
    without,
)
from sapwood.tasks.tagging.data import read_columns
from sapwood.training.options import LEAST_SURENESS
from sapwood.training.silver import SURE_NAME, Cells, SilverFilter, labels_of, silver_source
from sapwood.training.task import silver_facts

Nothing = tuple[()]  # no data, as the option `silver` has it


class SilverTreebank:
    """The sentences of silver data that are not those of gold or held-out data, and which of them teach each model.

    data : the sentences, without columns that the gold data do not have; none if there are no silver data
    """

    def __init__(
        self, silver: object, gold: _core.Conllu, held_out: _core.Conllu | None, options: Mapping[str, Values]
    ) -> None:
        self._options = options
        self._chosen: dict[str, set[int]] = {}  # by model, the numbers of the sentences that teach it
        source = silver_source(silver, _core.Conllu)
        self._files = [source] if isinstance(source, _core.Conllu) else [*map(read_treebank, source or ())]
        if not self._files:
            self.data, self._left, self._file_of = gold.select([]), [], []
            return
        data = _core.Conllu.joined(self._files)
        choice = SilverFilter(data, "pipeline")
        choice.apart_from(gold, held_out)
        data, self._left = choice.chosen(), choice.left
        file_of = [k for k, file in enumerate(self._files) for _ in range(file.sentences)]
        self._file_of = [file_of[s] for s in self._left]  # by sentence
        lacking = [name for name in LEAST if filled_columns(data, (name,)) and not filled_columns(gold, (name,))]
        self.data = without(data, lacking) if lacking else data
        items = [column for part in PARTS for column in part.columns if column.item]
        if not filled_columns(self.data, (*TAGS, "lemma", "head")) and not any(items_of(data, each) for each in items):
            names = f"no word has tags, a lemma, a head or {'=, '.join(each.item for each in items)}="
            raise DataError(f"{data.name}: these silver data teach nothing that gold data have: {names}")

    def __len__(self) -> int:
        return self.data.sentences

    @property
    def learned(self) -> _core.Conllu:
        """The sentences that teach some model."""
        return self.data.select(sorted(set[int]().union(*self._chosen.values())))

    def facts(self) -> dict[str, object]:
        """Return counts and checksum for the provenance, nothing without silver data."""
        return silver_facts(self.learned) if self._files else {}

    def choose(
        self,
        model: str,
        learned: Sequence[str],
        gold: _core.Conllu,
        *,
        reads: Sequence[str] = (),
        closed: bool = True,
        agreeing: _core.Conllu | None = None,
    ) -> None:
        """Find the sentences that teach a model. Warns of what is left out; raises DataError if nothing is left.

        learned, reads : columns that the model learns, and that it looks at
        closed : whether the values of the columns that it learns are those that gold data have; new ones may be joined
        agreeing : a treebank; sentences in which it contradicts what the model learns are left out
        """
        if (choice := self._choice(model, learned, reads, gold)) is not None:
            choice.sure(self.data.column("misc"), self._least(model))
            for name in learned if closed else ():
                choice.known(self.data.column(name), labels_of(gold.column(name)), name.upper())
            if agreeing is not None:
                words, known_words = self.data.column("form"), agreeing.column("form")
                for name in filled_columns(agreeing, filled_columns(gold, learned)):
                    known = known_words, agreeing.column(name)
                    choice.agree((words, self.data.column(name)), known, name.upper())
            self._keep(model, choice)

    def choose_trees(self, gold: _core.Conllu, *, single_root: bool) -> None:
        """Find the sentences that teach the parser, as `choose` does."""
        if (choice := self._choice("parser", ("head", "deprel"), (), gold)) is not None:
            single_root = self._options.get("parser", {}).get("single_root", single_root)
            choose_trees(choice, gold, self._least("parser"), single_root=single_root)
            self._keep("parser", choice)

    def _choice(
        self, model: str, learned: Sequence[str], reads: Sequence[str], gold: _core.Conllu
    ) -> SilverFilter[_core.Conllu] | None:
        """Return the sentences of files with all columns that gold data have for a model; None if there are none."""
        wanted = filled_columns(gold, (*learned, *reads))
        there = filled_columns(self.data, wanted)
        if not set(there).intersection(learned):
            return None
        if there != wanted:
            lacking = " and ".join(name.upper() for name in wanted if name not in there)
            warn(f"{self.data.name}: no word has {lacking}, so the {model} learns from gold data alone")
            return None
        choice = SilverFilter(self.data, model)
        others = {k for k, file in enumerate(self._files) if filled_columns(file, wanted) != wanted}
        choice.leave_out({s for s, k in enumerate(self._file_of) if k in others}, f"lack {' or '.join(wanted).upper()}")
        return choice

    def _choose_labelled(self, part: Part, known: Cells) -> list[list[str] | None]:
        """Return the labels of a part in MISC by sentence, None where the file has none, and find those that teach it.

        known : labels of the gold data; if there are none, those of silver data are all right
        """
        [column] = part.columns
        found: list[list[str] | None] = []
        for file in self._files:
            found += items_of(file, column) or [None] * file.sentences
        labels = [found[s] for s in self._left]
        if any(labels):
            choice = SilverFilter(self.data, part.name)
            choice.leave_out({s for s, each in enumerate(labels) if each is None}, f"have no {column.item}=")
            choice.sure(self.data.column("misc"), self._least(part.name), SURE_NAME)
            if known:
                choice.known([each or [] for each in labels], labels_of(known), "labels")
            self._keep(part.name, choice)
        return labels

    def _least(self, model: str) -> float:
        least: float = self._options.get(model, {}).get("least_sureness", LEAST_SURENESS.default)
        return least

    def _keep(self, model: str, choice: SilverFilter[_core.Conllu]) -> None:
        choice.chosen()  # raises DataError
        self._chosen[model] = set(choice.left)

    def of(self, model: str, among: Iterable[int] | None = None) -> list[int]:
        """Return the numbers of the sentences that teach a model, of all or of some."""
        chosen = self._chosen.get(model, set())
        return sorted(chosen if among is None else chosen.intersection(among))

    def tags(self, part: Part, first: int, among: Iterable[int]) -> _core.Columns | Nothing:
        """Return the rows of the tagger or the morphology, of some sentences; nothing if none of these teaches it.

        first : how many columns the tagger learns, as `tag_columns` has it
        """
        if not (taught := self.of(part.name, among)):
            return ()
        data = self.data.select(taught)
        examples = tag_examples(part, with_feats(data) if part is MORPHOLOGY else data, first)
        return read_columns(*examples, data.name)

    def trees(self, tags: Tags) -> _core.Conllu | Nothing:
        """Return the trees with other tags; tags : by sentence and word."""
        taught = self.of("parser")
        return with_tags(self.data, tags).select(taught) if taught else ()

    def with_lemmas(self, gold: _core.Conllu) -> _core.Conllu:
        """Return gold data with the silver sentences that teach the lemmatizer behind them."""
        taught = self.of("lemmatizer")
        return _core.Conllu.joined([gold, self.data.select(taught)]) if taught else gold

    def labelled(self, part: Part, known: Cells, tags: Tags) -> _core.Columns | Nothing:
        """Return the rows of a part whose labels are in MISC, with other tags; known : labels of the gold data."""
        labels = self._choose_labelled(part, known)
        if not (taught := self.of(part.name)):
            return ()
        forms = self.data.column("form")
        rows = tag_rows([forms[s] for s in taught], [tags[s] for s in taught])
        return read_columns(rows, [labels[s] or [] for s in taught], self.data.name)
