#!/bin/bash
# Warnings of a run, or of check before it: printed once where they apply, and not elsewhere.
cd "$(dirname "$0")/../.." || exit 70
scree=$(realpath "${SCREE:-build/test/scree}")
source tests/checks.sh
cd "$box" || exit 70
# runs or checks scene.yaml; $code and "$box/out"
does() { # ARGUMENT...
	within 100 "$scree" "$@" >"$box/out" 2>&1
	code=$?
}
run() { does run scene.yaml -t 1 --overwrite -o results "$@"; }
look() { does check scene.yaml "$@"; }
ends() { test $code = "$1"; }
scene() { # LINES of a scene of beads in a box: replacements of KEY are given as KEY=LINE
	local young="young: 5 MPa" contacts="restitution: 0.5" more="" until="until: 20 ms" speed="0" count=20
	for word in "$@"; do local "$word"; done
	cat >scene.yaml <<-TEXT
		scene: 1
		world: {gravity: [0, 0, -9.81 m/s^2]$domain}
		materials: {stone: {density: 2600 kg/m^3, $young}}
		contacts: {default: {$contacts}}
		shapes: {ball: {sphere: 1}}
		walls: {box: {box: {min: [-5 cm, -5 cm, 0], max: [5 cm, 5 cm, 30 cm], open: [z_max]}, material: stone}}
		fill: [{region: {box: {min: [-5 cm, -5 cm, 0], max: [5 cm, 5 cm, 5 cm]}}, count: $count, material: stone, shape: ball, size: 1 cm, velocity: [0, 0, $speed m/s]}]
		run: {$until}
		$more
	TEXT
}

# ---- runs without a step
scene "contacts=law: power, power: {overlap: 1 mm, force: 1e-12 N}" "until=until: 0.1 s" domain=
run
check "contacts softer than the run is long: steps are made, and a guard finds them too soft" ends 3
check "  and are shorter than the run" says "step 10 ms"
for until in "20 us" "1 ns"; do
	scene "until=until: $until" domain=
	run
	check "a run of $until: done" ends 0
	check "  in ten steps" says "step 10, after"
	check "  to its end" grep -qE "^done at $(awk -v t="$until" 'BEGIN { split(t, p, " "); printf "%g", p[1] * (p[2] == "us" ? 1e-6 : 1e-9) }') s" out
done
scene "until=until: 20 us, step: {time: 100 us, unsafe: true}" domain=
look
check "a step that is given, and longer than the run, is refused" ends 2
check "  with its cause" says "is longer than the whole run"
scene "until=until: 100 us, step: {time: 100 us, unsafe: true}" domain=
run
check "one as long as the run is not" says "step 1, after"
scene "until=until: 0 s" domain=
run
check "a look at the start is not called done" says "done without a step"

# ---- --steps
scene domain=
run --steps 3
check "a run of three steps is not done, and no failure" ends 0
check "  but stopped by --steps, at a time of its end" grep -qE "^stopped by --steps at [0-9.e-]+ s of 0\.02 s, step 3, after" out
check "  the last line continues it" eval 'tail -1 out | grep -q "^continue with: .*scree run --resume results/scene.snap$"'
does run --resume results/scene.snap -t 1
check "  to its end" grep -qE "^done at 0\.0[0-9]+ s, step [0-9]+, after" out
steps=$(sed -n 's/^done at .* s, step \([0-9]*\),.*/\1/p' out)
run --steps "$steps"
check "as many steps as the run has: done" says "done at 0.0"
does run --resume results/scene.snap -t 1 --steps 3
check "  and none are left" says "nothing left to do: run.until is reached"

# ---- a stage that cannot begin, since a ball has become too fast for the step and the change would make this worse
cat >scene.yaml <<-TEXT
	scene: 1
	world: {gravity: [0, 0, 1000 m/s^2]}
	materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}
	contacts: {default: {restitution: 0.5}}
	shapes: {ball: {sphere: 1}}
	walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}}
	fill: [{lattice: 20 mm, region: {box: {min: [0, 0, 0], max: [20 mm, 20 mm, 20 mm]}}, material: m, shape: ball, size: 10 mm}]
	run: {step: 150 us, snapshot: {every: 1 us}}
	stages:
	  - {name: fall, until: 50 ms}
	  - {name: stiff, materials: {m: {young: 1.05 MPa}}, until: 1 ms}
TEXT
run -q
check "a stage that cannot begin ends the run as a wrong input" ends 2
check "  with its name, and the step that it needs" grep -q "error: stage stiff cannot begin at 0.04995 s: the time step 0.00015 s is too large: .* set run.step to " out
check "  and what was before" says "the run has already exceeded this limit by a factor of 1.1"
check "  and where the run continues" says "scree run --resume results/scene.snap"
does run --resume results/scene.snap -t 1 --set "stages.1.run.step=50 us"
check "  which it does with this step" test $code = 0 -a -n "$(grep '^stage stiff ended' out)"

# ---- hard contacts have no stiffness that could be raised: the error names a step, which is enough
printf '%s\n' material,x,y,z light,0,0,0.01 heavy,0,0,0.03 light,0,0,0.05 heavy,0,0,0.07 >l.csv
cat >scene.yaml <<-TEXT
	scene: 1
	materials: {light: {density: 100 kg/m^3, young: 50 MPa, poisson: 0.25}, heavy: {density: 1e5 kg/m^3, young: 50 MPa, poisson: 0.25}}
	contacts: {default: {restitution: 0.3, friction: 0.5}}
	shapes: {cube: {box: [1, 1, 1]}}
	walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: light}}
	fill: [{from: l.csv, shape: cube, size: 20 mm}]
	run: {until: 0.2 s, response: hard, step: 1.7 ms}
TEXT
run
check "hard: heavy cubes on light ones by a long step are stopped" ends 3
check "  with a step" says "the solver of hard contacts has not converged within the step: set run.step below "
check "  and without advice that has no effect" test -z "$(grep 'error: .*stiffness' out)"
step=$(sed -n 's/.*error: .*set run.step below \([0-9.e-]*\) s.*/\1/p' out)
run --set "run.step=$step s"
check "  which is short enough" ends 0
run --set run.response=forces --set "run={until: 0.1 s, guard: {overlap: 1e-5}}"
check "forces: the stiffness is named" grep -q 'error: .*raise its stiffness' out

# ---- laws for spheres: only bodies that may have such contacts must be spheres
mixed() { # CONTACTS SHAPE [OPTION...]: balls of one material, these shapes and the floor of another one
	cat >scene.yaml <<-TEXT
		scene: 1
		materials: {wet: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}, dry: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}}
		contacts: {$1}
		shapes: {ball: {sphere: {diameter: 1}}, other: {$2}}
		walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: dry}}
		fill:
		  - {lattice: 6 mm, region: {box: {min: [0, 0, 0], max: [18 mm, 18 mm, 6 mm]}}, material: wet, shape: ball, size: 4 mm}
		  - {lattice: 6 mm, region: {box: {min: [0, 0, 6 mm], max: [18 mm, 18 mm, 12 mm]}}, material: dry, shape: other, size: 4 mm}
		run: {until: 1 ms}
	TEXT
	run "${@:3}"
}
clump='clump: {centers: [[-0.3, 0, 0], [0.3, 0, 0]], radii: [0.4]}'
bridge='cohesion: {capillary: {tension: 0.072 N/m, volume: 2e-12 m^3}}'
jkr='cohesion: {jkr: 0.1 J/m^2}'
plastic='law: plastic, stiffness: 1 kN/m, plastic: {unloading: 5 kN/m}'
for shape in "$clump" 'box: [1, 1, 1]'; do
	for own in "$bridge" "$jkr"; do
		mixed "default: {restitution: 0.3}, wet + wet: {$own}" "$shape"
		check "${shape%%:*}, dry: ${own:11:4} of wet with wet is accepted" ends 0
		mixed "default: {restitution: 0.3}, wet + dry: {$own}" "$shape"
		check "  of wet with dry is refused" ends 2
		check "  by name" says "supports spheres only, but some bodies have shape 'other'"
		mixed "default: {restitution: 0.3}, dry + dry: {$own}" "$shape"
		check "  of dry with dry, too" says "supports spheres only, but some bodies have shape 'other'"
	done
done

mixed "default: {restitution: 0.3}, wet + wet: {$plastic}" 'box: [1, 1, 1]'
check "cubes, dry: the law plastic of wet with wet is accepted" ends 0
mixed "default: {restitution: 0.3}, wet + dry: {$plastic}" 'box: [1, 1, 1]'
check "  of wet with dry is refused" says "supports spheres and clumps only, but some bodies have shape 'other'"

# ---- runs with more steps than anyone can wait for
long='which take'
scene "until=until: 1 s" domain=
look
check "a common run: no word on its length" not says "$long"
scene "until=until: 1e8 s" domain=
look
check "years of steps: said by check" says "$long"
scene "contacts=restitution: 1e-300" domain=
look
check "a tiny restitution: the cause of short steps" says "the step is 1/"
check "  and its cure" says "restitution: 0.01"
for restitution in 1 0.5 0.01; do
	scene "contacts=restitution: $restitution" domain=
	look
	check "restitution $restitution: no word" not says "warning"
done

# ---- overlaps
deep='contact laws hold for overlaps'
scene "young=young: 20 kPa" speed=-0.5 domain=
run --set run.guard.overlap=0
check "soft beads: the deepest overlap is told with a cure" grep -qE "^warning: overlap of [0-9.]+ % of body [0-9]+ with (body [0-9]+|wall box\.[xyz]_(min|max)) at t = .*raise young of stone by a factor of [0-9.e+]+, or lower" out
factor=$(sed -n 's/.*raise young of stone by a factor of \([0-9.e+]*\),.*/\1/p' out)
scene "young=young: $(awk -v f="$factor" 'BEGIN { printf "%g", 20000 * f }') Pa" speed=-0.5 domain=
run --set run.guard.overlap=0
check "stiffer by that factor they are not deeper than 5 %" not says "$deep"
scene "contacts=law: linear, stiffness: 40 N/m" speed=-0.5 domain=
run --set run.guard.overlap=0
check "of the linear law it is the stiffness" says "raise stiffness of stone"
scene speed=-0.1 domain=
run
check "common beads: no word" not says "$deep"
press() { # YOUNG: a lid presses a ball
	cat >scene.yaml <<-TEXT
		scene: 1
		world: {gravity: [0, 0, 0]}
		materials: {stone: {density: 2500 kg/m^3, young: $1 Pa, poisson: 0.25}}
		contacts: {default: {law: hertz, restitution: 0.1}}
		shapes: {ball: {sphere: {diameter: 1}}}
		walls:
		  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: stone}
		  lid: {plane: {point: [0, 0, 1 cm], normal: [0, 0, -1]}, material: stone, motion: {servo: {force: 1.6 N, max_speed: 2 cm/s}}}
		fill: [{lattice: 1 cm, region: {box: {min: [0, 0, 0], max: [1 cm, 1 cm, 1 cm]}}, material: stone, shape: ball, size: 1 cm}]
		run: {until: 0.3 s, guard: {overlap: 0}}
	TEXT
	run
}
press 1e6
check "a load: the ratio of pressure to stiffness is named" says "where a load compresses them, only the ratio of pressure to stiffness matters"
factor=$(sed -n 's/.*changing either by a factor of \([0-9.e+]*\) is enough.*/\1/p' out)
press "$(awk -v f="$factor" 'BEGIN { printf "%g", 1e6 * f }')"
check "stiffer by that factor a load presses no body deeper than 5 %" not says "$deep"
press "$(awk -v f="$factor" 'BEGIN { printf "%g", 0.85e6 * f }')"
check "with a smaller factor it does" says "$deep"

# ---- a packing of soft contacts in which contacts become hard
released='were pushed apart'
scene "young=young: 50 kPa" "until=until: 0.3 s, response: implicit, guard: {overlap: 0}" count=60 domain=
run
check "soft beads come to rest by implicit steps: no word" not says "$released"
cp results/scene.snap soft.snap
scene "until=until: 20 ms, response: hard" domain=
sed -i 's/^fill:.*/fill: [{name: rest, from: soft.snap}]/' scene.yaml
run
check "hard contacts push them apart: told" says "$released"
# most of the energy of contacts is lost in later contacts, and at most all of it
balanced() { awk '/contacts held/ { held = $4 } / J lost / { sub(/ J lost.*/, ""); lost = $NF } END { exit !(lost > held / 2 && lost <= held) }' "$box/out"; }
check "their energy is in the ledger" balanced
scene "young=young: 50 kPa" "until=until: 20 ms, response: hard" domain=
sed -i 's/^fill:.*/fill: [{name: rest, from: soft.snap}]/' scene.yaml
run
# residual and losses as fractions of the energy of contacts
settled() { awk '/^checks/ { residual = $4 } / J lost / { sub(/ J lost.*/, ""); lost = $NF } /contacts held/ { held = $4 } END { exit !(residual < 0.01 * held && lost > 0.9 * held && lost <= held) }' "$box/out"; }
check "and that of contacts that continue with their histories" settled
scene "until=until: 0.2 s, response: hard" domain=
run
check "beads that begin apart: no word" not says "$released"

# ---- the state in which a guard stopped a run
scene "young=young: 2 kPa" speed=-2 "more=output: {images: {size: [64, 48], samples: 1}}" domain=
run
check "a guard stops a run: a snapshot of that moment" test $code = 3 -a -s results/scene.stopped.snap
check "  and a picture" test -s results/scene_stopped.png
check "  both are named" says "results/scene.stopped.snap"
check "  it is not the snapshot of a run that continues" test ! -e results/scene.snap
does render results/scene.stopped.snap -o stopped.png
check "  it can be drawn" test $code = 0 -a -s stopped.png
does hash results/scene.stopped.snap
check "  and read" says "hash "
run --steps 3
does run --resume results/scene.snap -t 1
check "  after a resume, the last good snapshot is another one" test $code = 3 -a -s results/scene.stopped.snap
check "  with another state" not cmp -s results/scene.snap results/scene.stopped.snap
cp results/scene.stopped.snap results/renamed.snap
for name in results/scene.stopped.snap results/renamed.snap; do
	does run --resume $name
	check "  no run goes on from it" ends 2
	check "  and says from what" says "last good snapshot"
done
scene "more=output: {images: {size: [64, 48], samples: 1}}" domain=
run
check "a run that replaces it leaves none" test $code = 0 -a ! -e results/scene.stopped.snap -a ! -e results/scene_stopped.png

# ---- endings of pictures
for name in x.jpg x.ppm dir.d/x.tif png.txt; do
	does render results/scene.snap -o $name
	check "render -o $name is refused" test $code = 2 -a ! -e $name
	check "  in words" says "ends in .png"
done
for name in x.png X.PNG plain dir.png; do
	does render results/scene.snap -o $name
	check "render -o $name is drawn" test $code = 0 -a -s $name
done

for name in x.svg x.PDF; do
	does render results/scene.snap -o $name
	check "render -o $name is drawn" test $code = 0 -a -s $name
done
check "  as an SVG" grep -q "<svg" x.svg
check "  as a PDF" grep -qa "^%PDF-" x.PDF

does render results/scene.snap -o x.svg --set output.images.format=pdf
check "a format for render is refused" ends 2
check "  since the name of the file decides" says "the format follows from the name of the file"
declare -A starts=([svg]="<?xml" [pdf]="%PDF-" [png]=$'\x89PNG')
for format in svg pdf png; do
	scene "more=output: {images: {format: $format, size: [64, 48], samples: 1}}" domain=
	run
	check "pictures of a run as $format" test $code = 0 -a "$(ls results/scene_0*)" = "$(printf '%s\n' results/scene_000{0,1}.$format)"
	check "  are such files" test "$(head -c ${#starts[$format]} results/scene_0001.$format)" = "${starts[$format]}"
	check "  and named at the end" says "results/scene_0001.$format"
	does report results
	case $format in
	pdf) check "  and a report counts them" grep -q "PDF files are not shown" results/scene_report.html ;;
	*) check "  and a report shows them" grep -q "data:image/$format" results/scene_report.html ;;
	esac
done

# ---- the domain
scene domain=", domain: {min: [-6 cm, -6 cm, -1 cm], max: [6 cm, 6 cm, 2 cm]}"
look
check "bodies outside of the domain are refused" ends 2
check "  and counted" grep -qE "of its 20 bodies are outside world.domain" out
scene domain=", domain: {min: [-6 cm, -6 cm, -1 cm], max: [6 cm, 6 cm, 6 cm]}"
look
check "bodies inside are not" ends 0

# ---- sinks
scene domain= "more=sinks: [{region: {box: {min: [-9 cm, -9 cm, -9 cm], max: [9 cm, 9 cm, 9 cm]}}}]"
look
check "a sink that holds all bodies: said by check" says "removes all 20 bodies in the first step"
run
check "  and at the end" says "no body is left: "
scene domain= "more=sinks: [{region: {box: {min: [-9 cm, -9 cm, -9 cm], max: [9 cm, 9 cm, -5 cm]}}}]"
run
check "a sink that takes nothing: no word" not says "warning"
source="sources: [{region: {box: {min: [-4 cm, -4 cm, 20 cm], max: [4 cm, 4 cm, 24 cm]}}, rate: 100 1/s, material: stone, shape: ball, size: 1 cm}]"
scene domain= "more=$source"$'\n'"sinks: [{region: {box: {min: [-9 cm, -9 cm, 15 cm], max: [9 cm, 9 cm, 30 cm]}}}]"
look
check "a sink that takes what a source makes" says "removes 100 % of the bodies of"

# ---- servos
servo() { # FORCE UNTIL KEYS: 40 discs in a plane between floor and a lid
	cat >scene.yaml <<-TEXT
		scene: 1
		world: {dimension: 2, gravity: [0, -9.81 m/s^2]}
		materials: {stone: {density: 2600 kg/m^3, young: 50 MPa}}
		shapes: {disc: {disc: 1}}
		walls:
		  floor: {line: {point: [0, 0], normal: [0, 1]}, material: stone}
		  left: {line: {point: [0, 0], normal: [1, 0]}, material: stone}
		  right: {line: {point: [4 cm, 0], normal: [-1, 0]}, material: stone}
		  lid: {line: {point: [0, 10 cm], normal: [0, -1]}, material: stone, motion: {servo: {force: $1$3}}}
		fill: [{lattice: {spacing: 6.4 mm}, region: {box: {min: [0, 0], max: [4 cm, 4 cm]}}, material: stone, shape: disc, size: 6 mm}]
		run: {until: $2}
	TEXT
}
never='did not reach its force'
servo "180 N" "0.2 s" ""
look
check "check says how fast a servo is" grep -qE "^servo lid: 180 N, mass [0-9.e+-]+ kg, max_speed [0-9.e+-]+ m/s" out
run
check "in the plane the standard speed is enough to reach the force in 0.2 s" not says "$never"
speed=$(sed -n 's/^ *max_speed: \(.*\) m\/s$/\1/p' results/scene.resolved.scene.yaml)
check "  it stands in the resolved scene" test -n "$speed"
if ! in_short; then
	hash=$(grep "^hash" out)
	does run results/scene.resolved.scene.yaml -t 1 --overwrite -o again
	check "  which gives the same run" says "$hash"
fi
servo "180 N" "50 ms" ", max_speed: 1.85 mm/s"
run
check "a servo that is too slow: told at the end" grep -qE "^warning: servo lid $never: at most 0 of 180 N, .*touches nothing: raise max_speed \(0.00185 m/s\)" out
servo "180 N" "50 ms" ", travel: [0, 1 cm]"
run
check "a servo at its stop says so" says "it is at the end of its travel"
echo "1..$n"
