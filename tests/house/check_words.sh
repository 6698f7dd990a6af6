#!/bin/bash
# needs:
# the functions of tests/checks.sh: a missing file is no denial, a limit ends a hanging command, waiting ends with its
# event
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
echo word >"$box/out"
code() { "$@" >/dev/null 2>&1; echo $?; }
check "not: of a condition that holds" test "$(code not grep -q word "$box/out")" = 1
check "not: of one that does not" test "$(code not grep -q other "$box/out")" = 0
check "not: of a missing file" test "$(code not grep -q other "$box/missing")" = 1
check "within: ends what hangs" test "$(code within 1 sleep 1000)" = 124
check "within: hands its code on" test "$(code within 60 sh -c 'exit 3')" = 3
(
	sleep 0.2
	: >"$box/event"
) &
check "wait_for: an event" wait_for test -e "$box/event"
wait
echo "0.50 1 1 1/100 1" >"$box/idle"
echo "$((10 * $(nproc))).0 1 1 1/100 1" >"$box/busy"
check "limits: those of an idle machine" test "$(stretched 60 "$box/idle")" = 61
check "limits: ten times as long under ten times the load" test "$(stretched 60 "$box/busy")" = 601
stretched() { echo 0; }
check "wait_for: no event" not wait_for test -e "$box/missing"
echo "1..$n"
