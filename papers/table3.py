"""Table 3 of Goldberg & Elhadad (2011): guided learning, easy-first non-directional parsing.

The most confident attachment is made first, with the features of Goldberg & Elhadad (2010) and ten passes of training:
the averaged perceptron and the sparse one. The last row is not in the paper: margin updates and more features.
"""

from functools import partial

from measure.report import Options
from papers import parsing
from papers.table import Paper, Setting

_GUIDED: Options = {"search": "easy-first", "template": "easy-first-2010", **parsing.PERCEPTRON}

SETTINGS = (
    Setting("Avg. Percep", _GUIDED, Paper(89.5, 2_988_660, 121)),
    Setting("SAP5", {**_GUIDED, "min_updates": 5}, Paper(89.6, 1_095_898, 47)),
    Setting("SAP10", {**_GUIDED, "min_updates": 10}, Paper(89.4, 644_264, 28)),
    Setting("margin SAP10", {**parsing.MARGIN, "search": "easy-first"}),
)

measure = partial(parsing.measure, SETTINGS)
run = partial(parsing.run, SETTINGS, parsing.NOTE)
