"""Options of the core in the laboratory's words."""

from sapwood_lab.losses import constant, hamming, regret


def in_lab(options, loss=hamming):
    """The same options for a learner of the laboratory, in which gamma and cost are a loss."""
    gamma = options.get("gamma", 0.0) if options.get("update") != "perceptron" else 0.0
    make = constant if options.get("cost") == "constant" else loss
    others = {name: value for name, value in options.items() if name not in ("gamma", "cost", "update")}
    return others | ({"loss": make(gamma)} if gamma else {})


def in_lab_of_lists(options):
    """The same for a ranker."""
    return in_lab(options, regret)
