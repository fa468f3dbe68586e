"""Train with options that are set in Python alone, as a command, whose time and memory can be measured.

    python -m measure.train TASK TRAIN MODEL [NAME=VALUE ...] [stream]

TASK is that of a model, "tag" or "parse" for example. Each NAME is an option of its class.
"""

import sys
from ast import literal_eval
from pathlib import Path
from typing import Any

from sapwood.loading import model_class


def option(text: str) -> tuple[str, Any]:
    """Return the name and the value of NAME=VALUE: a number, True or False, or a word.

    >>> option("hash_bits=20"), option("search=greedy")
    (('hash_bits', 20), ('search', 'greedy'))
    """
    name, _, value = text.partition("=")
    try:
        return name, literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def main() -> None:
    """Train, and write the model."""
    task, train, model, *given = sys.argv[1:]
    how: dict[str, Any] = {"stream": True} if "stream" in given else {}
    options = dict(option(text) for text in given if text != "stream")
    fitted: Any = model_class(task)(**options)
    fitted.fit(Path(train), **how).save(model)


if __name__ == "__main__":
    main()
