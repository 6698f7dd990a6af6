#!/bin/bash
# Examples in stages, shortened: an oedometer in load steps, a heap by lifting a cylinder, a silo whose gate opens. Their
# lines, loads and counts are those that the scenes ask for. Then changes of a resumed run, and what they leave in files.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=$(realpath "${SCREE:-build/test/scree}")
run() { # NAME ARGUMENTS...
	"$scree" run "examples/$1.scene.yaml" -q -o "$box/$1" --set 'output.images.size=[64,48]' "${@:2}" >"$box/out" 2>&1
	code=$?
}
at_end() { # TABLE COLUMN: of the lid, at the end of each stage, from the lines of the run
	local table=$1 column=$2
	sed -n 's/^stage .* ended at \([^ ]*\) s, step.*/\1/p' "$box/out" | while read -r t; do
		awk -F, -v t="$t" -v c="$column" '!/^#/ && $2 == "lid" { d = $1 - t; if (d < 0) d = -d; if (best == "" || d < best) { best = d; x = $c } } END { print x }' "$table"
	done
}

# ------------------------------------------------------------------ an oedometer
run oedometer --set fill.0.count=120 --set R=8mm --set top=24mm --set output.walls.every=0.1ms
check "the oedometer ends" test $code -eq 0
check "after all of its stages" test "$(grep -c '^stage .* ended at .* step' "$box/out")" = 5
table=$box/oedometer/oedometer_walls.csv
mapfile -t z < <(at_end "$table" 5)
mapfile -t f < <(at_end "$table" 11)
check "the lid carries 2, 4, 8 and 2 kPa" awk -v f="${f[*]}" 'BEGIN {
	split(f, x, " "); split("0 2 4 8 2", p, " "); area = 3.14159265 * 0.008^2
	for (k = 2; k <= 5; k++) if (x[k] < 0.93 * p[k] * 1000 * area || x[k] > 1.07 * p[k] * 1000 * area) exit 1 }'
check "sinks with the load, rises when it is taken off, and stays below its first place" \
	awk -v z="${z[*]}" 'BEGIN { split(z, x, " "); exit !(x[1] > -1e-6 && x[2] < -0.01 && x[3] < x[2] && x[4] < x[3] && x[5] > x[4] && x[5] < x[2]) }'
check "the history has the stage" test "$(tail -1 "$box/oedometer/oedometer_history.csv" | sed 's/.*,//')" = 5
"$scree" run "$box/oedometer/oedometer.resolved.scene.yaml" -q -o "$box/again" >"$box/again.out" 2>&1
check "its resolved scene gives the same hash" test "$(grep ^hash "$box/again.out")" = "$(grep ^hash "$box/out")"

# ------------------------------------------------------------------ a heap
run lifted_cylinder --set fill.0.count=120 --set 'stages.1.walls.tube.motion.velocity=[0, 0, 0.3 m/s]' --set stages.1.until=0.3s \
	--set output.bodies.every=50ms --set 'output.images={size: [64, 48]}'
check "the heap ends" test $code -eq 0
check "it has flowed out of the cylinder, and bodies lie on others" \
	awk -F, '!/^#/ && $1 ~ /^[0-9]/ { if ($1 != t) { t = $1; r = z = 0 } q = sqrt($3^2 + $4^2); if (q > r) r = q; if ($5 > z) z = $5 }
	END { exit !(r > 0.016 && z > 0.004 && z < 0.03) }' "$box/lifted_cylinder/lifted_cylinder_bodies.csv"

# ------------------------------------------------------------------ a silo
run gate --set sources.0.count=200 --set 'stages.2.until.mass_out=13 g' --set 'output.measures={flow: {every: 10 ms, sink: out}}'
check "the silo ends" test $code -eq 0
check "when 13 g are out, not before" awk '/mass out/ { m = $(NF - 1) } END { exit !(m >= 0.013 && m < 0.0134) }' "$box/out"
check "and in its table of the flow, which goes through all stages" awk -F, '/^[0-9]/ { m = $2 } END { exit !(m >= 0.0128 && m < 0.0134) }' \
	"$box/gate/gate_measure_flow.csv"
check "no bead has left before the gate opened" awk -F, '!/^#/ && $4 == 2 { low = low == "" || $2 < low ? $2 : low } END { exit low != 200 }' \
	"$box/gate/gate_history.csv"
check "the sizes are those of 13 g" awk -F, '!/^#/ { last = $2 } END { exit !(last > 14 && last < 25) }' "$box/gate/gate_history.csv"

# ------------------------------------------------------------------ a silo with polyhedra, by implicit steps
run silo --set count=150 --set stages.1.until.mass_out=20g --set output.vtk.every=1s
check "the silo ends" test $code -eq 0
check "the flow is what has left" awk -F, '!/^#/ { last = $2 } END { exit !(last >= 0.0195 && last < 0.024) }' "$box/silo/silo_measure_flow.csv"
check "six layers in each of its tables" awk -F, '!/^#/ && $1 + 0 > 0 { n[$1]++ } END { for (t in n) if (n[t] != 6) exit 1; exit !length(n) }' \
	"$box/silo/silo_measure_layers.csv"

# ------------------------------------------------------------------ a limit, and changes of a resumed run
run gate --overwrite --set sources.0.count=20 --set 'stages.1.until={kinetic_energy: 1e-20 J, at_most: 1 ms}'
check "a condition that is not met in its time stops the run" test $code -eq 3
check "and says so" says "stage rest has not ended within at_most, 0.001 s: kinetic energy"
"$scree" run scenes/servo_lid.scene.yaml -q -o "$box/lid" --steps 500 >"$box/out" 2>&1
cp -r "$box/lid" "$box/same"
"$scree" run --resume "$box/lid/servo_lid.snap" -q --set run.until=20ms --set contacts.default.friction=0.1 >"$box/out" 2>&1
check "a resumed run takes a change" says "step 500: contacts.default.friction=0.1"
check "which is in its resolved scene" grep -q '^# set at .*, step 500: contacts.default.friction=0.1$' "$box/lid/servo_lid.resolved.scene.yaml"
check "with the new value" grep -q '^    friction: 0.1$' "$box/lid/servo_lid.resolved.scene.yaml"
one=$(grep ^hash "$box/out")
"$scree" run --resume "$box/same/servo_lid.snap" -q --set run.until=20ms >"$box/out" 2>&1
check "and in its hash" test -n "$one" -a "$one" != "$(grep ^hash "$box/out")"
"$scree" run --resume "$box/same/servo_lid.snap" -q --set walls.lid.material=stone >"$box/out" 2>&1
check "what cannot change is refused" says "--set walls.lid.material=stone: it cannot change during a run"
echo "1..$n"
