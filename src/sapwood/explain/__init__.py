"""Looking at what models do wrong: errors in groups that share something, with examples and the reasons.

`report(model, gold)` collects them; `sapwood.draw.report.html_report` makes a page of them.
"""

from sapwood.explain.collecting import report

__all__ = ["report"]
