"""Signs that tokens are not words as they stand in a text, but what a tool made of them: escapes, and pieces."""

import re
from collections.abc import Callable

from sapwood.errors import Listener

_MOSES = re.compile(r"&(?:apos|quot|amp|lt|gt|#124|#91|#93);")
_RAW = re.compile(r"[&'\"<>|\[\]]")  # characters that Moses leaves nowhere
_MARKUP = re.compile(r"(?i)\b(?:x?html|xml|sgml|markup|entit(?:y|ies)|escap(?:es?|ed|ing)|ampersands?)\b")
_PIECES = re.compile(r"\S(?:@@(?= )|</w>(?!\S))|(?<= )##[^\W_]|(?:(?<!\S)\u2581|\uffed)(?=\S)")
_PENN = ("-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-")


def warn_of_escapes(data: bytes, name: str, tag: Callable[[str], object], on_warning: Listener) -> None:
    """Warn if tokens between spaces are escaped or cut, unless the text is about escapes, or the model knows them.

    tag : the model's UPOS of a token, if it has any
    """
    text = data.decode(errors="ignore")
    escaped, pieces = _MOSES.findall(text), _PIECES.findall(text)
    raw = len(_RAW.findall(_MOSES.sub("", text))) if escaped else 0
    if escaped and 10 * raw <= len(escaped) and ("&apos;" in escaped or not _MARKUP.search(text)):
        said = f"Moses's escapes ({', '.join(sorted(set(escaped))[:3])}); write the characters that they stand for"
    elif len(pieces) > 1:
        said = f"pieces of words ({', '.join(sorted(set(pieces))[:3])}); join them to words"
    elif unknown := [token for token in _PENN if token in text and tag(token) not in (None, ["PUNCT"])]:
        said = f"Penn's brackets ({', '.join(unknown)}), which the model does not know; write the brackets themselves"
    else:
        return
    on_warning(f"{name}: among its tokens are {said}")
