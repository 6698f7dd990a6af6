# checks.sh: for scripts that source it: a folder $box that goes when they end, and cases as TAP from what a command said
# shellcheck shell=bash
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
n=0
check() { # NAME CONDITION...
	n=$((n + 1))
	if "${@:2}"; then echo "ok $n - $1"; else
		echo "not ok $n - $1"
		sed 's/^/# /' "$box/out"
	fi
}
says() { grep -qF -- "$1" "$box/out"; }
not() { ! "$@"; }
# whether ./dev check runs this: then it does also what takes long (docs/testing.md)
campaign() { [ "${SCREE_TEST_FACTOR:-1}" -gt 1 ]; }
