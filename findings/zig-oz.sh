#!/usr/bin/env bash
# ziglang 0.15.2: `zig cc -Oz` compiles as `-Os` does, without a warning, so that nothing gets the attribute minsize.
#
# clang's own -Oz makes smaller code than -Os. Zig has one mode for both (ReleaseSmall) and hands clang -Os for it.
# Seen: objects of -Os and -Oz are equal byte for byte; `-Oz -Xclang -Oz`, which zig does not read, marks functions minsize. One
# file of C++ for WebAssembly, of 84,832 bytes of code with -Oz, has 75,675 then.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check ziglang==0.15.2
cd "$folder"
cat > sum.c <<'END'
int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; ++i) s += a[i] * 3; return s; }
int twice(const int *a, int n) { return n > 8 ? sum(a, n) * sum(a, n / 2) : sum(a, 4) + sum(a, 2); }
END
compile() { env/bin/python -m ziglang cc -target wasm32-wasi -g0 sum.c "$@"; }
compile -c -Os -o small.o
compile -c -Oz -o smallest.o
compile -S -emit-llvm -Oz -o smallest.ll 2>/dev/null
compile -S -emit-llvm -Oz -Xclang -Oz -o minsize.ll 2>/dev/null
cmp small.o smallest.o
! grep -q minsize smallest.ll
grep -q minsize minsize.ll
echo "-Oz is -Os; with -Xclang -Oz functions are minsize"
