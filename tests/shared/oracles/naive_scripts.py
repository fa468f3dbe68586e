"""Edit scripts, slowly: a script is read by regular expressions, and Python itself takes the slices."""

import re
from collections.abc import Sequence

__all__ = ["allows", "apply_script", "choose_scripts", "common", "edit_of", "endings", "keeps_letters", "script_lists"]

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


def keeps_letters(script: str) -> bool:
    """Whether a script of one word has the whole form, perhaps in another case."""
    return re.fullmatch(r"\[[lutc]?:\]", script) is not None


def edit_of(script: str) -> str:
    """A script without the case of its slices."""
    return _PIECE.sub(lambda piece: re.sub("^\\[[lutc]", "[", piece[0]), script)


def endings(script: str, form: str) -> list[str]:
    """What a script of one word replaces in a form, with no, one and two letters beside it; NUL stands for the rest."""
    pieces = [piece[0] for piece in _PIECE.finditer(script)]
    slices = [k for k, piece in enumerate(pieces) if piece.startswith("[")]
    if not slices:
        return [form]
    begin, end = re.fullmatch(r"\[[lutc]?(\d*):-?(\d*)\]", pieces[slices[0]]).groups()
    found = []
    for beside in range(3):
        front = int(begin or 0) + beside if begin or slices[0] > 0 else 0
        back = int(end or 0) + beside if end or slices[0] + 1 < len(pieces) else 0
        whole = front + back > len(form)
        found.append(form if whole else form[:front] + "\0" + form[len(form) - back :])
    return found


def script_lists(rows: Sequence[tuple[str, str]]) -> dict[str, set[str]]:
    """The texts of each edit, from forms and scripts: the shortest endings that three of an edit's forms have, and half
    of all forms with this ending; else the longest endings if ten forms have the edit; else the forms."""
    rows = [(form.lower(), script) for form, script in rows]
    every = {form for form, _ in rows if not any(map(str.isdigit, form))}
    lists: dict[str, set[str]] = {}
    for edit in {edit_of(script) for _, script in rows if not keeps_letters(script)}:
        own = {form for form, script in rows if edit_of(script) == edit}
        words = own & every
        lists[edit] = own - every
        for form in words:
            candidates = endings(edit, form) if ":" in edit else []
            for beside, text in enumerate(candidates):
                mine, all_ = (sum(endings(edit, other)[beside] == text for other in them) for them in (words, every))
                if mine >= 3 and 2 * mine >= all_:
                    lists[edit].add(text)
                    break
            else:
                lists[edit].add(candidates[-1] if candidates and len(words) >= 10 else form)
    return lists


def allows(lists: dict[str, set[str]], script: str, form: str) -> bool:
    """Whether a script may rewrite a form."""
    form = form.lower()
    if keeps_letters(script):
        return True
    texts = lists[edit_of(script)]
    return form in texts or (not any(map(str.isdigit, form)) and any(text in texts for text in endings(script, form)))


def common(lists: dict[str, set[str]], script: str, form: str) -> bool:
    """Whether a script replaced the same letters in many different forms, as "ew" of "grew" and "knew"."""
    if keeps_letters(script) or any(map(str.isdigit, form)):
        return False
    replaced = {endings(script, text)[0] for text in lists[edit_of(script)] if "\0" in text}
    return endings(script, form.lower())[0] in replaced
