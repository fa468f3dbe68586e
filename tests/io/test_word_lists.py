"""Word lists that templates name: read from one folder and from nowhere else."""

import pytest

import sapwood
from sapwood import Classifier, DataError, SequenceTagger, TemplateError

SENTENCES = [[("Rome", "B"), ("is", "O"), ("old", "O")], [("the", "O"), ("city", "O")]]


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Two folders, a word list in each, and one between them; the first is the current one."""
    for name in ("mine", "mine/below", "theirs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cities.txt").write_text("Rome\n")
    (tmp_path / "cities.txt").write_text("Rome\n")
    (tmp_path / "mine" / "out.txt").symlink_to(tmp_path / "theirs" / "cities.txt")
    (tmp_path / "mine" / "away").symlink_to(tmp_path / "theirs")
    (tmp_path / "mine" / "loop.txt").symlink_to("loop.txt")
    (tmp_path / "mine" / "in.txt").symlink_to(tmp_path / "mine" / "below" / "cities.txt")
    monkeypatch.chdir(tmp_path / "mine")
    return tmp_path


def lines(name):
    return f'U0:%x[0,0]\nU1:%in[0,0,"{name}"]\n'


@pytest.mark.parametrize("name", ["cities.txt", "./cities.txt", "below/cities.txt", "in.txt"])
def test_lists_are_found_in_the_folder_of_the_template(folders, name):
    (folders / "mine" / "a.tpl").write_text(lines(name))
    for template in ("a.tpl", folders / "mine" / "a.tpl", lines(name)):  # a text's folder is the current one
        tagger = SequenceTagger(template=template, min_updates=1).fit(SENTENCES)
        tagger.save(folders / "m.sap")
        (again,) = sapwood.load(folders / "m.sap").predict([["Rome"]])
        assert again == ["B"]


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd", "{}/cities.txt", "{}/mine/cities.txt", "../cities.txt", "../mine/cities.txt", "out.txt",
        "below/../cities.txt", "away/cities.txt", "below/../../theirs/cities.txt", "../missing.txt", "..", "/dev/zero",
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", [SequenceTagger, Classifier])
def test_nothing_else_is_opened(folders, name, kind):
    (folders / "mine" / "a.tpl").write_text(lines(name.format(folders)))
    data = (SENTENCES,) if kind is SequenceTagger else (["Rome", "the city"], ["a", "b"])
    with pytest.raises(DataError, match=r"^word list .*: it does not lie in .*, the folder for word lists; ") as caught:
        kind(template="a.tpl").fit(*data)
    assert name.format(folders) in str(caught.value)


@pytest.mark.parametrize("name", ["missing.txt", "", "below", "loop.txt"])
def test_what_is_no_file_is_refused(folders, name):
    with pytest.raises((DataError, TemplateError)) as caught:
        SequenceTagger(template=lines(name)).fit(SENTENCES)
    assert str(caught.value).isprintable()


def test_lists_are_found_in_a_folder_that_the_user_names(folders):
    template = folders / "mine" / "a.tpl"
    template.write_text(lines("cities.txt"))
    (folders / "mine" / "cities.txt").unlink()
    with pytest.raises(DataError, match="No such file"):
        SequenceTagger(template=template).fit(SENTENCES)
    for folder in (folders / "theirs", "../theirs", folders / "mine" / "away"):
        tagger = SequenceTagger(template=template, word_lists=folder, min_updates=1).fit(SENTENCES)
        assert tagger.predict([["Rome"]]) == [["B"]]
        tagger.save(folders / "m.sap")
        assert sapwood.load(folders / "m.sap").word_lists is None
    text = 'A:%in[0,0,"cities.txt"]\n'
    classifier = Classifier(template=text, word_lists=folders, min_updates=1).fit(["Rome", "the city"], ["a", "b"])
    assert classifier.predict(["Rome"]) == ["a"]
    with pytest.raises(DataError, match="does not lie in"):
        SequenceTagger(template=lines("../cities.txt"), word_lists=folders / "theirs").fit(SENTENCES)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_template_that_never_ends_is_refused(device):
    with pytest.raises(TemplateError, match=f"^{device}: cannot read it: it is a device"):
        SequenceTagger(template=device).fit(SENTENCES)
