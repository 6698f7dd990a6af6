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

# a crate of 10 cm x 10 cm x 20 cm from a file, with ten beads in it, or where REGION says
crate() { # FILE KEYS REGION RUN
	cp tests/bad/scenes/crate*.obj "$box/"
	cat >"$box/crate.scene.yaml" <<-TEXT
		scene: 1
		materials: {stone: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}
		shapes: {ball: {sphere: 1}}
		walls: {crate: {mesh: {file: $1$2}, material: stone}}
		fill: [{region: {box: ${3:-{min: [-4 cm, -4 cm, 2 cm], max: [4 cm, 4 cm, 18 cm]\}}}, count: 10, material: stone, shape: ball, size: 1 cm}]
		${4:-run: {until: 1 ms\}}
	TEXT
}
of_mesh() { # WANTED WHAT NOTE: is it in check's words and in a run's, so many times?
	n=$((n + 1))
	checked=$("$scree" check "$box/crate.scene.yaml" 2>&1 | grep -cF "$3")
	started=$("$scree" run "$box/crate.scene.yaml" -o "$box/out" 2>&1 | grep -cF "$3")
	if [ "$checked $started" = "$1 $1" ]; then echo "ok $n - $2"; else
		echo "not ok $n - $2: $checked in check, $started in a run"
		"$scree" check "$box/crate.scene.yaml" 2>&1 | sed 's/^/# /'
	fi
}
crate crate.obj ", flip: true, closed: true"
of_mesh 1 "a closed mesh that holds bodies" "wall crate: 12 facets, 0.1 x 0.1 x 0.2 m from (-0.05, -0.05, 0) m, acts inwards, closed"
of_mesh 0 "nothing to warn of" "warning"
crate crate.obj "" "{min: [20 cm, -4 cm, 2 cm], max: [28 cm, 4 cm, 18 cm]}"
of_mesh 1 "an obstacle" "acts outwards, closed"
of_mesh 0 "nothing to warn of at an obstacle" "warning"
crate crate.obj ", flip: true" "{min: [20 cm, -4 cm, 2 cm], max: [28 cm, 4 cm, 18 cm]}"
of_mesh 1 "an obstacle inside out" "warning: walls.crate: is closed and acts inwards, but holds no body"
crate crate_holed.obj ", flip: true"
of_mesh 1 "a hole" "acts inwards, 3 open edges (the first from "
of_mesh 0 "which may be" "warning"
crate crate_holed.obj ""
of_mesh 1 "an open mesh inside out" "warning: walls.crate: is turned inside out: 10 of 10 bodies are behind it"
crate crate.obj ", flip: true, scale: 1000 m" "{min: [-4 cm, -4 cm, 2 cm], max: [4 cm, 4 cm, 18 cm]}"
of_mesh 1 "millimetres read as metres" "say scale: 1 mm in mesh"
crate crate.obj ", scale: 1 mm" "{min: [20 cm, -4 cm, 2 cm], max: [28 cm, 4 cm, 18 cm]}"
of_mesh 1 "metres read as millimetres" "leave out scale in mesh"
crate crate_twice.obj ", flip: true"
sed -e '$p' tests/bad/scenes/crate.obj >"$box/crate_twice.obj"
of_mesh 1 "a triangle that is there twice" "warning: walls.crate: has left out 1 of the 13 triangles of its file"

# the guard says first through which wall bodies may have gone
blamed() { # WHAT WORDS
	n=$((n + 1))
	"$scree" run "$box/crate.scene.yaml" -o "$box/out" >"$box/said" 2>&1
	code=$?
	if [ $code = 3 ] && grep -qE "$2" "$box/said"; then echo "ok $n - $1"; else
		echo "not ok $n - $1: exit code $code"
		grep error "$box/said" | sed 's/^/# /'
	fi
}
holed() { crate "$1" "$2" "" "$(printf 'world: {gravity: [-10 m/s^2, 0, 0], domain: {min: [-1 m, -1 m, -1 m], max: [1 m, 1 m, 1 m]}}\nrun: {until: 1 s}')"; }
holed crate_holed.obj ", flip: true"
blamed "bodies that left through a hole" "error: wall crate is open at 3 edges, the first from .* m; in mesh, closed: true asks for a wall without holes: body [0-9]+ left the domain"
holed crate_holed.obj ""
blamed "bodies that left a mesh inside out" "error: wall crate acts outwards, and holds nothing; .* flip: true turns it, .* left the domain"
echo "1..$n"
