#!/bin/bash
# needs: test
# Random spheres at walls of each form, and random polyhedra at planes, at cylinders and cones, and at facets, by overlap
# and by depth: contacts by src/kernel on PoCL's device, and on a card with OpenCL, if there is one, have the bits of the host and of
# the engine. A single fused operation on the device is detected.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
keep_kernels
mkdir -p "$box/fused"
gcc -std=gnu17 -O3 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-tree-slp-vectorize -Wall -Wextra -Werror \
	-I src -I tests/machine/pocl tests/machine/pocl/walls.c "$SCREE_BUILD/libscree_core.a" -lOpenCL -lpthread -lm -o "$box/walls" >"$box/out" 2>&1
check "builds (opencl-headers and ocl-icd-opencl-dev are needed)" test $? -eq 0
pairs=100000
timeout 300 "$box/walls" $pairs src >"$box/out" 2>&1
check "runs to its end (pocl-opencl-icd is needed)" test $? -eq 0
check "random spheres have the bits of the host and of the engine" says "spheres 0 differ on the device, 0 from the engine"
check "random polyhedra by overlap" says "overlaps 0 differ on the device, 0 from the engine"
check "random polyhedra by depth" says "depths 0 differ on the device, 0 from the engine"
check "random polyhedra at tubes by overlap" says "tubes 0 differ on the device, 0 from the engine"
check "random polyhedra at tubes by depth" says "rounds 0 differ on the device, 0 from the engine"
check "random polyhedra at facets by overlap" says "joined 0 differ on the device, 0 from the engine"
check "random polyhedra at facets by depth" says "facets 0 differ on the device, 0 from the engine"
card="NVIDIA CUDA"
timeout 300 "$box/walls" $pairs src src "$card" >"$box/out" 2>&1
if [ $? -eq 3 ]; then
	echo "# not run: $card, there is no such card"
else
	check "$card: the bits of the host" says "same: of "
fi
if ! in_short; then # polyhedra.sh detects one, too
	cp -r src/base src/kernel "$box/fused/"
	sed -i 's/return v3(a.x + s \* b.x, a.y/return v3(fma(s, b.x, a.x), a.y/' "$box/fused/base/real.h"
	timeout 300 "$box/walls" 1000 src "$box/fused" >"$box/out" 2>&1
	check "a fused operation in the device's headers is detected" test $? -eq 1
	check "for many bodies" test "$(grep -c '^wrong: of [0-9]* [a-z]* [0-9]\{2,\} differ on the device, 0 from the engine' "$box/out")" = 7
fi
echo "1..$n"
