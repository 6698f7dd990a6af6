#!/bin/bash
# needs: test
# Keys as users of other codes write them: the message shows the spelling of scree, which then runs.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=$(realpath "${SCREE:-build/test/scree}")
floor='v -1 -1 0\nv 1 -1 0\nv 1 1 0\nf 1 2 3\n'
# shellcheck disable=SC2059
printf "$floor" >"$box/floor.obj"
run() { # KEYS...: a scene with these lines
	printf '%s\n' 'scene: 1' 'let: {L: 6 mm}' 'materials: {glass: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}}' \
		'shapes: {ball: {sphere: {diameter: 1}}}' "$@" >"$box/wanted.scene.yaml"
	(cd "$box" && "$scree" run wanted.scene.yaml -o out_dir --overwrite) >"$box/out" 2>&1
	code=$?
}
is() { [ "$code" = "$1" ]; }
said() { is "$1" && says "$2"; }

# ------------------------------------------------------------------ shares by mass, and more than random positions give
region='region: {box: {min: [0, 0, 0], max: [= L, = L, = L]}}'
fill() { # KEYS [AMOUNT]: of a fill of that box
	run 'walls: {box: {box: {min: [0, 0, 0], max: [= L, = L, = L]}, material: glass}}' \
		"fill: [{$region, ${2-solid_fraction: 0.45,} material: glass, $1}]" 'run: {until: 0}'
}
fill 'mix: [{shape: ball, mass_fraction: 1, size: 1 mm}]'
check "mass_fraction: mass_share is shown" said 2 'write mass_share, a fraction of the mass'
fill 'count: 190, by: mass, mix: [{shape: ball, share: 70, size: 1 mm}]' ''
check "a number that is too dense for random positions" said 2 'use dense: true, fewer bodies'
fill 'mix: [{shape: ball, mass_share: 70, size: 1 mm}]'
check "then it runs" is 0

# ------------------------------------------------------------------ a sieve curve as one value
fill 'shape: ball, size: {sieve: 1 mm}'
check "a sieve curve as one value: rows are shown" said 2 'for example, sieve: [[1 mm, 0], [2 mm, 20 %], [4 mm, 100 %]]'
fill 'shape: ball, size: {sieve: [[1 mm, 0], [1.2 mm, 20 %], [1.4 mm, 100 %]]}'
check "then it runs" is 0

# ------------------------------------------------------------------ walls moved by loads
walls() { # MOTION: of a wheel, next to a belt, without bodies
	run 'walls:' "  wheel: {mesh: {file: floor.obj}, material: glass, motion: $1}" \
		'  belt: {mesh: {file: floor.obj}, material: glass, motion: {surface_velocity: [1 m/s, 0, 0]}}' 'run: {until: 0}'
}
walls '{inertia: 1e-3 kg*m^2, about: y, damper: 1 N*m*s}'
check "a damper: free and wheel are shown" said 2 'write free: {damper: 1 N*m*s} (moves along'
check "with the value of the scene" says 'or wheel: {damper: 1 N*m*s} (turns about an axis, driven by the torques on the wall'
check "the axis is no mistake of its own" not says "'about'"
walls '{torque: 0.1 N*m, about: y}'
check "a torque: its moment of inertia and a servo are shown" said 2 'add inertia: 1e-3 kg*m^2, or write servo: {torque: ..}'
walls '{torque: 0.1 N*m, about: y, inertia: 1e-3 kg*m^2}'
check "then it runs, without a step" is 0
walls '{servo: {torque: 0.1 N*m, axis: y, inertia: 1e-3 kg*m^2, max_angular_velocity: 1 rad/s}}'
check "so does the servo" is 0

# ------------------------------------------------------------------ only walls, continued
lid='walls: {lid: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: glass, motion: {vibration: {amplitude: [0, 0, 1 mm], frequency: 10 Hz}}}}'
go_on() { # SETS...: from the start of the scene
	rm -rf "$box/on"
	(cd "$box" && "$scree" run --resume out_dir/wanted.snap -o on "$@") >"$box/out" 2>&1
	code=$?
}
run "$lid" 'run: {until: 0}'
check "walls alone are shown without a step" is 0
go_on --set 'run.until=2.5 s'
check "without a step they do not go on" said 2 'so it has no step, and run.step.time must be given'
check "and write no state" test ! -e "$box/on/wanted.snap"
go_on --set 'run.until=25 ms' --set run.step.time=1ms
check "with the step they do" is 0
check "in steps of this length" test "$("$scree" hash "$box/on/wanted.snap" --json | /usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["steps"])')" = 25
run "$lid" 'run: {until: 0, response: elastic}'
go_on --set 'run.until=2.5 s'
check "nor do they with a response by impulses" said 2 'run.step.time must be given'
run "$lid" 'run: {until: 0, step: 1 ms}'
go_on --set 'run.until=25 ms'
check "so they do with a step of the scene" is 0

# ------------------------------------------------------------------ a wall for one species
printf 'x,y,z,material\n0,0,0.02,a\n0.1,0,0.02,b\n' >"$box/s.csv"
gate() { # KEYS RULE
	cat >"$box/gate.scene.yaml" <<-END
		scene: 1
		world: {gravity: [0, 0, 0]}
		materials:
		  a: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}
		  b: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}
		  gate: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}
		contacts: {default: {law: hertz, restitution: 0.9, friction: 0}$2}
		shapes: {ball: {sphere: {diameter: 1}}}
		walls: {gate: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, two_sided: true, material: gate$1}}
		fill: [{from: s.csv, shape: ball, size: 10 mm, velocity: [0, 0, -0.2 m/s]}]
		run: {until: 0.3 s, guard: {overlap: 0}}
		output: {bodies: {every: 0.3 s}}
	END
	(cd "$box" && "$scree" run gate.scene.yaml -o gate --overwrite) >"$box/out" 2>&1
	code=$?
}
gate '' ', b + gate: {law: linear, stiffness: 1e-15 N/m}'
check "a contact of no stiffness is no way through a wall: only is named" said 3 'name the materials that the wall stops: walls.gate.only'
gate ', only: [a]' ''
check "with it the run ends" is 0
check "one body is thrown back, the other has passed" awk -F, '/^[0-9]/ && $1 > 0.29 { k += $NF == "a" ? $5 > 0.04 : $5 < -0.03 } END { exit k != 2 }' \
	"$box/gate/gate_bodies.csv"
echo "1..$n"
