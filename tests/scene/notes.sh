#!/bin/bash
# Notes of `scree check` and at the start of a run: printed where they apply, and nowhere else.
cd "$(dirname "$0")/../.." || exit 70
. tests/drawn.sh
scree=${SCREE:-build/test/scree}
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
n=0
told() { # WANTED WHAT CONTACT SHAPE [RUN]: tests whether the command prints $note 0 or 1 times
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
told 1 "damped balls, a step that is allowed to be too long" "law: linear, stiffness: 1 kN/m, restitution: 0.14, friction: 0.4" "ball: {sphere: 1}" ", step: {fraction: 0.02, unsafe: true}"
told 0 "one that is allowed to be, and is not" "restitution: 0.3, friction: 0.4" "ball: {sphere: 1}" ", step: {fraction: 0.06, unsafe: true}"
told 0 "a damping ratio just below 1" "law: linear, stiffness: 1 kN/m, restitution: 0.14, friction: 0.4" "ball: {sphere: 1}"
note='^warning: liquid bridges of stone + stone have'
told 1 "liquid bridges of a hundredth of the cube of the radius" "cohesion: {capillary: {tension: 72 mN/m, volume: 1.6e-10 m^3}}" "ball: {sphere: 1}"
told 0 "bridges of a thousandth" "cohesion: {capillary: {tension: 72 mN/m, volume: 1.6e-11 m^3}}" "ball: {sphere: 1}"
note='(1/558 of the shortest contact'
told 1 "what gear6 takes where no step is given" "restitution: 0.1, friction: 0.4" "ball: {sphere: 1}" ", integrator: gear6"

# a crate of 10 cm x 10 cm x 20 cm from a file, with ten beads in it, or in REGION
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
of_mesh() { # WANTED WHAT NOTE: tests whether check and a run print it this number of times
	n=$((n + 1))
	checked=$("$scree" check "$box/crate.scene.yaml" 2>&1 | grep -cF "$3")
	started=$("$scree" run "$box/crate.scene.yaml" --overwrite -o "$box/out" 2>&1 | grep -cF "$3")
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
of_mesh 1 "an obstacle inside out" "warning: walls.crate: is closed and acts inwards, but no body is inside"
crate crate_holed.obj ", flip: true"
of_mesh 1 "a hole" "acts inwards, 3 open edges (the first from "
of_mesh 0 "which may be" "warning"
crate crate_holed.obj ""
of_mesh 1 "an open mesh inside out" "warning: walls.crate: is inside out: 10 of 10 bodies are behind it"
crate crate.obj ", flip: true, scale: 1000 m" "{min: [-4 cm, -4 cm, 2 cm], max: [4 cm, 4 cm, 18 cm]}"
of_mesh 1 "millimetres read as metres" "set scale: 1 mm in mesh"
crate crate.obj ", scale: 1 mm" "{min: [20 cm, -4 cm, 2 cm], max: [28 cm, 4 cm, 18 cm]}"
of_mesh 1 "metres read as millimetres" "leave out scale in mesh"
crate crate_twice.obj ", flip: true"
sed -e '$p' tests/bad/scenes/crate.obj >"$box/crate_twice.obj"
of_mesh 1 "a triangle that is there twice" "warning: walls.crate: omits 1 of the 13 triangles of its file"

# the guard first names the wall that bodies may have passed
blamed() { # WHAT WORDS
	n=$((n + 1))
	"$scree" run "$box/crate.scene.yaml" --overwrite -o "$box/out" >"$box/said" 2>&1
	code=$?
	if [ $code = 3 ] && grep -qE "$2" "$box/said"; then echo "ok $n - $1"; else
		echo "not ok $n - $1: exit code $code"
		grep error "$box/said" | sed 's/^/# /'
	fi
}
holed() { crate "$1" "$2" "" "$(printf 'world: {gravity: [-10 m/s^2, 0, 0], domain: {min: [-1 m, -1 m, -1 m], max: [1 m, 1 m, 1 m]}}\nrun: {until: 1 s}')"; }
holed crate_holed.obj ", flip: true"
blamed "bodies that left through a hole" "error: wall crate is open at 3 edges, the first from .* m; in mesh, closed: true requires a wall without holes: body [0-9]+ left the domain"
holed crate_holed.obj ""
blamed "bodies that left a mesh inside out" "error: wall crate is inside out: .*flip: true in mesh, .* went through wall crate .* from behind"
said() { # WANTED WHAT COMMAND...: tests whether the command prints $note on this number of lines
	n=$((n + 1))
	local wanted=$1 what=$2 found
	shift 2
	found=$("$@" 2>&1 | grep -c "$note")
	if [ "$found" = "$wanted" ]; then echo "ok $n - $what"; else echo "not ok $n - $what: $found times"; fi
}

# bodies that overlap from the start: 5 mm apart, or as given
near() { # SPACING [SIZE]
	cat >"$box/near.scene.yaml" <<-TEXT
		scene: 1
		world: {gravity: [0, 0, -9.81 m/s^2]}
		materials: {stone: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}
		shapes: {ball: {sphere: {diameter: 1}}}
		walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: stone}}
		fill: [{lattice: {spacing: $1}, region: {box: {min: [0 mm, 0 mm, 0 mm], max: [2*$1, $1, 5.05 mm]}}, material: stone, shape: ball, size: ${2:-5 mm}}]
		run: {until: 1 ms}
	TEXT
	sed -i "s/2\*$1/= 2*$1/; s/spacing: $1/spacing: [$1, $1, 5 mm]/" "$box/near.scene.yaml"
}
near "5 mm"
note='^warning: .*\(rain\|place\|room\|domain\|region\)'
said 0 "bodies that touch and do not overlap" "$scree" check "$box/near.scene.yaml"
near "4.5 mm"
note='^warning: bodies overlap before the first step by up to 10 % of the smaller one (body 1 and body 2; 1 such contacts): contacts store [0-9.e-]* J, which the run releases; these two separate at up to [0-9.]* m/s$'
said 1 "10 % of overlap at the start, in check" "$scree" check "$box/near.scene.yaml"
said 1 "and in a run" "$scree" run "$box/near.scene.yaml" --overwrite -o "$box/out"
said 0 "but not where it goes on" "$scree" run --resume "$box/out/near.snap" --set run.until=2e-3
# balls of 5 mm fall by their size in sqrt(d/g) = 22.6 ms; the rest follows from the step
near "6 mm"
"$scree" check "$box/near.scene.yaml" >"$box/said"
note="^clocks: contact $(sed -nE 's/^step .* ([0-9.e-]+) s\), .*/\1/p' "$box/said" | xargs printf %.2g) s, flow 0.023 s, run 0.001 s: $(sed -nE 's/^step .*, ([0-9]+) steps until .*/\1/p' "$box/said") steps by forces (this scene)"
note="$note; contacts are not short compared with the flow, so their waves and restitution matter: keep response: forces\$"
said 1 "contact, flow and run are compared" "$scree" check "$box/near.scene.yaml"
# stiffer contacts are short; the numbers of steps are those of these responses
stiff() { "$scree" check "$box/near.scene.yaml" --set 'run.until=1 s' --set 'materials.stone.young=100 MPa' --set run.response="$1"; }
steps() { stiff "$1" | sed -nE 's/^step .*, ([0-9]+) steps until .*/\1/p'; }
for response in forces implicit; do
	note="^clocks: .*: $(steps forces) steps by forces, $(steps implicit) by response: implicit, $(steps hard) by hard; scree compare shows whether they agree\$"
	note=$(sed -E "s/( $response)([,;]) /\1 (this scene)\2 /" <<<"$note")
	said 1 "steps of each response, in a scene by $response" stiff $response
done
note='^clocks: .* flow 0.005 s'
said 1 "at the speed of bodies, if that is more" "$scree" check "$box/near.scene.yaml" --set 'fill.0.velocity=[0, 0, -1 m/s]'
note='^clocks: .* flow 0.0025 s'
said 1 "or of walls" "$scree" check "$box/near.scene.yaml" --set 'walls.floor.motion={velocity: [0, 0, 2 m/s]}'
note='^clocks: .* flow 0.023 s'
said 1 "unless they move for a short time" "$scree" check "$box/near.scene.yaml" --set 'walls.floor.motion={velocity: [0, 0, 2 m/s], until: 0.05 ms}'
near "6 mm" "5.2 mm"
note='^warning: bodies overlap before the first step by up to [0-9.]* % of the smaller one (body 1 and wall floor; 2 such'
said 1 "overlap with a wall" "$scree" check "$box/near.scene.yaml"

# a source between five planes; NAME of the region's height, more for its row, and for the wall's
feed() { # LOW MORE MOTION
	cat >"$box/feed.scene.yaml" <<-TEXT
		scene: 1
		world: {gravity: [0, 0, -9.81 m/s^2], domain: {min: [-1 m, -1 m, -1 m], max: [1 m, 1 m, 40 mm]}}
		materials: {stone: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}
		shapes: {ball: {sphere: {diameter: 1}}}
		walls: {tray: {box: {min: [0, 0, 0], max: [12 mm, 12 mm, 30 mm], open: [z_max]}, material: stone$3}}
		sources: [{name: rain, region: {box: {min: [0, 0, $1], max: [12 mm, 12 mm, $1+8 mm]}}, material: stone, shape: ball, size: 5 mm, $2}]
		run: {until: 0.15 s}
	TEXT
	sed -i "s/\($1+8 mm\)/= \1/" "$box/feed.scene.yaml"
}
note='^warning: .*\(rain\|place\|room\|domain\|region\)'
feed "20 mm" "rate: 20 1/s, count: 3" ""
said 0 "a source that has room" "$scree" run "$box/feed.scene.yaml" --overwrite -o "$box/out"
feed "20 mm" "rate: 500 1/s" ""
note='^warning: rain has been blocked since [0-9.]* s: [0-9]* of [0-9]* bodies placed at [0-9.]* s; of the positions in its region 100 % touch bodies, 0 % touch walls or lie behind them: lower its rate'
said 1 "a source whose region is full" "$scree" run "$box/feed.scene.yaml" --overwrite -o "$box/out"
note='^warning: rain: [0-9]* of 7[0-9] bodies placed; its region is too small for its rate of 500 1/s$'
said 1 "and at the end" "$scree" run "$box/feed.scene.yaml" --overwrite -o "$box/out"
last=$("$scree" run "$box/feed.scene.yaml" --overwrite -o "$box/out" | grep "$note")
"$scree" run "$box/feed.scene.yaml" -o "$box/half" --steps 2000 >"$box/log"
note=$last
said 1 "and when it goes on from the middle, the same" "$scree" run --resume "$box/half/feed.snap"
# two in three bodies find room: bodies leave the region, but more slowly than the rate requires
rain() { # RATE HEIGHT
	cat >"$box/behind.scene.yaml" <<-TEXT
		scene: 1
		world: {gravity: [0, 0, -9.81 m/s^2], domain: {min: [-1 m, -1 m, -1 m], max: [1 m, 1 m, 1 m]}}
		materials: {stone: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}
		shapes: {ball: {sphere: {diameter: 1}}}
		walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: stone}}
		sources: [{name: rain, region: {box: {min: [0, 0, 40 mm], max: [12 mm, 12 mm, $2]}}, material: stone, shape: ball, size: 5 mm, rate: $1 1/s}]
		run: {until: 0.3 s}
	TEXT
}
rain 300 "46 mm"
note='^warning: rain falls behind its rate of 300 1/s: [0-9]* of [0-9]* bodies placed at 0\.[0-9]* s; of the positions in its region '
said 1 "a source that falls behind says so, once" "$scree" run "$box/behind.scene.yaml" --overwrite -o "$box/out"
at=$("$scree" run "$box/behind.scene.yaml" --overwrite -o "$box/out" -q | sed -n 's/.*placed at \([0-9.]*\) s;.*/\1/p')
n=$((n + 1))
if awk -v at="$at" 'BEGIN { exit !(at > 0 && at < 0.25) }'; then echo "ok $n - while it happens"; else echo "not ok $n - it says so at '$at' s"; fi
rain 60 "46 mm"
note='^warning: .*rain'
said 0 "one that keeps its rate does not" "$scree" run "$box/behind.scene.yaml" --overwrite -o "$box/out"
feed "36 mm" "rate: 20 1/s, count: 3" ""
note='^warning: rain: [0-9]* % of its region is outside the domain, where bodies are lost$'
said 1 "a source that is partly out of the domain" "$scree" check "$box/feed.scene.yaml"
feed "-4 mm" "rate: 500 1/s" ", motion: {velocity: [0, 0, 1 cm\/s]}"
sed -i 's/\\//' "$box/feed.scene.yaml"
note='^warning: rain: no body (0.005 m across) fits into the region unless walls move: .* most often wall tray.z_min$'
said 1 "a source behind a wall that moves" "$scree" check "$box/feed.scene.yaml"
note='^warning: rain has been blocked since 0 s: 0 of .* (most often wall tray.z_min): move or enlarge the region$'
said 1 "which never finds a place" "$scree" run "$box/feed.scene.yaml" --overwrite -o "$box/out"

# ten balls at rest and a source, 5 cm above a tray that acts on bodies above or below it; more walls, and falling
# bodies
tray() { # WALLS [VELOCITY]
	cat >"$box/tray.scene.yaml" <<-TEXT
		scene: 1
		world: {gravity: [0, 0, ${down:--9.81 m/s^2}]}
		materials: {stone: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}
		shapes: {ball: {sphere: {diameter: 1}}}
		walls: {$1}
		fill: [{region: {box: {min: [-3 cm, -3 cm, 5 cm], max: [3 cm, 3 cm, 9 cm]}}, count: 10, material: stone, shape: ball, size: 5 mm$2}]
		sources: [{name: rain, region: {box: {min: [-3 cm, -3 cm, 10 cm], max: [3 cm, 3 cm, 14 cm]}}, rate: 100 1/s, count: 5, material: stone, shape: ball, size: 5 mm$2}]
		run: {until: 0.2 s}
	TEXT
}
above='tray: {polygon: [[-5 cm, -5 cm, 0], [5 cm, -5 cm, 0], [5 cm, 5 cm, 0], [-5 cm, 5 cm, 0]], material: stone'
below='tray: {polygon: [[-5 cm, -5 cm, 0], [-5 cm, 5 cm, 0], [5 cm, 5 cm, 0], [5 cm, -5 cm, 0]], material: stone'
note='^warning: .* start behind wall'
tray "$above}"
said 0 "a polygon below bodies" "$scree" check "$box/tray.scene.yaml"
tray "$below}"
said 2 "a polygon that sees what is below it" "$scree" check "$box/tray.scene.yaml"
note='^warning: all bodies start behind wall tray, which acts only on its other side, and fall through it: reverse the order of its points, or set two_sided: true$'
said 1 "the bodies behind it" "$scree" check "$box/tray.scene.yaml"
note='^warning: bodies of rain start behind wall tray,'
said 1 "the source behind it" "$scree" run "$box/tray.scene.yaml" --overwrite -o "$box/out"
note='error: .* from behind'
said 1 "and the guard stops the run" "$scree" run "$box/tray.scene.yaml" --overwrite -o "$box/out"
note='^warning: .* start behind wall'
tray "$below, two_sided: true}"
said 0 "a polygon of two sides" "$scree" check "$box/tray.scene.yaml"
tray "$below}, floor: {plane: {point: [0, 0, 1 cm], normal: [0, 0, 1]}, material: stone}"
said 0 "a polygon behind a floor" "$scree" check "$box/tray.scene.yaml"
shelf='shelf: {polygon: [[-6 cm, -6 cm, 1 cm], [6 cm, -6 cm, 1 cm], [6 cm, 6 cm, 1 cm], [-6 cm, 6 cm, 1 cm]], material: stone}'
tray "$below}, $shelf"
said 0 "a polygon behind another one" "$scree" check "$box/tray.scene.yaml"
tray "$below, motion: {velocity: [0, 0, 1 cm/s]}}"
said 0 "a polygon that moves" "$scree" check "$box/tray.scene.yaml"
tray "${below//5 cm/1 cm}}"
said 0 "a polygon that most bodies fall beside" "$scree" check "$box/tray.scene.yaml"
down=0
tray "$below}"
said 0 "no gravity" "$scree" check "$box/tray.scene.yaml"
tray "$below}" ", velocity: [0, 0, -1 m/s]"
said 2 "no gravity, but thrown at it" "$scree" check "$box/tray.scene.yaml"
down=
tray "$below}" ", velocity: [-2 m/s, 0, 0]"
said 0 "thrown past it" "$scree" check "$box/tray.scene.yaml"
tray "pipe: {cylinder: {center: [0, 0, 0], axis: x, radius: 4 cm, length: 10 cm, side: inside}, material: stone}"
note='^warning: .* start behind wall pipe, .*: set side: outside$'
said 2 "a pipe below bodies that holds what is in it" "$scree" check "$box/tray.scene.yaml"
tray "pipe: {cylinder: {center: [0, 0, 0], axis: x, radius: 20 cm, length: 50 cm, side: inside}, material: stone}"
note='^warning: .* start behind wall'
said 0 "a pipe with the bodies in it" "$scree" check "$box/tray.scene.yaml"
printf 'v -1 -1 0\nv -1 1 0\nv 1 1 0\nv 1 -1 0\nf 1 2 3\nf 1 3 4\n' >"$box/sheet.obj"
tray "sheet: {mesh: {file: sheet.obj, scale: 5 cm}, material: stone}"
note='^warning: .* start behind wall sheet, .*: set flip: true in mesh, or two_sided: true$'
said 2 "a mesh" "$scree" check "$box/tray.scene.yaml"
tray "sheet: {mesh: {file: sheet.obj, scale: 5 cm, flip: true}, material: stone}"
said 0 "and turned over" "$scree" check "$box/tray.scene.yaml"
faulty() { # NAME LINES: a wall of a mesh with these lines
	printf "$2" >"$box/$1.obj"
	tray "sheet: {mesh: {file: $1.obj, scale: 5 cm, flip: true}, material: stone}"
}
note='^warning: walls.sheet: has triangles that do not meet: 1 T junction, the first at (0, 0, 5e-11) m; gaps below 1e-07 m were joined$'
faulty junction 'v -1 -1 0\nv -1 1 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1e-9\nv 1 -1 0\nv 1 1 0\nf 1 2 3\nf 1 3 4\nf 4 5 6\nf 5 3 7\nf 5 7 6\n'
said 1 "a corner beside the edge of another triangle" "$scree" check "$box/tray.scene.yaml"
note='^warning: walls.sheet: has triangles that do not meet: 2 cracks, the first at (-0.05, -0.05, 5e-09) m; gaps below 1e-07 m were joined$'
faulty crack 'v -1 -1 0\nv -1 1 0\nv 1 1 0\nv 1 -1 0\nv -1 -1 1e-7\nv 1 1 1e-7\nf 1 2 3\nf 5 6 4\n'
said 1 "a crack" "$scree" check "$box/tray.scene.yaml"
note='overlapping triangle'
faulty twice 'v -1 -1 0\nv -1 1 0\nv 1 1 0\nv 1 -1 0\nf 1 2 3\nf 1 3 4\nf 1 2 4\nf 2 3 4\n'
said 1 "a sheet that is there twice" "$scree" check "$box/tray.scene.yaml"
note='that do not meet'
faulty apart 'v -1 -1 0\nv -1 1 0\nv 1 1 0\nv 1 -1 0\nv -1 -1 0.001\nv 1 1 0.001\nf 1 2 3\nf 5 6 4\n'
said 0 "a step that is more than digits" "$scree" check "$box/tray.scene.yaml"
grains='granulate: {points: 8, as: surface, count: '
note='^and 4 further shapes of parts or triangles'
told 1 "a family of 24 grains with a halo" "restitution: 0.3" "grain: {${grains}24}}"
note='^shape grain\.[0-9]*: '
said 20 "of which 20 are shown" "$scree" check "$box/two.scene.yaml"
note='further shapes'
told 0 "a family of 20" "restitution: 0.3" "grain: {${grains}20}}"
note='^warning: shape rod: 1 of its 3 spheres are not connected'
told 1 "a clump in two pieces" "restitution: 0.3" "rod: {clump: {centers: [[0, 0, 0], [0.8, 0, 0], [0.2, 0, 0]], radii: [0.12]}}"
told 0 "one of which each sphere touches another" "restitution: 0.3" "rod: {clump: {centers: [[0, 0, 0], [0.4, 0, 0], [0.2, 0, 0]], radii: [0.12]}}"
note='^warning: shape rod: 3 of its 6 spheres are not connected'
told 1 "two pieces of three" "restitution: 0.3" "rod: {clump: {centers: [[0, 0, 0], [1, 0, 0], [0.2, 0, 0], [1, 0.2, 0], [0.4, 0, 0], [1, 0.4, 0]], radii: [0.12]}}"
alarms=$(for f in scenes/*.scene.yaml examples/*.scene.yaml bench/*.scene.yaml; do if chosen; then "$scree" check "$f" 2>&1 | grep 'start behind wall'; fi; done)
n=$((n + 1))
if [ -z "$alarms" ]; then echo "ok $n - no scene of ours is told so"; else echo "not ok $n - a scene of ours is told: $alarms"; fi
echo "1..$n"
