#!/usr/bin/env bash
# Vowpal Wabbit 9.11.9: words that are whole numbers are not hashed, so that 007, 7 and, with 18 bits, 262151 are one word.
#
# A feature's name is hashed unless it consists of digits: then it is its number that is added to the namespace's place, as in files whose
# features have numbers. In texts that is so for years, prices and room numbers: leading zeros do not count, years stand beside
# each other in the table, and each number shares its weight with those that are a multiple of the table's size away, for
# certain and not by chance. Half a number (7.5), signs (+7) and one letter more make it a name again. `--hash all` hashes all.
# Beside it: a label right before the bar, `1|w good`, is the example's tag, so that there is no label, and nothing is learned.
# Seen: one place for 7, 007 and 262151, others with --hash all; predictions of 0 after a hundred passes over `1|w good`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check vowpalwabbit==9.11.9
"$folder/env/bin/python" - <<'EOF'
from vowpalwabbit import Workspace


def places(options, *words):
    """Return the place of each word in the table of weights."""
    model = Workspace(f"--quiet --noconstant -b 18 {options}")
    return [model.parse(f"|w {word}").feature("w", 0) for word in words]


same = places("", "7", "007", "262151")
hashed = places("--hash all", "7", "007", "262151")
names = places("", "7.5", "+7", "7e", "seven")
print("as it comes", same, "--hash all", hashed, "7.5, +7, 7e, seven:", names)
assert len({place % (1 << 18) for place in same}) == 1
assert len({*hashed}) == 3 and len({*names, same[0]}) == 5
first, second = places("", "1999", "2000")
assert abs(second - first) in (1, 4)


def learned(form):
    model = Workspace("--quiet --loss_function logistic")
    for _ in range(100):
        for label, word in ((1, "good"), (-1, "bad")):
            model.learn(form.format(label, word))
    return model.predict("|w good"), model.predict("|w bad")


print("1 |w good:", learned("{} |w {}"), "1|w good:", learned("{}|w {}"))
good, bad = learned("{} |w {}")
assert good > 2 and bad < -2
assert learned("{}|w {}") == (0, 0)
EOF
