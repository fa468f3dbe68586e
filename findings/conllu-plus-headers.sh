#!/usr/bin/env bash
# conllu 6.0.0: of a CoNLL-U Plus file only the first sentence knows its columns, so that what is written without it means something else.
#
# A file of CoNLL-U Plus says in its first line, `# global.columns = ID FORM ...`, what its columns are. The package reads each sentence by
# that, and keeps the line as a comment of the first one. A file that was shuffled, split or filtered, sentence by
# sentence with `serialize`, has the line in the middle or not at all. Read again, by the package as well, its sentences have
# the columns of CoNLL-U: features as lemmas, heads as parts of speech, and no error, as missing columns are left out.
# Seen: upos 0, lemma Number=Sing, no head, for what was head 0 and feats Number=Sing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check conllu==6.0.0
"$folder/env/bin/python" -W error - <<'EOF'
import conllu

text = (
    "# global.columns = ID FORM FEATS HEAD DEPREL\n"
    "1\tDogs\tNumber=Plur\t0\troot\n\n"
    "1\tDog\tNumber=Sing\t0\troot\n\n"
)
sentences = conllu.parse(text)
assert sentences[1][0]["head"] == 0 and sentences[1][0]["feats"] == {"Number": "Sing"}
assert "".join(sentence.serialize() for sentence in sentences) == text
for written in (sentences[1:], sentences[::-1]):
    again = conllu.parse("".join(sentence.serialize() for sentence in written))[0][0]
    print(dict(again))
    assert (again["lemma"], again["upos"], "head" in again) == ("Number=Sing", "0", False)
EOF
