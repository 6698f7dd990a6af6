#!/bin/bash
# Bodies by mass, by sieve curves and of several materials: one hash for any number of threads and ranks, resumed or not,
# and from the resolved scene.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=$(realpath "${SCREE:-build/test/scree}")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
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
    size: {sieve: {file: curve.csv}}
run: {until: 6 ms}
output: {history: {every: 2 ms}}
EOF
hash_of() { grep -o "^hash [0-9a-f]*" "$box/out"; }
"$scree" run "$box/rain.scene.yaml" -q -t 1 -o "$box/one" >"$box/out" 2>&1
one=$(hash_of)
check "a run ends" test -n "$one"
"$scree" run "$box/rain.scene.yaml" -q -t 3 -o "$box/three" >"$box/out" 2>&1
check "the same hash with three threads" test "$(hash_of)" = "$one"
cp "$box/one/rain.resolved.scene.yaml" "$box/again.scene.yaml"
"$scree" run "$box/again.scene.yaml" -q -o "$box/again" >"$box/out" 2>&1
check "and from the resolved scene" test "$(hash_of)" = "$one"
"$scree" run "$box/rain.scene.yaml" -q --steps 300 -o "$box/part" >"$box/out" 2>&1
"$scree" run --resume "$box/part/rain.snap" -q >"$box/out" 2>&1
check "and resumed" test "$(hash_of)" = "$one"
if "$scree" --version 2>&1 | grep -qi mpi || [ -x "$SCREE_BUILD/tests/ranks_by_mpi" ]; then
	within 120 mpirun -n 3 "$scree" run "$box/rain.scene.yaml" -q -o "$box/ranks" >"$box/out" 2>&1
	check "and on three ranks" test "$(hash_of)" = "$one"
fi
echo "1..$n"
