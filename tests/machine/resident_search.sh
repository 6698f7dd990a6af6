#!/bin/bash
# needs: test
# Searches for pairs on a device (PoCL, which runs on the processor): beads of many sizes that fly, a funnel of all forms of
# walls, sheared periodic space and a packing have the hashes of the processor's steps, and the host makes hardly any
# step, although pairs are searched for often. The lists of a search are read back, and continued in the next run.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=${SCREE:-build/test/scree}
keep_kernels
cp tests/machine/{gas,pocl/funnel}.scene.yaml scenes/{chute.obj,settling_spheres.scene.yaml,periodic_shear.scene.yaml} "$box"
free=(--set "run.until=1000 s" --set 'output={}')
run() { # MACHINE FOLDER ARGUMENT...: the hash
	"$scree" run --machine "$1" -o "$box/$2" --overwrite --quiet "${@:3}" 2>&1 | sed -n 's/^hash //p'
}
bench() { # MACHINE SNAPSHOT: device steps, host steps, searches, and the hash
	"$scree" bench "$2" --steps 1000 --machine "$1" |
		sed -n 's/^device_steps \([0-9]*\)  host_steps \([0-9]*\).*/\1 \2/p; s/.* searches \([0-9]*\)$/\1/p; s/^hash //p'
}
names=(gas settling_spheres)
in_short || names+=(funnel periodic_shear settling_cubes)
cp scenes/settling_cubes.scene.yaml "$box"
for name in "${names[@]}"; do
	from=("$box/$name.scene.yaml" "${free[@]}")
	[ $name = periodic_shear ] && from+=(--set 'run.skin=0.1 mm')
	there=("${from[@]}") alike=0
	for part in 1 2; do
		here=$(run cpu cpu$part "${from[@]}" --steps 300)
		[ -n "$here" ] && [ "$here" = "$(run opencl opencl$part "${there[@]}" --steps 300)" ] && alike=$((alike + 1))
		from=(--resume "$box/cpu$part/$name.snap") there=(--resume "$box/opencl$part/$name.snap")
	done
	check "$name: the same hash every 300 steps" test $alike -eq 2
	read -d '' -r searches here < <(bench cpu "$box/cpu2/$name.snap")
	read -d '' -r searched made by_host hash < <(bench opencl "$box/cpu2/$name.snap")
	echo "# $name: $searches searches by the processor; $searched on both, $made steps of the device, $by_host of the host"
	check "$name: searches" test "${searched:-0}" -gt 3
	check "$name: hardly any step of the host" test "${by_host:-99}" -le $((searched / 2))
	check "$name: the same hash after 1000 more steps" test -n "$here" -a "$here" = "$hash"
done
echo "1..$n"
