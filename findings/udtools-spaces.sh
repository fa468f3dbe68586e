#!/usr/bin/env bash
# udtools 0.2.9: MISC may name any space but must not hold one at its end, and U+200B is a space to nobody but the writer.
#
# `SpacesAfter=` with a raw no-break space (U+00A0), or another character that Python's `isspace` knows, fails level 1 of the
# validator where the cell ends with it, because a cell must not end in white space. Written as `\u00A0` it passes. A
# zero-width space (U+200B) is no `isspace`: raw it passes level 1, but standing between two words of `# text` it fails
# level 2, as nothing but white space may stand there.
# Seen: errors for raw U+00A0, U+202F, U+3000; none for \u00A0; missing-spaceafter for U+200B in `# text`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check udtools==0.2.9
"$folder/env/bin/python" - <<'EOF'
import subprocess
import sys

ROWS = "1\tHello\thello\tINTJ\t_\t_\t0\troot\t_\t{misc}\n2\tthere\tthere\tADV\t_\t_\t1\tadvmod\t_\t_\n\n"


def passes(level, misc, text="Hello there"):
    conllu = f"# sent_id = 1\n# text = {text}\n" + ROWS.format(misc=misc)
    program = [sys.executable.rpartition("/")[0] + "/udvalidate", "--lang", "en", "--level", str(level), "-"]
    run = subprocess.run(program, input=conllu.encode(), capture_output=True)
    return run.returncode == 0, (run.stdout + run.stderr).decode()


for raw in ("\u00a0", "\u202f", "\u3000"):
    done, said = passes(1, f"SpacesAfter={raw}")
    print(f"raw U+{ord(raw):04X} at the end of MISC: {'passes' if done else 'fails'}")
    assert not done
    assert passes(1, f"SpacesAfter=\\u{ord(raw):04X}")[0]
done, said = passes(1, "SpacesAfter=\u200b")
print("raw U+200B at the end of MISC:", "passes level 1" if done else "fails level 1")
assert done
done, said = passes(2, "SpacesAfter=\\u200B", "Hello\u200bthere")
print("U+200B between words of '# text':", said.strip().splitlines()[0][:100])
assert not done
EOF
