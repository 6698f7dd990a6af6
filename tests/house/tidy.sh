#!/bin/sh
# needs: asan
# clang-tidy finds nothing (.clang-tidy says what it looks for)
cd "$(dirname "$0")/../.." || exit 70
out=$(mktemp) || exit 70
trap 'rm -f "$out"' EXIT
find src prog tests build/asan/src -name '*.c' ! -path 'tests/fuzz/*' | sort | xargs -P "$(nproc)" -n 4 clang-tidy -p build/asan --quiet >"$out" 2>/dev/null
echo 1..1
if grep -qE ': (error|warning):' "$out"; then
	echo "not ok 1 - clang-tidy"
	grep -E ': (error|warning):' "$out" | sort -u | sed 's/^/# /'
	exit 1
fi
echo "ok 1 - clang-tidy"
