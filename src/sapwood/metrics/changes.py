"""The changes when one system takes another's place: answers that differ, without gold ones, and examples of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from sapwood.metrics.labels import Report, table

_MOVES, _EXAMPLES, _WIDTH = 10, 3, 60  # moves in a table, examples of each, and characters of a text


class Changes(Report):
    """The answers of two systems to the same units: texts with a label or several, or sentences with one for each word.

    text : gives the text of a unit, or of a word in it, for examples; without, they have numbers alone
    """

    def __init__(
        self,
        old: Sequence[Sequence[str]],
        new: Sequence[Sequence[str]],
        text: Callable[[int, int], str] = lambda unit, place: "",
    ) -> None:
        self.labels, self.changed = sum(map(len, old)), 0
        self.moves: Counter[tuple[str, str]] = Counter()
        self.examples: dict[tuple[str, str], list[dict[str, object]]] = {}
        for k, (before, after) in enumerate(zip(old, new, strict=True)):
            for place, move in enumerate(zip(before, after, strict=True)):
                if move[0] == move[1]:
                    continue
                self.changed += 1
                self.moves[move] += 1
                found = self.examples.setdefault(move, [])
                if len(found) < _EXAMPLES:
                    where = {"unit": k + 1, **({"word": place + 1} if len(before) > 1 else {})}
                    found.append({**where, "text": text(k, place)[:_WIDTH]})

    def as_dict(self) -> dict[str, object]:
        moves = [
            {"old": old, "new": new, "count": count, "examples": self.examples[old, new]}
            for (old, new), count in self.moves.most_common()
        ]
        return {"labels": self.labels, "changed": self.changed, "moves": moves}

    def format(self) -> str:
        """Return the number of answers that change, the most frequent changes, and examples of each."""
        share = 100 * self.changed / max(self.labels, 1)
        lines = [f"{self.changed:,} of {self.labels:,} labels change ({share:.2f} %)"]
        rows: list[list[object]] = [["old", "new", "labels"]]
        rows += [[old or "(none)", new or "(none)", count] for (old, new), count in self.moves.most_common(_MOVES)]
        lines += ["", *table(rows)] if self.moves else []
        for (old, new), _ in self.moves.most_common(_MOVES):
            lines += ["", f"{old or '(none)'} -> {new or '(none)'}"]
            for each in self.examples[old, new]:
                word = f".{each['word']}" if "word" in each else ""
                lines.append(f"{each['unit']}{word}  {each['text']}".rstrip())
        return "\n".join(lines)
