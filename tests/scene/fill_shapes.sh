#!/bin/bash
# Random fills test shapes, not the spheres around them: tetrapods as compounds, as surfaces with a halo and as clumps
# fill more of a region than their bounding spheres would allow, and none of them overlap at the start.
cd "$(dirname "$0")/../.." || exit 70
scree=$(realpath "${SCREE:-build/test/scree}")
mesh=$(realpath examples/meshes/tetrapod.obj)
source tests/checks.sh
cp "$mesh" "$box/tetrapod.obj"
cd "$box" || exit 70
fill() { # SHAPE FRACTION SIDE MORE
	cat >scene.yaml <<-TEXT
		scene: 1
		world: {gravity: [0, 0, 0]$5}
		materials: {stone: {density: 2600 kg/m^3, young: 5 MPa}}
		shapes: {pod: {$1}, brick: {box: [1, 1, 0.3]}, ball: {sphere: 0.6}}
		fill: [{region: {box: {min: [0, 0, 0], max: [$3, $3, $3]}}, solid_fraction: $2, material: stone, orientation: random, mix: [{shape: pod, size: 2 cm}$4]}]
		run: {until: 0.1 ms}
	TEXT
	within 100 "$scree" check scene.yaml >out 2>&1
	code=$?
}
ends() { test $code = "$1"; }
shapes=("mesh: {file: tetrapod.obj, as: compound}")
campaign && shapes+=("mesh: {file: tetrapod.obj, as: surface}" "clump: {file: tetrapod.obj, count: 8}")
for shape in "${shapes[@]}"; do
	fill "$shape" 0.12 "12 cm" ""
	check "$shape: 12 % of the region" ends 0
	check "  without overlap" not says "overlap before the first step"
	fill "$shape" 0.6 "4 cm" ""
	check "$shape: 60 % are refused" ends 2
	check "  with what was found" says "no free position was found"
	fill "$shape" 0.10 "10 cm" ", {shape: brick, size: 1 cm}, {shape: ball, size: 1 cm}"
	check "$shape with bricks and balls: 10 %" ends 0
	check "  without overlap" not says "overlap before the first step"
	within 100 "$scree" run scene.yaml -t 1 --overwrite -o first >one 2>&1
	within 100 "$scree" run scene.yaml -t 2 --overwrite -o second >two 2>&1
	check "  the same on two threads" test -n "$(grep '^hash' one)" -a "$(grep '^hash' one)" = "$(grep '^hash' two)"
done
side=$(campaign && echo "12 cm" || echo "8 cm")
fill "mesh: {file: tetrapod.obj, as: compound}" 0.12 "$side" "" ", domain: {min: [0, 0, 0], max: [$side, $side, $side]}, periodic: [x, y, z]"
check "in space that repeats: 12 %" ends 0
check "  without overlap" not says "overlap before the first step"
echo "1..$n"
