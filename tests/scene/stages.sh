#!/bin/bash
# Examples in stages, shortened: an oedometer in load steps, a heap by lifting a cylinder, a silo whose gate opens.
# Their lines, loads and counts are those required by the scenes. Then changes of a resumed run, and their traces in
# files.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=$(realpath "${SCREE:-build/test/scree}")
run() { # NAME ARGUMENTS...
	"$scree" run "examples/$1.scene.yaml" -o "$box/$1" --set 'output.images.size=[64,48]' "${@:2}" >"$box/out" 2>&1
	code=$?
}
at_end() { # TABLE COLUMN: of the lid, at the end of each stage, from the lines of the run
	local table=$1 column=$2
	sed -n 's/^stage .* ended at \([^ ]*\) s, step.*/\1/p' "$box/out" | while read -r t; do
		awk -F, -v t="$t" -v c="$column" '!/^#/ && $2 == "lid" { d = $1 - t; if (d < 0) d = -d; if (best == "" || d < best) { best = d; x = $c } } END { print x }' "$table"
	done
}

# ------------------------------------------------------------------ an oedometer
grains=()
if in_short; then grains=(--set fill.0.count=60 --set 'fill.0.size={uniform: [4.2 mm, 5.2 mm]}'); fi
run oedometer --set output.walls.every=0.1ms "${grains[@]}"
check "the oedometer ends" test $code -eq 0
check "after all of its stages" test "$(grep -c '^stage .* ended at .* step' "$box/out")" = 5
table=$box/oedometer/oedometer_walls.csv
mapfile -t z < <(at_end "$table" 5)
mapfile -t f < <(at_end "$table" 11)
check "the lid carries 2, 4, 8 and 2 kPa" awk -v f="${f[*]}" 'BEGIN {
	split(f, x, " "); split("0 2 4 8 2", p, " "); area = 3.14159265 * 0.012^2
	for (k = 2; k <= 5; k++) if (x[k] < 0.93 * p[k] * 1000 * area || x[k] > 1.07 * p[k] * 1000 * area) exit 1 }'
check "sinks with the load, rises when it is taken off, and stays below its first place" \
	awk -v z="${z[*]}" 'BEGIN { split(z, x, " "); exit !(x[1] > -1e-6 && x[2] < -0.01 && x[3] < x[2] && x[4] < x[3] && x[5] > x[4] && x[5] < x[2]) }'
check "the history has the stage" test "$(tail -1 "$box/oedometer/oedometer_history.csv" | sed 's/.*,//')" = 5
if ! in_short; then
	# ratio of the stresses across and along the load, in the middle of the sample at the end of each stage
	k0=$(sed -n 's/^stage .* ended at \([^ ]*\) s, step.*/\1/p' "$box/out" | awk -F, 'NR == FNR { end[++n] = $1; next }
		/^[0-9]/ { for (k = 1; k <= n; ++k) { d = $1 - end[k]; if (d < 0) d = -d; if (!(k in best) || d < best[k]) { best[k] = d; r[k] = ($4 + $5) / 2 / $6; z[k] = $6 } } }
		END { print r[2], r[4], r[5], z[4] }' - "$box/oedometer/oedometer_measure_sample.csv")
	check "K0 is that of beads under load, grows when it is taken off, and the sample carries most of the load" awk -v k="$k0" 'BEGIN {
		split(k, x, " "); exit !(x[2] > 0.4 && x[2] < 0.75 && x[3] > x[1] + 0.1 && x[3] > x[2] + 0.2 && x[4] > 6400 && x[4] < 8200) }'
	"$scree" run "$box/oedometer/oedometer.resolved.scene.yaml" -o "$box/again" >"$box/again.out" 2>&1
	check "its resolved scene gives the same hash" test "$(grep ^hash "$box/again.out")" = "$(grep ^hash "$box/out")"
fi

# ------------------------------------------------------------------ a periodic cell
sed "s/until: 18 ms/until: 40 ms/" scenes/periodic_cell.scene.yaml >"$box/cell.scene.yaml"
"$scree" run "$box/cell.scene.yaml" -o "$box/cell" --set 'output.history={every: 0.1 ms, values: [stage, stress_xx, stress_yy, stress_zz, cell_x, cell_y, cell_z, strain_z, void_ratio]}' \
	--set 'output.measures={whole: {every: 0.1 ms, values: [stress, solid_fraction]}}' >"$box/out" 2>&1
check "a cell is pressed, strained and held" test "$(grep -c '^stage .* ended at .* step' "$box/out")" = 3
check "until its stress is that of the servo, which shrinks it; then along z alone; and then not at all" \
	awk -F, '/^[0-9]/ { if ($2 != last) { for (k = 3; k <= 10; ++k) from[$2, k] = $k; last = $2 } for (k = 3; k <= 10; ++k) to[$2, k] = $k }
	END { for (k = 3; k <= 5; ++k) if (to[1, k] < 19600 || to[1, k] > 20400) exit 1
		for (k = 6; k <= 8; ++k) if (!(to[1, k] < 0.9 * from[1, k]) || to[3, k] < (1 - 2e-5) * from[3, k] || to[3, k] > (1 + 2e-5) * from[3, k]) exit 1
		exit !(to[2, 8] < 0.99 * from[2, 8] && to[2, 6] > 0.995 * from[2, 6] && to[2, 5] > 1.05 * to[1, 5] && to[1, 10] < 0.8) }' \
	"$box/cell/cell_history.csv"
check "a measure without region is that of the present cell, as the history says" \
	awk -F, 'function far(a, b) { d = a - b; return d > 1e-6 * (1 + b) || d < -1e-6 * (1 + b) }
	/^[^#0-9]/ { for (k = 1; k <= NF; ++k) { name = $k; sub(/\[.*/, "", name); gsub(/[# ]/, "", name); at[FILENAME, name] = k } }
	/^#? *t/ && !/^t/ { for (k = 1; k <= NF; ++k) { name = $k; sub(/\[.*/, "", name); gsub(/[# ]/, "", name); at[FILENAME, name] = k } }
	/^[0-9]/ && FILENAME == ARGV[1] { s[$1] = $at[FILENAME, "stress_xx"]; e[$1] = $at[FILENAME, "void_ratio"] }
	/^[0-9]/ && FILENAME == ARGV[2] && ($1 in s) { ++n; p = $at[FILENAME, "stress_xx"]; f = $at[FILENAME, "solid_fraction"]
		if (far(p, s[$1]) || far(f, 1 / (1 + e[$1]))) exit ++wrong }
	END { exit !(n > 100 && !wrong) }' "$box/cell/cell_history.csv" "$box/cell/cell_measure_whole.csv"
"$scree" run "$box/cell/cell.resolved.scene.yaml" --steps 5300 -o "$box/half" >"$box/half.out" 2>&1
"$scree" run --resume "$box/half/cell.resolved.snap" >"$box/half.out" 2>&1
check "its resolved scene, stopped and resumed, gives the same hash" test "$(grep ^hash "$box/half.out")" = "$(grep ^hash "$box/out")"

# ------------------------------------------------------------------ its rates from a file
one=$(grep ^hash "$box/out")
sed 's/strain_table: {.*}}$/strain_table: {file: rates.csv}}/' "$box/cell.scene.yaml" >"$box/filed.scene.yaml"
printf 'sep=;\ntime [ms]; rate_z\n0; 0\n;;\n4; -2\n' >"$box/rates.csv"
"$scree" run "$box/filed.scene.yaml" -o "$box/filed" >"$box/out" 2>&1
check "a stage takes strain rates from a file" grep -q 'file: rates.csv' "$box/filed.scene.yaml"
check "and they are those of the scene" test -n "$one" -a "$(grep ^hash "$box/out")" = "$one"
printf 'time [ms], rate_z\n0, 0\n4, fast\n' >"$box/rates.csv"
"$scree" check "$box/filed.scene.yaml" >"$box/out" 2>&1
check "a mistake has the line and the column of the file" grep -q "rates.csv:3:4: error: rate: 'fast 1/s' is not a number" "$box/out"
check "and no other message follows from it" test "$(grep -c error: "$box/out")" = 1
printf 'time [ms], rate\n0, 0\n' >"$box/rates.csv"
"$scree" check "$box/filed.scene.yaml" >"$box/out" 2>&1
check "so has the name of a column" grep -q "rates.csv:1:12: error: there is no column 'rate'" "$box/out"
sed -i 's/{file: rates.csv}/{file: rates.csv, time: [0]}/' "$box/filed.scene.yaml"
"$scree" check "$box/filed.scene.yaml" >"$box/out" 2>&1
check "a file has its own times" grep -q "strain_table: 'file' and 'time' cannot be used together" "$box/out"

# ------------------------------------------------------------------ its stresses over time
sed -e 's/until: 18 ms/until: 25 ms/' -e 's/until: 12 ms/until: 25 ms/' -e 's/max_rate: 20 1.s/&, lag: 0.4 ms/' \
	-e 's/world: {servo: {axes.*$/world: {servo: {table: {time: [0 s, 20 ms], stress: [[20 kPa, 20 kPa, 20 kPa], [28 kPa, 24 kPa, 32 kPa]]}}}/' \
	scenes/periodic_cell.scene.yaml >"$box/goal.scene.yaml"
goal() { "$scree" run "$box/goal.scene.yaml" -o "$box/goal" --overwrite --set 'output.history={every: 0.1 ms, values: [stress_xx, stress_yy, stress_zz]}' "$@" >"$box/out" 2>&1; }
goal
one=$(grep ^hash "$box/out")
check "the stresses of a cell follow a table, from the start of the stage that gives it" awk -F, 'function far(x) { return x > 1500 || x < -1500 }
	/^[0-9]/ && $1 > 0.024 && $1 < 0.0499 { p = ($1 - 0.025) / 0.02; p = p < 0 ? 0 : p > 1 ? 1 : p; ++n
		wrong += far($2 - 20000 - 8000 * p) + far($3 - 20000 - 4000 * p) + far($4 - 20000 - 12000 * p) }
	END { exit !(n > 250 && !wrong) }' "$box/goal/goal_history.csv"
if ! in_short; then
	goal --threads 3
	check "the same on more threads" test -n "$one" -a "$one" = "$(grep ^hash "$box/out")"
fi
goal --steps 4500
"$scree" run --resume "$box/goal/goal.snap" >"$box/out" 2>&1
check "and after a resume within the table" test -n "$one" -a "$one" = "$(grep ^hash "$box/out")"
if ! in_short && with_ranks; then
	within 120 mpirun -n 3 "$scree" run "$box/goal.scene.yaml" -o "$box/ranks_goal" >"$box/out" 2>&1
	check "and on ranks" test "$one" = "$(grep ^hash "$box/out")"
fi
printf 'time [ms], stress_x [kPa], stress_y [kPa], stress_z [kPa]\n0, 20, 20, 20\n20, 28, 24, 32\n' >"$box/stresses.csv"
sed -i 's/table: {time.*$/table: {file: stresses.csv}}}/' "$box/goal.scene.yaml"
if ! in_short; then
	goal
	check "and from a file" test "$one" = "$(grep ^hash "$box/out")" -a -n "$(grep 'file: stresses.csv' "$box/goal.scene.yaml")"
fi
printf 'time [ms], stress_x [kPa], stress_z [kPa]\n0, 20, 20\n' >"$box/stresses.csv"
"$scree" check "$box/goal.scene.yaml" >"$box/out" 2>&1
check "an axis of the servo without a column has no stress, which is an error in the line of the file" \
	grep -q "stresses.csv:2:4: error: stress: a positive stress along y was expected" "$box/out"

# ------------------------------------------------------------------ stages that end on stress and strain
sed -e '/until: 12 ms/d' -e 's/until: 18 ms/until: {servo: 2 %, for: 1 ms, at_most: 60 ms}/' \
	-e 's/name: sheared/{name: sheared, until: {strain: -1 %, along: z, at_most: 40 ms}, world: {servo: {axes: [x, y]}, strain_rate: [0, 0, -2 1\/s]}}/' \
	-e '/servo: {axes: \[x, y\]}, strain_table/d' -e 's/{name: held/{name: more, until: {stress: 30 kPa, along: z, at_most: 60 ms}}\n  - &/' \
	scenes/periodic_cell.scene.yaml >"$box/ends.scene.yaml"
"$scree" run "$box/ends.scene.yaml" -o "$box/ends" --set 'output.history={every: 50 us, values: [stage, stress_xx, stress_yy, stress_zz, strain_z]}' >"$box/out" 2>&1
check "stages end on stress and strain" test $? -eq 0 -a "$(grep -c '^stage .* ended at .* step' "$box/out")" = 4
check "at the stresses of the servo, a strain since the stage began, and a stress along an axis" \
	awk -F, '/^[0-9]/ { for (k = 3; k <= 6; ++k) { if (!(($2, k) in from)) from[$2, k] = $k; to[$2, k] = $k } }
	END { for (k = 3; k <= 5; ++k) if (to[1, k] < 19500 || to[1, k] > 20500) exit 1
		z = to[2, 6] - to[1, 6]; exit !(z <= -0.0098 && z > -0.0102 && to[1, 6] < -0.05 && from[3, 5] < 29900 && to[3, 5] > 29800 && to[3, 5] < 31500) }' \
	"$box/ends/ends_history.csv"
one=$(grep ^hash "$box/out")
lines() { grep '^stage .* ended' "$1"; }
lines "$box/out" >"$box/lines"
if ! in_short; then
	"$scree" run "$box/ends.scene.yaml" --threads 3 -o "$box/more" >"$box/out" 2>&1
	check "at the same steps on more threads" test "$one" = "$(grep ^hash "$box/out")" -a "$(lines "$box/out")" = "$(cat "$box/lines")"
fi
"$scree" run "$box/ends.scene.yaml" -o "$box/more" --overwrite --steps 3950 >"$box/out" 2>&1
"$scree" run --resume "$box/more/ends.snap" --threads 3 >>"$box/out" 2>&1
check "and when the stage that is strained is resumed, on more threads" test -n "$one" -a "$one" = "$(grep '^hash' "$box/out" | tail -1)" -a "$(lines "$box/out")" = "$(cat "$box/lines")"
if ! in_short && with_ranks; then
	within 120 mpirun -n 3 "$scree" run "$box/ends.scene.yaml" -o "$box/ranks" >"$box/out" 2>&1
	check "and on ranks" test "$one" = "$(grep ^hash "$box/out")" -a "$(lines "$box/out")" = "$(cat "$box/lines")"
fi

# ------------------------------------------------------------------ the same cell with implicit steps and hard contacts
cell_by() { "$scree" run scenes/periodic_cell.scene.yaml -o "$box/$1" --overwrite --set "run={response: $1, step: 40 us}" "${@:2}" >"$box/out" 2>&1; }
for response in implicit hard; do
	chosen || continue
	cell_by $response
	one=$(grep ^hash "$box/out")
	cell_by $response --steps 333
	"$scree" run --resume "$box/$response/periodic_cell.snap" --threads 3 >"$box/out" 2>&1
	check "a cell by $response is the same after a resume, on more threads" test -n "$one" -a "$one" = "$(grep ^hash "$box/out")"
	if ! in_short && with_ranks; then
		within 120 mpirun -n 3 "$scree" run scenes/periodic_cell.scene.yaml -o "$box/ranks_$response" --set "run={response: $response, step: 40 us}" >"$box/out" 2>&1
		check "and on ranks, $response" test "$one" = "$(grep ^hash "$box/out")"
	fi
done

cat >"$box/table.scene.yaml" <<END
scene: 1
world:
  gravity: [0, 0, 0]
  domain: {min: [0, 0, 0], max: [30 mm, 30 mm, 30 mm]}
  periodic: [x, y, z]
  strain_table: {time: [0 s, 20 ms], rate: [[0, 0, 0], [0, 0, -4 1/s]]}
  servo: {stress: [1 kPa, 0, 0], axes: [x], max_rate: 1 1/s, lag: 1 ms}
materials: {glass: {density: 2500 kg/m^3, young: 5 MPa}}
shapes: {ball: {sphere: {diameter: 1}}}
fill: [{region: {box: {min: [0, 0, 0], max: [30 mm, 30 mm, 30 mm]}}, count: 1, material: glass, shape: ball, size: 4 mm}]
stages:
  - {name: first, until: 10 ms}
  - {name: second, until: 10 ms, world: {servo: {stress: [2 kPa, 0, 0]}}}
run: {step: 20 us}
output: {history: {every: 1 ms, values: [strain_z]}}
END
"$scree" run "$box/table.scene.yaml" -o "$box/table" >"$box/out" 2>&1
check "a stage that changes the servo alone leaves the table of strains where it is" \
	awk -F, '/^[0-9]/ { z = $2 } END { exit !(z > -0.0401 && z < -0.0399) }' "$box/table/table_history.csv"

# ------------------------------------------------------------------ a heap
if ! in_short; then
	run lifted_cylinder --set fill.0.count=120 --set 'stages.1.walls.tube.motion.velocity=[0, 0, 0.3 m/s]' --set stages.1.until=0.3s \
		--set output.bodies.every=50ms --set 'output.images={size: [64, 48]}'
	check "the heap ends" test $code -eq 0
	check "it has flowed out of the cylinder, and bodies lie on others" \
		awk -F, '!/^#/ && $1 ~ /^[0-9]/ { if ($1 != t) { t = $1; r = z = 0 } q = sqrt($3^2 + $4^2); if (q > r) r = q; if ($5 > z) z = $5 }
		END { exit !(r > 0.016 && z > 0.004 && z < 0.03) }' "$box/lifted_cylinder/lifted_cylinder_bodies.csv"
fi

# ------------------------------------------------------------------ a silo
beads=200 grams=13 left=19 young=10
if in_short; then beads=80 grams=5 left=10 young=3; fi
run gate --set "materials.glass.young=$young MPa" --set sources.0.count=$beads --set "stages.2.until.mass_out=$grams g" --set 'output.measures={flow: {every: 10 ms, sink: out},
	slot: {every: 10 ms, plane: {point: [0, 0, 0], normal: [0, 0, -1], length: 20 mm, width: 16 mm, along: x}},
	below: {every: 10 ms, region: {box: {min: [-1 m, -1 m, -1 m], max: [1 m, 1 m, 0]}}, values: [mass, bodies]}}'
check "the silo ends" test $code -eq 0
check "when $grams g are out, not before" awk -v g=$grams '/mass out/ { m = 1e3 * $(NF - 3) } END { exit !(m >= g && m < g + 0.4) }' "$box/out"
check "and in its table of the flow, which goes through all stages" awk -F, -v g=$grams '/^[0-9]/ { m = 1e3 * $2 } END { exit !(m >= g - 0.2 && m < g + 0.4) }' \
	"$box/gate/gate_measure_flow.csv"
check "no bead has left before the gate opened" awk -F, -v all=$beads '!/^#/ && $4 == 2 { low = low == "" || $2 < low ? $2 : low } END { exit low != all }' \
	"$box/gate/gate_history.csv"
check "the sizes are those of $grams g" awk -F, -v n=$left '!/^#/ { last = $2 } END { exit !(last > n - 5 && last < n + 6) }' "$box/gate/gate_history.csv"

check "beads through the slot are those in the sink and below" awk -F, 'FNR == 1 { ++f } /^[0-9]/ { m[f] = $3; r[f] = $2 } END {
	exit !(m[1] > 0 && m[1] == m[2] + m[3] && r[1] > r[2]) }' "$box"/gate/gate_measure_{slot,flow,below}.csv
check "none through the gate while it is closed, and steadily then" awk -F, '/^[0-9]/ && $3 > 0 { if (!t) t = $1; n = $3; back += $7 }
	END { exit !(t > 0.1 && n > 20 && back == 0) }' "$box/gate/gate_measure_slot.csv"

# ------------------------------------------------------------------ a silo with polyhedra, in implicit steps
if ! in_short; then
	run silo --set count=150 --set stages.1.until.mass_out=20g --set output.vtk.every=1s --set output.measures.flow.every=1ms
	check "the silo ends" test $code -eq 0
	check "the flow is what has left" awk -F, '!/^#/ { last = $2 } END { exit !(last >= 0.0195 && last < 0.024) }' "$box/silo/silo_measure_flow.csv"
	check "six layers in each of its tables" awk -F, '!/^#/ && $1 + 0 > 0 { n[$1]++ } END { for (t in n) if (n[t] != 6) exit 1; exit !length(n) }' \
		"$box/silo/silo_measure_layers.csv"
fi

# ------------------------------------------------------------------ outputs of some stages, measurement, refusals
scene=scenes/stages.scene.yaml
outputs=(--set run.until=4ms --set 'output={history: {every: 30 us, active: false}, walls: {every: 0.1 ms},
	images: {size: [32, 24], active: false}, fields: {every: 0.1 ms, min: [-9 mm, -9 mm, 0], max: [9 mm, 9 mm, 9 mm], cells: [2, 2, 2],
	width: 2 mm, active: false}, measures: {all: {every: 30 us, active: false}}}'
	--set 'stages.2.output={history: {active: true}, measures: {all: {active: true}}, fields: {active: true}, walls: {active: false}}'
	--set 'stages.3.output={history: {active: false}, measures: {all: {every: 50 us}}, fields: {active: false}}'
	--set 'stages.4.output={measures: {all: {active: false}}}')
"$scree" run $scene -o "$box/some" "${outputs[@]}" >"$box/out" 2>&1
code=$?
check "a run with outputs of some stages ends" test $code -eq 0
check "the history is that of its stage alone" awk -F, '/^[0-9]/ { ++n; if ($NF != 3) ++wrong } END { exit !(n > 5 && !wrong) }' \
	"$box/some/stages_history.csv"
check "fields, too, and no picture" test "$(ls "$box"/some/*.vti | wc -l)" -ge 2 -a -z "$(ls "$box"/some/*.png 2>/dev/null)"
pixels() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4 " x " $7 * 256 + $8 }'; }
"$scree" render "$box/some/stages.snap" -o "$box/some.png" >"$box/out" 2>&1
"$scree" render "$box/some/stages.snap" -o "$box/set.png" --set 'output.images.size=[48, 40]' >>"$box/out" 2>&1
check "render draws as images say that no run writes" test "$(pixels "$box/some.png"), $(pixels "$box/set.png")" = "32 x 24, 48 x 40"
check "a measure begins and ends, and its interval changes" awk -F, '/^[0-9]/ { d = $1 - t; if (t && d < 2.5e-5) ++wrong; if (d > 4.5e-5 && d < 6e-5) ++slow; t = $1; ++n }
	END { exit !(n > 12 && !wrong && slow > 5) }' "$box/some/stages_measure_all.csv"
check "a table of the first stages ends" awk -F, -v first="$(awk -F, '/^[0-9]/ { print $1; exit }' "$box/some/stages_history.csv")" \
	'/^[0-9]/ { t = $1; ++n } END { exit !(n > 5 && t <= first + 1e-9) }' "$box/some/stages_walls.csv"
"$scree" run $scene -o "$box/parts" "${outputs[@]}" --steps 700 >"$box/out" 2>&1
"$scree" run --resume "$box/parts/stages.snap" >"$box/out" 2>&1
check "a resumed run has the same tables" cmp "$box/some/stages_measure_all.csv" "$box/parts/stages_measure_all.csv"
check "and the same history" cmp "$box/some/stages_history.csv" "$box/parts/stages_history.csv"
"$scree" run $scene -o "$box/run" --steps 900 >"$box/out" 2>&1
one=$(grep ^hash "$box/out")
"$scree" run $scene -o "$box/run" --overwrite --steps 300 >"$box/out" 2>&1
"$scree" bench "$box/run/stages.snap" --steps 580 >"$box/bench" 2>&1 # after 20 steps
check "bench ends stages as a run does" test -n "$one" -a "$one" = "$(grep ^hash "$box/bench")"
refuses() { # SET WORDS
	"$scree" check $scene --set "$1" >"$box/out" 2>&1
	check "refused: $2" says "$2"
}
refuses 'stages.1.run={response: elastic}' "run: 'response' cannot change from forces to elastic during a run"
refuses 'stages.1.run={response: elastic}' "start another scene from the snapshot"
refuses 'stages.1.run={response: forces, narrow_phase: separating-plane}' "run: 'narrow_phase' cannot change during a run"
refuses 'stages.1.contacts={default: {law: hertz}}' "histories of contacts belong to their law"
refuses 'stages.1.contacts={default: {cohesion: {dmt: 0.1 J/m^2}}}' "cohesion would change the law from overlap to hertz"
refuses 'stages.1.output={vtk: {every: 1 ms}}' "there is no output.vtk that could change"
refuses 'stages.1.output={measures: {all: {active: true}}}' "there is no output.measures that could change"
"$scree" check $scene --set 'output.measures={all: {history: true, values: [mass]}}' --set 'stages.1.output={measures: {all: {every: 1 ms}}}' >"$box/out" 2>&1
check "a table of a measure that is in the history alone does not begin" says "measures.all: it has no table that could change"
"$scree" run $scene -o "$box/none" --set 'output={}' >"$box/out" 2>&1
check "without outputs stages have none" test "$?" -eq 0 -a "$(ls "$box/none" | wc -l)" -le 3
"$scree" run $scene -o "$box/slide" --set run.until=9ms --set 'stages.1.until={sliding: 100 %, at_least: 0.5 ms, at_most: 5 ms}' >"$box/out" 2>&1
check "a stage ends when few contacts slide" grep -q "^stage turn ended at .*: fraction of contacts that slide 0" "$box/out"

# ------------------------------------------------------------------ mean loads of servos
if ! in_short; then
	cat >"$box/triaxial.scene.yaml" <<'SCENE'
scene: 1
world: {gravity: [0, 0, 0], domain: {min: [0, 0, 0], max: [14 mm, 14 mm, 14 mm]}, periodic: [x, y, z], servo: {axes: [x, y, z], stress: [5 kPa, 5 kPa, 5 kPa], max_rate: 8 1/s}}
materials: {s: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}}
contacts: {default: {restitution: 0.5, friction: 0.4}}
shapes: {b: {sphere: {diameter: 1}}}
fill: [{region: {box: {min: [0, 0, 0], max: [14 mm, 14 mm, 14 mm]}}, count: 130, material: s, shape: b, size: {uniform: [1.5 mm, 3 mm]}}]
stages:
  - {name: press, until: 70 ms}
  - {name: shear, world: {servo: {axes: [x, y]}, strain_rate: [0, 0, -2 1/s]}, until: 80 ms}
output: {history: {every: 1 ms}}
SCENE
	"$scree" run "$box/triaxial.scene.yaml" -o "$box/triaxial" >"$box/out" 2>&1
	off() { sed -n "s/^servo    cell along $1: .*(\([+-][0-9.e-]*\) %)\$/\1/p" "$box/out"; }
	check "a cell that is strained holds its lateral stress, and says so" awk -v x="$(off x)" -v y="$(off y)" 'BEGIN { exit !(x != "" && y != "" && x ^ 2 < 25 && y ^ 2 < 25) }'
	check "no warning" test "$(grep -c 'warning: the cell' "$box/out")" = 0
	check "  nor by check" test "$("$scree" check "$box/triaxial.scene.yaml" | grep -c 'warning: world.servo\|: world.servo moves')" = 0
	"$scree" run "$box/triaxial.scene.yaml" -q -o "$box/slow" --set "stages.1.world.servo={axes: [x, y], max_rate: 0.7 1/s}" >"$box/out" 2>&1
	check "with a rate that is too small it does not, and says so" says "more than the prescribed stress along x: world.servo.max_rate (0.7 1/s) may be too small"
	"$scree" check "$box/triaxial.scene.yaml" --set "stages.1.world.servo={axes: [x, y], max_rate: 0.7 1/s}" >"$box/out" 2>&1
	check "  and so does check" says "stage shear: world.servo moves its axes by at most 0.7 1/s, but at a constant volume the other axes need 1 1/s"
fi

# ------------------------------------------------------------------ a limit, and changes of a resumed run
run gate --overwrite --set sources.0.count=20 --set 'stages.1.until={kinetic_energy: 1e-20 J, at_most: 1 ms}'
check "a condition that is not met in its time stops the run" test $code -eq 3
check "and says so" says "stage rest has not ended within at_most, 0.001 s: kinetic energy"
"$scree" run scenes/servo_lid.scene.yaml -o "$box/lid" --steps 500 >"$box/out" 2>&1
cp -r "$box/lid" "$box/same"
"$scree" run --resume "$box/lid/servo_lid.snap" --set run.until=8ms --set contacts.default.friction=0.1 >"$box/out" 2>&1
check "a resumed run takes a change" says "step 500: contacts.default.friction=0.1"
check "which is in its resolved scene" grep -q '^# set at .*, step 500: contacts.default.friction=0.1$' "$box/lid/servo_lid.resolved.scene.yaml"
check "with the new value" grep -q '^    friction: 0.1$' "$box/lid/servo_lid.resolved.scene.yaml"
one=$(grep ^hash "$box/out")
"$scree" run --resume "$box/same/servo_lid.snap" --set run.until=8ms >"$box/out" 2>&1
check "and in its hash" test -n "$one" -a "$one" != "$(grep ^hash "$box/out")"
"$scree" run --resume "$box/same/servo_lid.snap" --set walls.lid.material=stone >"$box/out" 2>&1
check "what cannot change is refused" says "--set walls.lid.material=stone: it cannot change during a run"

# ------------------------------------------------------------------ another response
scene=scenes/responses.scene.yaml
"$scree" check $scene >"$box/out" 2>&1
check "check says what becomes of springs" grep -q '^note: stage press: response: forces after implicit, in steps of 4e-06 s: springs of contacts are kept' "$box/out"
check "and the default step of a response" grep -q '^note: stage end: response: forces after implicit, in steps of [0-9.]*e-06 s' "$box/out"
"$scree" run $scene -o "$box/responses" >"$box/out" 2>&1
one=$(grep ^hash "$box/out")
check "a run changes its response four times" test "$(grep -c '^response .* after .* at .* in steps of' "$box/out")" = 4
if ! in_short; then
	"$scree" run $scene --threads 3 -o "$box/more" --overwrite >"$box/out" 2>&1
	check "the same on more threads" test -n "$one" -a "$one" = "$(grep ^hash "$box/out")"
fi
"$scree" run $scene -o "$box/half" --overwrite --steps 420 >"$box/out" 2>&1
cp -r "$box/half" "$box/later"
"$scree" run --resume "$box/half/responses.snap" --threads 3 >"$box/out" 2>&1
check "and after a resume by forces, on more threads" test -n "$one" -a "$one" = "$(grep ^hash "$box/out")"
check "whose history continues" cmp "$box/responses/responses_history.csv" "$box/half/responses_history.csv"
counted() { # FILE: sweeps increase in implicit and hard steps, not with forces; each of the five stages has all rows
	awk -F, '/sweeps_total/ { for (k = 1; k <= NF; ++k) { name = $k; gsub(/[# ]|\[.*/, "", name); at[name] = k } }
		/^[0-9]/ { x = $at["sweeps_total"]; stage = $at["stage"]; part = $at["unsolved"]; ++rows[stage]
			if (x < last || part < 0 || part > 0.1) exit ++wrong
			if ($1 - time > 6e-4) exit ++wrong
			time = $1
			if (x > last) ++grows[stage]
			last = x }
		END { exit !(!wrong && rows[2] > 2 && rows[5] > 1 && grows[1] > 9 && grows[3] > 2 && grows[4] > 1 && grows[2] <= 1 && grows[5] <= 1) }' "$1"
}
counted_later() { # FILE WHOLE: its rows are the last ones of WHOLE
	test "$(tail -3 "$1")" = "$(tail -3 "$2")" && grep -q sweeps_total "$1"
}
check "and counts the sweeps of all stages" counted "$box/responses/responses_history.csv"
check "which the end of the run has, too" test "$(grep -c '^solver .* sweeps;' "$box/out")" = 1
"$scree" run --resume "$box/later/responses.snap" -o "$box/other" >"$box/out" 2>&1
check "also in a new file that begins by forces" counted_later "$box/other/responses_history.csv" "$box/responses/responses_history.csv"
sed -e 's/run: {response: implicit, step: 0.1 ms/run: {response: forces, step: 4 us/' -e 's/fall, until: 30 ms/fall, until: 1 ms/' \
	-e 's/{response: forces, step: 4 us}$/{response: implicit, step: 40 us}/' $scene >"$box/reverse.scene.yaml"
"$scree" run "$box/reverse.scene.yaml" -o "$box/reverse" >"$box/out" 2>&1
check "and where the first stage is by forces" awk -F, '/sweeps_total/ { for (k = 1; k <= NF; ++k) { name = $k; gsub(/[# ]|\[.*/, "", name); at[name] = k } }
	/^[0-9]/ { if ($at["stage"] == 1 && $at["sweeps_total"] != 0) exit ++wrong; last = $at["sweeps_total"] } END { exit !(!wrong && last > 0) }' "$box/reverse/reverse_history.csv"
if with_ranks; then
	for ranks in 2 4; do
		if in_short && [ $ranks -eq 4 ]; then continue; fi
		within 120 mpirun -n $ranks "$scree" run $scene -o "$box/ranks_response$ranks" >"$box/out" 2>&1
		check "and on $ranks ranks" test "$one" = "$(grep ^hash "$box/out")"
		check "with the same counts" counted_later "$box/ranks_response$ranks/responses_history.csv" "$box/responses/responses_history.csv"
	done
fi
"$scree" run $scene -o "$box/set" --steps 200 >"$box/out" 2>&1
cp -r "$box/set" "$box/set2"
"$scree" run --resume "$box/set/responses.snap" --steps 100 --set run.response=hard >"$box/out" 2>&1
check "a resumed run takes another response" grep -q '^response hard after implicit at .* step 200' "$box/out"
"$scree" run --resume "$box/set2/responses.snap" --steps 10 --set run.response=elastic >"$box/out" 2>&1
check "but none by impulses" says "only 'forces', 'implicit' and 'hard' can follow one another"
"$scree" run --resume "$box/set2/responses.snap" --steps 10 --set run.step=1ms --set run.response=forces >"$box/out" 2>&1
check "nor a step that is too long for it" says "the time step 0.001 s is too large"

# ------------------------------------------------------------------ a step for all stages
cat >"$box/press.scene.yaml" <<-TEXT
	scene: 1
	world: {gravity: [0, 0, 0]}
	materials: {glass: {density: 2500 kg/m^3, young: 20 MPa, poisson: 0.25}}
	contacts: {default: {restitution: 0.3, friction: 0.4}}
	shapes: {bead: {sphere: {diameter: 1}}}
	walls: {lid: {plane: {point: [0, 0, 30 mm], normal: [0, 0, -1]}, material: glass, motion: {servo: {pressure: 2 kPa, area: 4 cm^2}}}}
	fill: [{region: {box: {min: [0, 0, 0], max: [20 mm, 20 mm, 30 mm]}}, count: 100, material: glass, shape: bead, size: 2.5 mm}]
	stages: [{name: rest, until: 1 ms}, {name: load, walls: {lid: {motion: {servo: {pressure: 400 kPa}}}}, until: 1 ms}]
TEXT
step_of() { sed -n 's/^step \([^ ]*\) s (.*/\1/p' "$1"; }
"$scree" check "$box/press.scene.yaml" --set stages.1.walls.lid.motion.servo.pressure=2kPa >"$box/light"
"$scree" check "$box/press.scene.yaml" >"$box/heavy"
check "a stage that presses more is possible" test $? -eq 0
check "and has shortened the step of the run" awk -v a="$(step_of "$box/heavy")" -v b="$(step_of "$box/light")" 'BEGIN { exit !(a > 0 && a < 0.9 * b) }'
"$scree" check "$box/press.scene.yaml" --set "run.step=$(step_of "$box/light")s" >"$box/out" 2>&1
check "but no step that the scene gives" says "error: stage load: the time step"
echo "1..$n"
