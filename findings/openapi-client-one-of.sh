#!/usr/bin/env bash
# openapi-python-client 0.29.1: an object of which one of two members is required loses its type in the generated client.
#
# A request that takes either a text or a list of texts is said in JSON Schema by the object's properties, and beside them
# `oneOf: [{required: [text]}, {required: [texts]}]`, which adds no type. The generator makes a union of the branches of
# `oneOf` alone, which have no properties, so that the function's parameter is `body: Any` and goes out as it came in; the
# class with text, texts and top that the same schema without `oneOf` gives is not written at all. The generator ends with
# status 0. Whoever wants typed clients of a service leaves such a `oneOf` out and refuses wrong requests at run time.
# Seen: `body: Any` and no models/request.py with `oneOf`; `body: Request` with three attributes without.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check openapi-python-client==0.29.1 openapi-spec-validator==0.9.0
cd "$folder"
"$folder/env/bin/python" - <<'EOF'
import copy
import json
import subprocess
import sys
from pathlib import Path

from openapi_spec_validator import validate

REQUEST = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "texts": {"type": "array", "items": {"type": "string"}},
        "top": {"type": "integer"},
    },
}
ANSWER = {"description": "the labels", "content": {"application/json": {"schema": {"type": "object"}}}}
BODY = {"required": True, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Request"}}}}
PATHS = {"/classify": {"post": {"operationId": "classify", "requestBody": BODY, "responses": {"200": ANSWER}}}}


def parameter(name, schema):
    """The type of the parameter that a client generated from this schema has, and whether it has the class."""
    page = {"openapi": "3.1.0", "info": {"title": name, "version": "1"}, "paths": PATHS}
    page["components"] = {"schemas": {"Request": schema}}
    validate(copy.deepcopy(page))
    Path(f"{name}.json").write_text(json.dumps(page))
    program = [sys.executable.rpartition("/")[0] + "/openapi-python-client", "generate", "--path", f"{name}.json"]
    subprocess.run([*program, "--output-path", name, "--meta", "none"], check=True, capture_output=True)
    lines = Path(name, "api", "default", "classify.py").read_text().splitlines()
    return next(each.strip() for each in lines if each.strip().startswith("body:")), Path(name, "models", "request.py").exists()


plain = parameter("plain", REQUEST)
either = parameter("either", REQUEST | {"oneOf": [{"required": ["text"]}, {"required": ["texts"]}]})
print("without oneOf:", plain, "with it:", either)
assert plain == ("body: Request,", True)
assert either == ("body: Any,", False)
EOF
