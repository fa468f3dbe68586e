"""Pictures of dependency trees, for a terminal and as SVG.

>>> print(text_tree(["Dogs", "bark"], [2, 0], ["nsubj", "root"]))
  ┌─► Dogs  nsubj
──┴─► bark  root
>>> svg_tree(["Dogs", "bark"], [2, 0], ["nsubj", "root"]).startswith("<svg ")
True
"""

from sapwood.draw.svg import html_page, svg_page, svg_tree
from sapwood.draw.terminal import text_tree

__all__ = ["html_page", "svg_page", "svg_tree", "text_tree"]
