"""Pictures of sentences: dependency trees for a terminal and as SVG, tables of words, and pages of both in HTML.

>>> print(text_tree(["Dogs", "bark"], [2, 0], ["nsubj", "root"]))
  ┌─► Dogs  nsubj
──┴─► bark  root
>>> svg_tree(["Dogs", "bark"], [2, 0], ["nsubj", "root"]).startswith("<svg ")
True
"""

from sapwood.base.drawing.html import html_page, html_sentence
from sapwood.base.drawing.svg import svg_page, svg_tree
from sapwood.base.drawing.terminal import text_tree, word_table

__all__ = ["html_page", "html_sentence", "svg_page", "svg_tree", "text_tree", "word_table"]
