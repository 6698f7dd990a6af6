#!/bin/bash
# Bodies by mass, by sieve curves and of several materials: one hash for any number of threads and ranks, resumed or not,
# and from the resolved scene.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=$(realpath "${SCREE:-build/test/scree}")
printf 'passing [%%];size [mm]\n0;2\n30;3\n100;5\n' >"$box/curve.csv"
cat >"$box/rain.scene.yaml" <<'EOF'
scene: 1
materials: {m: {density: 1 g/cm^3, young: 1 MPa}, heavy: {density: 5 g/cm^3, young: 1 MPa}}
shapes: {s: {sphere: {diameter: 1}}, c: {regular: cube}}
walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}}
fill:
  - region: {box: {min: [0, 0, 1 mm], max: [50 mm, 30 mm, 30 mm]}}
    mass: 5 g
    by: mass
    material: m
    mix: [{shape: s, share: 1, size: {sieve: {file: curve.csv}}}, {shape: c, share: 1, size: 3 mm, material: heavy}]
sources:
  - region: {box: {min: [0, 0, 40 mm], max: [50 mm, 30 mm, 60 mm]}}
    mass_rate: 400 g/s
    mass: 1.5 g
    material: m
    shape: s
    size: {sieve: [[2 mm, 20 %], [3 mm, 30 %], [5 mm, 100 %]]}
run: {until: 6 ms}
output: {history: {every: 2 ms}}
EOF
hash_of() { grep -o "^hash [0-9a-f]*" "$box/out"; }
"$scree" run "$box/rain.scene.yaml" -t 1 -o "$box/one" >"$box/out" 2>&1
one=$(hash_of)
check "a run ends" test -n "$one"
"$scree" run "$box/rain.scene.yaml" -t 3 -o "$box/three" >"$box/out" 2>&1
check "the same hash with three threads" test "$(hash_of)" = "$one"
cp "$box/one/rain.resolved.scene.yaml" "$box/again.scene.yaml"
"$scree" run "$box/again.scene.yaml" -o "$box/again" >"$box/out" 2>&1
check "and from the resolved scene" test "$(hash_of)" = "$one"
"$scree" run "$box/rain.scene.yaml" --steps 300 -o "$box/part" >"$box/out" 2>&1
"$scree" run --resume "$box/part/rain.snap" >"$box/out" 2>&1
check "and resumed" test "$(hash_of)" = "$one"
# a source of five different grains
cat >"$box/pour.scene.yaml" <<EOF
scene: 1
world: {gravity: [0, 0, -9.81 m/s^2]}
materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}
shapes: {ball: {sphere: {diameter: 1}}, stone: {granulate: {seed: 3, count: 5}}}
walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}}
sources:
  - region: {box: {min: [0, 0, 40 mm], max: [200 mm, 200 mm, 90 mm]}}
    rate: 1e4 1/s
    count: 300
    material: m
    mix: [{shape: ball, share: 1, size: 5 mm}, {shape: stone, share: 2, size: 5 mm}]
run: {until: 32 ms}
output: {bodies: {every: 31 ms}}
EOF
"$scree" run "$box/pour.scene.yaml" -t 1 -o "$box/pour" >"$box/out" 2>&1
pour=$(hash_of)
check "a source of a family of grains runs" test -n "$pour"
kinds=$(tail -n 300 "$box/pour/pour_bodies.csv" | grep -o 'ball\|stone\.[0-9]*' | sort | uniq -c | awk '{ print $2, ($1 > 15) }' | tr '\n' ' ')
check "all of its grains come" test "$kinds" = "ball 1 stone.0 1 stone.1 1 stone.2 1 stone.3 1 stone.4 1 "
balls=$(tail -n 300 "$box/pour/pour_bodies.csv" | grep -c ball)
check "and share what is due to them" test "$balls" -gt 70 -a "$balls" -lt 130
"$scree" run "$box/pour/pour.resolved.scene.yaml" -t 2 -o "$box/again" --overwrite >"$box/out" 2>&1
check "the same from the resolved scene, by two threads" test "$(hash_of)" = "$pour"
"$scree" run "$box/pour.scene.yaml" --steps 100 -o "$box/part" --overwrite >"$box/out" 2>&1
"$scree" run --resume "$box/part/pour.snap" >"$box/out" 2>&1
check "and resumed" test "$(hash_of)" = "$pour"
if "$scree" --version 2>&1 | grep -qi mpi || [ -x "$SCREE_BUILD/tests/ranks_by_mpi" ]; then
	within 120 mpirun -n 3 "$scree" run "$box/rain.scene.yaml" -o "$box/ranks" >"$box/out" 2>&1
	check "and on three ranks" test "$(hash_of)" = "$one"
fi

# ------------------------------------------------------------------ a dense gas with a temperature
cat >"$box/gas.scene.yaml" <<'EOF'
scene: 1
world: {gravity: [0, 0, 0], domain: {min: [0, 0, 0], max: [12 mm, 12 mm, 12 mm]}, periodic: [x, y, z]}
materials: {m: {density: 1 g/cm^3, young: 1 MPa}}
shapes: {s: {sphere: {diameter: 1}}}
fill:
  - region: {box: {min: [0, 0, 0], max: [12 mm, 12 mm, 12 mm]}}
    solid_fraction: 0.45
    dense: true
    temperature: 2e-4 m^2/s^2
    material: m
    shape: s
    size: 2 mm
run: {until: 1 ms}
output: {measures: {all: {every: 1 ms, values: [temperature, solid_fraction]}}}
EOF
"$scree" run "$box/gas.scene.yaml" -t 1 -o "$box/gas1" >"$box/out" 2>&1
one=$(hash_of)
check "a dense gas ends" test -n "$one"
head -5 "$box"/gas1/*all*.csv >>"$box/out" 2>/dev/null
check "its measure has the temperature of the scene at the start" awk -F, '/^#/ || !($1 + 0 == $1) { next }
	{ for (k = 2; k <= NF; k++) if ($k > 1.9999999e-4 && $k < 2.0000001e-4) good = 1; exit } END { exit !good }' "$box"/gas1/*all*.csv
"$scree" run "$box/gas.scene.yaml" -t 3 -o "$box/gas3" >"$box/out" 2>&1
check "the same hash with three threads" test "$(hash_of)" = "$one"
if [ -x "$SCREE_BUILD/tests/ranks_by_mpi" ]; then
	within 120 mpirun -n 2 "$scree" run "$box/gas.scene.yaml" -o "$box/gas2" >"$box/out" 2>&1
	check "and on two ranks" test "$(hash_of)" = "$one"
fi

# ------------------------------------------------------------------ a clump from a table
printf '# from a scan\nr;x;y;z\n0,8;0;0;0\n0,6;1;0;0,5\n0,5;0;1;-0,25\n' >"$box/spheres.csv"
clump() { # NAME SHAPE
	cat >"$box/$1.scene.yaml" <<EOF
scene: 1
materials: {m: {density: 1 g/cm^3, young: 1 MPa}}
shapes: {s: {clump: {$2}}}
walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}}
fill: [{region: {box: {min: [0, 0, 0], max: [30 mm, 30 mm, 30 mm]}}, count: 20, orientation: random, material: m, shape: s, size: 5 mm}]
run: {until: 2 ms}
EOF
	"$scree" run "$box/$1.scene.yaml" -o "$box/$1" >"$box/out" 2>&1
	hash_of
}
one=$(clump inline 'centers: [[0, 0, 0], [0.5, 0, 0.25], [0, 0.5, -0.125]], radii: [0.4, 0.3, 0.25]')
check "a clump in the scene" test -n "$one"
check "is that of a table, with its scale" test "$(clump listed 'file: spheres.csv, scale: 0.5')" = "$one"
echo "1..$n"
