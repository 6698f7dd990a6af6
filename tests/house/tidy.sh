#!/bin/sh
# needs: asan-O0
# needs of a campaign: asan
# clang-tidy finds nothing (.clang-tidy lists its checks): in the steps and related code, and with ./dev check in all
# sources
cd "$(dirname "$0")/../.." || exit 70
build=build/asan-O0 # which has the commands of all files except most tests
[ "${SCREE_TEST_FACTOR:-1}" -le 1 ] || build=build/asan
files() {
	if [ $build = build/asan ]; then
		find src papers prog tests build/asan/src -name '*.c' ! -path 'tests/fuzz/*'
	else
		find src/*.c src/step src/start src/change -name '*.c'
	fi
}
out=$(mktemp) || exit 70
trap 'rm -f "$out"' EXIT
files | sort | xargs -P "$(nproc)" -n 4 clang-tidy -p $build --quiet >"$out" 2>/dev/null
echo 1..1
if grep -qE ': (error|warning):' "$out"; then
	echo "not ok 1 - clang-tidy"
	grep -E ': (error|warning):' "$out" | sort -u | sed 's/^/# /'
	exit 1
fi
echo "ok 1 - clang-tidy"
