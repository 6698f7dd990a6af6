#!/bin/bash
# Ranks that are processes: rounds of messages and sums by mpirun, with one to four of them. If one loses or damages
# messages, fails or is silent, the others say which, and the job ends with a code. A flow computed by a program on two
# ranks acts on bodies as in one process.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
program=$SCREE_BUILD/tests/ranks_by_mpi
[ -x "$program" ] || { echo "ok 1 - # skip this build is without MPI"; echo "1..1"; exit 0; }
run() { # RANKS MODE
	timeout 120 mpirun -n "$1" "$program" "$2" >"$box/out" 2>&1
	code=$?
}
some=(1 2 3 4)
in_short && some=(3)
for ranks in "${some[@]}"; do
	run $ranks play
	check "$ranks ranks: it ends" test $code -eq 0
	check "$ranks ranks: all are right" test "$(grep -c "^rank [0-9] of $ranks: right$" "$box/out")" -eq $ranks
done
run 3 large
check "large messages: it ends" test $code -eq 0
check "large messages: all are right" test "$(grep -c "^rank [0-9] of 3: right$" "$box/out")" -eq 3
fails() { # MODE CODE PATTERN
	run 3 "$1"
	check "$1: it ends with code $2" test $code -eq "$2"
	check "$1: a rank says what is wrong" grep -qE "$3" "$box/out"
	check "$1: no rank says that all is right" not says ": right"
}
# on a busy machine another rank may be late, too
fails lose 4 "no message from rank (0, )?1(, 2)? within 2 s, phase bodies, step 0"
if ! in_short; then
	fails garble 4 "the message from rank 1, phase bodies, step 0, exchange 1: it is"
	fails truncate 4 "the message from rank 1, phase bodies, step 0, exchange 1: it"
	fails break 2 "of 3: rank 1 has failed: this rank does not like its input"
	fails sleep 4 "no message from rank (0, )?1(, 2)? within 2 s, phase bodies, step 0"
fi
fails sleep_in_sum 4 "rank [02]: rank (0, )?1(, 2)? did not join a sum over all ranks within 2 s, phase greatest, step 0, exchange 1$"
check "sleep_in_sum: a rank that has come is not named" grep -q "rank 1 did not join" "$box/out"
if ! in_short; then
	fails one_late_in_sum 4 "rank 0: rank 1(, 2)? did not join a sum over all ranks within 6 s, phase greatest"
	check "one_late_in_sum: nor one that came late" grep -q "rank 1 did not join" "$box/out"
fi

# forces that a program finds on copies of bodies
couple() { # RANKS RESPONSE PARTITION
	timeout 120 mpirun -n "$1" "$SCREE_BUILD/tests/coupling_by_mpi" "$2" "$3" >"$box/out" 2>&1
}
coupled=(forces implicit)
"${SCREE:-build/test/scree}" list responses | grep -q ffd/pe && coupled+=(ffd/pe ffd/corrected)
in_short && coupled=(forces)
for response in "${coupled[@]}"; do
	couple 1 "$response" grid
	alone=$(grep -o "^hash [0-9a-f]*" "$box/out") start=$(grep "^start" "$box/out")
	check "$response with forces of a program: one process ends" test -n "$alone"
	partitions=(grid:2x1x1)
	[ "$response" != ffd/pe ] || partitions+=(grid:2x1x1/pe)
	for partition in "${partitions[@]}"; do
		couple 2 "$response" "$partition"
		check "$response, $partition: the hash of one process" test "$alone" = "$(grep -o "^hash [0-9a-f]*" "$box/out")"
		check "$response, $partition: both ranks know the whole at the start" test "$start"$'\n'"$start" = "$(grep "^start" "$box/out")"
		check "$response, $partition: with forces on copies" grep -qE "on copies [1-9]" "$box/out"
	done
done
echo "1..$n"
