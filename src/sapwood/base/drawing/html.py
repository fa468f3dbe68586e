"""Sentences for a browser: the text with its names marked, and the tree beneath. No script, no network.

>>> print(html_sentence("Ada wrote.", [(0, 3, "PER")], None))
<figure><figcaption><mark>Ada <small>PER</small></mark> wrote.</figcaption></figure>
"""

from collections.abc import Iterable, Iterator
from html import escape

from .sentence import Tree, marked, on_one_line
from .svg import svg_tree

_STYLE = (
    "body{margin:1rem auto;padding:0 1rem;max-width:75rem;font-family:sans-serif;line-height:1.6;"
    "color-scheme:light dark;background:Canvas;color:CanvasText}"
    "figure{margin:0 0 2rem;overflow-x:auto}figcaption{margin:0 0 .5rem}"
    "mark{padding:.1em .3em;border-radius:.3em;background:#cfe4f5;color:#1c1c1c}"
    "mark small{color:#1f5f8b;font-weight:bold}"
)


def html_page(sentences: Iterable[str]) -> Iterator[str]:
    """Yield the parts of a page with these sentences, as `html_sentence` writes them."""
    yield (
        '<!doctype html>\n<html lang="und">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>Sentences</title>\n<style>{_STYLE}</style>\n"
    )
    for sentence in sentences:
        yield sentence + "\n"
    yield "</html>\n"


def html_sentence(text: str, names: Iterable[tuple[int, int, str]], tree: Tree | None) -> str:
    """Return a sentence as HTML: its text and, if there is one, its tree.

    A name is its begin and end in the text, in characters, and its label. All text is escaped, and characters that
    cannot be printed are shown as U+FFFD.
    Raises DataError if the heads and relations do not form a tree.
    """
    caption = "".join(
        f"<mark>{_escaped(piece)} <small>{_escaped(label)}</small></mark>" if label else _escaped(piece)
        for piece, label in marked(text, names)
    )
    picture = "" if tree is None else "\n" + svg_tree(*tree) + "\n"
    return f"<figure><figcaption>{caption}</figcaption>{picture}</figure>"


def _escaped(text: str) -> str:
    return escape(on_one_line(text))
