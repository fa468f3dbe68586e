"""Reports on the errors of models: groups of errors that share a value, with examples and explanations.

`answers_to(gold, model)` returns gold answers and guesses, `report(model, gold)` collects the errors, and
`sapwood.explain.page.html_report` makes a page of them.
"""

from sapwood.explain.collecting import answers_to, report

__all__ = ["answers_to", "report"]
