"""The page for people: a form, what a model says about a text, and why. It works without JavaScript."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from importlib.resources import files
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from sapwood.draw.explanation import choice, feature_rows
from sapwood.draw.sentence import on_one_line
from sapwood.draw.svg import TREE_STYLE, svg_inline, svg_page
from sapwood.errors import SapwoodError, SapwoodWarning
from sapwood.io.source import encoded
from sapwood.model.reading import INPUTS, Layer, Unit
from sapwood.web.limits import Limits, Refused
from sapwood.web.log import log_refusal
from sapwood.web.models import Served
from sapwood.web.requests import ask_in_form, form_of, place_in_form
from sapwood.web.responses import FAULTS, Streamed, begun, refusal
from sapwood.web.schemas import Ask, Place
from sapwood.web.words import in_words_of_request

Endpoint = Callable[[Request], Awaitable[Response]]

NAMES = {  # what the page calls a layer
    "lemma": "lemma", "upos": "tag", "xpos": "treebank's tag", "feats": "features", "head": "head",
    "deprel": "relation", "entity": "name", "label": "label",
}  # fmt: skip
_HINTS = {  # what a part's answers mean
    "lemmatizer": "as an edit of the form: [:] is all of it, [:-3]y all but its last three letters, and y",
    "splitter": "as parts of the token: [:] is all of it, [-3:] its last three letters",
    "segmenter": "T: a token begins at |, S: a sentence does, a dot: nothing does",
}
_PARTS = {"lemmatize": "lemmatizer", "segment": "segmenter"}  # models that do what a part of a pipeline does
_SHOWN = 12  # features of an explanation that are seen at once
_MANY = 1000  # answers that are suggested
_UNSURE = 0.9  # confidences below are shown
_BAR = 60  # pixels of the longest bar
_FORMATS = {
    "json": ("application/json", "json", "JSON"),
    "conllu": ("text/plain; charset=utf-8", "conllu", "CoNLL-U"),
    "columns": ("text/plain; charset=utf-8", "txt", "columns"),
    "labels": ("text/plain; charset=utf-8", "txt", "labels"),
    "svg": ("image/svg+xml", "svg", "SVG"),
}


class Shown(NamedTuple):
    """A unit as the page has it: its text in pieces, of which some are names, and its tree."""

    number: int
    unit: Unit
    runs: list[tuple[str, str]]  # text, and the label of a name or chunk
    tree: Markup


class Found(NamedTuple):
    """What the page shows about a text."""

    units: Sequence[Shown] = ()
    more: bool = False  # units than are shown
    formats: Sequence[str] = ()  # to download
    why: Markup = Markup("")
    why_value: str = ""  # of the button that asked for it
    error: str = ""
    told: Sequence[str] = ()  # what the model was not made for


class Pages:
    """The page, with its templates and files in memory."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._templates = Environment(
            loader=PackageLoader("sapwood.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
            lstrip_blocks=True,
        )  # fmt: skip
        self._templates.filters |= {"seen": on_one_line, "wrapped": _wrapped, "percent": _percent}
        self.files = {path.name: path.read_bytes() for path in files("sapwood.web").joinpath("static").iterdir()}
        self.files["page.css"] += TREE_STYLE.encode()

    def endpoints(self) -> dict[str, tuple[list[str], Endpoint]]:
        """Return path -> methods and what answers them."""
        return {
            "/": (["GET", "POST"], self._page),
            "/why": (["POST"], self._why),
            "/download": (["POST"], self._download),
        }

    async def _page(self, request: Request) -> Response:
        fields = await form_of(request, self._served.limits) if request.method == "POST" else {}
        text = fields.get("text", "")
        ask = ask_in_form(fields)
        self._served.model(ask.model)
        if not text.strip():
            return Response(self._rendered(ask, text, Found()), media_type="text/html")
        try:
            async with self._served.gate.entered():
                found = await self._found(ask, encoded(text), fields)
                page = await self._served.gate.run(lambda: self._rendered(ask, text, found))
        except FAULTS as error:
            refused = refusal(error)
            log_refusal(request.scope, refused.status_code, str(refused))
            page = self._rendered(ask, text, Found(error=str(refused)))
            return Response(page, refused.status_code, refused.headers, "text/html")
        return Response(page, media_type="text/html")

    async def _why(self, request: Request) -> Response:
        fields = await form_of(request, self._served.limits)
        async with self._served.gate.entered():
            part = await self._explained(ask_in_form(fields), encoded(fields.get("text", "")), place_in_form(fields))
        return Response(part, media_type="text/html")

    async def _download(self, request: Request) -> Response:
        fields = await form_of(request, self._served.limits)
        ask, format = ask_in_form(fields), fields.get("format", "")
        data = encoded(fields.get("text", ""))
        formats = await self._formats(ask, data)
        if format not in formats:
            raise Refused(400, f"it comes as {', '.join(formats)}; got {format!a}")
        media_type, ending, _ = _FORMATS[format]
        headers = {"Content-Disposition": f'attachment; filename="sapwood.{ending}"'}
        pieces = self._served.gate.through(self._written(ask, data, format))
        return Streamed(await begun(pieces), media_type, request.is_disconnected, headers)

    def refused(self, request: Request, refused: Refused) -> Response:
        """Answer with the page and the error on it, or of a script's request with the error alone."""
        if request.url.path.endswith("/why"):
            page = self._no_reason(refused)
        else:
            page = self._rendered(Ask(), "", Found(error=str(refused)))
        return Response(page, refused.status_code, refused.headers, "text/html")

    def _rendered(self, ask: Ask, text: str, found: Found) -> str:
        models = self._served.models
        name = self._served.name(ask)
        return self._templates.get_template("page.html").render(
            found._asdict(),
            text=text,
            input=ask.input,
            model=name,
            learned=models[name].contents.learned,
            models={name: model.noun for name, model in models.items()},
            inputs={k: INPUTS[k] for k in INPUTS if any(k in model.inputs() for model in models.values())},
            names=NAMES,
            unsure=_UNSURE,
            format_names={name: shown for name, (_, _, shown) in _FORMATS.items()},
        )

    async def _found(self, ask: Ask, data: bytes, fields: dict[str, str]) -> Found:
        limits = self._served.limits
        formats = await self._formats(ask, data)
        units: list[Unit] = []
        room, more = limits.words, False
        told: list[str] = []
        async for unit in self._units(ask, data, told):
            room -= max(len(unit.words), 1)
            if more := room < 0:
                break
            units.append(unit)
        shown = await self._served.gate.run(lambda: [_shown(n, unit, limits) for n, unit in enumerate(units, start=1)])
        why = ""
        if "why" in fields:
            place = place_in_form(fields)
            try:
                why = await self._explained(ask, data, place)
            except (SapwoodError, SapwoodWarning) as error:  # an answer that the model does not have: the rest stays
                why = self._no_reason(refusal(error))
        return Found(
            shown, more, formats, Markup(why), fields.get("why", ""), told=list(map(in_words_of_request, told))
        )

    async def _units(self, ask: Ask, data: bytes, told: list[str]) -> AsyncGenerator[Unit]:
        async for some in self._served.pieces(ask, data, lambda block: block.units, told=told):
            for unit in some:
                yield unit

    async def _formats(self, ask: Ask, data: bytes) -> Sequence[str]:
        return await self._served.gate.run(lambda: self._served.reading(ask, data).formats)

    def _no_reason(self, refused: Refused) -> str:
        return self._templates.get_template("error.html").render(error=str(refused))

    async def _explained(self, ask: Ask, data: bytes, place: Place) -> str:
        lines = await self._served.explanations(ask, data, place)
        answers = await self._served.gate.run(lambda: self._served.reading(ask, data).answers(place.part))
        decider = _PARTS.get(self._served.model(ask.model).task, "model")
        records = []
        for record in map(json.loads, lines):
            rows = feature_rows(record["features"])
            longest = max((abs(row.contribution) for row in rows), default=1.0)
            bars = [(max(1, round(_BAR * abs(row.contribution) / longest)), *row) for row in rows]
            by = record.get("part") or decider
            records.append(record | {"choice": choice(record), "rows": bars, "by": by, "hint": _HINTS.get(by, "")})
        return self._templates.get_template("why.html").render(
            records=records, place=place, top=_SHOWN, bar=_BAR, why=place.value, answers=answers[:_MANY]
        )

    async def _written(self, ask: Ask, data: bytes, format: str) -> AsyncGenerator[bytes]:
        if format == "svg":
            trees: list[tuple[list[str], list[int], list[str], list[str] | None]] = []
            most, longest = self._served.limits.sentences, self._served.limits.words
            async for unit in self._units(ask, data, []):
                if unit.tree is None:
                    continue
                trees.append((unit.words, *unit.tree, unit.tags))
                if len(trees) > most or len(unit.words) > longest:
                    raise Refused(413, f"a picture has {most} sentences at most, of {longest:,} words at most")
            yield (await self._served.gate.run(lambda: svg_page(trees))).encode()
            return
        if format != "json":
            async for piece in self._served.pieces(ask, data, lambda block: block.file):
                yield piece
            return
        begin = b"["
        async for lines in self._served.pieces(ask, data, lambda block: block.json_lines().rstrip(b"\n")):
            yield begin + lines.replace(b"\n", b",\n") if lines else b""
            begin = b",\n" if lines else begin
        yield b"]\n" if begin != b"[" else b"[]\n"


def _percent(layer: Layer, word: int) -> str:
    """Return how sure a value is, in percent; nothing where it is not known."""
    sure = layer.sure[word] if layer.sure else math.nan
    return "" if math.isnan(sure) else f"{int(100 * sure)} %"


def _wrapped(text: str) -> Markup:
    """Return a list of features, between which a line may end."""
    return Markup("|<wbr>").join(on_one_line(text).split("|"))


def _shown(number: int, unit: Unit, limits: Limits) -> Shown:
    tree = Markup("")
    if unit.tree is not None and len(unit.words) <= limits.drawn_words:
        title = f"Tree of sentence {number}"
        tree = Markup(svg_inline(unit.words, *unit.tree, unit.tags, (), title, f"#a{number}-"))
    runs, at = [], 0
    for begin, end, label in unit.spans:
        if begin >= at:  # two names may be in one token of several words; the first is marked
            runs += [(unit.text[at:begin], ""), (unit.text[begin:end], label)]
            at = end
    runs.append((unit.text[at:], ""))
    return Shown(number, unit, [run for run in runs if run[0]], tree)
