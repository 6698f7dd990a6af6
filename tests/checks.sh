# checks.sh: for scripts that source it: a folder $box that is removed when they end, and TAP cases from the output of a
# command
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/drawn.sh"
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
# mpirun refuses root, and more ranks than processors; test machines have both
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
n=0
check() { # NAME CONDITION...
	n=$((n + 1))
	if "${@:2}"; then echo "ok $n - $1"; else
		echo "not ok $n - $1"
		sed 's/^/# /' "$box/out"
	fi
}
says() { grep -qF -- "$1" "$box/out"; }
# whether COMMAND denies, with code 1; other codes, such as that of grep for a missing file, are failures of the test
not() {
	"$@"
	[ $? -eq 1 ]
}
# SECONDS [LOAD]: this number of seconds on an idle machine, in seconds of this one; compare FairClock in
# tools/run_tests
stretched() { awk -v s="$1" -v cores="$(nproc)" '{ k = $1 / cores; print int(s * (k > 1 ? k : 1)) + 1 }' "${2:-/proc/loadavg}"; }
# SECONDS COMMAND...: ends the command after this number of seconds on an idle machine, with code 124
within() { timeout "$(stretched "$1")" "${@:2}"; }
# polls until the condition holds; false after a minute on an idle machine
wait_for() { # CONDITION...
	local end=$((SECONDS + $(stretched 60)))
	until "$@"; do
		((SECONDS < end)) || return 1
		sleep 0.05
	done
}
# the kernels that PoCL compiles, for seconds, are those of all tests of a run (tools/run_tests); its threads, beside another
# test, mostly wait for each other, so that only whole forms and scenes.py have several
keep_kernels() {
	in_short && export POCL_MAX_PTHREAD_COUNT=1
	export XDG_CACHE_HOME=$box/cache POCL_CACHE_DIR=${POCL_CACHE_DIR:-$box/kernels}
	mkdir -p "$POCL_CACHE_DIR"
}
# whether this build of "$scree" runs on ranks
with_ranks() { command -v mpirun >/dev/null && ! OMPI_COMM_WORLD_SIZE=2 "$scree" run nothing 2>&1 | grep -q "built without MPI"; }
# whether ./dev check runs this: then it also runs long cases (docs/testing.md)
campaign() { [ "${SCREE_TEST_FACTOR:-1}" -gt 1 ]; }
