"""Edit scripts, slowly: a script is read by regular expressions, and Python itself takes the slices."""

import re
from collections.abc import Sequence

__all__ = ["apply_script", "choose_scripts"]

_PIECE = re.compile(r"\[([lutc]?)(-?\d*):(-?\d*)\]|\\(.)|(.)", re.DOTALL)
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "0": "\0"}
_CASES = {
    "": str,
    "l": str.lower,
    "u": str.upper,
    "t": lambda form: form[0].upper() + form[1:].lower(),
    "c": lambda form: form[0] + form[1:].lower(),
}


def apply_script(script: str, form: str) -> list[str] | None:
    """Return the words that a script makes of a form; None if one of its slices is empty."""
    words = [""]
    for case, begin, end, escaped, letter in _PIECE.findall(script):
        if letter == " ":
            words.append("")
        elif escaped or letter:
            words[-1] += _ESCAPED.get(escaped, escaped) + letter
        else:
            first, behind = int(begin or 0), int(end or len(form))
            if max(abs(first), abs(behind)) > len(form) or not form[first:behind]:
                return None
            words[-1] += _CASES[case](form)[first:behind]
    return words


def choose_scripts(offers: Sequence[Sequence[str]]) -> list[str]:
    """Choose one of each example's scripts: time and again the one that most examples without a script offer."""
    chosen: dict[int, str] = {}
    while len(chosen) < len(offers):
        rest = [example for example in range(len(offers)) if example not in chosen]
        scripts = {script for example in rest for script in offers[example]}
        count = {script: sum(script in offers[example] for example in rest) for script in scripts}
        best = min(scripts, key=lambda script: (-count[script], not _slices(script), len(script.encode()), script))
        chosen |= {example: best for example in rest if best in offers[example]}
    return [chosen[example] for example in range(len(offers))]


def _slices(script: str) -> bool:
    """Whether a script has a slice."""
    return any(":" in piece[0] for piece in re.finditer(_PIECE, script) if piece[0].startswith("["))
