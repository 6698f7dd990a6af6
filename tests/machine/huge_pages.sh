#!/bin/bash
# needs: test
# The command requests huge pages unless its caller has set the tunables of glibc; results do not depend on it.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scene=scenes/settling_cubes.scene.yaml

# tests whether the run writes its results and has its second thread
runs() { [ -e "$box/long/settling_cubes.resolved.scene.yaml" ] && [ "$(ls "/proc/$1/task" | wc -l)" -gt 1 ]; }
# LINE of /proc/PID/environ in a run called with these arguments of env
tunables_of() { # WORD...
	rm -rf "$box/long"
	env "$@" build/test/scree run $scene --quiet -o "$box/long" --threads 2 --set 'run.until=1000 s' >/dev/null 2>&1 &
	local pid=$!
	wait_for runs $pid
	tr '\0' '\n' <"/proc/$pid/environ" | grep '^GLIBC_TUNABLES' >"$box/out"
	names=$(cat /proc/$pid/task/*/comm | sort -u)
	kill -9 $pid
	wait $pid 2>/dev/null
}
hash_of() { # WORD...
	env "$@" build/test/scree run $scene --quiet --steps 200 -o "$box/short" --overwrite | sed -n 's/^hash //p'
}
tunables_of -u GLIBC_TUNABLES
check "it asks for huge pages" says 'GLIBC_TUNABLES=glibc.malloc.hugetlb=1'
check "the process and its threads are called scree" test "$names" = scree
tunables_of GLIBC_TUNABLES=glibc.malloc.check=0
check "also where it does not start itself again" test "$names" = scree
check "what the caller has set stays" says 'GLIBC_TUNABLES=glibc.malloc.check=0'
tunables_of GLIBC_TUNABLES=
check "be it nothing" grep -qx 'GLIBC_TUNABLES=' "$box/out"
with=$(hash_of -u GLIBC_TUNABLES) without=$(hash_of GLIBC_TUNABLES=)
echo "'$with' '$without'" >"$box/out"
check "the same state with and without" test -n "$with" -a "$with" = "$without"
echo "1..$n"
