"""The page for people: a form, a model's analysis of a text, and its reasons. It works without JavaScript."""

import json
from collections.abc import AsyncGenerator, Sequence
from importlib.resources import files
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from sapwood.base.drawing.sentence import Tree, on_one_line
from sapwood.base.drawing.svg import TREE_STYLE, svg_page
from sapwood.errors import Listener, SapwoodError, SapwoodWarning
from sapwood.io.source import encoded
from sapwood.model.explanation_records import choice, summed_features
from sapwood.model.file.bundled import AUTO
from sapwood.model.records import AnswerRecord
from sapwood.parts import COLUMNS
from sapwood.web.inputs import INPUT_NAMES, formats_of, records_of
from sapwood.web.limits import Refused
from sapwood.web.models import Served
from sapwood.web.requests import ask_in_form, form_of, place_in_form
from sapwood.web.responses import FAULTS, Streamed, begun, in_words_of_request, log_refusal, refusal
from sapwood.web.schemas import Ask, Place
from sapwood.web.sentences import Shown, confidence_of, names_in, shown_sentences, tree_of

NAMES = {column.name: column.heading for column in COLUMNS} | {"label": "label"}  # column -> its name on the page
_HINTS = {  # part -> the meaning of its answers
    "lemmatizer": "as an edit of the form: [:] is all of it, [:-3]y all but its last three letters, and y",
    "splitter": "as parts of the token: [:] is all of it, [-3:] its last three letters",
    "segmenter": "T: a token begins at |, S: a sentence does, a dot: nothing does",
}
_SHOWN = 12  # features of an explanation that are seen at once
_MANY = 1000  # answers that are suggested
_EXAMPLES = (  # texts to begin with, for models of English or of any language
    "Ada Lovelace wrote the first program in 1843.",
    "Marie Curie moved from Warsaw to Paris. In 1903 she won the Nobel Prize with Pierre Curie.",
)
_COLOURS = 6  # colours for the labels of names
_UNSURE = 0.9  # confidences below are shown
_BAR = 60  # pixels of the longest bar
_FORMATS = {
    "json": ("application/json", "json", "JSON"),
    "conllu": ("text/plain; charset=utf-8", "conllu", "CoNLL-U"),
    "columns": ("text/plain; charset=utf-8", "txt", "columns"),
    "labels": ("text/plain; charset=utf-8", "txt", "labels"),
    "svg": ("image/svg+xml", "svg", "SVG"),
}


class Found(NamedTuple):
    """The analysis of a text on the page."""

    units: Sequence[Shown] = ()
    more: bool = False  # there are more units than are shown
    formats: Sequence[str] = ()  # to download
    why: Markup = Markup("")
    why_value: str = ""  # the value of the button that asked for it
    error: str = ""
    warnings: Sequence[str] = ()
    answering: str = ""  # the model that answered; empty if none did


class Pages:
    """The page, with its templates and files in memory."""

    def __init__(self) -> None:
        self._templates = Environment(
            loader=PackageLoader("sapwood.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
            lstrip_blocks=True,
        )  # fmt: skip
        self._templates.filters |= {"seen": on_one_line, "wrapped": _wrapped, "confidence": confidence_of}
        self.files = {path.name: path.read_bytes() for path in files("sapwood.web").joinpath("static").iterdir()}
        self.files["page.css"] += TREE_STYLE.encode()

    async def page(self, request: Request) -> Response:
        served = Served.at(request)
        fields = await form_of(request, served.limits) if request.method == "POST" else {}
        text = fields.get("text", "")
        ask = ask_in_form(fields)
        served.model(ask.model)
        if not text.strip():
            return Response(self._rendered(served, ask, text, Found()), media_type="text/html")
        try:
            async with served.gate.entered():
                found = await self._found(served, ask, encoded(text), fields)
                page = await served.gate.run(lambda: self._rendered(served, ask, text, found))
        except FAULTS as error:
            refused = refusal(error)
            log_refusal(request.scope, refused.status_code, str(refused))
            page = self._rendered(served, ask, text, Found(error=str(refused)))
            return Response(page, refused.status_code, refused.headers, "text/html")
        return Response(page, media_type="text/html")

    async def why(self, request: Request) -> Response:
        served = Served.at(request)
        fields = await form_of(request, served.limits)
        async with served.gate.entered():
            data, ask = encoded(fields.get("text", "")), ask_in_form(fields)
            ask = await served.resolved(ask, data)
            part = await self._explained(served, ask, data, place_in_form(fields))
        return Response(part, media_type="text/html")

    async def download(self, request: Request) -> Response:
        served = Served.at(request)
        fields = await form_of(request, served.limits)
        ask, format = ask_in_form(fields), fields.get("format", "")
        data = encoded(fields.get("text", ""))
        formats = formats_of(served.model(ask.model))
        if format not in formats:
            raise Refused(400, f"it comes as {', '.join(formats)}; got {format!a}")
        media_type, ending, _ = _FORMATS[format]
        headers = {"Content-Disposition": f'attachment; filename="sapwood.{ending}"'}
        pieces = served.gate.through(self._written(served, ask, data, format))
        return Streamed(await begun(pieces), media_type, request.is_disconnected, headers)

    def refused(self, request: Request, refused: Refused) -> Response:
        """Answer with the page and the error on it, or of a script's request with the error alone."""
        if request.url.path.endswith("/why"):
            page = self._no_reason(refused)
        else:
            page = self._rendered(Served.at(request), Ask(), "", Found(error=str(refused)))
        return Response(page, refused.status_code, refused.headers, "text/html")

    def _rendered(self, served: Served, ask: Ask, text: str, found: Found) -> str:
        models = served.models
        name = served.name(ask)
        listed = names_in(found.units)
        labels = sorted({each.label for each in listed})
        colours = {label: number % _COLOURS for number, label in enumerate(labels)}
        return self._templates.get_template("page.html").render(
            found._asdict(),
            text=text,
            input=ask.input,
            model=name,
            learned=models[found.answering or name].contents.learned,
            models={name: model._noun for name, model in models.items()},
            inputs={
                k: INPUT_NAMES[k]
                for k in INPUT_NAMES
                if any(k in records_of(model).inputs for model in models.values())
            },
            names=NAMES,
            unsure=_UNSURE,
            examples=_EXAMPLES if name in ("en", AUTO) else (),
            listed=listed,
            colours=colours,
            format_names={name: shown for name, (_, _, shown) in _FORMATS.items()},
        )

    async def _found(self, served: Served, ask: Ask, data: bytes, fields: dict[str, str]) -> Found:
        warnings: list[str] = []
        ask = await served.resolved(ask, data, warnings.append)
        limits, model = served.limits, served.model(ask.model)
        records: list[AnswerRecord] = []
        room, more = limits.words, False
        async for record in self._records(served, ask, data, warnings.append):
            room -= max(len(record.get("tokens", ())), 1)
            if more := room < 0:
                break
            records.append(record)

        def shown() -> list[Shown]:
            return shown_sentences(model, data, served.kind(ask, data), records, limits.drawn_words)

        units = await served.gate.run(shown)
        why = ""
        if "why" in fields:
            place = place_in_form(fields)
            try:
                why = await self._explained(served, ask, data, place)
            except (SapwoodError, SapwoodWarning) as error:  # an answer that the model does not have: the rest stays
                why = self._no_reason(refusal(error))
        warnings = list(map(in_words_of_request, warnings))
        why_value, name = fields.get("why", ""), served.name(ask)
        return Found(units, more, formats_of(model), Markup(why), why_value, warnings=warnings, answering=name)

    async def _records(
        self, served: Served, ask: Ask, data: bytes, on_warning: Listener = lambda message: None
    ) -> AsyncGenerator[AnswerRecord]:
        async for lines in served.pieces(ask, data, on_warning=on_warning):
            for line in lines.splitlines():
                yield json.loads(line)

    def _no_reason(self, refused: Refused) -> str:
        return self._templates.get_template("error.html").render(error=str(refused))

    async def _explained(self, served: Served, ask: Ask, data: bytes, place: Place) -> str:
        lines = await served.explanations(ask, data, place)
        answering = records_of(served.model(ask.model))
        answers = answering.labels(place.part)
        records = []
        for record in map(json.loads, lines):
            rows = summed_features(record["features"])
            longest = max((abs(row.contribution) for row in rows), default=1.0)
            bars = [(max(1, round(_BAR * abs(row.contribution) / longest)), *row) for row in rows]
            by = record.get("part") or answering.decider
            records.append(record | {"choice": choice(record), "rows": bars, "by": by, "hint": _HINTS.get(by, "")})
        return self._templates.get_template("why.html").render(
            records=records, place=place, top=_SHOWN, bar=_BAR, why=place.value, answers=answers[:_MANY]
        )

    async def _written(self, served: Served, ask: Ask, data: bytes, format: str) -> AsyncGenerator[bytes]:
        ask = await served.resolved(ask, data)
        if format == "svg":
            trees: list[Tree] = []
            most, longest = served.limits.sentences, served.limits.words
            async for record in self._records(served, ask, data):
                tree = tree_of(served.model(ask.model), record)
                if tree is None:
                    continue
                trees.append(tree)
                if len(trees) > most or len(tree[0]) > longest:
                    raise Refused(413, f"a picture has {most} sentences at most, of {longest:,} words at most")
            yield (await served.gate.run(lambda: svg_page(trees))).encode()
            return
        if format != "json":
            async for piece in served.pieces(ask, data, format):
                yield piece
            return
        begin = b"["
        async for lines in served.pieces(ask, data):
            yield begin + lines.rstrip(b"\n").replace(b"\n", b",\n")
            begin = b",\n"
        yield b"]\n" if begin != b"[" else b"[]\n"


def _wrapped(text: str) -> Markup:
    return Markup("|<wbr>").join(on_one_line(text).split("|"))
