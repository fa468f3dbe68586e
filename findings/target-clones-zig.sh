#!/usr/bin/env bash
# ziglang 0.15.2: its C++ compiler takes __attribute__((target_clones(...))) and compiles it, and links nothing that has it.
#
# The attribute makes one binary serve old and new processors, as wheels of linear models want: the clone is chosen when the library
# is loaded, by __cpu_indicator_init and __cpu_features2. GCC and LLVM have both in their run-time libraries; zig's own run-time
# library takes the place of LLVM's and has neither. A wheel that is built by zig instead of GCC has to do without clones, or to
# define both names itself.
# Seen: a shared library with such a function fails to link; with the two names defined beside it, it links and picks a clone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check ziglang==0.15.2
cat >sum.c <<'EOF'
__attribute__((target_clones("arch=x86-64-v3", "default"))) float sum(const float* x, int n) {
    float total = 0;
    for (int i = 0; i < n; ++i) total += x[i];
    return total;
}
EOF
cat >processor.c <<'EOF'
__attribute__((visibility("hidden"))) unsigned __cpu_features2[2];
__attribute__((visibility("hidden"))) int __cpu_indicator_init(void) { return 0; }
EOF
zig() { env/bin/python -m ziglang cc -target x86_64-linux-gnu.2.17 -O2 -fPIC "$@"; }
zig -c sum.c && zig -c processor.c
if zig -shared sum.o -o alone.so 2>errors; then echo "it links now"; exit 1; fi
grep -m1 __cpu_features2 errors
zig -shared sum.o processor.o -o both.so
echo "links once both names are defined"
