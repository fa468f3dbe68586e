"""Pictures as pages of a PDF."""

import builtins
import re
import sys

import pytest

from sapwood.draw import svg_tree
from sapwood_lab.draw.pdf import check_pdf, write_pdf
from sapwood_lab.errors import OptionError

PAGES = [svg_tree(["Dogs", "bark"], [2, 0], ["nsubj", "root"]), svg_tree(["Go"], [0], ["root"])]


@pytest.mark.slow
def test_each_picture_is_a_page_of_its_size(tmp_path):
    pytest.importorskip("cairosvg")
    for name in ("a.pdf", "b.pdf"):
        write_pdf(tmp_path / name, PAGES)
    data = (tmp_path / "a.pdf").read_bytes()
    assert data == (tmp_path / "b.pdf").read_bytes()
    assert data.startswith(b"%PDF-")
    sizes = [float(re.search(r'width="([0-9.]+)"', svg)[1]) * 0.75 for svg in PAGES]  # points, of which an inch has 72
    boxes = re.findall(rb"/MediaBox \[ ?0 0 ([0-9.]+) ", data)
    assert sorted(map(float, boxes)) == pytest.approx(sorted(sizes), abs=1)


def test_without_its_libraries_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(OptionError, match=r"writing a PDF needs CairoSVG: pip install CairoSVG"):
        check_pdf()
    monkeypatch.delitem(sys.modules, "cairosvg")
    monkeypatch.setattr("sapwood_lab.base.optional.installed", lambda library: True)
    imported = builtins.__import__

    def without_cairo(name, *rest):
        if name == "cairosvg":
            raise OSError("no library called 'cairo-2' was found")
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_cairo)
    with pytest.raises(OptionError, match=r"needs the library cairo \(libcairo2\)"):
        check_pdf()
