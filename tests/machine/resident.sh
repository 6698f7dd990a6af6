#!/bin/bash
# needs: test
# Steps of spheres that stay on a device (PoCL, which runs on the processor) have the bits of the processor's steps: the
# same hash of the state every 100 steps, with histories and energies of contacts, whatever the law, in a box and on walls
# that move, also if a run changes its machine at a snapshot. What a device lacks is refused by name.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=${SCREE:-build/test/scree}
keep_kernels
run() { # MACHINE FOLDER ARGUMENT...: the hash
	"$scree" run --machine "$1" -o "$box/$2" --overwrite --quiet "${@:3}" >"$box/log" 2>&1
	sed -n 's/^hash //p' "$box/log"
}
free=(--set "run.until=1000 s" --set 'output={}')
scene=scenes/settling_spheres.scene.yaml
name=settling_spheres
from=("$scene" "${free[@]}") same=0
there=("${from[@]}")
for part in 1 2 3; do # hundreds of steps, each from the snapshot before
	here=$(run cpu cpu$part "${from[@]}" --steps 100)
	[ -n "$here" ] && [ "$here" = "$(run opencl opencl$part "${there[@]}" --steps 100)" ] && same=$((same + 1))
	from=(--resume "$box/cpu$part/$name.snap") there=(--resume "$box/opencl$part/$name.snap")
done
check "settling spheres: the same hash every 100 steps" test $same -eq 3
"$scree" bench "$box/opencl3/$name.snap" --steps 400 --machine opencl >"$box/out" 2>&1
steps=$(sed -n 's/^device_steps \([0-9]*\) .*/\1/p' "$box/out")
check "the device makes most of the steps" test "${steps:-0}" -gt 300
whole=$(run cpu whole "$scene" "${free[@]}" --steps 900)
run cpu a "$scene" "${free[@]}" --steps 300 >/dev/null
run opencl b --resume "$box/a/$name.snap" --steps 300 >/dev/null
check "cpu, opencl and cpu again: the hash of a run without a stop" test -n "$whole" -a "$whole" = "$(run cpu c --resume "$box/b/$name.snap" --steps 300)"

same() { # WHAT SCENE STEPS [SET...]
	local set=("${free[@]}") here
	for s in "${@:4}"; do set+=(--set "$s"); done
	here=$(run cpu cpu "$2" "${set[@]}" --steps "$3")
	check "$1: the same hash after $3 steps" test -n "$here" -a "$here" = "$(run opencl there "$2" "${set[@]}" --steps "$3")"
}
same "liquid bridges" scenes/wet_balls.scene.yaml 600
if ! in_short; then
	same "hertz without rolling" $scene 600 'contacts.default={restitution: 0.6, friction: 0.4}'
	same "linear" scenes/linear_rolling.scene.yaml 600
	same "plastic, rolling" $scene 600 'contacts.default={law: plastic, stiffness: 4000 N/m, plastic: {unloading: 8000 N/m, adhesion: 1500 N/m, depth: 0.05}, friction: 0.4, rolling_friction: 0.05}'
	same "power" $scene 1200 'contacts.default={law: power, friction: 0.4, power: {overlap: 0.5 mm, force: 1 N, damping: 5e-3 kg/s, exponent: 0.5, tangential: 4e-4 kg/s}}'
	same "cohesion" scenes/sticky_beads.scene.yaml 600
	same "a wall that moves" scenes/vibrated_plate.scene.yaml 600
fi

stops() { # WHAT TEXT SET...: both machines stop at the same step, with the same words and the same hash
	local set=("${free[@]}") machine s
	for s in "${@:3}"; do set+=(--set "$s"); done
	for machine in cpu opencl; do
		"$scree" run --machine $machine $scene "${set[@]}" --steps 3000 -o "$box/stop" --overwrite --quiet 2>&1 |
			grep -E '^(hash|scree: error)' >"$box/said-$machine"
	done
	cp "$box/said-opencl" "$box/out"
	check "$1: a guard stops the run with the same message and state" test -n "$(grep -F -- "$2" "$box/out")" -a \
		"$(cat "$box/said-cpu")" = "$(cat "$box/said-opencl")"
}
stops "speed" "(limit 0.3 m/s)" 'run.guard.speed=0.3 m/s'
stops "overlap" "(limit 0.20 %)" 'run.guard.overlap=0.2 %'
falls=('walls.box.box.open=[z_min, z_max]' 'world.domain={min: [-1 m, -1 m, -0.01 m], max: [1 m, 1 m, 1 m]}')
stops "a body that leaves" "left the domain" "${falls[@]}"
same "bodies that leave and are removed" $scene 1200 "${falls[@]}" 'run.guard.lost=remove'
same "spheres of very different sizes, whose sums are wide" $scene 300 'fill.0.size={uniform: [1 mm, 12 mm]}'
"$scree" run --machine opencl -o "$box/no" scenes/settling_cubes.scene.yaml --set 'shapes.die={ellipsoid: [1, 1, 2]}' --steps 1 \
	>"$box/out" 2>&1
check "other shapes are refused by name" says "machine opencl has no kernels for shapes other than spheres and polyhedra, such as die"
"$scree" run --machine auto --steps 1 -o "$box/auto" $scene >"$box/out" 2>&1
check "auto takes the processor for few bodies, and says so" says "note: machine cpu: 120 bodies"
"$scree" run --machine abacus -o "$box/no" $scene >"$box/out" 2>&1
check "an unknown machine is refused" says "unknown machine abacus"
"$scree" run --set run.machine=opencl --steps 1 -o "$box/no" scenes/volume_blocks.scene.yaml >"$box/out" 2>&1
check "run.machine in a scene" says "machine opencl has no kernels for polyhedra in run.narrow_phase"
echo "1..$n"
