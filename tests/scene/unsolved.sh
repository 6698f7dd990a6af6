#!/bin/bash
# Short runs and stages whose implicit contacts are not solved end with the code of the guards, although the guards read
# the solver only every 500 steps; their files are complete.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=$(realpath "${SCREE:-build/test/scree}")
guard="guard: {overlap: 100 %}"
run() { # ARGUMENTS...
	rm -rf "$box/files"
	"$scree" run tests/scene/files/pile.scene.yaml -q -t 1 -o "$box/files" --set "contacts.default.stiffness=100 kN/m" \
		--set "run={response: implicit, step: 10 ms, until: 0.2 s, $guard}" "$@" >"$box/out" 2>&1
	code=$?
}
ends() { [ "$code" = "$1" ]; }
unsolved="the solver has not converged: further sweeps would change"

run
check "a run of 20 steps that are too long ends with 3" ends 3
check "it says why" says "$unsolved"
check "and which step it had" says "set run.step below 0.01 s"
check "its snapshot is whole, with the hash that it has printed" says "hash $("$scree" hash "$box/files/pile.snap" | grep -oE '[0-9a-f]{16}')"

run --steps 15
check "one that --steps stops is not at its end, where it is judged" ends 0
"$scree" run --resume "$box/files/pile.snap" -q -t 1 >"$box/out" 2>&1
code=$?
check "where it continues it ends with 3" ends 3
check "and says why" says "$unsolved"
run --json
check "and as JSON" says '"code": 3'

run --set run.step="0.1 ms"
check "short steps are solved" ends 0

stages="stages=[{name: fall, until: 0.2 s}, {name: rest, run: {response: forces}, until: 0.01 s}]"
run --set "$stages" --set "run={response: implicit, step: 10 ms, $guard}"
check "a stage that is not solved ends the run" ends 3
check "before the next one, with the same words" says "$unsolved"
check "at its end" says "at 0.2 s, step 20,"
echo "1..$n"
