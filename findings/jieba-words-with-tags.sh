#!/usr/bin/env bash
# jieba 0.42.1: with parts of speech it finds other words than without, on the same text and by the same dictionary.
#
# `jieba.cut` gives words, `jieba.posseg.cut` words with tags. The second looks as if it tagged the words of the first; but what the
# dictionary does not have is joined by a hidden Markov model, of which each has its own, with other states. So tags cannot be
# laid beside words, a model that learned from words of the one meets others from the other, and neither is the better one
# throughout: each cuts words that the other has. With HMM=False both give the same.
# Seen: 杭研 is one word without tags and two with them, 后 在 are two and one (后在); 50% is one and two.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check setuptools==65.5.0 jieba==0.42.1
export TMPDIR="$folder" # its cache of the dictionary
"$folder/env/bin/python" -W ignore - <<'EOF'
import jieba
from jieba import posseg

jieba.setLogLevel(60)
SENTENCES = {  # what has other words: those without tags, and with tags
    "我来到北京清华大学": ([], []),  # I came to Tsinghua University in Beijing
    "他来到了网易杭研大厦": (["杭研"], ["杭", "研"]),  # he came to the NetEase building in Hangzhou
    "她毕业后在日本工作": (["后", "在"], ["后在"]),  # after she graduated she worked in Japan
    "这是一个很黑的夜": (["这是"], ["这", "是"]),  # this is a very dark night
    "增长了50%": (["50%"], ["50", "%"]),  # it grew by 50 %
}
for sentence, wanted in SENTENCES.items():
    words, tagged = jieba.lcut(sentence), [word for word, _ in posseg.lcut(sentence)]
    print("without tags:", *words, "| with tags:", *tagged)
    assert ([word for word in words if word not in tagged], [word for word in tagged if word not in words]) == wanted
    assert jieba.lcut(sentence, HMM=False) == [word for word, _ in posseg.lcut(sentence, HMM=False)]
EOF
