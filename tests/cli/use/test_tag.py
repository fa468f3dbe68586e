"""``sapwood tag``: files, streams, readers that have enough, interrupts."""

import signal
import time

import pytest
from processes import HANG, wait_until_idle
from tiny import TINY_CORPUS, sentences_of

INPUT = "\n\n".join("\n".join(" ".join(row[:2]) for row in s) for s in sentences_of(TINY_CORPUS)) + "\n"


def with_labels(text, labels, separator=" "):
    """The text with a label put behind each line that is not blank."""
    flat = iter([label for sentence in labels for label in sentence])
    lines = [line + separator + next(flat) if line.strip() else line for line in text.split("\n")]
    return "\n".join(lines)


@pytest.fixture
def gold(tiny):
    return [[row[-1] for row in sentence] for sentence in tiny]


def test_tag_a_file_is_the_input_and_a_column(run_cli, tiny_model, tmp_path, gold):
    (tmp_path / "in.txt").write_text(INPUT)
    run = run_cli(["tag", tiny_model, tmp_path / "in.txt"])
    assert run == (0, with_labels(INPUT, gold), "")


def test_tag_reads_standard_input(run_cli, tiny_model, gold):
    for arguments in (["tag", tiny_model], ["tag", tiny_model, "-"], ["tag", tiny_model, "--threads", 2]):
        assert run_cli(arguments, stdin=INPUT) == (0, with_labels(INPUT, gold), "")


def test_tag_keeps_a_label_that_is_there(run_cli, tiny_model, tiny_file, gold):
    assert run_cli(["tag", tiny_model, tiny_file]).out == with_labels(TINY_CORPUS, gold)


def test_tag_reads_several_files_with_standard_input_between_them(run_cli, tiny_model, tmp_path):
    (tmp_path / "a.txt").write_text("the DT\ndog NN\n")
    (tmp_path / "b.txt").write_text("she PRP")
    run = run_cli(["tag", tiny_model, tmp_path / "a.txt", "-", tmp_path / "b.txt"], stdin="cats NNS\n\n")
    assert run == (0, "the DT B-NP\ndog NN I-NP\ncats NNS B-NP\n\nshe PRP B-NP\n", "")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("the DT\ndog NN", "the DT B-NP\ndog NN I-NP\n"),  # no last newline
        ("the\tDT\ndog\tNN\n", "the\tDT\tB-NP\ndog\tNN\tI-NP\n"),
        ("the   DT\ndog NN\n", "the   DT B-NP\ndog NN I-NP\n"),
        ("the DT\r\ndog NN\r\n\r\nshe PRP\r\n", "the DT B-NP\r\ndog NN I-NP\r\n\r\nshe PRP B-NP\r\n"),
        ("\n\nthe DT\n\n\n\nshe PRP\n\n\n", "\n\nthe DT B-NP\n\n\n\nshe PRP B-NP\n\n\n"),
        ("the DT\n \t\nshe PRP\n", "the DT B-NP\n \t\nshe PRP B-NP\n"),
        ("\ufeffthe DT\ndog NN\n", "\ufeffthe DT B-NP\ndog NN I-NP\n"),
        ("the DT more columns\ndog NN than needed\n", "the DT more columns B-NP\ndog NN than needed I-NP\n"),
        ("# NN\n", None),  # no comments: '#' is a word
        ("", ""),
        ("\n", "\n"),
    ],
)  # fmt: skip
def test_tag_keeps_the_form_of_the_input(run_cli, tiny_model, tmp_path, data, expected):
    (tmp_path / "in.txt").write_bytes(data.encode())
    from_file = run_cli(["tag", tiny_model, tmp_path / "in.txt"])
    from_pipe = run_cli(["tag", tiny_model], stdin=data)
    assert from_file == from_pipe
    assert from_file.status == 0
    if expected is not None:
        assert from_file.out == expected
    else:
        assert len(from_file.out.split()) == 3


def test_tag_writes_one_token_a_line(run_cli, tmp_path):
    from sapwood import SequenceTagger

    tagger = SequenceTagger(template="U:%x[0,0]\nB\n", min_updates=1).fit([[("the", "D"), ("dog", "N")]])
    tagger.save(tmp_path / "m.sap")
    assert run_cli(["tag", tmp_path / "m.sap"], stdin="the\ndog\n\ndog").out == "the\tD\ndog\tN\n\ndog\tN\n"


def test_a_sentence_is_tagged_as_soon_as_it_is_there(spawn_cli, tiny_model):
    """A sentence comes out when its blank line is in, while standard input is still open."""
    process = spawn_cli(["tag", tiny_model])
    for _ in range(3):
        process.stdin.write(b"the DT\ndog NN\n\n")
        process.stdin.flush()
        assert [process.stdout.readline() for _ in range(3)] == [b"the DT B-NP\n", b"dog NN I-NP\n", b"\n"]
    process.stdin.write(b"she PRP\r\n\r\n")
    process.stdin.flush()
    assert [process.stdout.readline() for _ in range(2)] == [b"she PRP B-NP\r\n", b"\r\n"]
    process.stdin.write(b"cats NNS")
    process.stdin.close()
    assert process.stdout.read() == b"cats NNS B-NP\n"
    assert process.wait() == 0


def test_pieces_of_any_size_change_nothing(spawn_cli, tiny_model, gold):
    """Where the pipe happens to cut the input changes nothing."""
    data = INPUT.replace("\n", "\r\n").encode()
    expected = with_labels(INPUT, gold).replace("\n", "\r\n")
    process = spawn_cli(["tag", tiny_model], bufsize=0)
    for at in range(0, len(data), 7):
        process.stdin.write(data[at : at + 7])
        time.sleep(0.001)
    process.stdin.close()
    assert process.stdout.read().decode() == expected


@pytest.mark.parametrize("from_file", [True, False])
def test_a_reader_that_has_enough_ends_the_verb(spawn_cli, tiny_model, tmp_path, from_file):
    """As in `sapwood tag ... | head -1`: no traceback, no message."""
    path = tmp_path / "long.txt"
    path.write_text(f"{INPUT}\n" * 3000)
    with path.open() as source:
        process = spawn_cli(["tag", tiny_model, *([path] if from_file else [])], stdin=source)
        assert process.stdout.readline() == b"the DT B-NP\n"
        process.stdout.close()
        assert process.wait() in (0, 141)
        assert process.stderr.read() == b""


@pytest.mark.slow
def test_other_verbs_end_when_their_reader_has_enough(spawn_cli, tiny_model, tiny_file):
    for arguments in (["inspect", tiny_model, "--top", 1000], ["eval", tiny_model, tiny_file], ["--help"]):
        process = spawn_cli(arguments)
        process.stdout.close()
        assert process.wait() in (0, 141)
        assert process.stderr.read() == b""


def test_an_interrupt_ends_tagging(spawn_cli, tiny_model):
    process = spawn_cli(["tag", tiny_model])
    process.stdin.write(b"the DT\n\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"the DT B-NP\n"
    wait_until_idle(process)
    process.send_signal(signal.SIGINT)
    assert process.wait(HANG) == 130
    assert process.stderr.read().count(b"\n") == 1
