#!/bin/bash
# Each broken scene and each broken mesh, given to the command: exit code 2, and the message in its .expected file.
cd "$(dirname "$0")/../.." || exit 70
scree=${SCREE:-build/test/scree}
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
n=0
source tests/drawn.sh
refused() { # FILE WORDS: tests whether "$box/said" and $code are as expected; WORDS: a file
	n=$((n + 1))
	if [ "$code" = 2 ] && grep -qF -f "$2" "$box/said" && [ ! -s "$box/out" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		echo "# exit code $code"
		sed 's/^/# /' "$box/said" "$box/out"
	fi
}

scenes=0 meshes=0
for scene in tests/bad/scenes/*.scene.yaml; do
	scenes=$((scenes + 1))
	chosen || continue
	"$scree" check "$scene" >"$box/out" 2>"$box/said"
	code=$?
	cmp -s "${scene%.scene.yaml}.expected" "$box/said" || code="$code, other words"
	grep -m1 ' error: ' "${scene%.scene.yaml}.expected" >"$box/words"
	refused "$scene" "$box/words"
done

for mesh in tests/bad/meshes/*; do
	[ "${mesh%.expected}" = "$mesh" ] || continue
	meshes=$((meshes + 1))
	chosen || continue
	cp "$mesh" "$box/"
	cat >"$box/mesh.scene.yaml" <<-TEXT
		scene: 1
		title: A wall that cannot be read
		materials: {stone: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}
		contacts: {default: {law: linear, stiffness: 1e4 N/m, restitution: 0.5, friction: 0.4}}
		shapes: {ball: {sphere: 1}}
		walls: {chute: {mesh: {file: $(basename "$mesh")}, material: stone}}
		fill: [{name: grains, lattice: {spacing: 10 mm}, region: {box: {min: [0 mm, 0 mm, 0 mm], max: [20 mm, 20 mm, 20 mm]}}, count: 8, material: stone, shape: ball, size: 5 mm}]
		run: {until: 1 s}
	TEXT
	"$scree" check "$box/mesh.scene.yaml" >"$box/out" 2>"$box/said"
	code=$?
	refused "$mesh" "$mesh.expected"
done
if [ $scenes -ge 60 ] && [ $meshes -ge 30 ]; then echo "ok $((n + 1)) - $scenes scenes, $meshes meshes"; else echo "not ok $((n + 1)) - only $scenes scenes, $meshes meshes"; fi
echo "1..$((n + 1))"
