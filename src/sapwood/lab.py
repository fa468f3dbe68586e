"""The old name of the laboratory, a distribution of its own since 0.4.0: this leads to ``sapwood_lab``."""

import sys
from importlib.util import find_spec

if find_spec("sapwood_lab") is None:
    message = "sapwood.lab is sapwood_lab now, of the package sapwood-lab: in sapwood's source tree, pip install ./lab"
    raise ModuleNotFoundError(message, name="sapwood_lab")
import sapwood_lab

sys.modules[__name__] = sapwood_lab
