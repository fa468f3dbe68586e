"""What appears on a terminal: nothing that came out of a file, or is a file's name, can steer it."""

import re
from functools import partial

from commands import run_command, run_on_terminal

from kinds import kind

HOSTILE = {
    "title by OSC 0": "\x1b]0;owned\x07",
    "clipboard by OSC 52": "\x1b]52;c;b3duZWQ=\x07",
    "colour": "\x1b[35mowned",
    "our own red": "\x1b[31mowned",
    "cursor up, line erased": "\x1b[1A\x1b[2K",
    "one-byte CSI": "\x9b31m",
    "bell and backspaces": "\x07\x08\x08",
    "right-to-left override": "\N{RIGHT-TO-LEFT OVERRIDE}",
}
STYLES = re.compile(r"\x1b\[[0-9;]+m")  # ours, and of the bar that shows progress
ERASING = re.compile(r"\x1b\[(?:\?25[hl]|[0-9]*[AK]|2K)|\r")  # of progress
STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def steers(shown, hostile):
    """Whether the text on a terminal has a control character that is none of our own, or the hostile one as it is."""
    return hostile in shown or STEERING.search(ERASING.sub("", STYLES.sub("", shown)))


def columns(label):
    return "".join(f"the\tO\ndog{k % 3}\tB-{label}\n\n" for k in range(30))


def conllu(text):
    word = f"{text}a"
    row = "{}\t{}\t{}\tNOUN\tNN\t_\t{}\t{}\t_\t_\n"
    return "".join(
        row.format(1, word, word, 2, f"d{text}") + row.format(2, "b", "b", 0, "root") + "\n" for _ in range(20)
    )


def at_terminal(command, files, hostile, folder):
    """Run a command on a terminal, in whose words {} is the hostile text, as it is in the files."""
    for name, content in files.items():
        (folder / name.format(hostile)).write_text(content, encoding="utf-8")
    *before, last = [words.replace("{}", hostile).split(" ") for words in command.split(" && ")]
    for words in before:
        assert run_command(words).status == 0, words
    shown = run_on_terminal(last)
    assert hostile in "".join(files.values()) or any(hostile in word for word in last)
    return shown.out and not steers(shown.out, hostile)


@kind("nothing in a file, or in a file's name, steers the terminal")
def hostile_texts():
    for name, text in HOSTILE.items():
        tagging = {"x.txt": columns(text), "y{}.txt": columns("PER")}
        train = "train tag x.txt -o m.sap --epochs 1 --template pos -q"
        examples = {"x.txt": "".join(f"__label__{text}{k % 2} w{k % 2} v\n" for k in range(20))}
        learn = "train classify x.txt -o m.sap --epochs 1 -q"
        trees = {"x.conllu": conllu(text)}
        for command, files in {
            f"{train} && eval m.sap x.txt": tagging,
            f"{train} && tag m.sap x.txt": tagging,
            f"{train} && inspect m.sap": tagging,
            f"{train} && explain m.sap x.txt": tagging,
            "train tag y{}.txt -o m{}.sap --epochs 1 --template pos": tagging,
            "tag none{}.sap y{}.txt": tagging,
            f"{learn} && classify m.sap x.txt": examples,
            f"{learn} && eval m.sap x.txt": examples,
            f"{learn} && calibrate m.sap x.txt -o c{{}}.sap": examples,
            "train parse x.conllu -o m.sap --beam 1 --epochs 1 -q && parse m.sap x.conllu": trees,
            "train parse x.conllu -o m.sap --beam 1 --epochs 1 -q && parse m.sap x.conllu --draw": trees,
            "annotate en x.conllu --input conllu --format conllu --parts parse": trees,
            "annotate en x.conllu --input conllu --format table --parts parse": trees,
            "generate reviews --reviews 10 -o made{}": {},
        }.items():
            if name in ("title by OSC 0", "our own red") or command.startswith((f"{train} && eval", f"{train} && tag")):
                last = command.rpartition("&& ")[2]
                yield f"{name}: {last.replace('{}', '')}", partial(at_terminal, command, files, text)


def as_it_is(folder):
    (folder / "x.txt").write_text(columns("\x1b]0;owned\x07"), encoding="utf-8")
    assert run_command("train tag x.txt -o m.sap --epochs 1 --template pos -q").status == 0
    return "\x1b]0;owned\x07" in run_command("tag m.sap x.txt").out


@kind("in pipes and files data stay as they are")
def pipes():
    yield "tag", as_it_is
