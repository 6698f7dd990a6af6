#!/bin/bash
# needs: test
# waits
# Worlds divided among ranks, each with a device of its own (PoCL, which runs on the processor): the hash, the files and
# the messages of one process on the processor.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=${SCREE:-build/test/scree}
if ! with_ranks; then
	echo "ok 1 - # skip this build has no MPI, or there is no mpirun"
	echo "1..1"
	exit 0
fi
keep_kernels
export POCL_MAX_PTHREAD_COUNT=1 # a thread per device
mkdir -p "$box/driver"
free=(--set 'run.until=1000 s' --set 'output={}')
hash_in() { sed -n 's/^hash //p' "$1"; }
ranks() { # NUMBER ARGUMENT...
	timeout "$(stretched 120)" mpirun -n "$1" "$scree" "${@:2}" -t 1 --quiet >"$box/out" 2>"$box/err"
	local code=$?
	cat "$box/err" >>"$box/out" # mpirun would mix their lines
	return $code
}
same() { # WHAT RANKS SCENE STEPS [SET...]
	local set=("${free[@]}") s
	for s in "${@:5}"; do set+=(--set "$s"); done
	"$scree" run "$3" "${set[@]}" --steps "$4" --quiet -o "$box/one" --overwrite >"$box/one.out" 2>&1
	ranks "$2" run "$3" --machine opencl "${set[@]}" --steps "$4" -o "$box/many" --overwrite
	check "$1, $2 ranks: the hash of one process" test -n "$(hash_in "$box/one.out")" -a "$(hash_in "$box/one.out")" = "$(hash_in "$box/out")"
}
scene=scenes/settling_spheres.scene.yaml
law='contacts.default={restitution: 0.6, friction: 0.4, rolling_friction: 0.01}' # that of this scene
# compiles the kernels for all that follow
"$scree" run $scene --machine opencl "${free[@]}" --steps 3 --quiet -o "$box/one" >"$box/out" 2>&1
check "one process has a device" test $? -eq 0
same "spheres that settle" 2 $scene 300
within 120 mpirun -n 2 "$scree" bench "$box/many/settling_spheres.snap" --machine opencl --steps 100 -t 1 >"$box/out" 2>&1
steps=$(sed -n 's/^device_steps \([0-9]*\) .*/\1/p' "$box/out")
check "devices make most of the steps" test "${steps:-0}" -gt 80
same "a wall that moves" 3 scenes/vibrated_plate.scene.yaml 300 "$law"
# one rank has no bodies at first
same "a source and a sink" 2 scenes/rain.scene.yaml 900 "$law" 'sources.0.mix=[{shape: bead, size: 6 mm}]'
in_short || same "cohesion" 2 scenes/sticky_beads.scene.yaml 300

sets=(--set 'run.until=8 ms' --set 'output={history: {every: 1 ms}}' --set 'run.snapshot.every=2 ms')
"$scree" run $scene "${sets[@]}" --quiet -o "$box/alone" >"$box/out" 2>&1
ranks 2 run $scene --machine opencl "${sets[@]}" -o "$box/both"
check "the history, with energies, and the snapshot are those of one process" diff -r -x '*.old.snap' "$box/alone" "$box/both"
ranks 2 run $scene --machine opencl "${sets[@]}" --steps 60 -o "$box/part"
"$scree" run --resume "$box/part/settling_spheres.snap" --quiet >"$box/out" 2>&1
check "one process continues on the processor" diff -r -x '*.old.snap' "$box/alone" "$box/part"

for machine in cpu opencl; do
	ranks 2 run $scene --machine $machine "${free[@]}" --set 'run.guard.speed=0.1 m/s' --steps 3000 -o "$box/stop" --overwrite
	grep -E '^(hash|scree: error)' "$box/out" >"$box/said-$machine"
done
check "a guard stops both machines with the same message and state" test "$(wc -l <"$box/said-cpu")" -eq 2 -a "$(cat "$box/said-cpu")" = "$(cat "$box/said-opencl")"

# the device of the first rank fails
gcc -std=gnu17 -Wall -Wextra -Werror -shared -fPIC tests/machine/opencl/driver.c -o "$box/driver/libOpenCL.so.1" >"$box/out" 2>&1
check "the driver builds" test $? -eq 0
real=$(ldconfig -p | sed -n 's/.*libOpenCL\.so\.1 .*=> //p' | head -1)
run=(-n 1 -x SCREE_TEST_OPENCL="$real" -x LD_LIBRARY_PATH="$box/driver")
of_rank=("$scree" run $scene --machine opencl -t 1 "${free[@]}" --steps 3000 --quiet -o "$box/fails")
timeout "$(stretched 120)" mpirun "${run[@]}" -x SCREE_TEST_FAILS=clEnqueueNDRangeKernel -x SCREE_TEST_CALL=200 "${of_rank[@]}" : \
	"${run[@]}" "${of_rank[@]}" >"$box/out" 2>&1
check "a device of one rank that fails ends all: exit code 4" test $? -eq 4
check "with the reason" says "scree: rank 0: kernel resident_"
mpirun "${run[@]}" -x SCREE_TEST_MEMORY=100000 "${of_rank[@]}" : "${run[@]}" -x SCREE_TEST_MEMORY=100000 "${of_rank[@]}" >"$box/out" 2>&1
check "a device that two ranks share and that has too little memory is refused" test $? -eq 2
check "once" test "$(grep -c 'the world needs .* MB, but the device has 0.1 MB' "$box/out")" -eq 1
export SCREE_TEST_OPENCL=$real LD_LIBRARY_PATH=$box/driver SCREE_TEST_OPENED=$box/opened POCL_DEVICES="pthread pthread"
same "two devices" 3 $scene 100
opened=$(grep 'of rank [0-9]' "$box/opened" | sort -k 5 | tr '\n' ',')
check "rank k has device k, modulo their number" test "$opened" = "device 0 of rank 0,device 1 of rank 1,device 0 of rank 2,"
unset SCREE_TEST_OPENED POCL_DEVICES
refuses() { # WHAT SCENE [SET]
	ranks 2 run "$2" --machine opencl "${free[@]}" ${3:+--set "$3"} --steps 3 -o "$box/refused"
	check "$1 on several ranks are refused at the start" test ! -e "$box/refused" -a -n "$(grep -F "no kernels for $1 on several ranks" "$box/out")"
}
refuses "polyhedra" scenes/settling_cubes.scene.yaml
refuses "walls moved by forces" $scene 'walls.lid={plane: {point: [0, 0, 0.5 m], normal: [0, 0, -1]}, material: glass, motion: {servo: {force: 20 N, max_speed: 2 m/s}}}'
ranks 2 run $scene --machine abacus -o "$box/no"
check "an unknown machine is refused once" test "$(grep -c 'unknown machine abacus' "$box/out")" -eq 1
echo "1..$n"
