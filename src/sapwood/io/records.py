"""Files of examples as records of JSON and CSV, which have values by name."""

import csv
import io
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Self

from sapwood.errors import DataError, Listener, warn_unfamiliar
from sapwood.io.json_text import BadJson, check_depth, json_of_line, value_at
from sapwood.io.memory import is_missing
from sapwood.io.source import check_size, plain_text


class Remarks:
    """Remarks on odd places of data. At the end the listener gets each kind once: its first place and their number.

    counted : how messages say a number of places
    """

    def __init__(self, on_warning: Listener = warn_unfamiliar, counted: str = "{:,} such lines") -> None:
        self.on_warning, self._counted = on_warning, counted
        self._found: dict[str, tuple[str, int]] = {}  # kind -> the remark on its first place, number of places

    def add(self, kind: str, where: str, about: object = "", times: int = 1) -> None:
        """Add places of a kind; `about` is what stands at the first of them."""
        first, before = self._found.get(kind, (f"{where}: {f'{about}: ' if about else ''}{kind}", 0))
        self._found[kind] = first, before + times

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        for first, times in self._found.values() if error is None else ():
            self.on_warning(first + (f" ({self._counted.format(times)})" if times > 1 else ""))


class Record(NamedTuple):
    """A line of JSON, or a row of a CSV file."""

    line: int
    where: str
    values: dict[str, object]  # as JSON has them

    def value(self, name: str) -> object:
        """Return a value, or one inside of objects, such as `output.label`; None if it is not there, or NaN."""
        found = self.values.get(name)
        if name not in self.values:
            found = self.values
            for key in name.split("."):
                found = found.get(key) if isinstance(found, dict) else None
        return None if is_missing(found) else found

    def text(self, name: str) -> str:
        """Return a value as text; what is not there, or null, is empty. Raises DataError if it is a list or object."""
        found = self.values.get(name)
        if isinstance(found, str):
            return found
        match self.value(name):
            case None:
                return ""
            case bool(value):
                return "true" if value else "false"
            case str() | int() | float() as value:
                return str(value)
        raise DataError(f"{self.where}: '{name}' is neither a text nor a number")

    def is_rejected(self) -> bool:
        """Return true if its annotator (in Prodigy) rejected the label, or passed over the example."""
        return self.values.get("answer") in ("reject", "ignore")

    def members(self) -> str:
        """Return the names of all values, those inside of others with dots, for a message."""
        names = list(_names(self.values))
        return ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "") or "nothing"


class TableRows(list[Record]):
    """The rows of a table of Arrow's, with the table, whose types they are written in again."""

    table: Any = None


_SHOWN = 20  # names in a message


def _names(values: Mapping[str, object], before: str = "") -> Iterator[str]:
    for name, value in values.items():
        if isinstance(value, dict) and value:
            yield from _names(value, f"{before}{name}.")
        else:
            yield f"{before}{name}"


_IN_ARRAY = re.compile(r"\s*\[\s*")
_NEXT = re.compile(r"\s*(?:,\s*|\]\s*\Z)")  # behind an item


def json_pieces(text: str, name: str, first_line: int = 1) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text that are not blank, or the items of the array that it is, with their line numbers.

    Raises DataError with the line for an array that is not JSON.
    """
    begin = _IN_ARRAY.match(text) if first_line == 1 else None
    if begin is None:
        yield from ((number, line) for number, line in enumerate(text.split("\n"), first_line) if line.strip())
        return
    at, line = begin.end(), 1 + text.count("\n", 0, begin.end())
    if text[at:].rstrip() == "]":
        return
    try:
        check_depth(text)
        while True:
            end = value_at(text, at)[1]
            if (then := _NEXT.match(text, end)) is None:
                is_over = text[end:].lstrip().startswith("]")
                raise BadJson("is followed by more" if is_over else "is not JSON")
            yield line, text[at:end]
            line += text.count("\n", at, then.end())
            if "]" in then[0]:
                return
            at = then.end()
    except BadJson as error:
        why = str(error).replace("is not JSON", "is not JSON, or does not end")
        hint = "an array of objects comes as a whole, and is not read part by part"
        raise DataError(f"{name}:{(*error.args, line)[1]}: the array {why}; {hint}") from None


def json_records(data: bytes, name: str, first_line: int = 1) -> Iterator[Record]:
    """Yield the objects of a file, one a line, or in an array; and pairs of a text and an object, as spaCy 2 has them.

    An annotator writes one object of its "classes" and its "annotations", a list of such pairs, of which those that are
    null are left out. Raises DataError with the line.
    """
    for number, line in json_pieces(plain_text(data, name, first_line), name, first_line):
        where = f"{name}:{number}"
        values = json_of_line(line, where)
        pairs = isinstance(values, dict) and values.keys() == {"classes", "annotations"} and values["annotations"]
        for each in filter(None, pairs) if isinstance(pairs, list) else [values]:
            if isinstance(each, list) and [*map(type, each)] == [str, dict]:
                each = {"text": each[0], **each[1]}
            if not isinstance(each, dict):
                raise DataError(f"{where}: the line is not a JSON object")
            yield Record(number, where, each)


class CsvReader:
    """A reader of the rows of a CSV file below a header that has the needed column.

    Between cells stand commas, tabs, semicolons or bars: as the first line says (Excel's ``sep=;``), or as the header
    has the column. Blanks behind such a mark do not count. Quotes around cells may all be single. Between tabs quotes
    are text if the first cell that begins with one does not end with one, and its line and the next one have as many
    cells as the header.

    tabs : the file's name tells that tabs stand between cells
    """

    def __init__(self, name: str, needed: str, tabs: bool, remarks: Remarks) -> None:
        self.name, self.needed, self.remarks = name, needed, remarks
        self._marks = "\t,;|" if tabs else ",\t;|"
        self._mark, self._quote = "", '"'
        self._quotes_are_text: bool | None = False  # None: no line so far decides it
        self._tabs = 0  # between the cells of the header, if they are what stands there
        self._header: list[str] = []
        self._is_bare = False  # true if there is one column, of which no cell in one line stands in quotes
        self._values: list[set[str]] = []  # the values of each column that are not empty, at most _MANY
        csv.field_size_limit(min(sys.maxsize, (1 << 31) - 1))

    def _look_at(self, text: str) -> tuple[str, int]:
        """Find the marks and quotes of a text. Return it as it is to be read, and the number of its first line."""
        excel = re.match(r'(?i)"?sep=(.)"?(?:\r\n?|\n)', text)
        text = text if excel is None else text[excel.end() :]
        first, *rows = re.split(r"[\r\n]+", text, maxsplit=3)[:3]
        cells = {mark: [cell.strip(" '\"") for cell in first.split(mark)] for mark in self._marks}
        mark = excel[1] if excel else max(cells, key=lambda mark: (self.needed in cells[mark], len(cells[mark])))
        longer = [row[0] for row in csv.reader(rows, delimiter=mark) if len(row) == first.count(mark) + 2]
        if longer and longer == ["1", "2"][: sum(map(bool, rows))]:
            text = mark + text  # R's numbers of rows have no name
        self._mark, self._quote = mark, "'" if _has_single_quotes(text, mark) else '"'
        single = re.compile(rf"(?:(?m:^)|{re.escape(mark)}) *'(?:[^']++|'')*+('?)")
        double = re.compile(rf'(?:(?m:^)|{re.escape(mark)}) *"(?:[^"]++|"")*+("?)')
        self._cells = single if self._quote == "'" else double  # cells in quotes, which may not end
        header = re.split(r"[\r\n]", text, maxsplit=1)[0]
        self._tabs = header.count("\t") if mark == "\t" else 0
        may_be_text = self._tabs > 0 and self._quote == '"' and _BEGUN.search(header) is None
        self._quotes_are_text = None if may_be_text else False
        return text, 1 if excel is None else 2

    def _decide_quotes(self, text: str, *, is_last: bool) -> int:
        """Decide whether quotes are text, if the lines for it are there. Return up to where the text can be read."""
        if self._quotes_are_text is not None or (cell := _BEGUN.search(text)) is None:
            return len(text)
        begin = max(text.rfind(end, 0, cell.start() + 1) for end in "\r\n") + 1
        two = [line for line in re.split(r"[\r\n]+", text[begin:], maxsplit=2)[:2] if line]
        is_ended = _NOT_ENDED.match(text, cell.start()) is None
        if len(two) < 2 and not (is_last or is_ended):
            return cell.start()
        self._quotes_are_text = not is_ended and all(line.count("\t") == self._tabs for line in two)
        return len(text)

    def whole_rows(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield a text in blocks that end with a row, as soon as they are there, the first with header and row."""
        rest, is_open = b"", False
        for block in blocks:
            check_size(len(rest) + len(block), self.name)
            rest += block
            if is_open and self._quotes_are_text is False and self._quote.encode() not in block:
                continue
            text = rest[: rest.rfind(b"\n") + 1].decode(*_ANY)
            if not self._mark and text.count("\n") > 1 + text.lstrip('\ufeff"').startswith("sep="):
                self._look_at(text.lstrip("\ufeff"))
            if not self._mark:
                continue
            opened = self._decide_quotes(text, is_last=False)
            if not self._quotes_are_text:
                opened = next((cell.start() for cell in self._cells.finditer(text, 0, opened) if not cell[1]), opened)
            is_open = opened < len(text)
            if end := text.rfind("\n", 0, opened + 1) + 1:
                size = len(text[:end].encode(*_ANY))
                yield rest[:size]
                rest = rest[size:]
        if rest:
            yield rest

    def records(self, data: bytes, first_line: int = 1) -> Iterator[Record]:
        """Yield the rows of a block, the first of which has the header. Raises DataError with the line."""
        text = re.sub(r"(?:(?<=[\r\n])|\A)\ufeff+", "", plain_text(data, self.name, first_line, lines=False))
        line = above = first_line
        if first_line == 1:
            text, above = self._look_at(text)
        self._decide_quotes(text, is_last=True)
        lines = io.StringIO(text, newline="")
        reader = csv.reader(
            lines,
            delimiter=self._mark,
            quotechar=self._quote,
            quoting=csv.QUOTE_NONE if self._quotes_are_text else csv.QUOTE_MINIMAL,
            skipinitialspace=True,
            strict=True,
        )
        tall: list[tuple[Record, int]] = []  # rows of several lines, and the number of lines up to their ends
        try:
            if first_line == 1:
                line = above
                self._header = [cell.strip() for cell in next(reader, [])]
                self._check_header(f"{self.name}:{line}")
                self._values = [set() for _ in self._header]
                self._is_bare = len(self._header) == 1
                line = reader.line_num + above
            for row in reader:
                if row == self._header:
                    what = "the header comes again, where files were joined; it is left out"
                    self.remarks.add(what, f"{self.name}:{line}")
                elif row and len(row) != len(self._header):
                    cells = f"the row has {len(row)} cells, and the header {len(self._header)}"
                    raise DataError(f"{self.name}:{line}: {cells}")
                elif row:
                    record = Record(line, f"{self.name}:{line}", dict(zip(self._header, row, strict=True)))
                    if reader.line_num + above > line + 1:
                        tall.append((record, reader.line_num))
                    for values, cell in zip(self._values, row, strict=True):
                        if cell and len(values) < _MANY:
                            values.add(cell)
                    yield record
                line = reader.line_num + above
        except csv.Error as error:
            how = "quotes around a cell stand at both its ends, and twice inside of it"
            raise DataError(f"{self.name}:{line}: {error}; {how}") from None
        self._is_bare = self._is_bare and _LINE_IN_QUOTES.search(text) is None
        if tall:
            self._check_tall(tall, re.split(r"\r\n?|\n", text), above)

    def _check_tall(self, tall: list[tuple[Record, int]], lines: list[str], above: int) -> None:
        """Raise DataError if the lines of a row of several lines look like rows, as where a quotation mark is text.

        Between tabs a line within a cell does if it has as many cells as the header. With other marks, which prose has
        as well, more than half of the lines have to, by a column in which they have values of other rows, without
        blanks behind the marks; in a table of one column each line has to be a value of another row but for the marks,
        and no cell of one line may stand in marks so far, as all do where a writer puts them around all cells.
        """
        for record, end in tall:
            texts = lines[record.line - above : end]
            rows = [line.split(self._mark) for line in texts]
            like = [row for row in rows if 1 < len(row) == len(self._header) and not any(c[:1] == " " for c in row[1:])]
            known = max(sum(row[k] in values for row in like) for k, values in enumerate(self._values))
            within = [line for cell in record.values.values() for line in str(cell).split("\n")[1:]]
            alone = {line.strip(self._quote) for line in texts} - {""} if self._is_bare else set()
            are_rows = 2 * known > len(rows) or (alone and alone <= self._values[0])
            if are_rows or any(line.count("\t") == self._tabs > 0 for line in within):
                what = "a quotation mark begins a cell that has whole rows in it"
                how = "where marks are text, write them twice and put marks around the cell"
                raise DataError(f"{record.where}: {what}; {how}")

    def _check_header(self, where: str) -> None:
        if self.needed not in self._header:
            had = ", ".join(f"{name:.40}" for name in self._header) or "nothing"
            how = "--text names the column of the text, --label that of the label"
            if any(_VALUE.search(name) for name in self._header):
                how = f"if this is no header, put one above it, with names such as label and text; {how}"
            raise DataError(f"{where}: the header has no column '{self.needed}'; it has {had}; {how}")
        if len(set(self._header)) != len(self._header):
            raise DataError(f"{where}: the header names a column twice")


_VALUE = re.compile(r"^[-+]?\d+(?:\.\d+)?$|\S\s+\S+\s+\S")  # a number, or three words: no name of a column
_MANY = 1000  # values of a column, as many as classes never are
_ANY = "utf-8", "surrogateescape"  # bytes that are no text are named later
_BEGUN = re.compile(r'(?m)(?:^|\t) *"')  # beginning of a cell in quotes, between tabs
_NOT_ENDED = re.compile(rf'{_BEGUN.pattern}(?:[^"\t\r\n]|"")*+(?!"(?:[\t\r]|$))')
_LINE_IN_QUOTES = re.compile(r"""(?<![^\r\n])(?:"[^\r\n]*"|'[^\r\n]*')(?![^\r\n])""")
_BEGIN = r"(?m)(?:^|[,;|\t]) *'"  # beginning of a cell in single quotes
_QUOTED = re.compile(rf"{_BEGIN}((?:[^'\n]|'')*+)'\s*?(?=$|[,;|\t])")


def _has_single_quotes(text: str, mark: str) -> bool:
    """Return true if cells stand in single quotes: most of them, or those that need it. No cell is quoted otherwise."""
    cells = [] if '"' in text else _QUOTED.findall(text)
    many = len(cells) >= text.count("\n") or any(mark in cell or "''" in cell for cell in cells)
    return bool(cells) and many and len(cells) == len(re.findall(_BEGIN, text))
