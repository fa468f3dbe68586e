#!/usr/bin/env bash
# num2words 0.5.14: minus a half is "zero point five", and in Persian 0.05 is a half.
#
# Numbers are spelled out before a text is read aloud or compared with what was heard. A number between -1 and 0 loses its minus in 47 of the 56
# languages and variants, English, German, French and Spanish among them, as the sign is that of its whole part, which is 0; -1.5 has it.
# Digits behind the point go astray in several languages: in Persian 0.5, 0.05 and 0.005 are all "a half"; in Bengali 0.1 and 0.01 are both
# "zero point one"; in Vietnamese and Turkish 0.05 is "zero point five", and Vietnamese rounds 2.001 to "two". Whole numbers are not safe
# either: in Azerbaijani 11,000 is ten thousand. There is no error.
# Seen: -0.5 -> "zero point five"; 0.05 in Persian -> "نیم"; 0.01 in Bengali -> "শূন্য দশমিক এক"; 11000 in Azerbaijani -> "on min".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check num2words==0.5.14
"$folder/env/bin/python" - <<'EOF'
from num2words import CONVERTER_CLASSES, num2words

for number in (-0.5, "-0.5", -0.05, -1.5):
    print(number, "->", num2words(number))
assert num2words(-0.5) == num2words("-0.5") == num2words(0.5) == "zero point five"
assert num2words(-1.5) == "minus one point five"


def loses_minus(language):
    """Return whether -0.5 and 0.5 have the same words, None if the language has no words for one of them."""
    try:
        return num2words(-0.5, lang=language) == num2words(0.5, lang=language)
    except (NotImplementedError, TypeError, ValueError, KeyError, IndexError, AttributeError):
        return None


found = [loses_minus(language) for language in CONVERTER_CLASSES]
print("minus lost in", found.count(True), "kept in", found.count(False), "no answer", found.count(None))
assert found.count(True) == 47 and found.count(False) == 9
assert loses_minus("de") and loses_minus("fr") and loses_minus("es") and not loses_minus("it")

for language, numbers, words in (
    ("fa", (0.5, 0.05, 0.005), "نیم"),
    ("bn", (0.1, 0.01, 0.001), "শূন্য দশমিক এক"),
    ("tr", (0.05,), "sıfırvirgülbeş"),
    ("vi", (0.05,), "không phẩy năm"),
    ("vi", (2, 2.001), "hai"),
    ("az", (10_000, 11_000), "on min"),
):
    for number in numbers:
        print(language, number, "->", num2words(number, lang=language))
        assert num2words(number, lang=language) == words
EOF
