#!/bin/bash
# A run that is stopped by a signal, by its time limit or by a guard: exit codes, snapshots, and that it goes on as if never stopped.
cd "$(dirname "$0")/../.." || exit 70
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
# spheres of a soft material, whose centres a polygon does not stop: it would push them on from its other side
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
