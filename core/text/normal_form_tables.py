"""Writes normal_form_tables.hpp, which normal_form.cpp reads, from the data of unicodedata2, or else of unicodedata.

python core/text/normal_form_tables.py > core/text/normal_form_tables.hpp
"""

import sys
from itertools import groupby

try:
    import unicodedata2 as unicodedata
except ImportError:
    import unicodedata

HANGUL = range(0xAC00, 0xD7A4)
WIDTH = 118
CHARACTERS = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c < 0xE000]


def parts(c: str) -> str:
    """Return what a character is one step apart."""
    found = unicodedata.decomposition(c)
    return "" if found.startswith("<") or ord(c) in HANGUL else "".join(chr(int(part, 16)) for part in found.split())


def written(c: str) -> str:
    """Return a character as it stands in a literal: letters that no editor changes as they are."""
    plain = unicodedata.category(c) in ("Lu", "Ll", "Lo") and unicodedata.bidirectional(c) == "L"
    if plain and ord(c) < 0x10000 and unicodedata.normalize("NFC", c) == c and unicodedata.east_asian_width(c) != "H":
        return c
    return f"\\u{ord(c):04X}" if ord(c) < 0x10000 else f"\\U{ord(c):08X}"


def width(text: str) -> int:
    """Return the columns that a text takes."""
    return sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def literal(text: str, before: str, after: str) -> list[str]:
    """Return the lines of an entry whose last part is a literal."""
    lines, line = [], f'    {before}U"'
    for c in text:
        if width(line + written(c)) + 1 + len(after) > WIDTH:
            lines.append(line + '"')
            line = '     U"'
        line += written(c)
    return [*lines, f'{line}"{after}']


def numbers(entries: list[str]) -> list[str]:
    """Return the lines of entries of numbers."""
    lines = ["   "]
    for entry in entries:
        if len(lines[-1]) + len(entry) + 2 > WIDTH:
            lines.append("   ")
        lines[-1] += f" {entry},"
    return lines


def ranges(codes: list[int]) -> list[tuple[int, int]]:
    """Return runs of numbers as first and last."""
    runs = [[code for _, code in run] for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0])]
    return [(run[0], run[-1]) for run in runs]


def main() -> None:
    """Print the tables."""
    apart = {c: found for c in CHARACTERS if (found := parts(c))}
    single = [c for c in apart if len(apart[c]) == 1]
    composed = [c for c in apart if len(apart[c]) == 2 and unicodedata.normalize("NFC", c) == c]
    broken = [c for c in apart if len(apart[c]) == 2 and c not in set(composed)]
    lines = [f"// Canonical composition of Unicode {unicodedata.unidata_version}, by normal_form_tables.py. What is here is explained in"]
    lines += ["// normal_form.cpp, which alone includes it.", "#pragma once", "#include <string_view>", "", "// clang-format off", ""]
    lines += ["namespace sapwood::normal_form {", ""]
    lines += ["struct Pairs {", "    char32_t second;", "    std::u32string_view all;  // the first character and the composed one, of each", "};"]
    lines += ["constexpr Pairs kPairs[] = {"]
    for second in sorted({apart[c][1] for c in composed}):
        text = "".join(apart[c][0] + c for c in composed if apart[c][1] == second)
        lines += literal(text, f"{{0x{ord(second):X}, ", "},")
    lines += ["};", "", "// Characters that are always written apart, with their parts. The second part may be 0: there is none."]
    lines += ["constexpr char32_t kApart[][3] = {"]
    lone = [c for c in single if unicodedata.east_asian_width(c) != "W"]
    found = sorted([*broken, *lone])
    lines += numbers([f"{{0x{ord(c):X}, 0x{ord(apart[c][0]):X}, {f'0x{ord(apart[c][1]):X}' if len(apart[c]) > 1 else 0}}}" for c in found])
    lines += ["};", "", "struct Singles {", "    char32_t first;", "    std::u32string_view as;  // what the first one and those behind it are", "};"]
    lines += ["constexpr Singles kSingles[] = {"]
    wide = sorted(ord(c) for c in single if c not in set(lone))
    for first, last in ranges(wide):
        lines += literal("".join(apart[chr(c)] for c in range(first, last + 1)), f"{{0x{first:X}, ", "},")
    lines += ["};", "", "// Combining classes: first and last character, and the class.", "constexpr char32_t kClasses[][3] = {"]
    classes = [(c, unicodedata.combining(c)) for c in CHARACTERS if unicodedata.combining(c)]
    by_class = [
        (first, last, number)
        for number in {number for _, number in classes}
        for first, last in ranges([ord(c) for c, of in classes if of == number])
    ]
    lines += numbers([f"{{0x{first:X}, 0x{last:X}, {number}}}" for first, last, number in sorted(by_class)])
    lines += ["};", "", "}  // namespace sapwood::normal_form"]
    print("\n".join(lines))


main()
