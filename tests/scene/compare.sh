#!/bin/bash
# scree compare: values of runs with several responses side by side, a verdict on their reliability, and refusals
cd "$(dirname "$0")/../.." || exit 70
scree=$(realpath "${SCREE:-build/test/scree}")
source tests/checks.sh
files=$(realpath tests/scene/files)
cd "$box" || exit 70
compared() { # ARGUMENTS...: output of the command, and its exit code in $code
	"$scree" compare -t 1 "$@" >"$box/out" 2>"$box/errors"
	code=$?
	cat "$box/errors" >>"$box/out"
}
ends() { [ "$code" = "$1" ]; }
value() { # NAME COLUMN: a number of the table, by its label
	awk -v name="$1" -v column="$2" 'index($0, name) == 1 { split(substr($0, 41), field, " "); print field[column] }' "$box/out"
}
near() { awk -v a="$1" -v b="$2" -v by="$3" 'BEGIN { exit !(a ~ /^-?[0-9.]/ && a >= b - by && a <= b + by) }'; }

# four balls fall by 5 mm onto a floor
balls() { # CONTACT RUN
	cat >balls.scene.yaml <<-TEXT
		scene: 1
		title: Balls
		world: {gravity: [0, 0, -10 m/s^2]}
		materials: {m: {density: 2500 kg/m^3, young: 10 MPa, poisson: 0.25}}
		contacts: {default: {$1}}
		shapes: {ball: {sphere: {diameter: 1}}}
		walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}}
		fill: [{lattice: {spacing: [20 mm, 20 mm, 10 mm]}, region: {box: {min: [0, 0, 5 mm], max: [40 mm, 40 mm, 15 mm]}}, material: m, shape: ball, size: 10 mm}]
		run: {until: 0.5 s$2}
		output: {history: {every: 1 ms}, images: {at: [0], color: force}}
	TEXT
}
balls "restitution: 0.1"
compared balls.scene.yaml --response forces
check "a run by forces ends with 0" ends 0
check "it is the reference" says "can be trusted: forces (the reference)"
check "walls have the weight" near "$(value 'load on all walls / weight' 1)" 1 1e-3
check "so has the floor" near "$(value 'normal forces on floor / weight' 1)" 1 1e-3
# m g h of four balls of 1.309 g, which fall by 5 mm
check "and the energy is lost" near "$(value 'energy lost' 1)" 2.618e-4 3e-6
check "along normals" test "$(value 'energy lost' 1) 0 0 0" = "$(value '  along normals' 1) $(value '  by friction' 1) $(value '  by rolling' 1) $(value '  by the steps themselves' 1)"
check "there is no heap" test "$(value 'heap angle' 1)" = -
check "nothing is written" test "$(echo *)" = "balls.scene.yaml errors out"

# the same balls with two responses, one of which has no overlap
compared balls.scene.yaml --response forces,elastic --time "20 ms" --json -o both.json
check "both can run it" ends 0
/usr/bin/python3 - "$box/out" both.json >"$box/said" 2>&1 <<'PYTHON'
import json, sys
said, written = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
assert [r["response"] for r in said["runs"]] == ["forces", "elastic"], said
assert said["scene"] == "balls.scene.yaml" and said["until"] == 0.02, said
forces, elastic = said["runs"]
assert all(r["end"] == "done" and abs(r["time"] - 0.02) < 1e-3 for r in said["runs"]), said
assert forces["trusted"] is True and elastic["trusted"] in (True, False), said
assert elastic["values"]["steps"]["mean"] < forces["values"]["steps"]["mean"], said
assert forces["values"]["heap_angle_degrees"]["mean"] is None, said
assert set(forces["walls"]) == {"floor"} and said["limits"]["solid_fraction"] == 0.01, said
for one, other in zip(said["runs"], written["runs"]):
    assert one["response"] == other["response"] and one["values"]["kinetic"] == other["values"]["kinetic"], written
print("good")
PYTHON
check "JSON has the runs, also in a file" grep -q '^good$' "$box/said"
rm -f both.json

# soft balls are still in contact when hard ones are at rest, or on their way up
balls "restitution: 1" ", step: {fraction: 0.01}"
sed -i 's/10 MPa/2 kPa/' balls.scene.yaml
compared balls.scene.yaml --response forces,elastic --time "45 ms"
check "runs that differ end with 0, too" ends 0
check "the other is not trusted" says "cannot be trusted: elastic ("
check "with the value that differs most" says ", by forces "
check "and the way to judge that" says "note: force-based results also vary: --repeat 3"

# runs with forces and other steps show the spread of the results, and widen the limits
cp "$files/pile.scene.yaml" .
once=0 repeats=1
if ! in_short; then
	compared pile.scene.yaml --response forces
	once=$(value 'normal forces on box.x_min' 2) repeats=2
fi
compared pile.scene.yaml --response forces --repeat $repeats --json
check "repeated runs end with 0" ends 0
/usr/bin/python3 - "$box/out" "$once" $repeats >"$box/said" 2>&1 <<'PYTHON'
import json, sys
said = json.load(open(sys.argv[1], encoding="utf-8"))
runs = said["runs"]
assert [(r["response"], r["repeat"]) for r in runs] == [("forces", k) for k in range(int(sys.argv[3]) + 1)], said
steps = [r["values"]["step"]["mean"] for r in runs]
assert all(abs(s / steps[0] - 32 / (32 + k)) < 1e-9 for k, s in enumerate(steps)), steps
assert all(r["trusted"] and abs(r["values"]["load_over_weight"]["mean"] - 1) < 0.02 for r in runs), said
force = [r["walls"]["box.x_min"]["mean"] for r in runs]
spread = max(force) - min(force)
assert spread > 1e-6 and said["limits"]["box.x_min"] >= max(spread, 0.99 * float(sys.argv[2])), said
deep = [r["values"]["mean_overlap_percent"]["mean"] for r in runs]
assert 0 < min(deep) and max(deep) < 1.5 * min(deep), deep
assert all(0.5 < r["values"]["solid_fraction"]["mean"] < 0.66 for r in runs), said
print("good")
PYTHON
check "the limits hold their spread" grep -q "^good$" "$box/said"

# contacts that a solver does not solve
compared pile.scene.yaml --response implicit --set run.response=implicit --set "run.step=10 ms" --time "0.2 s" \
	--set "contacts.default.stiffness=100 kN/m" --set "run.guard={overlap: 100 %}"
check "a run that does not solve its contacts ends with 3" ends 3
check "it is not trusted" says "cannot be trusted: implicit (the solver has not converged: "
compared pile.scene.yaml --response implicit --time "0.2 s"
check "with the default step it ends with 0" ends 0
check "and has solved them" near "$(value 'impulses not solved' 1)" 0 1

# a response that cannot run the scene
balls "restitution: 0.5, friction: 0.4"
compared balls.scene.yaml --response elastic,forces --time "10 ms"
check "a response that cannot run it ends with 2" ends 2
check "it is said in its column" test "$(value end 1)" = cannot
check "with the reason" says "elastic: cannot run: default: "
check "the other runs" says "can be trusted: forces (the reference); cannot be trusted: elastic (cannot run)"
compared balls.scene.yaml --response elastic
check "if none can run it, problems are those of check" says "balls.scene.yaml:"
check "and the code is 2" ends 2

# a guard
balls "restitution: 0.5" ", guard: {speed: 0.1 m/s}"
compared balls.scene.yaml --response forces
check "a run that a guard stops ends with 3" ends 3
check "it is not trusted" says "cannot be trusted: forces (stopped by a guard)"
check "and the guard is named" says "forces: stopped by a guard: "
compared balls.scene.yaml --response forces,elastic --set run.guard.speed=0 --time "1 ms"
check "without it, it is" says "can be trusted: forces (the reference)"

balls "restitution: 0.5"
compared balls.scene.yaml --response forces,none
check "an unknown response is refused" says "scree compare: unknown response 'none'; responses are forces, implicit, hard, elastic"
check "with 2" ends 2
compared balls.scene.yaml --response forces,elastic,forces
check "a response that is given twice is refused" says "scree compare: --response has twice 'forces'"
check "with 2" ends 2
compared balls.scene.yaml --response elastic --repeat 2
check "repeats need forces" says "scree compare: --repeat needs the response 'forces'"
check "with 2" ends 2
compared balls.scene.yaml --repeat 0
check "repeats are 1 or more" says "--repeat needs a whole number from 1 to 16, not '0'"
compared balls.scene.yaml --time soon
check "a wrong time is refused" ends 2
check "with the reason" says "until"
compared missing.scene.yaml
check "a scene that does not exist is refused" ends 2
check "with its name" says "missing.scene.yaml: error: the scene cannot be read"
compared balls.scene.yaml -o table.txt
check "a file of another kind is refused" says "compare writes JSON, not 'txt' files"
"$scree" run balls.scene.yaml --repeat 2 >"$box/out" 2>&1
code=$?
check "its options are refused elsewhere" says "--repeat is for scree compare, not for 'run'"
check "with 2" ends 2
compared balls.scene.yaml --response forces --time "1 ms" -o missing/both.json
check "a file that cannot be written ends with 4" ends 4

# a signal
balls "restitution: 0.5, friction: 0"
"$scree" compare balls.scene.yaml --time "1000 s" -t 1 >"$box/out" 2>&1 &
sleep "$(stretched 1)"
kill -TERM $!
wait $!
code=$?
check "a signal ends it with 5" ends 5
check "with what it has" says "forces: interrupted: stopped by a signal at"
check "and what it has not" says "elastic (not run)"

# a killed comparison continues with the unfinished runs; costs of the others are kept
balls "restitution: 0.1"
seconds=10
in_short && seconds=2
again=(balls.scene.yaml --response implicit,forces --time "$(stretched $seconds) s" --resume runs)
"$scree" compare -t 1 "${again[@]}" >"$box/out" 2>&1 &
wait_for test -s runs
kill -KILL $!
wait $! 2>"$box/errors"
cp runs first
check "the run that has ended is in the file" grep -q "^run implicit 0 " runs
check "the other is not" not grep -q "^run forces" runs
compared "${again[@]}"
check "the comparison continues" ends 0
check "without the first run" says "implicit: kept in runs"
check "with the other" says "forces: done at"
check "and judges both" says "forces (the reference)"
check "the first run stays as it was, with its costs" cmp -s first <(head -c "$(stat -c %s first)" runs)
compared "${again[@]}" --json
cp out all
check "then both are kept" test "$(grep -c "^run " runs)" = 2
if ! in_short; then
	compared "${again[@]:0:5}" --response implicit,forces --json
	check "values are those of a comparison at once" /usr/bin/python3 - "$box/out" all <<'PYTHON'
import json, sys
one, other = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
for a, b in zip(one["runs"], other["runs"], strict=True):
    for run in (a, b):
        del run["values"]["simulated_per_cpu_second"], run["values"]["simulated_per_second"]
    assert a == b, (a, b)
PYTHON
fi
compared "${again[@]:0:3}" --time "1 ms" --resume runs
check "a run of another scene is not taken" not says "kept in"
check "and those in the file stay" test "$(grep -c "^run " runs)" = 4
head -c 300 first >runs
compared "${again[@]}"
check "a file that is damaged is refused" says "runs: not a file of a comparison, or written by another version; remove it"
check "with 2" ends 2
echo "1..$n"
