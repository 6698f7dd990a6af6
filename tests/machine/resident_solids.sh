#!/bin/bash
# needs: test
# Steps of polyhedra that stay on a device (PoCL, which runs on the processor) have the bits of the processor's steps:
# between polyhedra and at walls of each form, by depth, by overlap and by the algorithm of a paper, also among spheres, at
# walls that forces move, with unequal moments of inertia and with large bodies. A step with an overlap that a guard must
# test is completed by the host.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=${SCREE:-build/test/scree}
keep_kernels
free=(--set "run.until=1000 s" --set 'output={}')
cubes=scenes/settling_cubes.scene.yaml
linear=('contacts.default={law: linear, stiffness: 4000 N/m, restitution: 0.3, friction: 0.5}' 'run.step=0.02 ms')
run() { # MACHINE FOLDER ARGUMENT...: the hash
	"$scree" run --machine "$1" -o "$box/$2" --overwrite --quiet "${@:3}" >"$box/log" 2>&1
	sed -n 's/^hash //p' "$box/log"
}
same() { # WHAT SCENE STEPS [SET...]
	local set=("${free[@]}") here
	for s in "${@:4}"; do set+=(--set "$s"); done
	here=$(run cpu cpu "$2" "${set[@]}" --steps "$3")
	check "$1: the same hash after $3 steps" test -n "$here" -a "$here" = "$(run opencl there "$2" "${set[@]}" --steps "$3")"
	cp "$box/log" "$box/out"
}
cat >"$box/mix.yaml" <<END
scene: 1
title: Spheres and polyhedra in a box
materials:
  stone: {density: 2600 kg/m^3, young: 5 MPa, poisson: 0.25}
  steel: {density: 7800 kg/m^3, young: 20 MPa, poisson: 0.30}
contacts:
  default: {law: hertz, restitution: 0.4, friction: 0.5}
  stone + steel: {law: hertz, restitution: 0.5, friction: 0.3}
shapes:
  bead: {sphere: {diameter: 1}}
  brick: {box: [1.2, 1.0, 0.8]}
  wedge: {hull: [[0, 0, 0], [1, 0, 0.1], [0.5, 0.9, 0], [0.4, 0.3, 0.8]]}
  gem: {regular: icosahedron}
walls:
  box: {box: {min: [-20 mm, -20 mm, 0], max: [20 mm, 20 mm, 200 mm], open: [z_max]}, material: steel}
fill:
  - {lattice: {spacing: 12 mm, count: [1, 1, 1]}, region: {box: {min: [6 mm, 6 mm, 42 mm], max: [18 mm, 18 mm, 54 mm]}},
     material: stone, shape: brick, size: 8 mm, held: true}
  - region: {box: {min: [-20 mm, -20 mm, 0], max: [20 mm, 20 mm, 60 mm]}}
    count: 60
    material: stone
    velocity: [0, 0, -0.5 m/s]
    mix:
      - {shape: bead, share: 0.3, size: 8 mm}
      - {shape: brick, share: 0.3, size: {uniform: [6.4 mm, 8.8 mm]}}
      - {shape: wedge, share: 0.2, size: 16 mm}
      - {shape: gem, share: 0.2, size: 8 mm}
    orientation: random
    seed: 7
run: {until: 1 s, step: {fraction: 0.02}, guard: {overlap: 20 %, speed: 20 m/s}}
END

same "cubes by depth" $cubes 3000 "${linear[@]}"
check "the same snapshot, with energies of contacts that have ended" cmp "$box/cpu/settling_cubes.snap" "$box/there/settling_cubes.snap"
"$scree" bench "$box/cpu/settling_cubes.snap" --steps 400 --machine opencl >"$box/out" 2>&1
steps=$(sed -n 's/^device_steps \([0-9]*\) .*/\1/p' "$box/out")
check "the device makes most of the steps" test "${steps:-0}" -gt 300
for machine in cpu opencl; do
	"$scree" run --machine $machine $cubes "${free[@]}" --set "${linear[0]}" --set "${linear[1]}" --set 'run.guard={overlap: 1 %, speed: 5 m/s}' \
		--steps 4000 -o "$box/stop" --overwrite --quiet 2>&1 | grep -E '^(hash|scree: error)' >"$box/said-$machine"
done
cp "$box/said-opencl" "$box/out"
check "overlap: a guard stops the run within a step, with the same message and state" test \
	-n "$(grep -F "(limit 1 %)" "$box/out")" -a "$(cat "$box/said-cpu")" = "$(cat "$box/said-opencl")"
for machine in cpu opencl; do
	"$scree" run --machine $machine $cubes "${free[@]}" --set 'materials.wood.young=5 kPa' --set 'run.step.fraction=0.003' \
		--set 'fill.0.velocity=[0, 0, -2 m/s]' --set 'run.guard.overlap=0' --steps 3000 -o "$box/stop" --overwrite --quiet 2>&1 |
		grep -E '^(hash|scree: error)' >"$box/said-$machine"
done
cp "$box/said-opencl" "$box/out"
check "a body behind a wall with one side stops the run, with the same message and state" test \
	-n "$(grep -F "went through wall box.z_min" "$box/out")" -a "$(cat "$box/said-cpu")" = "$(cat "$box/said-opencl")"
paper=separating-plane/govender2015
for way in printed branching; do # long names
	run cpu way scenes/govender2015_cubes.scene.yaml "${free[@]}" --set run.narrow_phase=$paper/$way --steps 1 >"$box/begun"
	run cpu way --resume "$box/way/govender2015_cubes.snap" --steps 1 >"$box/resumed"
	run cpu way scenes/govender2015_cubes.scene.yaml "${free[@]}" --set run.narrow_phase=$paper/$way --steps 2 >"$box/out"
	check "$way: a snapshot continues" test -s "$box/out" -a "$(cat "$box/out")" = "$(cat "$box/resumed")"
done
lid='walls.lid={plane: {point: [0, 0, 64 mm], normal: [0, 0, -1]}, material: steel, motion:'
same "a lid that a servo presses on spheres, polyhedra and a held one" "$box/mix.yaml" 2000 \
	"$lid {servo: {force: 20 N, max_speed: 2 m/s}}}" 'run.guard.overlap=50 %' 'run.step=8 us' \
	'contacts={default: {law: linear, stiffness: 4000 N/m, restitution: 0.5, friction: 0.5}}'
cp tests/machine/pocl/funnel.scene.yaml scenes/chute.obj "$box"
same "cubes at walls of each form, by overlap" "$box/funnel.scene.yaml" 1200 'shapes.bead={regular: cube}'
"$scree" bench "$box/there/funnel.snap" --steps 100 --machine opencl >"$box/out" 2>&1
steps=$(sed -n 's/^device_steps \([0-9]*\) .*/\1/p' "$box/out")
check "the device makes most of the steps" test "${steps:-0}" -gt 80
if ! in_short; then
	same "cubes by Govender et al." scenes/govender2015_cubes.scene.yaml 1300
	same "as printed" scenes/govender2015_cubes.scene.yaml 1300 "run.narrow_phase=$paper/printed" 'run.guard.overlap=90 %'
	same "with one kernel for vertices and edges" scenes/govender2015_cubes.scene.yaml 1300 "run.narrow_phase=$paper/branching"
	rolling='contacts={default: {law: hertz, restitution: 0.6, friction: 0.4, rolling_friction: 0.02}}'
	same "dodecahedra at walls of each form, by depth" "$box/funnel.scene.yaml" 2000 'shapes.bead={regular: dodecahedron}' "$rolling"
	same "large bodies at walls of each form" "$box/funnel.scene.yaml" 1500 'shapes.bead={cylinder: {length: 1, facets: 30}}' "$rolling" 'run.guard.overlap=90 %'
	forces=('run.response=forces' 'run.step=1e-5 s')
	same "cubes at a two-sided blade, by depth" examples/drum.scene.yaml 700 "${forces[@]}" 'let.start=0 s' 'fill.0.velocity=[2 mm/s, 0, -1 m/s]' \
		'contacts={default: {law: hertz, restitution: 0.5, friction: 0.4}}'
	falls="{free: {mass: 50 g, along: [0, 0, -1], speed: 2 m/s}}}"
	lid_of_facets='walls.lid={polygon: {points: [[-20 mm, -20 mm, 64 mm], [-20 mm, 20 mm, 64 mm], [20 mm, 20 mm, 64 mm], [20 mm, -20 mm, 64 mm]]},
		two_sided: true, material: steel, motion:'
	same "a free lid by overlap" "$box/mix.yaml" 1500 "$lid $falls" 'contacts={default: {restitution: 0.4, friction: 0.5}}'
	same "a free lid by Govender et al." "$box/mix.yaml" 1500 "$lid $falls" "run.narrow_phase=$paper" 'run.guard.overlap=90 %'
	same "a free lid of facets by Govender et al." "$box/mix.yaml" 1500 "$lid_of_facets $falls" \
		"run.narrow_phase=$paper" 'run.guard.overlap=90 %'
	same "a drum with blades by Govender et al." examples/drum.scene.yaml 3000 "${forces[@]}" "run.narrow_phase=$paper" 'run.guard.overlap=90 %' \
		'let.start=0 s'
	wheel='walls.shell.motion={wheel: {inertia: 1e-4 kg*m^2, about: y, angular_velocity: 60 rpm}}'
	same "a drum that bodies turn" scenes/mixed_drum.scene.yaml 2000 "$wheel"
	same "a drum that bodies turn, by depth" scenes/mixed_drum.scene.yaml 2000 "$wheel" \
		'contacts={default: {law: hertz, restitution: 0.4, friction: 0.5}}'
	same "spheres and polyhedra by Govender et al." "$box/mix.yaml" 1500 "run.narrow_phase=$paper" 'run.guard.overlap=90 %'
	same "a drum by Govender et al." scenes/mixed_drum.scene.yaml 1000 "run.narrow_phase=$paper" 'run.guard.overlap=90 %' \
		'contacts={default: {law: hertz, restitution: 0.4, friction: 0.5}}'
	same "their packing and their law" verify/scenes/govender2014_packing.scene.yaml 3000 let.n=6
	same "cubes by overlap" $cubes 2700
	same "steps that the host completes" $cubes 3000 'run.guard={overlap: 6 %, speed: 5 m/s}'
	rising='walls.plate={plane: {point: [0, 0, -5 mm], normal: [0, 0, 1]}, two_sided: true, material: wood, motion: {velocity: [0, 0, 0.3 m/s]}}'
	same "such steps at a two-sided plate that moves" $cubes 7000 'run.guard={overlap: 8 %, speed: 5 m/s}' "$rising"
	same "spheres and polyhedra" "$box/mix.yaml" 2500
	same "spheres and polyhedra by overlap" "$box/mix.yaml" 1500 'contacts={default: {restitution: 0.4, friction: 0.5}}'
	same "rolling" "$box/mix.yaml" 1500 'contacts={default: {law: hertz, restitution: 0.4, friction: 0.5, rolling_friction: 0.05}}'
	same "cohesion" "$box/mix.yaml" 1500 'contacts={default: {law: hertz, restitution: 0.4, friction: 0.5, cohesion: {dmt: 0.1 J/m^2}}}'
	same "several laws, rolling and cohesion" "$box/mix.yaml" 1500 'run.step=8 us' \
		'contacts={default: {law: hertz, restitution: 0.4, friction: 0.5, rolling_friction: 0.05, cohesion: {dmt: 0.05 J/m^2}},
		stone + steel: {law: linear, stiffness: 4000 N/m, restitution: 0.5, friction: 0.3, cohesion: {simple: 1000 J/m^3}}}'
	same "bodies with many faces by overlap" $cubes 1500 'shapes.die={regular: icosahedron}'
	same "a wall that moves" $cubes 1500 'walls.box.motion={velocity: [0, 0, 0.1 m/s]}' "${linear[@]}"
	same "a drum" scenes/mixed_drum.scene.yaml 2000
	same "a drum by depth" scenes/mixed_drum.scene.yaml 2000 'contacts={default: {law: hertz, restitution: 0.4, friction: 0.5}}'
	same "large bodies by depth" $cubes 1500 'shapes.die={cylinder: {length: 1, facets: 30}}' "${linear[0]}" 'run.step=0.01 ms'
	same "large bodies by overlap" $cubes 1500 'shapes.die={cylinder: {length: 1, facets: 30}}'
fi
refuses() { # WHAT TEXT SCENE [SET...]
	local set=()
	for s in "${@:4}"; do set+=(--set "$s"); done
	"$scree" run --machine opencl "$3" "${set[@]}" --steps 1 -o "$box/no" --overwrite >"$box/out" 2>&1
	check "$1" says "machine opencl has no kernels for $2"
}
refuses "other narrow phases are refused" "polyhedra in run.narrow_phase: overlap-volume" scenes/volume_blocks.scene.yaml
refuses "large bodies at facets are refused by overlap" "polyhedra with more than 32 faces at round walls or facets by overlap" \
	"$box/funnel.scene.yaml" 'shapes.bead={cylinder: {length: 1, facets: 30}}'
refuses "larger bodies are refused" "polyhedra with more than 64 faces or vertices, such as die" $cubes \
	'shapes.die={cylinder: {length: 1, facets: 100}}'
for later in 'response: implicit' 'integrator: symplectic_euler'; do
	refuses "a later stage is refused at the start: $later" "run.$later" scenes/settling_spheres.scene.yaml \
		"stages=[{name: fall, until: 1 ms}, {name: rest, run: {$later}, until: 1 ms}]"
done
echo "1..$n"
