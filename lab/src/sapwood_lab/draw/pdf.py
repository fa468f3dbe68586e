"""Pictures as pages of a PDF, by CairoSVG, which is imported when a PDF is asked for."""

import os
from collections.abc import Iterable
from io import BytesIO

from sapwood_lab.base.optional import require
from sapwood_lab.base.writing import write_bytes
from sapwood_lab.errors import OptionError


def check_pdf() -> None:
    """Raise OptionError if CairoSVG, or the library cairo beneath it, is not installed."""
    require("cairosvg", "writing a PDF")
    try:
        import cairosvg  # noqa: F401
    except OSError:
        raise OptionError("writing a PDF needs the library cairo (libcairo2), which CairoSVG does not find") from None


def write_pdf(path: str | os.PathLike[str], pictures: Iterable[str]) -> None:
    """Write SVGs as the pages of a PDF, each of its picture's size and in its light colours.

    The bytes of the file depend on nothing but the pictures. Raises OptionError as `check_pdf` does, and DataError if
    the file cannot be written.
    """
    check_pdf()
    from cairocffi import PDF_METADATA_CREATE_DATE
    from cairosvg.parser import Tree
    from cairosvg.surface import PDFSurface

    class Page(PDFSurface):  # type: ignore[misc]
        """A page of a document, which is given as its output."""

        def _create_surface(self, width: float, height: float) -> tuple[object, float, float]:
            self.output.set_size(width, height)
            return self.output, width, height

    file = BytesIO()
    document = PDFSurface.surface_class(file, 1, 1)
    document.set_metadata(PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z")
    for svg in pictures:
        Page(Tree(bytestring=svg.encode()), document, 96)
        document.show_page()
    document.finish()
    write_bytes(path, file.getvalue())
