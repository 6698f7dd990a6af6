#!/bin/bash
# needs: test
# Random pairs of polyhedra: the regions, sums and effects of src/kernel/overlap_pair.h on PoCL's device, and on a card
# with OpenCL, if there is one, have the bits of the host and of the engine. A single fused operation on the device is
# detected.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
keep_kernels
mkdir -p "$box/fused"
gcc -std=gnu17 -O3 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-tree-slp-vectorize -Wall -Wextra -Werror \
	-I src -I tests/machine/pocl tests/machine/pocl/polyhedra.c "$SCREE_BUILD/libscree_core.a" -lOpenCL -lpthread -lm -o "$box/polyhedra" >"$box/out" 2>&1
check "builds (opencl-headers and ocl-icd-opencl-dev are needed)" test $? -eq 0
pairs=100000
timeout 300 "$box/polyhedra" $pairs src >"$box/out" 2>&1
check "runs to its end (pocl-opencl-icd is needed)" test $? -eq 0
check "random pairs have the bits of the host and of the engine" says "same: of "
card="NVIDIA CUDA"
timeout 300 "$box/polyhedra" $pairs src src "$card" >"$box/out" 2>&1
if [ $? -eq 3 ]; then
	echo "# not run: $card, there is no such card"
else
	check "$card: the bits of the host" says "same: of "
fi
cp -r src/base src/kernel "$box/fused/"
sed -i 's/return v3(a.x + s \* b.x, a.y/return v3(fma(s, b.x, a.x), a.y/' "$box/fused/base/real.h"
timeout 300 "$box/polyhedra" 1000 src "$box/fused" >"$box/out" 2>&1
check "a fused operation in the device's headers is detected" test $? -eq 1
check "in many pairs" grep -q '^wrong: of [0-9]* pairs [0-9]\{4,\} differ on the device, 0 from the engine' "$box/out"
echo "1..$n"
