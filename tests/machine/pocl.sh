#!/bin/bash
# needs:
# in builds only
# Spheres that touch: law, sums by atomic additions and motion on PoCL's device have the bits of the host, from the same
# headers (tests/machine/pocl/); also on a card with OpenCL, if there is one. A single fused operation on the device is
# detected.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
keep_kernels
mkdir -p "$box/fused"
# the engine's own flags
gcc -std=c17 -O3 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-tree-slp-vectorize -Wall -Wextra -Werror \
	-I src -I tests/machine/pocl tests/machine/pocl/pocl.c -lOpenCL -o "$box/pocl" >"$box/out" 2>&1
check "builds (opencl-headers and ocl-icd-opencl-dev are needed)" test $? -eq 0
every=1
in_short && every=4
timeout 300 "$box/pocl" src src "Portable Computing Language" $every >"$box/out" 2>&1
check "runs to its end (pocl-opencl-icd is needed)" test $? -eq 0
laws=(linear "linear, rolling" "linear, DMT" "linear, cohesion by volume" hertz "hertz, rolling" "hertz, JKR" "hertz, DMT" \
	"hertz, cohesion by volume" plastic "plastic, rolling" power "power, rolling")
same_bits() { # PREFIX
	for ((k = 0; k < ${#laws[@]}; k += every)); do
		law=${laws[k]}
		check "$1$law: the bits of the host" says "same $law: 0 words differ"
	done
}
same_bits ""
card="NVIDIA CUDA"
timeout 300 "$box/pocl" src src "$card" $every >"$box/out" 2>&1
if [ $? -eq 3 ]; then
	echo "# not run: $card, there is no such card"
else
	same_bits "$card, "
fi
if ! in_short; then # polyhedra.sh detects one, too
	cp -r src/base src/kernel "$box/fused/"
	sed -i 's/return v3(a.x + s \* b.x, a.y/return v3(fma(s, b.x, a.x), a.y/' "$box/fused/base/real.h"
	timeout 300 "$box/pocl" src "$box/fused" >"$box/out" 2>&1
	check "a fused operation in the device's headers is seen" test $? -eq 1
	check "in each law" test "$(grep -c '^wrong .*: [1-9][0-9]* words differ' "$box/out")" -eq 13
fi
echo "1..$n"
