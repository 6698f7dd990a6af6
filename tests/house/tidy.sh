#!/bin/sh
# needs: asan
# clang-tidy finds nothing (.clang-tidy lists its checks): in the steps and what stands beside them, and by ./dev check in all sources
cd "$(dirname "$0")/../.." || exit 70
files() {
	if [ "${SCREE_TEST_FACTOR:-1}" -gt 1 ]; then
		find src papers prog tests build/asan/src -name '*.c' ! -path 'tests/fuzz/*'
	else
		find src/*.c src/step src/start src/change -name '*.c'
	fi
}
out=$(mktemp) || exit 70
trap 'rm -f "$out"' EXIT
files | sort | xargs -P "$(nproc)" -n 4 clang-tidy -p build/asan --quiet >"$out" 2>/dev/null
echo 1..1
if grep -qE ': (error|warning):' "$out"; then
	echo "not ok 1 - clang-tidy"
	grep -E ': (error|warning):' "$out" | sort -u | sed 's/^/# /'
	exit 1
fi
echo "ok 1 - clang-tidy"
