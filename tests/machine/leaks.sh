#!/bin/bash
# needs: test
# Nothing is left on a device: every buffer, program, kernel, queue and context is released when a simulation is closed,
# also after a failure of the device in the middle of a step, a refusal, and a change of the machine. They are counted by
# tests/machine/opencl/driver.c.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
keep_kernels
SCREE=${SCREE:-$PWD/build/test/scree}
mkdir -p "$box/driver"
gcc -std=gnu17 -Wall -Wextra -Werror -shared -fPIC tests/machine/opencl/driver.c -o "$box/driver/libOpenCL.so.1" >"$box/out" 2>&1
check "the driver builds" test $? -eq 0
SCREE_TEST_OPENCL=$(ldconfig -p | sed -n 's/.*libOpenCL\.so\.1 .*=> //p' | head -1)
export SCREE_TEST_OPENCL LD_LIBRARY_PATH=$box/driver SCREE_LIBRARY=${SCREE_LIBRARY:-$(dirname "$SCREE")/libscree.so}
export PYTHONPATH=$PWD/python PYTHONDONTWRITEBYTECODE=1
none='^buffers 0 of [0-9]+, programs 0 of [0-9]+, kernels 0 of [0-9]+, queues 0 of [0-9]+, contexts 0 of [1-9][0-9]*$'
nothing_left() { grep -Eq "$none" "$box/out"; }
cat >"$box/play.py" <<'PLAY'
import sys
import scree
world = scree.open(sys.argv[1])
try:
    for machine in sys.argv[2:]:
        world.use_machine(machine)
        world.step(20)
except scree.Error as why:
    print("failed:", why)
world.close()
PLAY
play() { # NAME SCENE MACHINE...
	rm -f "$box/left"
	SCREE_TEST_LEFT=$box/left /usr/bin/python3 "$box/play.py" "${@:2}" >"$box/out" 2>&1
	check "$1: the program ends by itself" test $? -eq 0
	cat "$box/left" >>"$box/out"
	check "$1: nothing is left" nothing_left
}
spheres=scenes/settling_spheres.scene.yaml
play "a run" $spheres opencl
check "on the device" not says "failed:"
play "polyhedra and walls" scenes/settling_cubes.scene.yaml opencl
play "two changes" $spheres opencl cpu opencl
check "without a failure" not says "failed:"
export SCREE_TEST_CALL
for SCREE_TEST_CALL in 20 60 120; do
	SCREE_TEST_FAILS=clEnqueueNDRangeKernel play "launch $SCREE_TEST_CALL fails" $spheres opencl
	check "told" says "cannot launch"
done
SCREE_TEST_CALL=3 SCREE_TEST_FAILS=clCreateBuffer play "a buffer fails" $spheres opencl
SCREE_TEST_CALL=40 SCREE_TEST_FAILS=clEnqueueReadBuffer play "a read fails" $spheres opencl
SCREE_TEST_MEMORY=100000 play "too little memory" $spheres opencl
check "refused" says "the device has"
SCREE_TEST_LEFT=$box/run "$SCREE" run $spheres --steps 20 --machine opencl --quiet --set 'output={}' -o "$box/results" >"$box/out" 2>&1
cp "$box/run" "$box/out"
check "the command: nothing is left" nothing_left
echo "1..$n"
