"""The page of ``sapwood page``: one file of HTML with the core, models and scripts inside, which needs no server.

The core is compressed, and unpacked by the browser. A Content-Security-Policy allows the page's own script and style by
their hashes, WebAssembly, and nothing else: no connection can be made.
"""

import gzip
import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from pathlib import Path

from sapwood.errors import OptionError

_STATIC = Path(__file__).with_name("static")
_PAGE = ("drawing", "reasons", "corrections", "analyser")


def offline_page(models: Mapping[str, bytes]) -> bytes:
    """Return the page, with the files of pipelines by their names. Raises OptionError without the core for browsers."""
    core = _STATIC / "sapwood.wasm"
    if not core.exists():
        raise OptionError(
            "this copy of sapwood was built without the core for browsers; 'make js' in its sources builds it"
        )
    style = _text("analyser.css")
    # Modules become one script. The library keeps its names to itself.
    library, program = (
        re.sub(r"(?m)^import .*\n|^export (\{.*\n)?", "", "".join(_text(f"{name}.js") for name in names))
        for names in (("core", "sapwood"), _PAGE)
    )
    script = f"const load = (() => {{\n{library}return load;\n}})();\n{program}"
    allowed = f"script-src {_hash(script)} 'wasm-unsafe-eval'; style-src {_hash(style)}; img-src data:"
    data = _data(gzip.compress(core.read_bytes(), mtime=0), 'id="core"')
    data += "".join(_data(model, f'data-model="{escape(name)}"') for name, model in models.items())
    filled = {
        "{{policy}}": f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'",
        "{{style}}": style,
        "{{data}}": data,
        "{{script}}": script,
    }
    page = _text("analyser.html")
    for place, content in filled.items():
        before, _, behind = page.partition(place)
        page = before + content + behind
    return page.encode()


def _text(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _data(content: bytes, attributes: str) -> str:
    return f'<script type="application/octet-stream" {attributes}>{b64encode(content).decode()}</script>\n'
