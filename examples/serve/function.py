"""A function without a server: one answer for each call, as clouds run them. The model is loaded with the module.

    python examples/serve/function.py MODEL.sap TEXT

prints the answer, and the CPU seconds from the start of Python to it: a cold start. Only the package and the model's
file are needed; rich is for the command line, and NumPy is not used where it is not installed.
"""

import json
import os
import sys
import time

import sapwood

MODEL = sapwood.load(os.environ.get("MODEL") or sys.argv[1])


def handler(event: dict[str, str], context: object = None) -> dict[str, object]:
    """Answer {"text": ...} with the label and what stands beside it."""
    line = json.dumps({"text": event["text"]}).encode() + b"\n"
    [answer] = MODEL.annotate([line], format="jsonl", to="jsonl")
    return json.loads(answer)


if __name__ == "__main__":
    print(json.dumps(handler({"text": sys.argv[2]})))
    print(f"{time.process_time():.2f} CPU seconds", file=sys.stderr)
