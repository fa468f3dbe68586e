#!/usr/bin/env bash
# scikit-learn 1.9.1, NLTK 3.10.4, tokenizers 0.23.3, polars 2.1.0, DuckDB 2.0.1: `\w+` finds three kinds of words in a Hindi text.
#
# In Python's `re` the vowel signs of Indian scripts are no \w, so that words fall to pieces at them: `CountVectorizer`, which also
# drops pieces of one character, keeps one word of four of a plain Hindi sentence, and says that a Bengali text has no
# vocabulary. The same pattern has the whole words in NLTK's `wordpunct_tokenize`, by the module `regex`, and in Rust's regular
# expressions (tokenizers' Whitespace, polars). In DuckDB, by RE2, \w is ASCII: there are no words, and of French ones there is what
# stands between accents.
# Seen: of "हिन्दी भाषा सरल है": ["सरल"]; 4 words in NLTK, tokenizers and polars; none in DuckDB, where "été" is "t".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scikit-learn==1.9.1 nltk==3.10.4 tokenizers==0.23.3 polars==2.1.0 \
    duckdb==2.0.1
"$folder/env/bin/python" - <<'EOF'
import duckdb
import polars
from nltk.tokenize import wordpunct_tokenize
from sklearn.feature_extraction.text import CountVectorizer
from tokenizers.pre_tokenizers import Whitespace

TEXT = "हिन्दी भाषा सरल है"  # the Hindi language is easy
ways = {
    "scikit-learn": lambda text: CountVectorizer().build_analyzer()(text),
    "NLTK": wordpunct_tokenize,
    "tokenizers": lambda text: [word for word, _ in Whitespace().pre_tokenize_str(text)],
    "polars": lambda text: polars.Series([text]).str.extract_all(r"\w+").to_list()[0],
    "DuckDB": lambda text: duckdb.execute(r"SELECT regexp_extract_all(?, '\w+')", [text]).fetchone()[0],
}
found = {name: find(TEXT) for name, find in ways.items()}
for name, words in found.items():
    print(name, words, ways[name]("été"))
assert found["scikit-learn"] == ["सरल"]
assert found["NLTK"] == found["tokenizers"] == found["polars"] == TEXT.split()
assert found["DuckDB"] == [] and ways["DuckDB"]("été") == ["t"]
try:
    CountVectorizer().fit(["বাংলা ভাষা"])  # the Bengali language
    raise SystemExit("it has a vocabulary now")
except ValueError as error:
    print(error)
    assert "empty vocabulary" in str(error)
EOF
