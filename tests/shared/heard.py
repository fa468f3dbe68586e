"""What a call gives, and what it warns of."""

import warnings


def heard(work, category=Warning):
    """Return what work() gives, and the messages of its warnings of a category."""
    with warnings.catch_warnings(record=True, action="always") as found:
        result = work()
    return result, [str(each.message) for each in found if issubclass(each.category, category)]
