#!/bin/bash
# needs: test
# Memory of worlds on a device, as a packing, as `scree check` prints it: not more than on the day on which each limit was
# written.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
keep_kernels
# bodies that touch along x and z; cubes that also touched along y would have more rows than a packing
cat >"$box/lattice.scene.yaml" <<END
scene: 1
title: Bodies on a lattice
let: {n: 60}
world: {gravity: [0, 0, -1 m/s^2]}
materials: {grain: {density: 1 kg/m^3, young: 100 kPa, poisson: 0.3}}
contacts: {default: {law: hertz, restitution: 0.5, friction: 0.5}}
shapes: {grain: {sphere: 1}}
walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: grain}}
fill:
  - region: {box: {min: [0, 0, 0], max: [= n * 1 m, = n * 2 m, = n * 1 m]}}
    lattice: {spacing: [0.9995 m, 1.1 m, 0.9995 m], count: [= n, = n, = n]}
    material: grain
    shape: grain
    size: 1 m
run: {until: 1 s, guard: {overlap: 90 %}}
END
needs() { # WHAT BODIES BYTES SET...: at most so many bytes per body
	local sets=() s
	for s in "${@:4}"; do sets+=(--set "$s"); done
	"$SCREE" check "$box/lattice.scene.yaml" --machine opencl "${sets[@]}" >"$box/out" 2>&1
	check "$1: at most $3 bytes per body" awk -v bodies="$2" -v most="$3" '
		/^[0-9]+ bodies/ { right = $1 == bodies }
		/^machine / { for (k = 3; k <= NF; ++k) if ($k == "as") bytes = 1e6 * $(k - 2) / bodies }
		END { exit !(right && bytes > 100 && bytes <= most) }' "$box/out"
}
cubes='shapes.grain={regular: cube}'
needs "a million spheres" 1000000 1100 let.n=100
# with records of the narrow phase, a gigabyte for any number
needs "cubes" 216000 7500 "$cubes"
if ! in_short; then
	needs "cubes by overlap" 216000 7500 "$cubes" 'contacts.default={law: overlap, restitution: 0.5, friction: 0.5}'
	needs "a million cubes" 1000000 3150 let.n=100 "$cubes"
fi
echo "1..$n"
