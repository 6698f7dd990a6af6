#!/bin/bash
# needs: test
# Steps on a device (PoCL, which runs on the processor) of spheres at walls of each form, which rest, move and are moved by
# forces, with a ball whose sums are wide, a held bead, a source and sinks: the hashes of the processor's steps, and the
# same message if a body goes through a wall. The same in periodic space, which may be sheared.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=${SCREE:-build/test/scree}
keep_kernels
cp tests/machine/pocl/funnel.scene.yaml scenes/chute.obj "$box"
run() { # MACHINE ARGUMENT...: hash and message
	"$scree" run --machine "$1" -o "$box/$1" --overwrite --quiet --set "run.until=1000 s" --set 'output={}' "${@:2}" 2>&1 |
		grep -E '^(hash|scree: error)'
}
both() { # ARGUMENT...
	run cpu "$@" >"$box/here"
	run opencl "$@" >"$box/out"
}
alike() { grep -q '^hash' "$box/out" && cmp -s "$box/here" "$box/out"; }
finished() { alike && ! says "scree: error"; }
same() { # WHAT ARGUMENT...
	both "${@:2}"
	check "$1: the same hash" finished
}
funnel=$box/funnel.scene.yaml
same "all forms of walls" "$funnel" --steps 2000
"$scree" bench "$box/opencl/funnel.snap" --steps 100 --machine opencl >"$box/out" 2>&1
steps=$(sed -n 's/^device_steps \([0-9]*\) .*/\1/p' "$box/out")
check "the device makes most of the steps" test "${steps:-0}" -gt 80
lid='walls.lid={plane: {point: [0, 0, 195 mm], normal: [0, 0, -1]}, material: glass, motion:'
same "a servo" "$funnel" --steps 400 --set sources=[] --set "$lid {servo: {force: 200 N, max_speed: 9 m/s}}}"
same "a free wall, and one with two sides" "$funnel" --steps 400 --set sources=[] \
	--set "$lid {free: {mass: 20 g, along: [0, 0, -1], speed: 9 m/s}}, two_sided: true}"
same "a wheel that beads turn" "$funnel" --steps 1200 --set 'walls.funnel.motion={wheel: {inertia: 2e-4 kg*m^2}}'
both "$funnel" --steps 2400 \
	--set 'walls.post.cylinder={center: [12 mm, 0, 118 mm], axis: x, radius: 15 mm, length: 24 mm, side: outside}'
check "a bead that comes from behind a wall: the same hash and message" alike
check "which stops the run" says "went through wall post"
same "a gas in periodic space above a shaken floor, with a sheet" scenes/shaken_gas.scene.yaml --steps 1500 \
	--set 'materials={brass: {density: 8500 kg/m^3, young: 50 MPa}, plate: {density: 8000 kg/m^3, young: 50 MPa}}' \
	--set 'walls.sheet={polygon: {points: [[10 mm, 10 mm, 30 mm], [34 mm, 10 mm, 30 mm], [34 mm, 34 mm, 40 mm], [10 mm, 34 mm, 40 mm]]}, material: plate, two_sided: true}' \
	--set 'run={until: 1 s, step: {fraction: 0.03}, guard: {overlap: 20 %}}'
same "sheared periodic space" scenes/periodic_shear.scene.yaml --steps 1500
"$scree" run --machine opencl -o "$box/no" scenes/periodic_cell.scene.yaml >"$box/out" 2>&1
check "a cell that changes size is refused" says "machine opencl has no kernels for cells that change size"
if ! in_short; then
	for scene in hopper crater oedometer gate mixer vane lifted_cylinder wheel brazil_nut tablet; do
		same "$scene" examples/$scene.scene.yaml --steps 6000
	done
	same "a conical hopper" scenes/cone_hopper.scene.yaml --steps 6000
fi
echo "1..$n"
