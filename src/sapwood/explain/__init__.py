"""The errors of models, in groups that share something, with examples and explanations.

`answers_to(gold, model)` has gold answers and guesses, `report(model, gold)` collects the errors, and
`sapwood.draw.report.html_report` makes a page of them.
"""

from sapwood.explain.collecting import answers_to, report

__all__ = ["answers_to", "report"]
