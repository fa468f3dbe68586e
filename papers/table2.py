"""Table 2 of Goldberg & Elhadad (2011): structured prediction, first-order projective parsing.

Eisner's algorithm with the features of McDonald (2006), ten passes of training: the averaged perceptron and the sparse
one, which counts the updates of each weight by itself, as section 3 has it for structures. The last rows are not in the
paper: our features (coarse tags, morphology), margin updates, second order, and transitions with a beam.
"""

from functools import partial

from measure.report import Options
from papers import parsing
from papers.table import Paper, Setting

_NOTE = f"""\
{parsing.NOTE};
a feature of the paper, joined with direction and distance, is one weight here, of a row of 15: the paper's size is that
of the column 'weights'; the rows of the paper count the updates of each weight by itself"""

_OURS: Options = {"search": "eisner", "count_updates": "weight", **parsing.PERCEPTRON}
_EISNER: Options = {**_OURS, "template": "mcdonald-2006"}

SETTINGS = (
    Setting("Avg. Percep", _EISNER, Paper(89.7, 5_265_583, 209)),
    Setting("SAP5", {**_EISNER, "min_updates": 5}, Paper(89.7, 1_719_432, 66)),
    Setting("SAP10", {**_EISNER, "min_updates": 10}, Paper(89.6, 1_018_336, 38)),
    Setting("our features Avg. Percep", _OURS),
    Setting("our features SAP5", {**_OURS, "min_updates": 5}),
    Setting("our features SAP10", {**_OURS, "min_updates": 10}),
    Setting("margin SAP10", {**parsing.MARGIN, "search": "eisner"}),
    Setting("order 2 margin SAP10", {**parsing.MARGIN, "search": "eisner", "order": 2}),
    Setting("beam 8 margin SAP10", {**parsing.MARGIN, "search": "beam", "beam": 8}),
    Setting("beam 1 margin SAP10", {**parsing.MARGIN, "search": "beam", "beam": 1}),
)

measure = partial(parsing.measure, SETTINGS)
run = partial(parsing.run, SETTINGS, _NOTE)
