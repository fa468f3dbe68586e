"""Requests as other people's programs write them: parameters, encodings, ids, and what is said of wrong ones."""

import gzip
import json
import zlib
from urllib.parse import urlencode

from asking import COLUMNS, FORM, JSON, LINES, TEXT, answers, as_form, lines, server

from kinds import kind


@kind("a parameter means the same in the address and in the request")
def parameters():
    text, form = {"text": TEXT}, as_form(text=TEXT)
    refused = {
        "a model that is not there, JSON": (404, "/annotate?model=nope&confidence=true", text, JSON),
        "a model that is not there, a batch": (404, "/annotate?model=nope", {"texts": [TEXT]}, JSON),
        "a model that is not there, lines": (404, "/annotate/lines?model=nope&confidence=true", lines(text), LINES),
        "a model that is not there, reasons": (404, "/explain?model=nope", text, JSON),
        "an input that is none": (400, "/annotate?input=pdf", text, JSON),
        "an input that is none, lines": (400, "/annotate/lines?input=pdf", lines(text), LINES),
        "confidence that is no truth value": (400, "/annotate?confidence=maybe", text, JSON),
        "a misspelt name": (400, "/annotate?modle=en", text, JSON),
        "a misspelt name, lines": (400, "/annotate/lines?modle=en", lines(text), LINES),
        "a misspelt name, reasons": (400, "/explain?sentense=1", text, JSON),
        "the text itself": (400, "/annotate?text=a", {}, JSON),
        "twice in the address": (400, "/annotate?model=en&model=words", text, JSON),
        "in the address and in the request": (400, "/annotate?model=en", {"model": "words", **text}, JSON),
        "a number that is none": (400, "/explain?sentence=one", text, JSON),
    }
    for name, (status, *request) in refused.items():
        yield name, lambda folder, status=status, request=request: server().error(*request)[0] == status
    for name, path, body in (
        ("a form with a model that is not there", "/?model=nope", form),
        ("a form with a misspelt name", "/?modle=en", form),
        ("a form with a field twice", "/", form + b"&text=b"),
        ("a download with a model that is not there", "/download?model=nope&format=json", form),
    ):
        yield name, lambda folder, path=path, body=body: server().ask(path, body, FORM)[0] in (400, 404)

    def sure(path, body, media_type):
        return lambda folder: b'"confidence": {' in server().ask(path, body, media_type)[2]

    yield "confidence in the address, JSON", sure("/annotate?confidence=true", text, JSON)
    yield "confidence in the address, lines", sure("/annotate/lines?confidence=true", lines(text), LINES)
    yield "confidence in the address, a batch", sure("/annotate?confidence=1", {"texts": [TEXT]}, JSON)
    yield "confidence in the request", sure("/annotate?model=en", text | {"confidence": True}, JSON)
    place = "?model=en&sentence=2&token=1&part=tagger&top=1"
    yield (
        "reasons by the address",
        lambda folder: (
            [
                (each["sentence"], each["token"], each["part"], len(each["features"]))
                for each in json.loads(server().ask(f"/explain{place}", text)[2])["explanations"]
            ]
            == [(2, 1, "tagger", 1)]
        ),
    )
    yield (
        "a form's model in the address",
        lambda folder: b"NN" in server().ask("/?model=words", as_form(text=COLUMNS), FORM)[2],
    )


@kind("a reason is asked of a token that is not there")
def absent_tokens():
    for name, asked in {
        "behind the end of a sentence": {"sentence": 1, "token": 99},
        "one behind the last": {"sentence": 2, "token": 4},
        "behind the end of all sentences": {"token": 99},
        "of one part": {"sentence": 1, "token": 99, "part": "parser"},
        "of a sentence that is not there": {"sentence": 3, "token": 1},
        "as a number that is far away": {"sentence": 1, "token": (1 << 32) - 1},
        "of the segmenter": {"sentence": 1, "token": 99, "part": "segmenter"},
        "in columns": {"sentence": 1, "token": 3, "model": "words", "text": COLUMNS},
        "in no text": {"sentence": 1, "token": 1, "text": ""},
    }.items():
        yield (
            name,
            lambda folder, asked=asked: (
                server().error("/explain", {"text": TEXT} | asked)[0] == 400
                and "there is no" in server().error("/explain", {"text": TEXT} | asked)[1]
            ),
        )
    yield (
        "as a button of the page",
        lambda folder: b"there is no token" in server().ask("/why", as_form(text=TEXT, why="1.99.tagger"), FORM)[2],
    )
    yield (
        "beside one that is there",
        lambda folder: server().ask("/explain", {"text": TEXT, "sentence": 2, "token": 3})[0] == 200,
    )


@kind("a body is compressed, or in another encoding")
def bodies():
    body = json.dumps({"text": "Zoë wrote it."}, ensure_ascii=False)
    bomb = gzip.compress(b" " * 50_000_000 + body.encode())

    def refused(said, data, media_type=JSON, path="/annotate", status=(400, 415), **headers):
        def check(folder):
            got, error = server().error(path, data, media_type, **headers)
            return got in status and said in error

        return check

    packed = gzip.compress(body.encode())
    for path in ("/annotate", "/explain"):
        yield f"gzip, {path}", refused("compressed (gzip)", packed, path=path, status=[415], Content_Encoding="gzip")
    yield "gzip that is not named", refused("compressed (gzip)", packed, status=[415])
    yield "a bomb", refused("compressed", bomb, status=[415], Content_Encoding="GZIP")
    yield "x-gzip", refused("compressed", packed, status=[415], Content_Encoding="x-gzip")
    yield "deflate", refused("(deflate)", zlib.compress(body.encode()), status=[415], Content_Encoding="deflate")
    yield "br, which is no name for what came", refused("(br)", body.encode(), status=[415], Content_Encoding="br")
    yield "gzip of lines", refused("compressed", packed, LINES, "/annotate/lines", [415], Content_Encoding="gzip")
    yield "a form", lambda folder: server().ask("/", packed, FORM, Content_Encoding="gzip")[0] == 415
    yield "identity", lambda folder: server().ask("/annotate", body.encode(), Content_Encoding="identity")[0] == 200
    for name in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"):
        yield name, refused(f"the request is {name[:6].upper()}", body.encode(name))
    yield "Latin-1", refused("not UTF-8", body.encode("latin-1"))
    yield "half a pair of surrogates", refused("surrogates", b'{"text": "a \\ud83d b"}')
    yield "the other half", refused("surrogates", b'{"text": "\\udc00"}')

    def marked(data, media_type=JSON, path="/annotate"):
        return lambda folder: "Zoë" in server().ask(path, data, media_type)[2].decode()

    yield "a byte order mark", marked(body.encode("utf-8-sig"))
    yield (
        "a byte order mark, lines",
        marked(body.encode("utf-8-sig") + b"\n" + body.encode("utf-8-sig"), LINES, "/annotate/lines"),
    )
    yield "a byte order mark, reasons", marked(body.encode("utf-8-sig"), path="/explain")
    yield (
        "UTF-16, lines",
        lambda folder: "UTF-16" in server().ask("/annotate/lines", body.encode("utf-16"), LINES)[2].decode(),
    )


@kind("a text has a character that no text has")
def nul():
    def said(path, body, media_type=JSON):
        def check(folder):
            found = server().ask(path, body, media_type)[2].decode()
            return "character 3 of the text is \\u0000" in found.replace("\\\\", "\\") and "file" not in found

        return check

    yield "a text", said("/annotate", {"text": "é \0 b"})
    yield "reasons", said("/explain", {"text": "a \0"})
    yield "a text of a batch", said("/annotate", {"texts": ["a", "b \0"]})
    yield "a line", said("/annotate/lines", lines({"text": "a \0"}), LINES)
    yield "columns", said("/annotate", {"text": "a \0\n", "model": "words"})
    yield (
        "a download",
        lambda folder: b"\\u0000" in server().ask("/download", as_form(text="a\0", format="json"), FORM)[2],
    )
    yield "a form", lambda folder: b"\\u0000" in server().ask("/", as_form(text="a\0"), FORM)[2]


@kind("what is wrong is said in the words of a request")
def words():
    wrong = {
        "too many columns": {"model": "words", "text": "a b c\n"},
        "ragged columns": {"model": "words", "text": "the DT\ndog\n", "input": "columns"},
        "CoNLL-U for columns": {"model": "words", "text": "# text = a\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"},
        "lines of JSON": {"model": "words", "text": '{"text": "a b"}\n{"text": "c"}\n', "input": "columns"},
        "SVM-light": {"model": "words", "text": "1 1:2 2:1\n0 1:1\n", "input": "columns"},
        "no CoNLL-U": {"input": "conllu", "text": "Ada wrote it, and she left soon.\nIt was a dark night.\n"},
        "three columns of CoNLL-U": {"input": "conllu", "text": "1\tAda\t_\n"},
        "an input that is not read": {"input": "columns", "text": "a"},
        "a head that is not there": {"input": "conllu", "text": "1\ta\t_\tX\t_\t_\t5\troot\t_\t_\n\n"},
        "confidences that are not there": {"model": "words", "text": "the DT\n", "confidence": True},
    }

    def plain(text):
        return not any(sign in text for sign in ("input:", "--", "'sapwood", "file"))

    for name, asked in wrong.items():
        yield name, lambda folder, asked=asked: plain(server().ask("/annotate", asked)[2].decode())
        yield (
            f"{name}, a line",
            lambda folder, asked=asked: plain(
                server()
                .ask(
                    f"/annotate/lines?{urlencode({k: str(v).lower() for k, v in asked.items() if k != 'text'})}",
                    lines({"text": asked["text"]}),
                    LINES,
                )[2]
                .decode()
            ),
        )
    ragged = wrong["ragged columns"]
    yield "the line of the text", lambda folder: "line 2 of the text: " in server().error("/annotate", ragged)[1]
    yield (
        "the line of the text, in a batch",
        lambda folder: json.loads(
            server().ask("/annotate", {"model": "words", "input": "columns", "texts": ["the DT\n", ragged["text"]]})[2]
        )["documents"][1]["error"].startswith("text 2: line 2 of the text: "),
    )
    yield (
        "the line of the text, on the page",
        lambda folder: b"line 2 of the text: " in server().ask("/", as_form(**ragged), FORM)[2],
    )
    yield (
        "a warning",
        lambda folder: json.loads(
            server().ask("/annotate", {"text": "Questo è un testo che non è scritto nella lingua del modello. " * 9})[2]
        )["warnings"][0].startswith("the text: "),
    )


@kind("a line has an id")
def ids():
    def back(*records):
        def check(folder):
            found = answers(server().ask("/annotate/lines", lines(*records), LINES)[2])
            return [each.get("id", "none") for each in found] == [each.get("id", "none") for each in records]

        return check

    for name, given in {
        "a word": "a-1",
        "a number": 7,
        "nothing in it": "",
        "null": None,
        "half": 0.5,
        "large": 1 << 70,
    }.items():
        yield name, back({"id": given, "text": TEXT})
    yield "characters of all kinds", back({"id": 'é"\\\n\U0001f600', "text": "a"})
    yield "some lines", back({"id": 1, "text": "a"}, {"text": "b"}, {"text": "c", "id": 3})
    yield "the same twice", back({"id": 1, "text": "a"}, {"id": 1, "text": "b"})
    yield "a line that is wrong", back({"id": 1, "text": 5}, {"id": 2}, {"id": 3, "text": "a\0"}, {"id": 4, "txt": "a"})
    yield "a text without words", back({"id": 1, "text": ""})
    yield "a long text", back({"id": 1, "text": TEXT * 500}, {"id": 2, "text": "a"})
    yield (
        "an id that is a list",
        lambda folder: (
            "id" in answers(server().ask("/annotate/lines", lines({"id": [1], "text": "a"}), LINES)[2])[0]["error"]
        ),
    )
