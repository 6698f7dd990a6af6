#!/bin/sh
# needs:
# every source has the layout of .clang-format; ./dev format makes it so
cd "$(dirname "$0")/../.." || exit 70
find src papers prog include tests bench -name '*.[ch]' -o -path 'bench/*.cpp' | sort | xargs clang-format --dry-run 2>&1 |
	sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: warning.*/\1/p' | uniq -c >"${TMPDIR:-/tmp}/scree_format.$$"
trap 'rm -f "${TMPDIR:-/tmp}/scree_format.$$"' EXIT
echo 1..1
if [ -s "${TMPDIR:-/tmp}/scree_format.$$" ]; then
	echo "not ok 1 - layout (./dev format puts it right)"
	sed 's/^/# /' "${TMPDIR:-/tmp}/scree_format.$$"
	exit 1
fi
echo "ok 1 - layout"
