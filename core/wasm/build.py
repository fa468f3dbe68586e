"""Builds the core for WebAssembly: src/sapwood/web/static/sapwood.wasm, by the compiler of the PyPI package ziglang.

    python core/wasm/build.py            build the core
    python core/wasm/build.py dist/js    and the package for npm, a folder and an archive beside it

Files are compiled several together. Zig keeps what it compiled, so that a second build takes seconds.
"""

from __future__ import annotations

import gzip
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CORE = Path(__file__).resolve().parents[1]
ROOT = CORE.parent
FOLDER = ROOT / "build" / "wasm"
STATIC = ROOT / "src" / "sapwood" / "web" / "static"
MODULE = STATIC / "sapwood.wasm"
MODULES = ("sapwood.js", "core.js", "sapwood.d.ts")

# The files that annotating needs, in units that are compiled together.
UNITS = {
    "hot": "wasm/hot features/conjunctions features/transition_features features/arc_label_features",
    "base": "base/coded_bytes text/utf8 text/characters text/graphemes text/joined_text text/columns text/doc "
    "text/conllu text/tokens text/documents text/edit_script features/word_clusters features/lexicon "
    "model/coded_table model/decoded_table model/packed_table",
    "features": "base/elias_fano base/rans base/sum_rows features/extractor model/frozen_model search/viterbi "
    "search/max_plus tagging/tag_dictionary tagging/tagger tagging/tagger_answers",
    "text": "text/plain_text text/normal_form text/numbers text/sentences text/misc_spaces text/treebank_text "
    "model/explanation model/calibration model/familiarity model/seen_sentences segmenting/addresses "
    "segmenting/list_lines segmenting/place_explainer segmenting/places segmenting/segment_rows "
    "segmenting/segmenter",
    "classifying": "features/document_features classifying/classifier classifying/class_explainer "
    "classifying/label_lines",
    "templates": "features/attribute_text features/word_class features/feature_rows features/pattern features/template",
    "rewriting": "rewriting/known_words rewriting/lemma_lexicon rewriting/next_words rewriting/rewriter "
    "rewriting/script_guard rewriting/splitter rewriting/rewriting_rows pipeline/deciding_parts "
    "pipeline/pipeline pipeline/reasons search/spans",
    "reasons": "learner/violation tagging/tagger_explainer parsing/sentence_explainer parsing/parser_explainer "
    "parsing/output_names",
    "module": "file/json_value file/container file/coding file/model_file file/header_records file/model_reader "
    "making/row_tagger making/parts making/class_parts "
    "wasm/pipeline_model wasm/classifier_model wasm/tagger_model wasm/model wasm/exports",
    "parsing": "features/arc_features features/easy_first_features search/projective search/eisner "
    "parsing/transition_parser parsing/easy_first_parser parsing/eisner_parser parsing/parser parsing/parser_spec "
    "parsing/treebank parsing/committee",
}

# Units that take most of the time. Little is inlined in them, which costs no time and saves bytes. The others
# are made as small as can be: zig takes -Oz for -Os (findings/zig-oz.sh), but does not read what stands behind -Xclang.
HOT = ("hot", "features")
FAST = ["-O2", "-mllvm", "-inline-threshold=40"]
SMALL = ["-Oz", "-Xclang", "-Oz"]

# As in CMakeLists.txt: no fused multiply-add, as sums must not depend on the machine.
COMPILER = [sys.executable, "-m", "ziglang", "c++", "-target", "wasm32-wasi", "-std=c++20", "-msimd128"]
FLAGS = ["-Wall", "-Wextra", "-ffp-contract=off", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections"]
FLAGS += ["-Xclang", "-fmerge-functions"]  # many functions of templates are the same
FLAGS += ["-g0", "-flto"]  # what is called once only, or never, is found when all units are linked
LINK = ["-O2", "-flto", "-mexec-model=reactor", "-Wl,--gc-sections", "-Wl,--strip-all", "-Wl,-z,stack-size=1048576"]


def compiled(unit: str) -> str:
    """Compile a unit. Return the path of its object file."""
    source, target = FOLDER / f"{unit}.cpp", FOLDER / f"{unit}.o"
    text = "".join(f'#include "{name}.cpp"\n' for name in UNITS[unit].split())
    if not source.exists() or source.read_text() != text:
        source.write_text(text)
    level = FAST if unit in HOT else SMALL
    subprocess.run([*COMPILER, *FLAGS, *level, f"-I{CORE}", "-c", str(source), "-o", str(target)], check=True)
    return str(target)


def build() -> None:
    """Compile and link the module."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(compiled, UNITS))
    linked = FOLDER / "sapwood.wasm"
    subprocess.run([*COMPILER, *LINK, *objects, "-o", str(linked)], check=True)
    linked.replace(MODULE)


def package() -> dict[str, object]:
    """Return the content of package.json."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {
        "name": "sapwood",
        "version": project["version"].replace(".dev", "-dev."),
        "description": project["description"],
        "license": "MIT",
        "type": "module",
        "exports": {".": {"types": "./sapwood.d.ts", "default": "./sapwood.js"}, "./sapwood.wasm": "./sapwood.wasm"},
        "types": "./sapwood.d.ts",
        "engines": {"node": ">=20"},
        "sideEffects": False,
    }


def pack(folder: Path) -> None:
    """Write the package for npm: a folder, and beside it an archive as `npm pack` makes it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    content = package()
    (folder / "package.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    for file in (*(STATIC / name for name in MODULES), MODULE, ROOT / "LICENSE"):
        shutil.copyfile(file, folder / file.name)
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for file in sorted(folder.iterdir()):
            entry = tarfile.TarInfo(f"package/{file.name}")
            entry.size = file.stat().st_size
            with file.open("rb") as data:
                tar.addfile(entry, data)
    (folder.parent / f"sapwood-{content['version']}.tgz").write_bytes(gzip.compress(archive.getvalue(), mtime=0))


if __name__ == "__main__":
    build()
    for name in sys.argv[1:]:
        pack(Path(name))
