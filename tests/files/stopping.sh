#!/bin/bash
# A run that is stopped by a signal, by its time limit or by a guard: exit codes, snapshots, and continuation as if it
# had never stopped.
cd "$(dirname "$0")/../.." || exit 70
source tests/drawn.sh
scree=${SCREE:-build/test/scree}
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
n=0
check() { # NAME COMMAND...
	n=$((n + 1))
	if "${@:2}" >"$box/log" 2>&1; then echo "ok $n - $1"; else echo "not ok $n - $1"; sed 's/^/# /' "$box/log"; fi
}
hash_in() { sed -n 's/^hash \([0-9a-f]\{16\}\)$/\1/p' "$1"; }
# waits until the run of this history has made some steps, however busy the machine is
runs_well() { # HISTORY PROCESS
	while kill -0 "$2" && [ "$(cat "$1" | wc -l)" -lt 20 ]; do sleep 0.05; done 2>/dev/null
}
scene=scenes/settling_cubes.scene.yaml
long=(--set "run.until=1000 s" --threads 1)

for signal in TERM INT USR1; do
	chosen || continue
	"$scree" run $scene "${long[@]}" -o "$box/$signal" >"$box/$signal.out" 2>&1 &
	pid=$!
	runs_well "$box/$signal/settling_cubes_history.csv" $pid
	kill -$signal $pid
	wait $pid
	code=$?
	check "$signal: exit code 5" test $code = 5
	check "$signal: the snapshot has the hash that was said" test "$("$scree" hash "$box/$signal/settling_cubes.snap")" = "hash $(hash_in "$box/$signal.out")"
done

steps=$(sed -n 's/^stopped by a signal at .* s, step \([0-9]*\),.*/\1/p' "$box/TERM.out")
check "the step is said" test "${steps:-0}" -gt 0
"$scree" run $scene "${long[@]}" --quiet --steps $((steps + 100)) -o "$box/whole" >"$box/whole.out" 2>&1
"$scree" run --resume "$box/TERM/settling_cubes.snap" --threads 1 --quiet --steps 100 >"$box/resumed.out" 2>&1
check "resumed as if never stopped" test "$(hash_in "$box/whole.out")" = "$(hash_in "$box/resumed.out")"
check "and so is its history" cmp "$box/whole/settling_cubes_history.csv" "$box/TERM/settling_cubes_history.csv"

"$scree" run $scene "${long[@]}" --wall 0:0:1 -o "$box/wall" >"$box/wall.out" 2>&1
code=$?
check "time limit: exit code 5" test $code = 5
check "time limit: a snapshot" "$scree" hash "$box/wall/settling_cubes.snap"

"$scree" run $scene --set "run.guard.overlap=0.01 %" --threads 1 -o "$box/guard" >"$box/guard.out" 2>&1
code=$?
check "guard: exit code 3" test $code = 3
check "guard: names a body and a cure" grep -q "overlap of .* between body .* raise" "$box/guard.out"
# spheres of a material so soft that centres pass through a polygon, which would push them on from its other side
cat >"$box/shot.scene.yaml" <<'SCENE'
scene: 1
title: Spheres shot at a two-sided polygon
world: {gravity: [0, 0, 0]}
materials: {stone: {density: 2600 kg/m^3, young: 5 MPa}}
contacts: {default: {restitution: 0.4, friction: 0.4}}
shapes: {ball: {sphere: {diameter: 1}}}
walls: {plate: {polygon: {points: [[-20 cm, -20 cm, 0], [20 cm, -20 cm, 0], [20 cm, 20 cm, 0], [-20 cm, 20 cm, 0]]}, material: stone, two_sided: true}}
fill: [{region: {box: {min: [-4 cm, -4 cm, 2 cm], max: [4 cm, 4 cm, 8 cm]}}, count: 100, material: stone, shape: ball, size: 4 mm, velocity: [0, 0, -30 m/s]}]
run: {until: 5 ms}
SCENE
for guard in "50 %" 0; do
	"$scree" run "$box/shot.scene.yaml" --set "run.guard.overlap=$guard" -o "$box/shot" >"$box/shot.out" 2>&1
	code=$?
	check "through a wall, guard.overlap $guard: exit code 3" test $code = 3
	check "through a wall: names the body, the wall, the place, the time and a cure" grep -q \
		"body [0-9]* went through wall plate at (.*) m, t = .* s, .* raise its stiffness, or lower the speed" "$box/shot.out"
done
sed 's/-30 m.s/-3000 m\/s/' "$box/shot.scene.yaml" >"$box/hasty.scene.yaml"
"$scree" run "$box/hasty.scene.yaml" -o "$box/hasty" >"$box/hasty.out" 2>&1
code=$?
check "past a wall in one step: exit code 3" test $code = 3
check "past a wall in one step: advises a shorter step" grep -q "wall plate .* set run.step below" "$box/hasty.out"

# tests at the end of a run are not applied where it is stopped: these contacts are not solved after 12 steps
plate=(scenes/bonded_plate.scene.yaml --set run.response=implicit --threads 1 --quiet)
for steps in 8 12 200; do
	"$scree" run "${plate[@]}" --steps $steps -o "$box/plate$steps" >"$box/plate$steps.out" 2>&1
	code=$?
	check "--steps $steps: exit code 0" test $code = 0
done
"$scree" run "${plate[@]}" --set run.until=108us -o "$box/plate_end" >"$box/plate_end.out" 2>&1
code=$?
check "a run that ends there is judged: exit code 3" test $code = 3
"$scree" run --resume "$box/plate12/bonded_plate.snap" --quiet --threads 1 --steps 188 >"$box/plate12.out" 2>&1
check "the stopped run comes to the same state" test "$(hash_in "$box/plate12.out")" = "$(hash_in "$box/plate200.out")"

grains=60
in_short && grains=30
# a run that has ended is resumed: nothing changes, with implicit steps neither, and the previous snapshot stays
cat >"$box/heap.scene.yaml" <<SCENE
scene: 1
materials: {g: {density: 2500 kg/m^3, young: 5 MPa}}
contacts: {default: {friction: 0.5}}
shapes: {b: {sphere: 1}, c: {box: [1, 1, 1]}}
walls:
  f: {box: {min: [0, 0, 0], max: [2 cm, 2 cm, 6 cm], open: [z_max]}, material: g}
  lid: {plane: {point: [0, 0, 5.5 cm], normal: [0, 0, -1]}, material: g, active: false, motion: {servo: {force: 1 N, axis: [0, 0, -1]}}}
fill: [{region: {box: {min: [0, 0, 0], max: [2 cm, 2 cm, 5 cm]}}, count: $grains, material: g, orientation: random, mix: [{shape: b, size: 3 mm}, {shape: c, size: 3 mm}]}]
stages:
  - {name: fill, until: {kinetic_energy: 3 uJ, at_least: 90 ms, at_most: 0.4 s}}
  - {name: press, walls: {lid: {active: true}}, until: 30 ms}
output: {history: {every: 10 ms}}
SCENE
for response in forces implicit; do
	heap=("$box/heap.scene.yaml" --threads 1 --set run.response=$response)
	"$scree" run "${heap[@]}" -o "$box/ended" >"$box/ended.out" 2>&1
	check "$response: snapshots at the ends of stages" test -s "$box/ended/heap.old.snap"
	before=$(cksum <"$box/ended/heap.old.snap")
	"$scree" run --resume "$box/ended/heap.snap" --threads 1 >"$box/again.out" 2>&1
	code=$?
	check "$response: an ended run has nothing left to do" grep -q "nothing left to do" "$box/again.out"
	check "  its hash is that of the run" test $code = 0 -a "$(hash_in "$box/again.out")" = "$(hash_in "$box/ended.out")"
	"$scree" report "$box/ended" >"$box/log" 2>&1
	check "  and that of the report" grep -q "$(hash_in "$box/ended.out")" "$box/ended/heap_report.html"
	checks() { sed -n 's/^\(checks .* lost\)   greatest.*/\1/p' "$1"; }
	check "  its energies are those of the run" test "$(checks "$box/again.out")" = "$(checks "$box/ended.out")"
	check "  and the snapshot before stays" test "$(cksum <"$box/ended/heap.old.snap")" = "$before"
	if in_short && [ $response = implicit ]; then continue; fi
	"$scree" run --resume "$box/ended/heap.snap" --threads 1 --quiet --set stages.1.until=40ms >"$box/again.out" 2>&1
	"$scree" run "${heap[@]}" --set stages.1.until=40ms --quiet -o "$box/longer" >"$box/longer.out" 2>&1
	check "  with a later end of its stage it goes there" test "$(hash_in "$box/again.out")" = "$(hash_in "$box/longer.out")"
	check "  with the same history" cmp "$box/ended/heap_history.csv" "$box/longer/heap_history.csv"

	# a time limit that is too short costs nothing
	"$scree" run "${heap[@]}" --set stages.0.until.at_most=0.1s --set stages.1.until=40ms --quiet -o "$box/late" >"$box/late.out" 2>&1
	code=$?
	check "$response: a time limit stops the run: exit code 3" test $code = 3
	check "  and says how to continue" grep -q -- "--set stages.0.until.at_most=0.2s" "$box/late.out"
	check "  with a snapshot of that time" test -s "$box/late/heap.snap" -a ! -e "$box/late/heap.stopped.snap"
	"$scree" run --resume "$box/late/heap.snap" --threads 1 --quiet >"$box/late.out" 2>&1
	code=$?
	check "  without more time it is stopped again" test $code = 3
	"$scree" run --resume "$box/late/heap.snap" --threads 1 --quiet --set stages.0.until.at_most=0.4s >"$box/late.out" 2>&1
	check "  with more time it is the whole run" test "$(hash_in "$box/late.out")" = "$(hash_in "$box/longer.out")"
	check "  and so is its history" cmp "$box/late/heap_history.csv" "$box/longer/heap_history.csv"

	# a guard that stops a later stage costs only that stage
	"$scree" run "${heap[@]}" --set stages.1.run.guard.speed=1um/s --quiet -o "$box/guarded" >"$box/guarded.out" 2>&1
	code=$?
	check "$response: a guard stops the second stage" test $code = 3 -a -s "$box/guarded/heap.stopped.snap"
	"$scree" run --resume "$box/guarded/heap.snap" --threads 1 --quiet --set stages.1.run.guard.speed=0 --set stages.1.until=40ms >"$box/guarded.out" 2>&1
	check "  it continues from the end of the first" test "$(hash_in "$box/guarded.out")" = "$(hash_in "$box/longer.out")"
	rm -rf "$box"/{ended,longer,late,guarded}
done

"$scree" run $scene --set "run.step=10 ms" -o "$box/step" >"$box/step.out" 2>&1
code=$?
check "step too large: exit code 2" test $code = 2
check "step too large: names the pair and a good value" grep -q "too large: a contact of wood with wood lasts only .* set run.step to " "$box/step.out"
"$scree" run no/such.scene.yaml >"$box/none.out" 2>&1
code=$?
check "no scene: exit code 2 or 4" test $code = 2 -o $code = 4
"$scree" hash "$box/guard.out" >"$box/bad.out" 2>&1
code=$?
check "no snapshot: exit code 2" test $code = 2
echo "1..$n"
