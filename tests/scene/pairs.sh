#!/bin/bash
# needs: test
# Contacts of one pair of materials: its own mapping replaces that of `default` as a whole.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=$(realpath "${SCREE:-build/test/scree}")
pair() { # DEFAULT PAIR: runs a scene with these rules; its resolved rules are in $box/out
	printf '%s\n' 'scene: 1' 'materials: {a: {density: 2500 kg/m^3, young: 5 MPa}, b: {density: 2500 kg/m^3, young: 5 MPa}}' \
		"contacts: {default: $1, a + b: $2}" 'shapes: {ball: {sphere: {diameter: 1}}}' \
		'fill: [{lattice: {spacing: [2 mm, 2 mm, 2 mm], count: [1, 1, 1]}, region: {box: {min: [0, 0, 0], max: [2 mm, 2 mm, 2 mm]}}, material: a, shape: ball, size: 1 mm}]' \
		'run: {until: 1e-5 s, step: 1e-6 s}' >"$box/pair.scene.yaml"
	rm -rf "$box/pair"
	"$scree" run "$box/pair.scene.yaml" -o "$box/pair" >"$box/log" 2>&1
	code=$?
	cp "$box/pair/pair.resolved.scene.yaml" "$box/out" 2>/dev/null || cp "$box/log" "$box/out"
	return $code
}
plastic='{law: plastic, stiffness: 10 kN/m, plastic: {unloading: 1000 kN/m, adhesion: 3 kN/m}}'
check "a pair has its own plastic law" pair "$plastic" '{plastic: {unloading: 20 kN/m}}'
check "which is the one in use" says "unloading: 20000"
check "beside that of default" says "unloading: 1000000"
check "whose adhesion it does not have" test "$(grep -c 'adhesion: 3000' "$box/out")" -eq 1
check "a pair has other keys of default" pair "$plastic" '{friction: 0.1}'
check "with its mapping" test "$(grep -c 'adhesion: 3000' "$box/out")" -eq 2
check "a pair has its own cohesion" pair '{cohesion: {dmt: 0.2 J/m^2}}' '{cohesion: {dmt: 0.1 J/m^2}}'
check "of its own size" says "dmt: 0.1"
check "a pair has another kind of cohesion" pair '{cohesion: {dmt: 0.2 J/m^2}}' '{cohesion: {capillary: {tension: 50 mN/m, volume: 1e-13 m^3}}}'
check "and the other way round" pair '{cohesion: {capillary: {tension: 50 mN/m, volume: 1e-13 m^3}}}' '{cohesion: {dmt: 0.1 J/m^2}}'
check "a pair has its own power law" pair \
	'{law: power, power: {overlap: 10 um, force: 1 N, damping: 0.1 kg/s}}' '{power: {overlap: 10 um, force: 2 N}}'
check "without the damping of default" test "$(grep -c "damping: 0.1" "$box/out")" -eq 1
echo "1..$n"
