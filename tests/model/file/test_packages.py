"""Models as packages: wheels that pip installs, and installed models that are found by their names."""

import csv
import io
import subprocess
import sys
import zipfile
from email.parser import BytesParser

import pytest

import sapwood
from sapwood import ModelError, OptionError, SequenceTagger, __version__
from sapwood.model.file.bundled import installed_models, model_path, normal_name
from sapwood.model.file.schema import ModelFile
from sapwood.model.file.wheel import checked_name, checked_version, licence_in, wheel

CARD = (
    "# nn\n\nLicence: CC BY-SA 4.0, as the data ask for.\n\n| | UPOS | LAS |\n|---|---|---|\n| raw | 95.63 | 84.46 |\n"
)
WORDS = [[("a", "DT"), ("dog", "NN"), ("barks", "VBZ")], [("the", "DT"), ("cat", "NN"), ("sleeps", "VBZ")]]


@pytest.fixture(scope="module")
def model():
    words = [[(f"{form}{k}", tag) for form, tag in sentence] for k in range(5) for sentence in WORDS]
    return SequenceTagger(template="U:%x[0,0]\n", min_updates=1, epochs=2).fit(words).model_.replaced(card=CARD)


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of installed packages."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


def install(site, model, name="nynorsk", version="1.0"):
    """Put a model's wheel into a folder as pip does, and return the model's path."""
    zipfile.ZipFile(io.BytesIO(wheel(model, name, version, "MIT")[1])).extractall(site)
    return site / "sapwood-models" / f"{name}.sap"


def test_a_wheel_is_what_the_standards_say(model):
    name, data = wheel(model, "nn-ud", "1.1", "CC BY-SA 4.0")
    assert name == "nn_ud-1.1-py3-none-any.whl"
    archive = zipfile.ZipFile(io.BytesIO(data))
    files = {each: archive.read(each) for each in archive.namelist()}
    about = "nn_ud-1.1.dist-info"
    assert list(files) == ["sapwood-models/nn-ud.sap", *(f"{about}/{each}" for each in ("METADATA", "WHEEL", "RECORD"))]
    metadata = BytesParser().parsebytes(files[f"{about}/METADATA"])
    fields = {"Name": "nn-ud", "Version": "1.1", "License": "CC BY-SA 4.0", "Requires-Dist": f"sapwood>={__version__}"}
    assert {key: metadata[key] for key in fields} == fields
    assert metadata.get_payload().strip() == f"{CARD}\nPackage: nn-ud 1.1, written by sapwood {__version__}."
    rows = list(csv.reader(io.StringIO(files[f"{about}/RECORD"].decode())))
    assert [(row[0], row[2]) for row in rows[:-1]] == [(each, str(len(files[each]))) for each in list(files)[:-1]]
    assert wheel(model, "nn-ud", "1.1", "CC BY-SA 4.0") == (name, data)


def test_a_card_says_the_versions_once(model, tmp_path):
    first = ModelFile.load(install(tmp_path, model, "nn", "1.0"))
    assert first.card == f"{CARD}\nPackage: nn 1.0, written by sapwood {__version__}.\n"
    again = ModelFile.load(install(tmp_path, first, "nn", "2.0"))
    assert again.card == first.card.replace("nn 1.0", "nn 2.0")
    assert ModelFile.load(install(tmp_path, model.replaced(card=""), "nn", "3.0")).card.startswith(
        "# nn\n\nPackage: nn 3.0"
    )


def test_names_versions_and_licences_are_checked():
    assert checked_name("Nynorsk_UD.2") == "nynorsk-ud-2"
    for name in ("", "-nn", "nn-", "a/b", "../nn", "n n", "nn\n", "nn.sap", "ñ", "n" * 101, "sapwood", "Sapwood_Lab"):
        with pytest.raises(OptionError, match=r"--name"):
            checked_name(name)
    for version in ("1", "1.0", "0.1.2", "1.0a1", "2.0rc1.post1.dev3"):
        assert checked_version(version) == version
    for version in ("", "v1", "1.", "01.0", "1.0-1", "1.0/../2", "1.0\n", "latest"):
        with pytest.raises(OptionError, match="no version"):
            checked_version(version)
    assert licence_in("# x\n\n**License**: MIT. It is free.\n") == "MIT"
    assert licence_in("# x\n\nNo licence is known.\n") is None


def test_a_licence_is_one_line(model):
    with pytest.raises(OptionError, match="no licence"):
        wheel(model, "nn", "1.0", "MIT\nRequires-Dist: evil")


def test_an_installed_model_is_found_by_its_name(model, site, tmp_path, monkeypatch):
    path = install(site, model, "nynorsk-ud", "1.1")
    for name in ("nynorsk-ud", "Nynorsk_UD", "nynorsk.ud"):
        assert model_path(name) == path.resolve()
        assert sapwood.load(name).predict([["dog1"]]) == [["NN"]]
    assert ("nynorsk-ud", "1.1") in list(installed_models())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nynorsk-ud").write_bytes(b"a file comes first")
    with pytest.raises(ModelError, match="nynorsk-ud"):
        sapwood.load("nynorsk-ud")
    for name in ("pytest", "nobody", "no-body"):  # the first is installed, and no model
        with pytest.raises(ModelError, match="there is no such file, and no model of this name"):
            sapwood.load(name)


def test_verbs_find_an_installed_model(model, site, run_cli, tmp_path):
    install(site, model)
    (tmp_path / "t.txt").write_text("dog1\n\n")
    assert run_cli(f"tag nynorsk {tmp_path / 't.txt'}").out == "dog1\tNN\n\n"
    bytes = f"{model_path('nynorsk').stat().st_size:,}"
    *_, last = run_cli("inspect").out.splitlines()
    assert last.split() == ["nynorsk", "installed,", "1.0", bytes, "95.63", "84.46"]
    assert "Package: nynorsk 1.0" in run_cli("inspect nynorsk --top 0").out
    refused = run_cli(f"calibrate nynorsk {tmp_path / 't.txt'}")
    assert (refused.status, "part of a package" in refused.err) == (2, True)


def test_texts_are_annotated_by_an_installed_pipeline(site, run_cli, tmp_path):
    install(site, ModelFile.load(model_path("ca")), "catala")
    (tmp_path / "t.txt").write_text("La casa és gran.\n")
    known = run_cli(f"annotate ca {tmp_path / 't.txt'}").out
    assert "gran" in known
    assert run_cli(f"annotate catala {tmp_path / 't.txt'}").out == known
    assert run_cli(f"annotate catali {tmp_path / 't.txt'}").status == 1


def test_a_bundled_model_wins_with_a_warning(model, site):
    install(site, model, "de")
    with pytest.warns(sapwood.SapwoodWarning, match="de: this is the model that comes with sapwood"):
        assert sapwood.load("de").task == "pipeline"


def test_metadata_that_lie_are_named(model, site, tmp_path, monkeypatch, run_cli):
    path = install(site, model)
    path.rename(tmp_path / "elsewhere.sap")
    with pytest.raises(ModelError, match=r"^nynorsk: the file of the installed model is missing, .*; install it again"):
        sapwood.load("nynorsk")
    path.symlink_to(tmp_path / "elsewhere.sap")
    with pytest.raises(ModelError, match=r"^nynorsk: the file of the installed model leads out of its folder"):
        sapwood.load("nynorsk")
    (site / "pytest_x-1.0.dist-info").mkdir()
    (site / "pytest_x-1.0.dist-info" / "RECORD").write_bytes(b"\xff\xfe")  # of another package, and no text
    assert list(installed_models()) == [("nynorsk", "1.0")]
    record = site / "nynorsk-1.0.dist-info" / "RECORD"
    record.write_text(record.read_text().replace("sapwood-models/nynorsk.sap", "sapwood-models/../../elsewhere.sap"))
    with pytest.raises(ModelError, match="no model of this name"):
        sapwood.load("nynorsk")
    path.unlink()
    install(site, model)
    path.write_bytes(b"\0" * 100)
    with pytest.raises(ModelError, match="nynorsk"):
        sapwood.load("nynorsk")
    install(site, model)
    other = tmp_path / "other"
    install(other, model, version="2.0")
    monkeypatch.syspath_prepend(str(other))
    with pytest.raises(ModelError, match=r"two installed models have this name, .*; uninstall one"):
        sapwood.load("nynorsk")


@pytest.mark.filterwarnings("default")
def test_the_list_goes_on_after_a_broken_package(model, site, run_cli):
    install(site, model, "alpha").unlink()
    install(site, model, "beta")
    run = run_cli("inspect")
    assert run.out.splitlines()[-1].startswith("beta")
    assert "alpha: the file of the installed model is missing" in run.err


@pytest.mark.filterwarnings("default")
def test_no_wheel_is_lost(model, run_cli, tmp_path):
    model.save(tmp_path / "nn.sap")
    command = f"package {tmp_path / 'nn.sap'} -o {tmp_path / 'dist'}"
    assert run_cli(command).err.endswith(" bytes\n")
    [path] = (tmp_path / "dist").iterdir()
    assert path.name == "nn-1.0-py3-none-any.whl"
    assert run_cli(command).status == 0  # the same bytes again
    before = path.read_bytes()
    refused = run_cli(f"{command} --license MIT")
    assert (refused.status, "another package of this version" in refused.err) == (2, True)
    assert path.read_bytes() == before
    assert "comes with sapwood is loaded" in run_cli(f"{command} --name de").err
    model.replaced(card="").save(tmp_path / "nn.sap")
    assert "the model has no licence" in run_cli(f"{command} --version 2").err


def test_metadata_are_read_for_no_other_name():
    """Neither for a bundled model nor for a file: importing what reads them takes time."""
    script = (
        "import sys, sapwood; sapwood.load('de'); sapwood.load(sys.argv[1]); print('importlib.metadata' in sys.modules)"
    )
    known = [sys.executable, "-c", script, str(model_path("ca"))]
    assert subprocess.run(known, capture_output=True, text=True, check=True).stdout == "False\n"


@pytest.mark.slow
def test_pip_installs_and_uninstalls(model, tmp_path):
    """With the pip of this environment, in an environment of its own that has this one's packages."""
    pytest.importorskip("pip")
    env = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", env], check=True)
    python = env / "bin" / "python"
    here = [f"import site; site.addsitedir({folder!r})\n" for folder in sys.path if folder.endswith("-packages")]
    next(env.glob("lib/*/site-packages")).joinpath("here.pth").write_text("".join(here))
    (tmp_path / "nn_ud-1.0-py3-none-any.whl").write_bytes(wheel(model, "nn-ud", "1.0", "MIT")[1])

    def pip(*words):
        subprocess.run([sys.executable, "-m", "pip", "--python", python, *words], check=True, capture_output=True)

    def load():
        script = "import sapwood; print(sapwood.load('nn-ud').predict([['dog1']]))"
        return subprocess.run([python, "-c", script], capture_output=True, text=True, cwd=tmp_path)

    pip("install", "--no-index", "--no-deps", *tmp_path.glob("*.whl"))
    assert load().stdout == "[['NN']]\n"
    pip("uninstall", "-y", "nn-ud")
    assert "there is no such file, and no model of this name" in load().stderr
    assert not list(env.rglob("sapwood-models"))


def test_normal_names():
    assert [normal_name(each) for each in ("A.B__c", "x", "", "-")] == ["a-b-c", "x", None, None]
