"""The parts of a model file that all tasks share: packed tables, word lists, provenance.

A file is a safetensors container (see sapwood.model.file.container). Metadata, all strings:

=============  ====================================================================================
format         "sapwood/3"
task           "tag", "parse", "classify", "rank", "structured" or "grammar"
labels         JSON list of strings, in order of first appearance in the training data
template       the feature template's text
columns        JSON: {"names": [...], "label": index}
options        JSON: the learner's and the search's options
weights        JSON: {"bits": 8, "scale": 0.01}; weight = integer * scale
tables         JSON list of {"features", "weights", "width", "key_bits", "lengths"}, see sapwood.model.file.coding
word_lists     JSON list of {"name", "longest"}
clusters       optional, JSON: {"words", "key_bits"} of the word clusters; in a part also "whole", if it has the same
               as the model that it is a part of
provenance     JSON: version, seed, epochs, counts, scores, checksum of the data
extra          optional, JSON list of the names of arrays that only one task has: a grammar's rules, or the support
               candidates of a reranker in dual form (sapwood.model.support), or the thresholds of a multi-label
               classifier
calibration    optional, JSON: {"method": ..., "curves": [[...]]} of a classifier, see core/model/calibration.hpp,
               or of a tagger: one isotonic curve from margins to the share of labels that are right; perhaps with
               "abstention", the least confidences with which the model answers, see sapwood.model.abstention
familiarity    optional, JSON: for each column {"share": ..., "sentences": [...], "windows": [...]}, the share of words
               that are frequent ones, and optional {"name": ..., "empty": [...]}, see core/model/familiarity.hpp
card           optional, JSON: a text in Markdown
parts          optional, JSON: the metadata of models inside this one, by name (of a pipeline: sapwood.parts)
=============  ====================================================================================

Table N is ``N.table`` and, with names of its features, ``N.names``. Word list K is ``list.K``, sorted 64-bit keys.
Word clusters are ``clusters.high``, ``clusters.low``, ``clusters.classes`` and ``clusters.tree``, see
core/features/word_clusters.hpp. Keys of frequent words are ``familiar``, hashes of training sentences ``seen``. Arrays
of a model inside this one have its name in front: ``tagger/0.table``. Those that one task alone has are ``extra.NAME``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import sapwood._core as _core
from sapwood.errors import ModelError
from sapwood.io.source import shown
from sapwood.model.file import container
from sapwood.model.file.coding import METADATA, coded
from sapwood.model.file.container import Array
from sapwood.model.file.records import Calibration, Familiar, TableRecord

FORMAT = "sapwood/3"
CLUSTER_ARRAYS = ("high", "low", "classes", "tree")
OF_WHOLE = "whole"  # a part's clusters, if the model around it has the same
# Metadata in JSON that become fields as they are; of the others the core makes tables, word lists and parts.
_JSON = ("labels", "columns", "options", "weights", "provenance", "calibration", "familiarity", "extra", "card")


class TableInfo:
    """A table of weights, packed or coded, and the names of its features if they are kept."""

    def __init__(self, packed: _core.PackedTable, names: list[str] | None = None) -> None:
        self.packed, self.names = packed, names

    def coded(self, bits: int) -> _core.PackedTable:
        """Code the table as it is written to a file, its weights in so many bits, and return it."""
        self.packed = self.packed.coded(bits)
        return self.packed

    def _sections(self, bits: int) -> list[bytes]:
        coded = self.coded(bits)
        return [coded.low, coded.sizes, coded.outputs, coded.values]

    def arrays(self, n: int, bits: int) -> dict[str, Array]:
        arrays = {f"{n}.table": Array.of("U8", b"".join(self._sections(bits)))}
        if self.names is not None:
            text = "\n".join(name.replace("\n", " ") for name in self.names)
            arrays[f"{n}.names"] = Array.of("U8", text.encode())
        return arrays

    def record(self, bits: int) -> TableRecord:
        table, lengths = self.coded(bits), list(map(len, self._sections(bits)))
        return TableRecord(
            features=table.features, weights=table.weights, width=table.width, key_bits=table.key_bits, lengths=lengths
        )

    def costs(self, bits: int) -> dict[str, tuple[int, int]]:
        """Return the bytes of each section, and its bytes without coding."""
        plain = self.coded(bits).uncoded(bits)
        sizes = [len(plain.high) + len(plain.low), len(plain.sizes), len(plain.outputs), len(plain.values)]
        names = ("keys", "sizes", "outputs", "weights")
        return dict(zip(names, zip(map(len, self._sections(bits)), sizes, strict=True), strict=True))


class SupportExamples(Protocol):
    """Examples that training keeps in place of weights."""

    def put_in(self, model: ModelFile) -> ModelFile:
        """Return the model file with the examples."""


class ModelFile:
    """The content of a model file, as Python values.

    It has dicts and lists of its own, so that `replaced` gives a model that does not change this one.
    card : in Markdown
    clusters : a part may have the same object as the whole
    """

    def __init__(
        self,
        *,
        task: str,
        labels: Sequence[str] = (),
        template: str = "",
        columns: Sequence[str] = (),
        label: int = 0,
        options: Mapping[str, Any] | tuple[()] = (),
        bits: int = 8,
        scale: float = 1.0,
        tables: Sequence[TableInfo] = (),
        word_lists: Sequence[tuple[str, _core.WordList]] = (),
        provenance: Mapping[str, Any] | tuple[()] = (),
        parts: Mapping[str, ModelFile] | tuple[()] = (),
        calibration: Calibration | None = None,
        familiar: Familiar | None = None,
        extra: Mapping[str, Array] | tuple[()] = (),
        card: str = "",
        clusters: _core.WordClusters | None = None,
    ) -> None:
        self.task, self.labels, self.columns, self.label = task, list(labels), list(columns), label
        self.template, self.options, self.bits, self.scale = template, dict(options), bits, scale
        self.tables, self.word_lists = list(tables), list(word_lists)
        self.provenance, self.parts, self.extra = dict(provenance), dict(parts), dict(extra)
        self.calibration, self.familiar, self.card, self.clusters = calibration, familiar, card, clusters

    def __repr__(self) -> str:
        """Say what it is in a few words, however large it is."""
        parts = f", with a {' and a '.join(self.parts)}" if self.parts else ""
        return f"<ModelFile: {self.task}, {len(self.labels)} labels{parts}>"

    def described_weights(self) -> str:
        """Return the number and the format of the weights, in words."""
        if not self.tables:
            return "none"
        packed = [table.packed for table in self.tables]
        weights, features = sum(p.weights for p in packed), sum(p.features for p in packed)
        kind = f"int{self.bits}, scale {self.scale:.3g}" if self.bits < 32 else "float32"
        return f"{weights:,} non-zero of {features:,} features, {kind}" + (f"; {self.hashing}" if self.hashing else "")

    @property
    def hashing(self) -> str:
        """A remark for `inspect` if `hash_bits` is set, else an empty text."""
        bits = self.options.get("hash_bits")
        return "" if bits is None else f"features are hashed to {bits} bits, so that some share their weights"

    def replaced(self, **fields: Any) -> ModelFile:
        return ModelFile(**vars(self) | fields)

    def with_weights(self, frozen: _core.PackedModel | SupportExamples) -> ModelFile:
        if not isinstance(frozen, _core.PackedModel):
            return frozen.put_in(self)
        return self.replaced(bits=frozen.bits, scale=frozen.scale, tables=list(map(TableInfo, frozen.tables)))

    def arrays(self, whole: ModelFile | None = None) -> dict[str, Array]:
        """Return the arrays by their names in the file. `whole` is the model around this one, if it is a part."""
        arrays: dict[str, Array] = {}
        if self.familiar is not None:
            arrays["familiar"] = Array.of("U32", self.familiar.frequent)
            if self.familiar.seen:
                arrays["seen"] = Array.of("U32", self.familiar.seen)
        for k, (_, words) in enumerate(self.word_lists):
            arrays[f"list.{k}"] = Array.of("U64", words.pack())
        for n, table in enumerate(self.tables):
            arrays |= table.arrays(n, self.bits)
        if self.clusters is not None and not self._shares_clusters(whole):
            for name in CLUSTER_ARRAYS:
                arrays[f"clusters.{name}"] = Array.of("U8", getattr(self.clusters, name))
        arrays.update({f"extra.{name}": array for name, array in self.extra.items()})
        for part, model in self.parts.items():
            arrays.update({f"{part}/{name}": array for name, array in model.arrays(self).items()})
        return arrays

    def costs(self) -> dict[str, tuple[int, int]]:
        """Return for each array, or section of a table, its bytes in the file and its bytes without coding.

        If the metadata are coded, they are the array ``metadata``.
        """
        written, _ = coded(self.arrays(), self.metadata())
        sizes = self._costs({name: len(array.data) for name, array in written.items()}, None)
        if METADATA in written:
            texts = json.dumps(self.metadata(), ensure_ascii=False, separators=(",", ":"))
            sizes[METADATA] = (len(written[METADATA].data), len(texts.encode()))
        return sizes

    def _costs(self, written: dict[str, int], whole: ModelFile | None) -> dict[str, tuple[int, int]]:
        sizes: dict[str, tuple[int, int]] = {}
        inside = tuple(f"{part}/" for part in self.parts)
        for name, array in self.arrays(whole).items():
            n, _, kind = name.partition(".")
            if name.startswith(inside):
                continue
            if kind == "table":
                sections = self.tables[int(n)].costs(self.bits)
                sizes |= {f"{n}.{section}": size for section, size in sections.items()}
            else:
                sizes[name] = (written.get(name, 0), len(array.data))  # coded keys are in `high` alone
        for part, model in self.parts.items():
            begin = f"{part}/"
            mine = {name.removeprefix(begin): size for name, size in written.items() if name.startswith(begin)}
            sizes |= {f"{begin}{name}": size for name, size in model._costs(mine, self).items()}
        return sizes

    def metadata(self, whole: ModelFile | None = None) -> dict[str, str]:
        """Return the metadata as strings. `whole` is the model around this one, if it is a part."""
        values = {
            "labels": self.labels,
            "columns": {"names": self.columns, "label": self.label},
            "options": self.options,
            "weights": {"bits": self.bits, "scale": self.scale},
            "tables": [table.record(self.bits) for table in self.tables],
            "word_lists": [{"name": name, "longest": words.longest} for name, words in self.word_lists],
            "provenance": self.provenance,
        }
        if self._shares_clusters(whole):
            values["clusters"] = OF_WHOLE
        elif self.clusters is not None:
            values["clusters"] = {"words": len(self.clusters), "key_bits": self.clusters.key_bits}
        optional = {
            "calibration": self.calibration,
            "familiarity": None if self.familiar is None else self.familiar.columns,
            "card": self.card or None,
            "extra": list(self.extra) or None,
            "parts": {name: model.metadata(self) for name, model in self.parts.items()} or None,
        }
        values |= {name: value for name, value in optional.items() if value is not None}
        encoded = {key: json.dumps(value, ensure_ascii=False, separators=(",", ":")) for key, value in values.items()}
        return {"format": FORMAT, "task": self.task, "template": self.template, **encoded}

    def _shares_clusters(self, whole: ModelFile | None) -> bool:
        return self.clusters is not None and whole is not None and self.clusters is whole.clusters

    def __getstate__(self) -> dict[str, bytes]:
        """Return the state of copies and pickles, and of skops, which takes no views of the core: the file's bytes."""
        return {"file": self.dump()}

    def __setstate__(self, state: dict[str, bytes]) -> None:
        vars(self).update(vars(self.of_bytes(state["file"], "copy")))

    def weight_bytes(self) -> int:
        """Return the bytes that the tables of weights take in the file, with those of parts."""
        tables = [table.arrays(n, self.bits) for n, table in enumerate(self.tables)]
        of_parts = sum(part.weight_bytes() for part in self.parts.values())
        return sum(len(array.data) for arrays in tables for array in arrays.values()) + of_parts

    def size(self) -> int:
        return container.size(*coded(self.arrays(), self.metadata()))

    def save(self, path: str | os.PathLike[str]) -> int:
        """Write the file whole or not at all; return its bytes. Raises ModelError."""
        return container.write(path, *coded(self.arrays(), self.metadata()))

    def dump(self) -> bytes:
        return container.dump(*coded(self.arrays(), self.metadata()))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> ModelFile:
        """Read and check a file. Raises ModelError for anything that is not such a file."""
        metadata, arrays = container.read(path)
        return cls.parse(metadata, arrays, shown(path))

    @classmethod
    def of_bytes(cls, data: bytes, name: str) -> ModelFile:
        """Return the model in the bytes of a file, whose data are views of them. Raises ModelError with `name`."""
        return cls.parse(*container.parse(data, name), name)

    @classmethod
    def parse(
        cls, metadata: dict[str, str], arrays: dict[str, Array], name: str, whole: ModelFile | None = None
    ) -> ModelFile:
        """Check metadata and arrays. Raises ModelError with `name`. `whole` is the model around a part."""
        described = {key: (dtype, shape, bytes(data)) for key, (dtype, shape, data) in arrays.items()}
        try:
            return cls._of(_core.read_model(metadata, described, None if whole is None else whole.clusters))
        except ModelError as error:
            raise ModelError(f"{name}: not a usable model: {error}") from None

    @classmethod
    def _of(cls, read: Mapping[str, Any]) -> ModelFile:
        """Return the model that the core has read and checked (core/file)."""
        texts = read["metadata"]
        header = {key: json.loads(texts[key]) for key in _JSON if key in texts}
        familiar = None
        if "familiarity" in header:
            familiar = Familiar(read["frequent"], header["familiarity"], read["seen"])
        return cls(
            task=texts["task"],
            labels=header["labels"],
            template=texts["template"],
            columns=header["columns"]["names"],
            label=header["columns"]["label"],
            options=header["options"],
            bits=header["weights"]["bits"],
            scale=float(header["weights"]["scale"]),
            tables=[
                TableInfo(packed, None if names is None else names.split("\n")[: packed.features])
                for packed, names in read["tables"]
            ],
            word_lists=read["word_lists"],
            provenance=header["provenance"],
            calibration=header.get("calibration"),
            familiar=familiar,
            extra={name: Array(*read["extra"][name]) for name in header.get("extra", ())},
            card=header.get("card", ""),
            clusters=read["clusters"],
            parts={name: cls._of(part) for name, part in read["parts"].items()},
        )
