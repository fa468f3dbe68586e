"""Sequence labelling: part-of-speech tags, chunks, names. One tagger is one template x one search x one learner."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack, overload

import sapwood._core as _core
from sapwood.errors import DataError, Listener, ModelError, OptionError
from sapwood.io.source import shown, with_lines
from sapwood.io.token_records import refuse_records
from sapwood.model.abstention import NO_ABSTENTION, Abstain, fit_abstention, target_of
from sapwood.model.answers import Answers
from sapwood.model.confidence import Numbers
from sapwood.model.familiarity import Monitor
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Observed
from sapwood.options import Values
from sapwood.tasks.tagging import feature_dicts
from sapwood.tasks.tagging.answers import TaggerRecords, label_answers
from sapwood.tasks.tagging.confidence import (
    Labels,
    TaggerConfidence,
    label_decisions,
    with_abstentions,
    with_confidence_column,
)
from sapwood.tasks.tagging.data import (
    AnyToken,
    HeldOut,
    Source,
    check_columns,
    has_features,
    names_of,
    parse_columns,
    read_columns,
    with_tokens,
)
from sapwood.tasks.tagging.options import TaggerOptions
from sapwood.tasks.tagging.row_tagger import RowTagger
from sapwood.training.nbest import NBest, check_n
from sapwood.training.options import FitKeywords

if TYPE_CHECKING:
    from sapwood.events import Callback
    from sapwood.metrics.evaluation import SequenceEvaluation
    from sapwood.training.run import Run
    from sapwood.training.suspects import Suspect


class SequenceTagger(RowTagger[TaggerOptions]):
    """A tagger trained by the perceptron family, kept small by `min_updates`.

    Options follow scikit-learn's conventions; nothing is checked before `fit`. What searches know, `RowTagger` says.

    >>> tagger = SequenceTagger(template="chunking", epochs=3, seed=7)
    >>> tagger
    SequenceTagger(template='chunking', epochs=3, seed=7)
    """

    _params_type = TaggerOptions
    task = "tag"
    _noun = "tagger"
    _records_type = TaggerRecords
    _reads_streams = True
    _annotates = "columns"
    _confidence: TaggerConfidence

    def fit(self, sentences: Source, labels: Labels | None = None, **how: Unpack[FitKeywords]) -> Self:
        """Train on a column file, a list of files, or sentences in memory; `Learner.fit` describes the keywords.

        Without `labels` the last value of each token (or the column named "label") is its label. With `labels` beside,
        `dev` is a pair (X_dev, y_dev). Then tokens may also be their features, as CRFsuite takes them, without a
        template: dicts, or lists of strings. A tuple is always columns.
        """
        return self._fit_to(None, sentences, labels, **how)

    def _learn(self, run: Run, sentences: Any, labels: Labels | None = None, *, dev: HeldOut | None = None) -> Self:
        from sapwood.tasks.tagging.training import label_column, read_held_out, read_training, tagger_trainer

        columns = names_of(self.params.columns)
        data = read_training(sentences, labels, dev, columns, run.scratch)
        held_out = None if dev is None else read_held_out(dev, labels, data.first, columns)
        hint = "is the last column the label? --columns says which is"
        label = label_column(self.params, data.first)
        self._train(run, tagger_trainer, data, held_out, label=label, label_hint=hint)
        return self

    def _suspects(self, run: Run, folds: int, sentences: Source, labels: Labels | None = None) -> list[Suspect]:
        """Return wrong labels; neighbouring ones of chunks are one suspect."""
        from sapwood.metrics.chunks import looks_like_chunks
        from sapwood.tasks.tagging.training import label_column, read_training
        from sapwood.training.suspects import SentenceAnswers, sentence_suspects

        data = read_training(sentences, labels, None, names_of(self.params.columns)).first
        label = label_column(self.params, data)
        gold, words = data.column(label), data.column(0 if label else 1)

        def answer(model: SequenceTagger, part: _core.Columns, inside: list[int]) -> SentenceAnswers:
            guess, margins = model.tagger_.predict(part, self.threads), model.tagger_.margins(part, self.threads)
            [stages, *_] = label_decisions([gold[k] for k in inside], guess, margins)
            return SentenceAnswers(guess, stages)

        in_runs = looks_like_chunks(chain(*gold))
        return sentence_suspects(self, data, gold, words, answer, folds, run, label=label, whole_runs=in_runs)

    def partial_fit(self, sentences: Source, labels: Labels | None = None, *, on_event: Callback | None = None) -> Self:
        """Make one pass over a file or sentences, as `fit` takes them, and go on from the calls before.

        Copies and pickles go on, too. Later calls may have new labels. Raises ModelError for a tagger that was trained
        by `fit`, OptionError if options have changed or if tokens are dicts of features, and what `fit` raises.
        """
        if has_features(sentences, lists=labels is not None):
            raise OptionError("partial_fit takes tokens with columns, which are tuples; fit takes features of tokens")
        return self._pass(sentences, labels, on_event=on_event)

    @overload
    def predict(self, sentences: Source, *, abstain: Literal[False] = False) -> list[list[str]]: ...
    @overload
    def predict(self, sentences: Source, *, abstain: bool) -> list[list[str | None]]: ...
    def predict(self, sentences: Source, *, abstain: bool = False) -> Any:
        """Return one label a token. Tokens are strings, tuples of the columns that the model was trained on, or dicts.

        abstain : give None where the model is not sure enough of a label, or of a chunk; raises ModelError if
        `calibrate` was not given a precision or a coverage

        A sentence without tokens has no labels.
        """
        data = self._encode_input(sentences)
        if not abstain:
            return self.tagger_.predict(data, self.threads)
        if not self._confidence.least:
            raise ModelError(NO_ABSTENTION)
        return self._confidence.given(data, self.threads)

    def predict_single(self, sentence: Sequence[AnyToken]) -> list[str]:
        """Return the labels of one sentence."""
        return self.predict([sentence])[0]

    def predict_marginals(self, sentences: Source) -> list[list[dict[str, float]]]:
        """Return for each token the confidence in each label; they add up to 1. See sapwood.tasks.tagging.confidence.

        Raises ModelError if the model is not calibrated: a perceptron's scores are no probabilities.
        """
        self.confidence.check()
        return self._confidence.marginals(self._encode_input(sentences), self.threads)

    def predict_marginals_single(self, sentence: Sequence[AnyToken]) -> list[dict[str, float]]:
        """Return the marginals of one sentence, as `predict_marginals` does."""
        return self.predict_marginals([sentence])[0]

    @property
    def classes_(self) -> list[str]:
        """The labels that the fitted model gives, as sklearn-crfsuite calls them."""
        self.check_fitted()
        return self.labels_

    def n_best(self, sentences: Source, n: int) -> list[list[tuple[list[str], float]]]:
        """Return for each sentence its n best label sequences with their scores, best first (Viterbi only)."""
        n, data = check_n(n), self._encode_input(sentences)
        return self.tagger_.n_best(data, n)

    @property
    def lists(self) -> NBest[_core.Columns]:
        """The lists of the best label sequences, for a reranker."""
        from sapwood.tasks.tagging.answers import label_lists, read_label_rows

        self.check_fitted()
        propose = partial(label_lists, self.tagger_, self.model_)
        return NBest(
            partial(read_label_rows, self.model_), propose, lambda rows: self.recipe.untrained().fit(rows).lists
        )

    def margins(self, sentences: Source) -> Numbers:
        """Return for each token how far its label is ahead of the best other one, as `explain` has it.

        A token without an alternative has an infinite margin.
        """
        data = self._encode_input(sentences)
        return self._confidence.margins(data, self.threads)[0]

    def confidences(self, sentences: Source) -> Numbers:
        """Return the confidence in each label, from 0 to 1. Raises ModelError if the model is not calibrated."""
        data = self._encode_input(sentences)
        return self._confidence.of(data, self.threads)

    def calibrate(self, sentences: Source, labels: Labels | None = None, **abstain: Unpack[Abstain]) -> Self:
        """Fit confidences on data that training did not see, in a file or in memory as `fit` takes them.

        They are kept with the model; `calibration_error_` says how far they are from the truth (0 to 1), by
        cross-validation in five folds. Labels that are chunks have confidences in whole chunks, too.

        abstain : `precision` or `coverage`, shares from 0 to 1, fit the least confidence of a chunk, or else of a
        label, as well (see sapwood.model.abstention); `predict(..., abstain=True)` and the command line
        abstain then

        Raises DataError if there are too few tokens.
        """
        data = with_tokens(self._known(sentences, labels, "held-out data"), "score")
        self.familiarity_.warn_if_seen(data, data.name)
        evaluated, [margins] = self.evaluate(data), self.confidence.margins(data, self.threads)
        self._calibrated(*label_decisions(evaluated.gold, evaluated.guess, margins))
        if (target := target_of(**abstain)) is not None:
            answered = self._confidence.answered(data, evaluated.gold, self.threads)
            self._keep_abstention(fit_abstention(answered, target, data.name))
        return self

    def chunk_confidences(self, sentences: Source) -> list[list[tuple[str, int, int, float]]]:
        """Return the chunks of each sentence: label, first token, the one after the last, and how sure the model is.

        The confidence, from 0 to 1, is that label, begin and end are all right. Raises ModelError if the model is not
        calibrated on chunks.
        """
        data = self._encode_input(sentences)
        return self._confidence.chunks(data, self.threads)

    def annotate(self, blocks: Iterable[bytes], *, name: str = "input", confidence: bool = False) -> Iterator[bytes]:
        """Yield each block of a column file with the predicted label at the end of every row.

        confidence : with the confidence in it in a further column; raises ModelError if the model is not calibrated

        A block ends with a sentence; `name` goes into errors. Raises DataError at a row with more or fewer columns
        than the first, in whatever block, and for data that the model was not made for.
        """
        self.check_fitted()
        if confidence:
            self.confidence.check()
        return self._written(self._read_blocks(blocks, shown(name)), confidence)

    def _read_blocks(self, blocks: Iterable[bytes], name: str) -> Iterator[_core.Columns]:
        monitor = Monitor(self.familiarity_, name)

        def read() -> Iterator[_core.Columns]:
            before = None
            for block, line in with_lines(blocks):
                if before is None:
                    refuse_records(block, name)
                before = self._parsed(block, name, line, before, on_warning=monitor.warn)
                yield before

        return monitor.parts(read())

    def _written(self, blocks: Iterable[_core.Columns], confidence: bool) -> Iterator[bytes]:
        for data in blocks:
            labelled = self.tagger_.annotate(data, self.threads)
            if self.confidence.least:
                given = self.confidence.given(data, self.threads)
                labelled = with_abstentions(data, labelled, given, "O" if self.confidence.has_chunks else "_")
            if confidence:
                labelled = with_confidence_column(data, labelled, self.confidence.of(data, self.threads))
            yield labelled

    def _parsed(self, data: bytes, name: str, *place: Any, on_warning: Listener | None = None) -> _core.Columns:
        known, names = (self.model_, self.tagger_.labels), self.model_.columns
        warn = on_warning or self.familiarity_.on_warning
        return parse_columns(data, name, *place, names=names, known=known, on_warning=warn)

    def evaluate(self, sentences: Source, labels: Labels | None = None) -> SequenceEvaluation:
        """Predict labels for data that have gold ones. Raises DataError if they have none."""
        from sapwood.metrics.evaluation import SequenceEvaluation, in_tagset, unseen_labels

        data = with_tokens(self._known(sentences, labels, "test data"), "score")
        self.familiarity_.check(data, data.name)
        gold, known = data.column(self.model_.label if labels is None else data.width - 1), self.tagger_.labels
        gold, guess = in_tagset(data.name, gold, known), self.tagger_.predict(data, self.threads)
        return SequenceEvaluation(gold, guess, unseen_labels(gold, known), known)

    def _answers(self, source: Source) -> list[Answers]:
        data = with_tokens(self._known(source, None, "test data"), "score")
        found = self.evaluate(data)
        answers = label_answers(
            partial(self._explain, data), data, found.gold, found.guess, self.model_.label, self.params.encoding
        )
        if self.confidence.calibrated:
            answers = answers._replace(confidences=self.confidence.of(data, self.threads))
        return [answers]

    def _observed(self, sentences: Source) -> Observed:
        data = self._encode_input(sentences)
        sure = self.confidence.of(data, self.threads) if self.confidence.calibrated else []
        words = data.column(0)
        labels = self.tagger_.predict(data, self.threads)
        return Observed(self.familiarity_.count_each(data), labels, lambda k, place: words[k][place], sure)

    def score(self, sentences: Source, labels: Labels | None = None) -> float:
        """Return the accuracy on labelled data, a fraction of 1 as scikit-learn wants it."""
        return self.evaluate(sentences, labels).labels.accuracy / 100

    @property
    def state_features_(self) -> dict[tuple[str, str], float]:
        """Weights by feature and label, as sklearn-crfsuite has them; those that are not there are 0.

        Raises ModelError if the model does not keep the features' names; see the option `names`.
        """
        self.check_fitted()
        return feature_dicts.state_features(self.model_, self.tagger_.weights())

    @property
    def transition_features_(self) -> dict[tuple[str, str], float]:
        """Weights by a label and the one that follows it; "<start>" is before the first token. Viterbi search only."""
        self.check_fitted()
        return feature_dicts.transition_features(self.model_, self.tagger_.weights())

    def _known(self, source: Source, labels: Labels | None, name: str) -> _core.Columns:
        """Return data for the model. Raises NotFittedError, DataError if it was trained on data of another kind."""
        self.check_fitted()
        most = feature_dicts.features_of(self.model_)
        data = read_columns(source, labels, name, most, self.model_.columns, features=most > 0)
        if data.tokens and data.has_gaps != (most > 0):
            wanted, other = ("features", "columns") if most else ("columns", "features")
            raise DataError(f"{name}: the tokens are {other}, but the model was trained on {wanted}")
        if most and not isinstance(source, _core.Columns):
            self._widen(data.width - (labels is not None))
        return data

    def _widen(self, features: int) -> None:
        """Take tokens with so many features, if they have more than any had before; the weights stay."""
        with feature_dicts.WIDENING:
            if features > feature_dicts.features_of(self.model_):
                template = feature_dicts.template_of(features, self.model_.options["order"])
                names = feature_dicts.feature_columns(features)
                self._install(self.model_.replaced(template=template, columns=names, label=features))

    def _encode_input(self, sentences: Source) -> _core.Columns:
        data = self._known(sentences, None, "input")
        if isinstance(sentences, os.PathLike):
            check_columns(self.model_, self.tagger_.labels, data)
        self.familiarity_.check(data, data.name)
        return data

    @classmethod
    def _with_options_of(cls, model: ModelFile, **others: object) -> Self:
        names = ["label" if number == model.label else name for number, name in enumerate(model.columns)]
        has_names = names[:1] != ["feature 1"] and names[:-1] != [*map(str, range(len(names) - 1))]
        return super()._with_options_of(model, columns=names if has_names else None, **others)

    def _install(self, model: ModelFile) -> None:
        super()._install(model)
        self._confidence = TaggerConfidence(self.tagger_, model)

    def _data_options(self) -> Values:
        return {} if (lexicon := _core.Lexicon.of_model(self.model_)) is None else {"lexicon": lexicon}
