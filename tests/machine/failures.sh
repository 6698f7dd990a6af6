#!/bin/bash
# needs: test
# Failures of a device, by tests/machine/opencl/driver.c: a device that is missing or too small, and calls of the library
# that fail during a run. The message names the call, the exit code is that of a device, and the last snapshot is good:
# the processor continues it to the state of a run without a device. `scree check` prints the memory that a scene needs.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=${SCREE:-build/test/scree}
keep_kernels
mkdir -p "$box/driver"
scene=scenes/settling_spheres.scene.yaml name=settling_spheres
sets=(--set 'output={}' --set 'run.snapshot.every=1 us' --set 'run.until=20 ms')
says_like() { grep -Eq -- "$1" "$box/out"; }

"$scree" check $scene --machine opencl >"$box/out" 2>&1
check "check prints the memory that a scene needs" says_like '^machine .*Portable Computing.*: [0-9.]+ MB, [0-9.]+ MB as a packing, of [0-9.]+ MB$'
"$scree" check $scene >"$box/out" 2>&1
check "not for the processor" not grep -q '^machine' "$box/out"
OCL_ICD_VENDORS=$box/none "$scree" run $scene "${sets[@]}" --machine opencl -o "$box/none" >"$box/out" 2>&1
check "a missing device: exit code 2" test $? -eq 2 -a ! -e "$box/none"
check "and the reason" says "opencl: there is no driver"

gcc -std=gnu17 -Wall -Wextra -Werror -shared -fPIC tests/machine/opencl/driver.c -o "$box/driver/libOpenCL.so.1" >"$box/out" 2>&1
check "the driver builds" test $? -eq 0
SCREE_TEST_OPENCL=$(ldconfig -p | sed -n 's/.*libOpenCL\.so\.1 .*=> //p' | head -1)
export SCREE_TEST_OPENCL LD_LIBRARY_PATH=$box/driver
for verb in check run; do
	SCREE_TEST_MEMORY=100000 "$scree" $verb $scene --machine opencl >"$box/out" 2>&1
	check "$verb: a device with too little memory is refused" test $? -eq 2
	check "with both numbers" says_like 'the world needs [0-9.]+ MB, but the device has 0\.1 MB'
done
SCREE_TEST_LARGEST=20000 "$scree" run $scene --machine opencl >"$box/out" 2>&1
check "a device with small blocks is refused" test $? -eq 2
check "with both numbers" says_like 'the world needs a block of [0-9.]+ MB, but the device has blocks of at most 0\.0 MB'
crowd=tests/machine/crowd.scene.yaml
"$scree" check $crowd --machine opencl >"$box/out" 2>&1
between=$(awk '/^machine / { sub(/.*: /, ""); print int(5e5 * ($1 + $3)) }' "$box/out")
SCREE_TEST_MEMORY=$between "$scree" check $crowd --machine opencl >"$box/out" 2>&1
check "a warning if a packing would not fit" says_like '^warning: machine opencl: a packing of these bodies needs [0-9.]+ MB, but [0-9.]+ MB are free: the run may fail$'

"$scree" run $scene "${sets[@]:0:2}" --machine opencl --wall 0.01 --quiet -o "$box/late" >"$box/out" 2>&1
check "a time limit stops the run after its first step" says "step 1, after"

whole=$("$scree" run $scene "${sets[@]}" --quiet -o "$box/whole" | sed -n 's/^hash //p')
fails() { # FUNCTION CALL MESSAGE...
	local text
	SCREE_TEST_FAILS=$1 SCREE_TEST_CALL=$2 "$scree" run $scene "${sets[@]}" --machine opencl --quiet -o "$box/$1" --overwrite >"$box/out" 2>&1
	local code=$? hash
	check "$1 fails: exit code 4" test $code -eq 4
	for text in "${@:3}"; do check "with the reason" says "$text"; done
	check "and how to continue" says_like "run --resume .*/$1/$name.snap --machine cpu$"
	hash=$("$scree" run --resume "$box/$1/$name.snap" --quiet | sed -n 's/^hash //p')
	check "the processor continues from the last snapshot" test -n "$whole" -a "$hash" = "$whole"
}
fails clEnqueueNDRangeKernel 700 "kernel resident_" "cannot launch" "items: CL_OUT_OF_RESOURCES (-5)"
fails clEnqueueReadBuffer 150 "bytes: CL_OUT_OF_RESOURCES (-5)"
fails clEnqueueWriteBuffer 150 "bytes: CL_OUT_OF_RESOURCES (-5)"
"$scree" run $scene "${sets[@]}" --machine opencl --steps 5 --json -o "$box/five" >"$box/json" 2>"$box/out"
check "the header names the device" says_like '^machine .*Portable Computing.* \(a processor, not a card\)$'
check "a run that is stopped can be continued on the same machine" says_like '^continue with: .* --machine opencl$'
cat "$box/json" >>"$box/out"
check "JSON has the machine" says_like '"machine": *"opencl"'
"$scree" run $scene "${sets[@]}" --steps 5 -o "$box/five" --overwrite >"$box/out" 2>&1
check "the processor is not named" not grep -q machine "$box/out"
# 575 steps: once for each of 96 steps, as for the processor, would be 330 calls
SCREE_TEST_FAILS=clEnqueueReadBuffer SCREE_TEST_CALL=300 "$scree" run $scene "${sets[@]:0:2}" "${sets[@]:4}" --machine opencl --quiet \
	-o "$box/few" --overwrite >"$box/out" 2>&1
check "the state is not read back after few steps without outputs" says "hash $whole"
SCREE_TEST_FAILS=clCreateBuffer SCREE_TEST_CALL=3 "$scree" run $scene "${sets[@]}" --machine opencl -o "$box/buffer" >"$box/out" 2>&1
check "memory that is not there after all: exit code 4" test $? -eq 4
check "with the size" says_like 'cannot allocate [0-9]+ bytes: CL_MEM_OBJECT_ALLOCATION_FAILURE \(-4\)'
SCREE_TEST_FAILS=clCreateContext "$scree" run $scene "${sets[@]}" --machine opencl -o "$box/context" >"$box/out" 2>&1
check "a device that cannot be opened: exit code 4" test $? -eq 4 -a ! -e "$box/context"
check "with the name of the error" says "cannot be opened: CL_DEVICE_NOT_AVAILABLE (-2)"
rm -rf "$box/cache"
SCREE_TEST_FAILS=clBuildProgram "$scree" run $scene "${sets[@]}" --machine opencl -o "$box/build" >"$box/out" 2>&1
check "kernels that do not compile: an internal error" test $? -eq 70
check "with the reason" says "the kernels do not compile"
echo "1..$n"
