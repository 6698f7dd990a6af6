#!/bin/bash
# needs: test
# Random pairs of polyhedra, and polyhedra at walls: the contacts of papers/govender2015/kernel on PoCL's device, and on a
# card with OpenCL, if there is one, have the bits of the host and of the narrow phase. A single fused operation on the
# device is detected.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
keep_kernels
mkdir -p "$box/fused"
gcc -std=gnu17 -O3 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-tree-slp-vectorize -Wall -Wextra -Werror \
	-I src -I . -I tests/machine/pocl tests/machine/pocl/govender2015.c "$SCREE_BUILD/libscree_core.a" -lOpenCL -lpthread -lm -o "$box/govender2015" >"$box/out" 2>&1
check "builds (opencl-headers and ocl-icd-opencl-dev are needed)" test $? -eq 0
pairs=100000
timeout 300 "$box/govender2015" $pairs src >"$box/out" 2>&1
check "runs to its end (pocl-opencl-icd is needed)" test $? -eq 0
for what in "pairs" "pairs as printed" "bodies at walls"; do
	check "$what have the bits of the host and of the engine" grep -q "^same: of [0-9]* $what 0 differ" "$box/out"
done
card="NVIDIA CUDA"
timeout 300 "$box/govender2015" $pairs src src "$card" >"$box/out" 2>&1
if [ $? -eq 3 ]; then
	echo "# not run: $card, there is no such card"
else
	check "$card: the bits of the host" test "$(grep -c "^same" "$box/out")" = 3
fi
if ! in_short; then # polyhedra.sh detects one, too
	cp -r src/base src/kernel "$box/fused/"
	sed -i 's/return v3(a.x + s \* b.x, a.y/return v3(fma(s, b.x, a.x), a.y/' "$box/fused/base/real.h"
	timeout 300 "$box/govender2015" 1000 src "$box/fused" >"$box/out" 2>&1
	check "a fused operation in the device's headers is detected" test $? -eq 1
	check "in many pairs, and on the device alone" grep -q '^wrong: of [0-9]* pairs [1-9][0-9]\+ differ on the device, 0 from the engine' "$box/out"
fi
echo "1..$n"
