#!/bin/bash
# Notes of `scree check` and at the start of a run: said where they apply, and nowhere else.
cd "$(dirname "$0")/../.." || exit 70
scree=${SCREE:-build/test/scree}
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
n=0
told() { # WANTED WHAT CONTACT SHAPE [RUN]: is $note among the command's words, 0 or 1 times?
	n=$((n + 1))
	cat >"$box/two.scene.yaml" <<-TEXT
		scene: 1
		title: Two bodies
		materials: {stone: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}
		contacts: {default: {$3}}
		shapes: {$4}
		fill: [{lattice: {spacing: 10 mm}, region: {box: {min: [0 mm, 0 mm, 0 mm], max: [20 mm, 10 mm, 10 mm]}}, material: stone, shape: ${4%%:*}, size: 5 mm}]
		run: {until: 1 ms$5}
	TEXT
	checked=$("$scree" check "$box/two.scene.yaml" | grep -c "$note")
	started=$("$scree" run "$box/two.scene.yaml" -o "$box/out$n" | grep -c "$note")
	if [ "$checked $started" = "$1 $1" ]; then echo "ok $n - $2"; else echo "not ok $n - $2: $checked in check, $started in a run"; fi
}
note='^note: step'
told 0 "damped balls" "restitution: 0.3, friction: 0.4" "ball: {sphere: 1}" ", step: {fraction: 0.04}"
told 1 "damped balls, a long step" "restitution: 0.3, friction: 0.4" "ball: {sphere: 1}" ", step: {fraction: 0.06}"
told 1 "a damping ratio just below 1" "law: linear, stiffness: 1 kN/m, restitution: 0.14, friction: 0.4" "ball: {sphere: 1}"
note='(1/446 of the shortest contact'
told 1 "what gear6 takes where no step is given" "restitution: 0.1, friction: 0.4" "ball: {sphere: 1}" ", integrator: gear6"
echo "1..$n"
