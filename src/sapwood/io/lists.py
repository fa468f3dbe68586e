"""Lists of candidates: what one model proposes and a reranker chooses from.

JSON lines, a list a line, or an array of such objects::

    {"tokens": [["the", "DT"], ...], "gold": ..., "candidates": [{"score": -3.2, "labels": ["B-NP", ...]}, ...]}

A candidate is one of ``tree`` (a phrase-structure tree in brackets), ``labels`` (one a token), ``heads`` with
``deprels`` (one a word, 0 the root) or ``features`` (an object of numbers and strings); ``score`` is the base model's.
To train, a candidate has a ``loss``, or the list has ``gold``: a tree, labels, or an object with heads and deprels.

Or plain text, a candidate a line: its log-probability, a space or tab, and its tree in brackets; a blank line after
each list. The first line of a list may be the gold tree alone.
"""

import json
import math
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from sapwood.base.candidates import KINDS, Candidate, CandidateList, Structure
from sapwood.errors import DataError
from sapwood.io.formats import named_in_errors
from sapwood.io.json_text import json_of_line
from sapwood.io.records import json_pieces
from sapwood.io.source import plain_text, read_bytes, shown

_BREAK = re.compile(r"[\t\r\n]")
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # as JSON escapes it


def checksum(each: CandidateList) -> int:
    """Return a hash of a list as it stands in a file."""
    import sapwood._core as _core

    return _core.checksum(format_list(each).encode("utf-8", "surrogatepass"))


def read_lists(path: str | os.PathLike[str]) -> list[CandidateList]:
    """Read a file of lists. Raises DataError with name and line."""
    return list(parse_lists(read_bytes(path), shown(path)))


def parse_lists(data: bytes, name: str, first_line: int = 1) -> Iterator[CandidateList]:
    """Yield the lists of a file's bytes, JSON lines or plain text. Raises DataError with name and line."""
    text = plain_text(data, name, first_line)
    with named_in_errors(data, "lists"):
        if text.lstrip().startswith(("{", "[")):
            yield from _json_lists(json_pieces(text, name, first_line), name)
        else:
            yield from _plain_lists(list(enumerate(text.split("\n"), first_line)), name)


def format_list(candidates: CandidateList, order: list[int] | None = None) -> str:
    """Return a list as a JSON line, its candidates in another order if one is given."""
    result: dict[str, object] = {}
    if candidates.tokens:
        result["tokens"] = candidates.tokens
    if candidates.gold is not None:
        result["gold"] = _written(candidates.kind, candidates.gold)
    shown_ones = [candidates.candidates[k] for k in (range(len(candidates.candidates)) if order is None else order)]
    result["candidates"] = [_candidate(candidates.kind, each) for each in shown_ones]
    return json.dumps(result, ensure_ascii=False, separators=(",", ":")) + "\n"


def _candidate(kind: str, candidate: Candidate) -> dict[str, object]:
    fields: dict[str, object] = {"score": candidate.score}
    if candidate.loss is not None:
        fields["loss"] = candidate.loss
    structure = _written(kind, candidate.structure)
    return fields | (structure if kind == "heads" else {kind: structure})


def _written(kind: str, structure: Structure) -> Structure:
    return {"heads": structure[0], "deprels": structure[1]} if kind == "heads" else structure


def _plain_lists(lines: list[tuple[int, str]], name: str) -> Iterator[CandidateList]:
    current: CandidateList | None = None
    for number, line in [*lines, (0, "")]:
        line = line.strip()
        if not line:
            if current is not None:
                if not current.candidates:
                    raise DataError(f"{current.where}: the list has no candidate")
                yield current
            current = None
            continue
        where = f"{name}:{number}"
        if current is None:
            current = CandidateList("tree", [], where=where)
            if line.startswith("("):
                current.gold = line
                continue
        probability, tree = [*re.split(r"\s+", line, maxsplit=1), ""][:2]
        if not tree.startswith("("):
            raise DataError(f"{where}: the line is not a log-probability and a tree in brackets")
        current.candidates.append(Candidate(tree, _number(probability, where, "log-probability")))


def _json_lists(lines: Iterable[tuple[int, str]], name: str) -> Iterator[CandidateList]:
    for number, line in lines:
        where = f"{name}:{number}"
        values = json_of_line(line, where)
        if "\\u" in line and _NUL.search(line):
            raise DataError(f"{where}: a \\u escape is NUL")
        match values:
            case dict(found) if type(found.get("candidates")) is list and found["candidates"]:
                yield _of_json(found, where)
            case _:
                raise DataError(f"{where}: the line is not an object with 'candidates', one or more")


def _of_json(values: dict[str, Any], where: str) -> CandidateList:
    match values.get("tokens"):
        case None:
            rows = []
        case list(tokens):
            rows = [_row(token, where) for token in tokens]
        case _:
            raise DataError(f"{where}: 'tokens' is not a list")
    kinds = set()
    candidates = []
    for each in values["candidates"]:
        found = [kind for kind in KINDS if isinstance(each, dict) and each.get(kind) is not None]
        if len(found) != 1:
            raise DataError(f"{where}: a candidate has one of {', '.join(KINDS)}")
        kinds.add(found[0])
        structure = _structure(found[0], each, len(rows), where)
        score, loss = _number(each.get("score", 0.0), where, "score"), each.get("loss")
        candidates.append(Candidate(structure, score, None if loss is None else _number(loss, where, "loss")))
    if len(kinds) != 1:
        raise DataError(f"{where}: the candidates of a list are of one kind, not {', '.join(sorted(kinds))}")
    kind = kinds.pop()
    gold = values.get("gold")
    if gold is not None:
        gold = _structure(kind, gold if kind == "heads" else {kind: gold}, len(rows), where)
    return CandidateList(kind, candidates, rows, gold, where)


def _row(token: object, where: str) -> list[str]:
    match token:
        case str(text):
            row = [text]
        case list(row) if row and _are_all(str, row):
            pass
        case _:
            raise DataError(f"{where}: a token is neither a string nor a list of strings")
    if any(map(_BREAK.search, row)):
        raise DataError(f"{where}: a token has a tab or a line end in it, which no column file can hold")
    return row


def _are_all(kind: type, values: Iterable[object]) -> bool:
    return all(type(value) is kind for value in values)


def _structure(kind: str, fields: object, tokens: int, where: str) -> Structure:
    """Return the structure of a candidate. Raises DataError if it is not of its kind, or does not fit the tokens."""
    match kind, fields:
        case ("tree", {"tree": str(value)}) | ("features", {"features": dict(value)}):
            return value
        case "tree", dict():
            raise DataError(f"{where}: a tree is not a text")
        case "features", dict():
            raise DataError(f"{where}: 'features' is not an object")
        case "labels", {"labels": list(labels)} if len(labels) == tokens and _are_all(str, labels):
            if any(map(_BREAK.search, labels)):
                raise DataError(f"{where}: a label has a tab or a line end in it, which no column file can hold")
            return labels
        case "heads", {"heads": list(heads), **others} if len(heads) == tokens and _are_all(int, heads):
            deprels = ["_"] * tokens if others.get("deprels") is None else others["deprels"]
            if type(deprels) is not list or len(deprels) != tokens or not _are_all(str, deprels):
                raise DataError(f"{where}: deprels are not one for each of the {tokens} tokens")
            if not all(0 <= head <= tokens for head in heads):
                raise DataError(f"{where}: a head is not the number of a word, nor 0")
            return heads, deprels
        case _, dict():
            raise DataError(f"{where}: {kind} are not one for each of the {tokens} tokens")
    raise DataError(f"{where}: 'gold' is not an object with heads and deprels")


def _number(value: object, where: str, what: str) -> float:
    match value:
        case int() | float() | str() if value is not True and value is not False:
            with suppress(ValueError, OverflowError):
                if math.isfinite(number := float(value)):
                    return number
    raise DataError(f"{where}: the {what} {value!a:.60} is not a finite number")
