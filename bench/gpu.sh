#!/bin/bash
# gpu.sh [MACHINE]: runs everything that is measured on a graphics card, unattended and in about nine minutes, and prints
# tables in Markdown: devices; whether runs have the processor's hashes; particle steps per second and bytes per body of
# spheres, clumps and cubes against their number, up to 34 million cubes; the Cundall numbers of Table 3 of Govender et
# al. (2015). MACHINE is cuda, the default, or opencl. What this build or this computer lacks has a row with the reason.
# The largest number of cubes by overlap comes first, in at most five sixths of the time. Exits with 1 if a hash differs.
#   SCREE            the command, build/release/scree by default
#   GPU_SECONDS      time limit, 540 by default; what does not fit is skipped
#   GPU_SCENES       scenes whose hashes are compared, in at most a third of the time; empty: none
#   GPU_SIDES        bodies along an edge of the lattices, "46 100 215 324" by default; "8" is a quick test
#   GPU_CPU          time limit of the processor's run of each kind at the smallest size, 20 s by default; 0: none
cd "$(dirname "$0")/.." || exit 70
machine=${1:-cuda} scree=${SCREE:-build/release/scree}
limit=${GPU_SECONDS:-540} on_cpu=${GPU_CPU:-20} wrong=0
read -ra sides <<<"${GPU_SIDES:-46 100 215 324}"
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
[ -x "$scree" ] || { echo "gpu.sh: there is no $scree: ./dev build release"; exit 1; }
left() { echo $((limit - SECONDS)); }
# the last message of a command, without its beginning
reason() { { grep -E 'error|refused|killed' "$box/err" || echo "ended without a message"; } | head -1 | sed 's/^scree: //; s/^error: //; s/|/,/g' | cut -c1-160; }
# ends a command that takes longer than the time that is left
within() { # SECONDS COMMAND...
	local most=$1
	(($(left) < most)) && most=$(left)
	((most > 1)) || { echo "error: no time is left" >"$box/err"; return 1; }
	timeout "$most" "${@:2}" 2>"$box/err"
	local code=$?
	((code == 124)) && echo "error: not finished after $most s" >"$box/err"
	((code > 128)) && echo "error: killed by the signal $(kill -l "$code")" >>"$box/err"
	return $code
}
value() { awk -v name="$1" '{ for (k = 1; k < NF; ++k) if ($k == name) { print $(k + 1); exit } }' "$2"; }

echo "# Steps on \`$machine\`"
echo
echo "$(date -u +%F), commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown), $("$scree" --version | head -1), $(nproc) processors."
echo
"$scree" list machines | sed 's/^/    /'
"$scree" list machines | grep -q "^  $machine .*GB$" || { echo; echo "There is no device of this kind."; exit 1; }

# ------------------------------------------------------------------ the same hashes

hash_of() { # MACHINE SCENE STEPS
	within 60 "$scree" run "$2" --machine "$1" --steps "$3" --set 'run.until=1000 s' --set 'output={}' --quiet -o "$box/run" \
		--overwrite | sed -n 's/^hash //p'
}
row_of_hashes() { # SCENE STEPS
	local here="" there
	if ((SECONDS * 3 > limit)); then
		echo "| \`$1\` | $2 | – | a third of the time is over |"
		return
	fi
	there=$(hash_of "$machine" "$1" "$2")
	[ -n "$there" ] && here=$(hash_of cpu "$1" "$2")
	if [ -z "$there" ] || [ -z "$here" ]; then
		echo "| \`$1\` | $2 | – | $(reason) |"
		return
	fi
	if [ "$here" = "$there" ]; then
		echo "| \`$1\` | $2 | same | $there |"
	else
		wrong=1
		echo "| \`$1\` | $2 | **DIFFERENT** | $there, not $here |"
	fi
}
echo
echo "## Hashes"
echo
echo "| scene | steps | hash compared with the processor's | |"
echo "|---|---|---|---|"
scenes=(scenes/settling_{spheres,cubes} examples/{drum,hopper,mill,press,crater,gas}
	scenes/{govender2015_cubes,mixed_drum,cone_hopper,mesh_chute,rain,vibrated_plate}
	scenes/{linear_rolling,sticky_beads,wet_balls,yielding_balls} examples/clumps)
for scene in ${GPU_SCENES-"${scenes[@]/%/.scene.yaml}"}; do
	row_of_hashes "$scene" 200
done

# ------------------------------------------------------------------ speed and memory

# Bodies on a lattice, so close that each touches its six neighbours: three contacts per body, at rest from the start.
# Cubes would touch twenty-six; they form sheets apart from each other, with eight neighbours: four contacts per body.
scene_of() { # LAW SHAPE SIDE
	local pitch=0.9995 apart=0.9995 wide=$3 shape law phase=
	case $2 in
	spheres) shape='sphere: 1' ;;
	clumps) shape='clump: {centers: [[0.25, 0, 0], [-0.25, 0, 0], [0, 0.25, 0], [0, -0.25, 0], [0, 0, 0.25], [0, 0, -0.25]], radii: [0.25]}' ;;
	cubes) shape='box: [1, 1, 1]' apart=1.1 wide=$((11 * $3 / 10 + 1)) ;;
	esac
	case $1 in
	hertz) law='law: hertz' ;;
	linear) law='law: linear, stiffness: 100 kN/m' ;;
	overlap) law='law: overlap' ;;
	paper | branching)
		law='law: hertz' phase=', narrow_phase: separating-plane/govender2015'
		[ "$1" = branching ] && phase+=/branching
		;;
	esac
	cat <<-YAML
		scene: 1
		title: $2 on a lattice
		world: {gravity: [0, 0, -1 m/s^2]}
		materials: {grain: {density: 1 kg/m^3, young: 100 kPa, poisson: 0.3}}
		contacts: {default: {$law, restitution: 0.5, friction: 0.5}}
		shapes: {grain: {$shape}}
		walls:
		  room: {box: {min: [0 m, 0 m, 0 m], max: [$3 m, $wide m, $((3 * $3)) m], open: [z_max]}, material: grain}
		fill:
		  - material: grain
		    shape: grain
		    size: 1 m
		    region: {box: {min: [0 m, 0 m, 0 m], max: [$3 m, $wide m, $3 m]}}
		    lattice: {spacing: [$pitch m, $apart m, $pitch m], count: [$3, $3, $3]}
		run: {until: 1000 s, guard: {overlap: 90 %}$phase}
	YAML
}
# memory that is free, in bytes
free_memory() { awk '/^MemAvailable/ { print $2 * 1024 }' /proc/meminfo; }
# and room for snapshots
free_disk() { df --output=avail -B1 "$box" | tail -1; }
# bodies along an edge for which so many bytes suffice, of so many per body
largest_side() { awk -v a="$2" -v b="$1" 'BEGIN { printf "%d", a ? (0.9 * b / a) ^ (1 / 3) : 1000 }'; }
lacks() { # WHAT FREE NEEDED: in bytes
	awk -v what="$1" -v a="$2" -v b="$3" 'BEGIN { printf "%.0f GB of %s are free, for some %.0f", a / 1e9, what, b / 1e9 }'
}
bench() { # MACHINE STEPS SECONDS: prints the file of results
	within "$3" "$scree" bench "$box/state/grains.snap" --machine "$1" --steps "$2" >"$box/of_$1"
}
# of a step, without copies of the state between processor and card and without what the processor does
on_device() { awk '/^stage_seconds/ { for (k = 2; k < NF; k += 2) of[$k] = $(k + 1); printf "%.3g", 1000 * (of["broad"] + of["law"]) }' "$box/of_$machine"; }
gigabytes() { value device_bytes_per_body "$box/of_$machine" | awk -v n="$1" '{ printf "%.3g", n * $1 / 1e9 }'; }
rows_of_speed() { # LAW SHAPE SIDE...
	local side most count=1 last steps speed needed=0 stored=0 on_disk before took=0 why
	for side in "${@:3}"; do
		last=$count count=$((side * side * side)) before=$SECONDS
		most=$(largest_side "$(free_memory)" "$needed") on_disk=$(largest_side "$(free_disk)" "$stored")
		why=$(lacks memory "$(free_memory)" $((needed * count)))
		((on_disk < most)) && most=$on_disk why=$(lacks disk "$(free_disk)" $((stored * count)))
		echo -n "| $2 | $1 | $count | "
		if ((took * (count / last) > $(left) && !headline)); then
			echo "– | | | | | | no time is left |"
			return
		fi
		if ((side > most)); then
			echo "– | | | | | | $why |"
			side=$most count=$((most * most * most))
			((count > last)) || return
			echo -n "| $2 | $1 | $count | "
		fi
		scene_of "$1" "$2" "$side" >"$box/grains.scene.yaml"
		rm -rf "$box/state"
		steps=$((20000000 / count)) && ((steps = steps < 40 ? 40 : steps > 500 ? 500 : steps))
		if ! within "$(left)" "$scree" run "$box/grains.scene.yaml" --machine "$machine" --steps 1 --quiet -o "$box/state" --overwrite >"$box/log" ||
			! bench "$machine" "$steps" "$(left)"; then
			echo "– | | | | | | $(reason) |"
			return
		fi
		took=$((SECONDS - before)) stored=$(($(stat -c %s "$box/state/grains.snap") / count + 1))
		speed=$(value particle_steps_per_second "$box/of_$machine")
		needed=$(value bytes_per_body "$box/of_$machine" | awk '{ printf "%d", $1 }')
		echo -n "$speed | $(awk -v n="$count" -v s="$speed" 'BEGIN { printf "%.3g", 1000 * n / s }') | $(on_device) | "
		echo -n "$(value device_bytes_per_body "$box/of_$machine") | $(gigabytes "$count") | $needed | "
		if ((on_cpu)) && [ "$side" = "${sides[0]}" ]; then
			if bench cpu "$steps" "$on_cpu"; then
				if [ "$(value hash "$box/of_cpu")" = "$(value hash "$box/of_$machine")" ]; then echo -n "same hash"; else
					wrong=1
					echo -n "**DIFFERENT HASH**"
				fi
				echo -n ", processor: $(value particle_steps_per_second "$box/of_cpu") steps/s"
			else
				echo -n "processor: $(reason)"
			fi
		fi
		echo " |"
		echo "$2 $1 $count $speed" >>"$box/numbers"
		((side < most)) || return
	done
}
echo
echo "## Speed and memory"
echo
echo "Bodies at rest on a lattice: three contacts per body, four for cubes. Steps per second include copies of the state, once to the device and once"
echo "back in each measurement; the time on the device does not. Aims on an H200: 1e9 for spheres, 1e8 for cubes by \`linear\`, 5e7 by"
echo "\`overlap\`; 34e6 cubes in 80 GB and 700 ms per step. \`paper\` and \`branching\` are the narrow phase of Govender et al. with kernels for each"
echo "type of contact, and with one kernel for all (S1.36)."
echo
echo "| bodies | law | number | particle steps per second | ms per step | ms on the device | bytes per body on the device | GB | bytes per body in the process | |"
echo "|---|---|---|---|---|---|---|---|---|---|"
touch "$box/numbers"
rest=("${sides[@]:1}")
headline=1 whole=$limit
limit=$((5 * limit / 6))
rows_of_speed overlap cubes "${sides[0]}" "${rest[@]: -1}"
headline=0 limit=$whole
rows_of_speed linear cubes "${sides[@]}"
rows_of_speed hertz spheres "${sides[@]}"
rows_of_speed paper cubes "${sides[@]:0:2}"
rows_of_speed branching cubes "${sides[@]:0:2}"
rows_of_speed overlap cubes "${rest[@]:0:${#rest[@]} ? ${#rest[@]} - 1 : 0}"
rows_of_speed hertz clumps "${sides[@]}"

# ------------------------------------------------------------------ Table 3

echo
echo "## Table 3 of Govender et al. (2015)"
echo
echo "Cundall numbers: number of bodies times steps per second, each for the largest number above."
echo
echo "| bodies | law | number | Cundall number | published |"
echo "|---|---|---|---|---|"
published() {
	case $1 in
	spheres) echo "2.0e7 for 2.0e7 spheres (Radeke), 5.5e7 for 5.0e7 (Govender)" ;;
	clumps) echo "6.6e5 for 1.64e4 (Harada), 1.49e6 for 2.56e5 (Longmore)" ;;
	cubes) echo "2.62e6 for 3.4e7 polyhedra, 13 s per step (Govender)" ;;
	esac
}
for kind in "spheres hertz" "clumps hertz" "cubes linear" "cubes overlap"; do
	last=$(grep "^$kind " "$box/numbers" | sort -n -k 3 | tail -1)
	read -r shape law count speed <<<"${last:-$kind – –}"
	echo "| $shape | $law | $count | $speed | $(published "$shape") |"
done
echo
echo "$SECONDS s."
exit $wrong
