"""Each text by the pipeline of its language: which one is taken, what is refused, and what comes out."""

import io
import json
import pickle
import subprocess
import sys
from functools import partial

import pytest
from heard import heard
from languages import OTHERS
from languages import PIPED as TEXTS

import sapwood
from sapwood import DataError, OptionError, UnfamiliarWarning, _core
from sapwood.model.file.bundled import PIPELINES
from sapwood.tasks.pipeline.languages import _PARAGRAPH, Languages

LATIN = (
    "Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae, aliam Aquitani, tertiam qui ipsorum lingua "
    "Celtae, nostra Galli appellantur. Hi omnes lingua, institutis, legibus inter se differunt."
)
ENGLISH_WITH = {
    "code": "To read the file, call `open(path)` and then\n\n    for line in file:\n        print(line.rstrip())\n\n"
    "which prints each line without its end.\n",
    "names": "Osman Khatib met Waheed Zaman and Umir Hussain in London, where they had lived since 2003.\n",
    "a quotation": 'She said "Guten Morgen, meine Damen und Herren" to them, and nobody understood a word of it.\n',
    "capitals": "ALL VISITORS MUST REPORT TO THE OFFICE BEFORE THEY GO INTO THE BUILDING.\n",
}


@pytest.fixture(scope="module")
def nlp():
    return sapwood.load("auto")


said_of = partial(heard, category=UnfamiliarWarning)


@pytest.mark.parametrize("code", TEXTS)
def test_a_text_is_read_by_the_pipeline_of_its_language(nlp, code):
    assert said_of(lambda: nlp.language_of(TEXTS[code])) == (code, [])
    assert nlp(TEXTS[code]) == sapwood.load(code)(TEXTS[code])


def test_texts_are_read_in_their_order_and_lists_of_words_as_they_are(nlp):
    given = [TEXTS["sv"], TEXTS["en"].rstrip(".").split(), [TEXTS["fr"].rstrip(".").split()]]
    docs = list(nlp.pipe(given, confidence=True))
    assert [doc[0].lemma for doc in docs] == ["barn", "the", "le"]
    assert len(docs[1]) == len(given[1])
    assert docs[0].confidences


@pytest.mark.parametrize("text", ENGLISH_WITH.values(), ids=ENGLISH_WITH)
def test_english_with_other_things_in_it_is_english(nlp, text):
    assert said_of(lambda: nlp.language_of(text)) == ("en", [])


def test_a_text_of_another_language_is_refused_with_the_way_out(nlp):
    with pytest.raises(
        DataError, match=r"^text 1: it is in the language 'nl', .*; name a model.* to read it all the same"
    ):
        nlp(OTHERS["nl"])
    with pytest.raises(DataError, match=r"text 2: .*'nl'"):
        list(nlp.pipe([TEXTS["de"], OTHERS["nl"]]))


def test_a_text_of_a_language_that_the_classifier_does_not_know_is_refused_or_a_guess(nlp):
    """The classifier has to take it for one of its 90."""
    try:
        code, said = said_of(lambda: nlp.language_of(LATIN))
    except DataError:
        return
    assert (code, len(said)) == ("en", 1)


def test_a_text_that_its_pipeline_finds_strange_is_refused(nlp):
    """Words that look like German, but are none."""
    words = (
        "Die Schnurzel quackeln der Plunterung zu den Krumpfheiten, und ver-schlunzte Drömmel knotzten die Zwackung."
    )
    with pytest.raises(DataError, match=r"'de', .* but has [0-9]+% of the words of such texts"):
        nlp.language_of(words.replace("Die ", "").replace(" der", "").replace(" den", "").replace(" und", "") * 2)


def test_few_letters_are_read_as_english_with_a_warning(nlp):
    code, [message] = said_of(lambda: nlp.language_of("Hallo! 1, 2, 3."))
    assert code == "en"
    assert message.startswith("text: fewer than 20 letters do not tell the language; it is read by 'en'; name a model")


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_nothing_is_said_of_nothing(nlp, text):
    assert said_of(lambda: nlp.language_of(text)) == ("en", [])
    assert len(nlp(text)) == 0


def test_only_the_pipelines_that_are_needed_are_loaded():
    nlp = sapwood.load("auto")
    nlp(TEXTS["de"])
    assert list(nlp._pipelines) == ["de"]
    assert list(nlp.codes) == list(PIPELINES)


def test_copies_choose_as_well(nlp):
    assert pickle.loads(pickle.dumps(nlp)).language_of(TEXTS["it"]) == "it"


def test_among_some_pipelines_others_are_unknown(nlp):
    some = nlp.among({code: sapwood.load(code) for code in ("de", "fr")})
    assert some.language_of(TEXTS["fr"]) == "fr"
    with pytest.raises(DataError, match=r"'en', .*there are pipelines for de, fr"):
        some.language_of(TEXTS["en"])
    assert nlp.codes[0] == "en"


# The command line


def write(folder, **texts):
    paths = []
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        paths.append(str(folder / f"{name}.txt"))
    return paths


def test_each_file_is_read_by_the_pipeline_of_its_language(run_cli, tmp_path):
    files = write(tmp_path, a=TEXTS["de"], b=TEXTS["en"])
    run = run_cli(["annotate", *files])
    assert (run.status, run.err) == (0, "")
    begun = [run_cli(["annotate", code, file]).out for code, file in zip(("de", "en"), files, strict=True)]
    both = f"# newdoc id = {files[0]}\n# language = de\n{begun[0]}# newdoc id = {files[1]}\n# language = en\n{begun[1]}"
    assert run.out == both.replace(begun[1], begun[1].replace("sent_id = 1", "sent_id = 2"))
    rows = [json.loads(line) for line in run_cli(["annotate", *files, "--format", "json"]).out.splitlines()]
    assert [(row["file"], row["language"]) for row in rows] == [(files[0], "de"), (files[1], "en")]


def test_a_model_or_a_language_that_is_named_is_taken_and_not_told(run_cli, tmp_path):
    [file] = write(tmp_path, a=TEXTS["de"])
    named = run_cli(["annotate", "de", file])
    assert named.out == run_cli(["annotate", "--language", "de", file]).out
    assert "language" not in named.out
    run = run_cli(["annotate", "de", file, "--language", "auto"])
    assert (run.status, run.out) == (2, "")
    assert "--language goes without one" in run.err
    assert "none of auto, paragraph, en, ca" in run_cli(["annotate", file, "--language", "xx"]).err


@pytest.mark.filterwarnings("default")
def test_of_several_files_the_others_go_on(run_cli, tmp_path):
    files = write(tmp_path, a=TEXTS["de"], b=OTHERS["nl"], c=TEXTS["sv"])
    run = run_cli(["annotate", *files, "--format", "json"])
    assert run.status == 1
    assert [json.loads(line)["language"] for line in run.out.splitlines()] == ["de", "sv"]
    warning, error = run.err.splitlines()
    assert f"{files[1]}: it is in the language 'nl'" in warning
    assert error.endswith(f"left out, as no pipeline is for their language: {files[1]}")
    alone = run_cli(["annotate", files[1]])
    assert (alone.status, alone.out, alone.err.count("\n")) == (1, "", 1)


def test_files_into_a_folder(run_cli, tmp_path):
    files = write(tmp_path, a=TEXTS["de"], b=OTHERS["nl"], c=TEXTS["sv"])
    run = run_cli(["annotate", *files, "-o", str(tmp_path / "out"), "--threads", "2"])
    assert run.status == 1
    assert "b.txt: it is in the language 'nl'" in run.err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.conllu", "c.conllu"]
    assert (tmp_path / "out/a.conllu").read_text(encoding="utf-8").startswith("# language = de\n")
    assert (
        "--workers have one model" in run_cli(["annotate", files[0], "-o", str(tmp_path / "o"), "--workers", "2"]).err
    )


def test_paragraphs_have_languages_of_their_own(run_cli, tmp_path):
    """A short one goes with the one before, and the first ones with the next."""
    text = f"Titel\n\n{TEXTS['de']}\n\nJa.\n\n{TEXTS['en']}\n{TEXTS['en']}\n \n{TEXTS['fr']}"
    [file] = write(tmp_path, a=text)
    rows = [
        json.loads(line) for line in run_cli(f"annotate {file} --language paragraph --format json").out.splitlines()
    ]
    told = [(row["language"], text[row["start"] : row["start"] + len(row["text"])] == row["text"]) for row in rows]
    assert told == [(code, True) for code in ("de", "de", "de", "en", "en", "fr")]
    run = run_cli(f"annotate {file} --language paragraph")
    lines = [line for line in run.out.splitlines() if line.startswith(("# language", "# sent_id"))]
    assert lines == [
        "# language = de", *(f"# sent_id = {n}" for n in (1, 2, 3)), "# language = en",
        *(f"# sent_id = {n}" for n in (4, 5)), "# language = fr", "# sent_id = 6",
    ]  # fmt: skip
    treebank = _core.Conllu.read(run.out.encode(), "out")
    assert treebank.sentences == 6


def test_paragraphs_of_one_language_are_read_as_the_whole_text(run_cli, tmp_path):
    paragraphs = [f"{TEXTS['en']} {TEXTS['en']}\n\n", f" {TEXTS['en']}\r\n \r\n\r\n", f"{TEXTS['en']}\n"]
    [file] = write(tmp_path, a="".join(paragraphs))
    runs = [run_cli(f"annotate {file} --language {language} --format json").out for language in ("paragraph", "auto")]
    assert runs[0] == runs[1]


def test_a_paragraph_in_an_unknown_language_is_named_by_its_line(run_cli, tmp_path):
    [file] = write(tmp_path, a=f"{TEXTS['en']}\n\n{TEXTS['en']}\n\n\n{OTHERS['nl']}\n")
    run = run_cli(f"annotate {file} --language paragraph --format text")
    assert (run.status, run.out.count("children")) == (1, 2)
    assert f"{file}:6: it is in the language 'nl'" in run.err


def test_a_listing_goes_with_the_paragraph_before_it(run_cli, tmp_path):
    errors = [
        "BlockingIOError  EAGAIN, EALREADY, EWOULDBLOCK, EINPROGRESS",
        "ChildProcessError  ECHILD",
        "BrokenPipeError",
    ]
    code = "".join(f"+-- {error}\n" for error in [*errors, "ConnectionError  EPIPE, ESHUTDOWN"])
    with pytest.raises(DataError, match=r"of the words of such texts"):
        sapwood.load("auto").language_of(code)
    [file] = write(tmp_path, a=f"{TEXTS['de']}\n\n{code}\n{TEXTS['en']}\n")
    run = run_cli(f"annotate {file} --language paragraph --format json --parts segment")
    assert (run.status, run.err) == (0, "")
    told = [(row["language"], row["text"][:10]) for row in map(json.loads, run.out.splitlines())]
    assert (told[0], told[-1]) == (("de", "Die Kinder"), ("en", "The childr"))
    assert {language for language, _ in told[:-1]} == {"de"}


@pytest.mark.slow
def test_formats_and_the_least_sure_sentences(run_cli, tmp_path):
    files = write(tmp_path, a=f"{TEXTS['de']} {TEXTS['de']}\n", b=TEXTS["en"])
    run = run_cli(["annotate", *files, "--least-sure", "2", "--format", "json"])
    rows = [json.loads(line) for line in run.out.splitlines()]
    assert len(rows) == 2
    assert all((row["file"], row["language"]) in ((files[0], "de"), (files[1], "en")) for row in rows)
    least = run_cli(["annotate", *files, "--least-sure", "9"]).out
    assert least.count("# language = de\n") == least.count(f"# newdoc id = {files[0]}\n") >= 1
    confident = run_cli(["annotate", files[1], "--confidence", "--format", "json"])
    assert "confidence" in json.loads(confident.out)["tokens"][0]
    assert run_cli(["annotate", *files, "--format", "tree"]).out.count("Kinder") == 2
    assert run_cli(["annotate", *files, "--format", "html"]).out.count("</html>") == 1


def test_a_wrong_byte_of_a_later_paragraph_has_its_place(run_cli, tmp_path):
    (tmp_path / "a.txt").write_bytes(f"{TEXTS['en']}\n\n{TEXTS['de']}".encode() + b" \xff\n")
    place = run_cli(f"annotate en {tmp_path}/a.txt").err
    assert "UTF-8" in place
    assert run_cli(f"annotate {tmp_path}/a.txt --language paragraph").err == place


@pytest.mark.parametrize("text", ["a\n\nb", "\n\n a\nb\n \n\n", "a\r\n\r\nb\n", "", "\n", "a\rb", "   \n a b c" * 3])
def test_paragraphs_are_the_text(text):
    found = _PARAGRAPH.findall(text.encode())
    assert b"".join(found) == text.encode()
    assert all(part.strip() or part is found[0] for part in found)


def test_other_inputs(run_cli, tmp_path):
    tokens, conllu = tmp_path / "a.txt", tmp_path / "a.conllu"
    tokens.write_text(TEXTS["de"].replace(".", " .") + "\n", encoding="utf-8")
    run = run_cli(f"annotate {tokens} --input tokens --parts tag")
    assert (run.status, run.out.splitlines()[0]) == (0, "# language = de")
    conllu.write_text(run_cli(f"annotate de {tokens} --input tokens --parts tag").out, encoding="utf-8")
    filled = run_cli(f"annotate {conllu} --input conllu")
    assert (filled.status, filled.out) == (0, run_cli(f"annotate de {conllu} --input conllu").out)
    lines = run_cli(f"annotate {tokens} --input lines --format json")
    assert json.loads(lines.out)["language"] == "de"
    assert run_cli(f"annotate {tokens} --input tokens --language paragraph").status == 2
    assert "a.txt:1: this line has 1 column" in run_cli(f"annotate {tokens} --input conllu").err


@pytest.mark.few(1)
@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_text_has_no_language(run_cli, text):
    for options in ("", "--language paragraph", "--input lines", "--input conllu"):
        run = run_cli(f"annotate {options}", stdin=text)
        assert run == run_cli(f"annotate en {options.replace('--language paragraph', '')}", stdin=text)
        assert (run.status, run.out.strip(), run.err) == (0, "", "")


@pytest.mark.filterwarnings("default")
def test_numbers_alone_are_read_as_english(run_cli):
    run = run_cli("annotate --format text", stdin="12 34\n")
    assert (run.status, run.out) == (0, "12 34\n")
    assert "fewer than 20 letters" in run.err
    strict = run_cli("annotate --format text --strict", stdin="12 34\n")
    assert (strict.status, strict.out) == (1, "")
    assert "fewer than 20 letters" in strict.err


def test_the_first_letters_decide_and_the_rest_is_read_as_it_comes(tmp_path):
    start = TEXTS["de"] * 80 + "\n\n"  # more than 4,096 letters
    run = [sys.executable, "-m", "sapwood", "annotate", "--format", "text"]
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdin.write(start.encode())
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"Die Kinder spielen")
        process.stdin.write(f"{TEXTS['en']}\n".encode())
        process.stdin.close()
        assert b"children" in process.stdout.read()
    assert process.returncode == 0


def test_what_is_typed_is_answered_after_its_first_paragraph(nlp, monkeypatch):
    """At a terminal nobody types thousands of letters before the first answer."""
    monkeypatch.setattr("sys.stdin", type("Terminal", (io.StringIO,), {"isatty": lambda self: True})())
    taken = []

    def typed():
        for line in (f"{TEXTS['de']}\n", "\n", f"{TEXTS['de']}\n"):
            taken.append(line)
            yield line.encode()

    written = nlp.writer.written(typed(), name="standard input", format="text")
    assert b"Die Kinder" in next(filter(None, written))
    assert len(taken) == 2


@pytest.mark.slow
@pytest.mark.parametrize("by", ["document", "paragraph"])
def test_a_text_without_letters_is_not_kept_in_memory(by):
    nlp = sapwood.load("auto").set_params(by=by, parts=("segment",))
    taken = 0

    def numbers():
        nonlocal taken
        while taken < 10_000_000:
            taken += 6000
            yield (b"1843! (12, 34.)\n" * 9 + b"56?\n\n") * 40

    with pytest.warns(UnfamiliarWarning, match="fewer than 20 letters"):
        assert b"1843" in next(filter(None, nlp.writer.written(numbers(), name="x", format="text")))
    assert taken < 400_000


def test_wrong_parts_are_said_at_once(run_cli, tmp_path):
    [file] = write(tmp_path, a=TEXTS["de"])
    assert "parts are some of" in run_cli(f"annotate {file} --parts foo").err
    assert "raw text needs the part segment" in run_cli(f"annotate {file} --parts tag").err
    with pytest.raises(OptionError, match="by is one of document, paragraph"):
        Languages(by="line").params.check_options()


def test_the_choice_may_be_named_and_languages_are_tags(run_cli, tmp_path):
    """`auto` is the name that `sapwood.load` takes; a file of that name is `./auto`."""
    text = tmp_path / "brief.txt"
    text.write_text("Die Königin wohnt seit gestern in Wien.\n")
    without = run_cli(["annotate", text, "--format", "conllu"])
    assert (without.status, without.out.splitlines()[0]) == (0, "# language = de")
    assert run_cli(["annotate", "auto", text, "--format", "conllu"]) == without
    named = run_cli(["annotate", "de", text, "--format", "conllu"])
    for tag in ("de", "DE", "de-AT"):
        assert run_cli(["annotate", text, "--language", tag, "--format", "conllu"]) == named
    assert run_cli(["annotate", text, "--language", "nl-BE"]).status == 2
