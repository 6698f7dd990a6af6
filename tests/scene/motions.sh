#!/bin/bash
# needs: test
# Motions of walls in scenes: one after another, at once, from tables in the scene and in files, servos whose load is a
# table; free walls; walls for some materials. Positions are those given in the scene; results are bitwise the same from
# the resolved scene, after a resume, on other threads and on ranks. Then messages about mistakes.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=$(realpath "${SCREE:-build/test/scree}")
at() { # WALL TIME COLUMN: a value of the table of walls, in the row nearest to this time
	awk -F, -v w="$1" -v t="$2" -v c="$3" '$2 == w { d = $1 - t; if (d < 0) d = -d; if (best == "" || d < best) { best = d; x = $c } } END { print x }' \
		"$box/out_dir/motions_walls.csv"
}
same() { test -n "$hash" && test "$hash" = "$(grep ^hash "$box/out")"; }
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(d <= e && -d <= e) }'; }

cat >"$box/load.csv" <<'END'
# a load that rises and falls
time [ms]; pressure [kPa]
0; 0
4; 1,5
8; 0,5
END
cat >"$box/motions.scene.yaml" <<'END'
scene: 1
materials:
  glass: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.22}
  sand: {density: 2600 kg/m^3, young: 5 MPa, poisson: 0.22}
shapes: {bead: {sphere: {diameter: 1}}}
walls:
  box: {box: {min: [-16 mm, -16 mm, 0], max: [16 mm, 16 mm, 60 mm], open: [z_max]}, material: glass}
  lid:
    polygon: [[-16 mm, -16 mm, 26 mm], [-16 mm, 16 mm, 26 mm], [16 mm, 16 mm, 26 mm], [16 mm, -16 mm, 26 mm]]
    material: glass
    motion:
      - {velocity: [0, 0, -1 m/s], for: 2 ms}
      - {velocity: [0, 0, 0], for: 1 ms}
      - servo: {table: {file: load.csv}, area: 10 cm^2, axis: [0, 0, -1], max_speed: 1 m/s}
  stirrer:
    polygon: [[0, -16 mm, 30 mm], [0, -16 mm, 50 mm], [0, 16 mm, 50 mm], [0, 16 mm, 30 mm]]
    material: glass
    two_sided: true
    motion:
      all:
        - {table: {time: [0 s, 5 ms, 10 ms], angle: [0 deg, 90 deg, 45 deg]}, about: z}
        - {vibration: {amplitude: [0, 0, 1 mm], frequency: 100 Hz}, from: 2.5 ms, until: 12.5 ms}
  sieve:
    plane: {point: [0, 0, 8 mm], normal: [0, 0, 1]}
    material: glass
    only: [sand]
  float:
    polygon: [[-16 mm, -16 mm, 55 mm], [-16 mm, 16 mm, 55 mm], [16 mm, 16 mm, 55 mm], [16 mm, -16 mm, 55 mm]]
    material: glass
    motion: {free: {mass: 20 g, along: z, spring: 200 N/m}}
fill:
  - {name: glass, region: {box: {min: [-15 mm, -15 mm, 1 mm], max: [15 mm, 15 mm, 22 mm]}}, count: 40, material: glass, shape: bead, size: 4 mm, seed: 1}
  - {name: sand, region: {box: {min: [-15 mm, -15 mm, 9 mm], max: [15 mm, 15 mm, 22 mm]}}, count: 30, material: sand, shape: bead, size: 4 mm, seed: 2}
run: {until: 20 ms, snapshot: {every: 10 ms}}
output: {walls: {every: 0.1 ms}, history: {every: 1 ms}, bodies: {every: 10 ms}}
END
run() { "$scree" run "$box/motions.scene.yaml" -o "$box/out_dir" --overwrite "$@" >"$box/out" 2>&1; }
run
check "a scene with all of them runs" test $? -eq 0
hash=$(grep ^hash "$box/out")
check "the lid moves as its first motion says" near "$(at lid 0.001 5)" -0.001 1e-5
check "then it waits" near "$(at lid 0.0028 5)" -0.002 1e-9
check "then it sinks, with the pressure of the file" near "$(at lid 0.02 5)" -0.012 0.009
check "which is in the resolved scene" grep -q 'pressure: \[0 Pa, 1500 Pa, 500 Pa\]' "$box/out_dir/motions.resolved.scene.yaml"
check "the stirrer turns and shakes" near "$(at stirrer 0.005 5)" 0.001 1e-5
check "and stays where its motions end" near "$(at stirrer 0.02 5)" 0 1e-9
check "the table has its rotation" near "$(at stirrer 0.005 17)" 0.70711 1e-3
check "about its axis" near "$(at stirrer 0.005 20)" 0.70711 1e-3
check "and its angular velocity" near "$(at stirrer 0.0025 23)" 314.159 0.1
check "the floating lid swings on its spring" near "$(at float 0.02 5)" "$(awk 'BEGIN { w = sqrt(200 / 0.02); print -0.02 * 9.81 / 200 * (1 - cos(w * 0.02)) }')" 2e-6
check "sand stays above the sieve, glass falls through" awk -F, 'NR > 1 && !/^#/ && $1 > 0.0199 { if ($2 > 40 && $5 < 0.0095) sand++; if ($2 <= 40 && $5 < 0.008) glass++ }
	END { exit !(!sand && glass > 5) }' "$box/out_dir/motions_bodies.csv"
check "the energies close, with the floating lid" awk -F, '/^time/ { for (k = 1; k <= NF; k++) at[$k] = k; next } /^[0-9]/ { r = $at["residual"]; k = $at["kinetic"] }
	END { if (r < 0) r = -r; exit !(k > 0 && r < 0.01 * 0.02 * 9.81 * 0.002) }' "$box/out_dir/motions_history.csv"
"$scree" run "$box/out_dir/motions.resolved.scene.yaml" -o "$box/again" >"$box/out" 2>&1
check "the resolved scene, without the file, gives the same hash" same
run --threads 1
check "so does another number of threads" same
run --set run.until=7ms
"$scree" run --resume "$box/out_dir/motions.snap" --set run.until=20ms >"$box/out" 2>&1
check "so does a resume in the middle" same
if with_ranks; then
	few=(2 4)
	in_short && few=(2)
	for ranks in "${few[@]}"; do
		timeout "$(stretched 120)" mpirun -n $ranks "$scree" run "$box/motions.scene.yaml" -o "$box/ranks" --overwrite >"$box/out" 2>&1
		check "so do $ranks ranks" same
	done
fi

# ------------------------------------------------------------------ a stage begins other motions
cat >"$box/stages.yaml" <<'END'
stages:
  - {name: first, until: 5 ms}
  - name: second
    walls: {lid: {motion: {all: [{servo: {force: 1 N, axis: [0, 0, -1], max_speed: 1 m/s}}, {velocity: [10 mm/s, 0, 0], from: 1 ms}]}}}
    until: 15 ms
END
cat "$box/motions.scene.yaml" "$box/stages.yaml" >"$box/staged.scene.yaml"
"$scree" run "$box/staged.scene.yaml" -o "$box/staged" >"$box/out" 2>&1
check "a stage gives a list" test $? -eq 0
cp "$box/staged/staged_walls.csv" "$box/out_dir/motions_walls.csv"
check "whose times count from its start" near "$(at lid 0.0199 3)" 0.000139 2e-6
check "and whose servo goes on where the one before was" near "$(at lid 0.0199 5)" -0.012 0.009

# ------------------------------------------------------------------ mistakes
bad() { # NAME WORDS YAML...: of a wall's motion
	printf '%s\n' 'scene: 1' 'materials: {glass: {density: 2500 kg/m^3, young: 5 MPa}}' 'shapes: {bead: {sphere: {diameter: 1}}}' 'walls:' \
		'  lid:' '    plane: {point: [0, 0, 1 m], normal: [0, 0, -1]}' '    material: glass' "${@:3}" 'run: {until: 1 s}' >"$box/bad.scene.yaml"
	"$scree" check "$box/bad.scene.yaml" >"$box/out" 2>&1
	check "$1" test $? -eq 2
	check "$1: says so" says "$2"
}
bad "a sequence needs durations" "the key 'for' is missing" '    motion: [{velocity: [0, 0, 1 m/s]}, {velocity: [0, 0, 0]}]'
bad "a sequence has no from" "'from' does not belong to an entry of a sequence" '    motion: [{velocity: [0, 0, 1 m/s], from: 1 s}]'
bad "all has no for" "'for' does not belong to an entry of \`all\`" '    motion: {all: [{velocity: [0, 0, 1 m/s], for: 1 s}]}'
bad "one servo only" "a wall can have only one of servo, free and wheel" '    motion: [{servo: {force: 1 N}, for: 1 s}, {servo: {force: 2 N}}]'
bad "times rise" "times must increase" '    motion: {table: {time: [0 s, 0 s], position: [[0, 0, 0], [0, 0, 0]]}}'
bad "as many values as times" "position: 1 values for 2 times" '    motion: {table: {time: [0 s, 1 s], position: [[0, 0, 0]]}}'
bad "a torque needs an axis" "a torque needs the key 'axis'" '    motion: {servo: {torque: 1 N*m}}'
bad "a torque has no mass" "'mass' belongs to a servo with a force" '    motion: {servo: {torque: 1 N*m, axis: z, mass: 1 kg}}'
bad "a pressure in a table needs an area" "'pressure' and 'area' belong together" '    motion: {servo: {table: {time: [0 s], pressure: [1 Pa]}}}'
bad "only names materials" "only: there is no 'sand' under materials" '    only: [sand]'
bad "a file must exist" "cannot read 'no.csv'" '    motion: {table: {file: no.csv}}'
printf 'time, z [kg]\n0, 1\n' >"$box/unit.csv"
bad "a unit of the file is checked, at its line" "unit.csv:2:4: error: position" '    motion: {table: {file: unit.csv}}'
printf 'time, hight [m]\n0, 1\n' >"$box/name.csv"
bad "so are the names of its columns" "there is no column 'hight'" '    motion: {table: {file: name.csv}}'
printf 'time [s], z [m]\n0, 1\n1\n' >"$box/short.csv"
bad "and the values of a line" "1 values instead of 2" '    motion: {table: {file: short.csv}}'
echo "1..$n"
