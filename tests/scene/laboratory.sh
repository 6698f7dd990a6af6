#!/bin/bash
# Experiments from users of other codes: each is written only in the scene language, and its result is known.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=${SCREE:-build/test/scree}
stuff='materials: {glass: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}}
contacts: {default: {law: hertz, restitution: 0.5, friction: 0.3}}
shapes: {ball: {sphere: {diameter: 1}}}'
run_of() { # NAME: the scene on standard input
	cat >"$box/$1.scene.yaml"
	"$scree" run "$box/$1.scene.yaml" -o "$box/$1" >"$box/out" 2>&1
	check "$1 runs" test $? -eq 0
}
last() { # FILE COLUMN: its value in the last row
	awk -F, -v want="$2" '!/^#/ { if (!n++) { for (i = 1; i <= NF; ++i) if ($i == want) c = i } else value = $c } END { print value }' "$1"
}
near() { # VALUE WANTED SLACK
	awk -v a="$1" -v b="$2" -v s="$3" 'BEGIN { exit !(a != "" && a >= b - s && a <= b + s) }'
}

# ------------------------------------------------------------------ periodic cells
cell() { # KEYS OF THE WORLD
	cat <<-TEXT
		scene: 1
		world: {gravity: [0, 0, 0], domain: {min: [0, 0, 0], max: [18 mm, 18 mm, 18 mm]}, periodic: [x, y, z], $1}
		$stuff
		fill: [{region: {box: {min: [0, 0, 0], max: [18 mm, 18 mm, 18 mm]}}, solid_fraction: 0.3, material: glass, shape: ball, size: 4 mm}]
		output: {history: {every: 5 ms}}
		run: {until: 50 ms}
	TEXT
}
run_of strain < <(cell 'strain_rate: [-1 1/s, 0 1/s, 0 1/s]')
check "the cell has the strain of its rate" near "$(last "$box/strain/strain_history.csv" strain_x)" -0.05 1e-4
check "and no other" near "$(last "$box/strain/strain_history.csv" strain_y)" 0 1e-12
run_of stress < <(cell 'servo: {stress: [10 kPa, 10 kPa, 10 kPa], max_rate: 20 1/s}')
for axis in xx yy zz; do
	check "the cell has its stress $axis" near "$(last "$box/stress/stress_history.csv" "stress_$axis")" 10000 2000
done

# ------------------------------------------------------------------ dense fills
solid=0.55 count=538 mass=704
if in_short; then solid=0.45 count=441 mass=576; fi
fill() { # KEYS
	cat <<-TEXT
		scene: 1
		$stuff
		walls: {box: {box: {min: [0, 0, 0], max: [8 mm, 8 mm, 8 mm]}, material: glass}}
		fill: [{region: {box: {min: [0, 0, 0], max: [8 mm, 8 mm, 8 mm]}}, solid_fraction: $solid, dense: true, material: glass, $1}]
		output: {bodies: {every: 1 ms}}
		run: {until: 0}
	TEXT
}
bodies() { awk -F, '!/^#/ && n++' "$box/$1/$1_bodies.csv"; }
run_of share < <(fill 'by: mass, mix: [{shape: ball, share: 1, size: 1 mm}]')
check "this part of the box is solid" test "$(bodies share | wc -l)" -eq $count
run_of sieve < <(fill 'shape: ball, size: {sieve: {size: [0.8 mm, 1 mm, 2 mm], passing: [0, 20 %, 100 %]}}')
masses() { # of all bodies, and of those below 1 mm, in mg
	awk -F, '!/^#/ { if (!n++) { for (i = 1; i <= NF; ++i) { if ($i == "mass") m = i; if ($i == "size") s = i } } else { all += $m; if ($s < 1e-3) fine += $m } } END { print 1e6 * all, fine / all }' "$box/sieve/sieve_bodies.csv"
}
read -r all fine <<<"$(masses)"
check "so are those by a sieve curve" near "$all" $mass 5
check "a fifth of the mass passes the sieve" near "$fine" 0.2 0.02

# ------------------------------------------------------------------ walls
cat >"$box/floor.obj" <<-TEXT
	v -1 -1 0
	v 1 -1 0
	v 1 1 0
	f 1 2 3
TEXT
run_of walls <<-TEXT
	scene: 1
	$stuff
	walls:
	  wheel: {mesh: {file: floor.obj, move: [0, 0, -0.5 m]}, material: glass, motion: {wheel: {torque: 0.1 N*m, about: y, inertia: 1e-3 kg*m^2}}}
	  belt: {mesh: {file: floor.obj}, material: glass, motion: {surface_velocity: [1 m/s, 0, 0]}}
	fill: [{lattice: {spacing: 10 mm}, region: {box: {min: [0, -0.5 m, 0], max: [10 mm, -0.49 m, 10 mm]}}, material: glass, shape: ball, size: 10 mm}]
	output: {bodies: {every: 1 ms}, walls: {every: 1 ms}}
	run: {until: 20 ms}
TEXT
grep -v ",belt," "$box/walls/walls_walls.csv" >"$box/wheel.csv"
check "a torque turns a wall by its moment of inertia" near "$(last "$box/wheel.csv" wy)" 2 0.01
check "friction moves a body on a belt" near "$(last "$box/walls/walls_bodies.csv" vx)" 0.058 0.003

# ------------------------------------------------------------------ pressure on the faces between planes
faces() { # NAME WORLD WALLS
	run_of "$1" <<-TEXT
		scene: 1
		world: {gravity: [0, 0, 0]$2}
		$stuff
		walls:
		  lid: {plane: {point: [0, 0, 10 mm], normal: [0, 0, -1]}, material: glass, motion: {servo: {force: 0.2 N, max_speed: 1 cm/s}}}
		$3
		fill: [{lattice: 10 mm, region: {box: {min: [0, 0, 0], max: [10 mm, 10 mm, 10 mm]}}, material: glass, shape: ball, size: 10 mm}]
		output: {walls: {every: 0.1 s}}
		run: {until: 0.1 s}
	TEXT
}
pressure_on() { # NAME WALL
	grep ",$2," "$box/$1/$1_walls.csv" | tail -n 1 | cut -d, -f15
}
faces box '' '  box: {box: {min: [-2 mm, -5 mm, 0], max: [18 mm, 15 mm, 50 mm], open: [z_max]}, material: glass}
  roof: {plane: {point: [0, 0, 40 mm], normal: [0, 1, -1]}, material: glass}'
check "pressure on the bottom of a box" near "$(pressure_on box box.z_min)" 500 5
check "and on a lid" near "$(pressure_on box lid)" 500 5
check "none on its sides" test "$(pressure_on box box.x_min)" = 0
check "a plane that is inclined has no area" test "$(pressure_on box roof)" = nan
faces open '' '  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: glass}'
check "nor has a plane that nothing bounds" test "$(pressure_on open floor)" = nan
faces cell ', domain: {min: [0, 0, -1 mm], max: [25 mm, 40 mm, 50 mm]}, periodic: [x, y]' '  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: glass}'
check "periods bound it" near "$(pressure_on cell floor)" 200 2

# ------------------------------------------------------------------ a wall that acts on only one species
printf 'x,y,z,material\n0,0,0.02,a\n0.1,0,0.02,b\n' >"$box/two.csv"
run_of gate <<-TEXT
	scene: 1
	world: {gravity: [0, 0, 0]}
	materials: {a: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}, b: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}}
	contacts: {default: {law: hertz, restitution: 0.9, friction: 0}}
	shapes: {ball: {sphere: {diameter: 1}}}
	walls: {gate: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, two_sided: true, material: a, only: [a]}}
	fill: [{from: two.csv, shape: ball, size: 10 mm, velocity: [0, 0, -0.2 m/s]}]
	output: {bodies: {every: 0.3 s}}
	run: {until: 0.3 s}
TEXT
speed_of() { awk -F, -v m="$1" '!/^#/ { if (!n++) { for (i = 1; i <= NF; ++i) { if ($i == "vz") v = i; if ($i == "material") c = i } } else if ($c == m) value = $v } END { print value }' "$box/gate/gate_bodies.csv"; }
check "a body that feels it bounces" near "$(speed_of a)" 0.18 0.002
check "another one passes" near "$(speed_of b)" -0.2 1e-12
echo "1..$n"
