#!/bin/bash
# The guard of energy from the command line: exit code 3 and a sentence, the same after a resume; methods taken from a
# paper are noted; a resolved scene behaves like its scene.
cd "$(dirname "$0")/../.." || exit 70
scree=${SCREE:-build/test/scree}
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
n=0
check() { # WHAT COMMAND...
	n=$((n + 1))
	local what=$1
	shift
	if "$@"; then echo "ok $n - $what"; else echo "not ok $n - $what"; fi
}
sed 's/step: {fraction: 0.02}/step: {fraction: 0.05, unsafe: true}/; s/until: 0.1 s/until: 1 s/' \
	tests/bad/scenes/step_unsafe.scene.yaml >"$box/fed.scene.yaml"
"$scree" run "$box/fed.scene.yaml" -o "$box/fed" >"$box/out" 2>"$box/said"
check "what feeds is stopped with code 3" test $? = 3
check "with who and a cure" grep -q 'error: energy is not conserved: .* appeared .*body [0-9]* with .*set run.step to at most' "$box/said"
check "the closing lines say that the step was long" grep -q '^step .*longer than the .* known to be safe (run.step.unsafe)' "$box/out"
"$scree" run "$box/fed.scene.yaml" -o "$box/half" --steps 333 >"$box/out"
check "a part of it runs" test $? = 0
"$scree" run --resume "$box/half/fed.snap" >"$box/out" 2>"$box/again"
check "going on it is stopped with code 3" test $? = 3
moment() { sed -n 's/.*energy is not conserved: \(.*\)), t = \([^:]*\):.*/\1 \2/p' "$1"; }
check "at the same moment, by the same" test "$(moment "$box/said")" = "$(moment "$box/again")"
check "and that was read" test -n "$(moment "$box/said")"

literal=scenes/govender2015_cubes.scene.yaml
"$scree" run $literal -o "$box/told" >"$box/out" 2>&1
check "what is as a paper has it runs on" test $? = 0
check "and is told of" grep -q '^energy   was not conserved: .* only if run.guard.energy is given' "$box/out"
check "its resolved scene leaves the key out" test "$(grep -c 'energy:' "$box/told/govender2015_cubes.resolved.scene.yaml")" = 0
"$scree" run $literal -o "$box/asked" --set run.guard.energy=0.05 >"$box/out" 2>&1
check "where the key is given it is stopped" test $? = 3
"$scree" run $literal -o "$box/off" --set run.guard.energy=0 >"$box/out" 2>&1
check "0 watches nothing" test $? = 0
check "and says so" grep -q '^energy   was not checked' "$box/out"
"$scree" run scenes/settling_spheres.scene.yaml -o "$box/quiet" >"$box/out" 2>&1
check "a scene that keeps its energy" test "$? $(grep -c '^energy  ' "$box/out")" = "0 0"

# fast frictional dynamics conserves neither energy nor momentum (docs/theory/ffd.md)
faults() { grep -E '^(energy|impulses) ' "$1"; }
"$scree" run scenes/iglberger2009_pe.scene.yaml -o "$box/pe" >"$box/out" 2>&1
check "ffd/pe runs on" test $? = 0
check "its energy is told of" grep -q '^energy   was not conserved: .* only if run.guard.energy is given' "$box/out"
check "and momentum" grep -q '^impulses momentum was not conserved: bodies made or lost [0-9.]* % of' "$box/out"
check "and bodies that were stopped" grep -qE '^impulses [0-9]+ times a body was stopped' "$box/out"
"$scree" run scenes/iglberger2009_pe.scene.yaml --steps 1100 -o "$box/part" >"$box/part.out" 2>&1
"$scree" run --resume "$box/part/iglberger2009_pe.snap" >"$box/rest.out" 2>&1
check "by the same numbers after a resume" test "$(faults "$box/out")" = "$(faults "$box/rest.out")"
check "which were others before" test "$(faults "$box/part.out")" != "$(faults "$box/rest.out")"
"$scree" run scenes/iglberger2009_pe.scene.yaml -o "$box/asked" --set run.guard.energy=0.05 >"$box/out" 2>&1
check "where the key is given it is stopped" test $? = 3
"$scree" run scenes/shaken_gas.scene.yaml --steps 2000 -o "$box/gas" >"$box/out" 2>&1
check "elastic has nothing to tell" test "$? $(faults "$box/out" | wc -l)" = "0 0"
echo "1..$n"
