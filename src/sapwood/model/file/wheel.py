"""Wheels of models: a model and its metadata as a package that pip installs, without a line of code.

The wheel has the model, METADATA with the card as its description, WHEEL and RECORD (PEP 427). Files are stored as they
are with one fixed date, so that the same model gives the same bytes on every machine.
"""

import base64
import hashlib
import io
import re
import zipfile

from sapwood.errors import OptionError
from sapwood.model.file.bundled import normal_name, place_of
from sapwood.model.file.schema import ModelFile
from sapwood.version import __version__

_RESERVED = ("sapwood", "sapwood-lab")
_VERSION = re.compile(
    r"(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){0,5}(?:(?:a|b|rc)\d{1,9})?(?:\.post\d{1,9})?(?:\.dev\d{1,9})?"
)
_LICENCE = re.compile(r"^(?:\W*)licen[cs]e\W*:\W*([^,;\n]+?)(?=[,;\n]|\. |\.?$)", re.IGNORECASE | re.MULTILINE)
_PACKAGED = re.compile(r"\n*Package: [^\n]*, written by sapwood [^\n]*\n*\Z")  # the last line of a card
_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that a ZIP archive can have


def checked_name(name: str) -> str:
    """Return the normal form of a package's name. Raises OptionError for one that no package can have."""
    normal = normal_name(name)
    if normal is None:
        raise OptionError(f"{name!a} is no name of a package: letters, digits and '-', up to 100; give one by --name")
    if normal in _RESERVED:
        raise OptionError(f"{name} is the name of a package of ours; give another one by --name")
    return normal


def checked_version(version: str) -> str:
    """Return the version of a package. Raises OptionError if it has not the form of PEP 440."""
    if not _VERSION.fullmatch(version):
        raise OptionError(f"{version!a} is no version; give numbers with dots, such as 1.0 or 1.1.dev2")
    return version


def licence_in(card: str) -> str | None:
    """Return the licence that a card names, None if it names none.

    >>> licence_in("# Nynorsk\\n\\nLicence: CC BY-SA 4.0, as the data ask for.\\n")
    'CC BY-SA 4.0'
    """
    found = _LICENCE.search(card)
    return None if found is None else found[1].strip("* ")


def wheel(model: ModelFile, name: str, version: str, licence: str | None) -> tuple[str, bytes]:
    """Return the name of a wheel's file, and its bytes; name and version are checked.

    Raises OptionError for a licence that is no line of text.
    """
    if licence is not None and not (licence.isprintable() and licence.strip()):
        raise OptionError(f"{licence!a} is no licence; give its name, such as CC-BY-SA-4.0")
    card = _PACKAGED.sub("", model.card) or f"# {name}"
    card = f"{card.rstrip()}\n\nPackage: {name} {version}, written by sapwood {__version__}.\n"
    begin = f"{name.replace('-', '_')}-{version}"
    metadata = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {version}",
        f"Summary: A model for sapwood, task {model.task}",
        *([] if licence is None else [f"License: {licence}"]),
        f"Requires-Dist: sapwood>={__version__}",
        "Description-Content-Type: text/markdown",
        "",
        card,
    ]
    about = [
        "Wheel-Version: 1.0",
        f"Generator: sapwood {__version__}",
        "Root-Is-Purelib: true",
        "Tag: py3-none-any",
        "",
    ]
    files = {
        place_of(name): model.replaced(card=card).dump(),
        f"{begin}.dist-info/METADATA": "\n".join(metadata).encode(),
        f"{begin}.dist-info/WHEEL": "\n".join(about).encode(),
    }
    record = f"{begin}.dist-info/RECORD"
    rows = [f"{path},sha256={_digest(data)},{len(data)}" for path, data in files.items()]
    files[record] = "\n".join([*rows, f"{record},,", ""]).encode()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as written:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, _DATE)
            entry.create_system, entry.external_attr = 3, 0o644 << 16  # Unix, so that rights are kept
            written.writestr(entry, data)
    return f"{begin}-py3-none-any.whl", archive.getvalue()


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
