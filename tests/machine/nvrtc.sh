#!/bin/bash
# needs:
# Every header of src/kernel and of the kernels of papers, and the kernels of tests/machine/pocl that are CUDA as well,
# compile by NVRTC, as a run on a card compiles them, without fused operations. ptxas shows their registers: at most 128,
# no spills, and little memory on the stack but for the cuts. No card is needed.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
gcc -std=gnu17 -Wall -Wextra -Werror tests/machine/nvrtc/nvrtc.c -ldl -o "$box/nvrtc" >"$box/out" 2>&1
check "builds" test $? -eq 0
export LD_LIBRARY_PATH=$LD_LIBRARY_PATH:/usr/local/cuda/lib64
"$box/nvrtc" src >"$box/out" 2>&1
if [ $? -eq 3 ]; then
	echo "# not run: kernels for CUDA, there is no libnvrtc"
	echo "1..$n"
	exit 0
fi
texts=()
for header in src/kernel/*.h papers/*/kernel/*.h; do texts+=("#include \"${header#src/}\""); done
in_short && texts=("$(printf '%s\n' "${texts[@]}")") # all at once
"$box/nvrtc" src "${texts[@]}" >"$box/out" 2>&1
check "every header compiles" test $? -eq 0 -a "$(grep -c '^compiled' "$box/out")" = ${#texts[@]}
files=(polyhedra polyhedra_large patches patches_large walls govender2015)
in_short && files=() # their functions are those of the kernels below
for text in resident_walls search; do
	"$box/nvrtc" src "#include \"machine/$text.cl\"" >"$box/out" 2>&1
	check "$text.cl: kernels compile, without a fused operation" grep -q '^compiled .*: [0-9]\{5,\} bytes of PTX, 0 fused$' "$box/out"
done
"$box/nvrtc" src '#define RESIDENT_SOLIDS 2015
#define RESIDENT_FACETS 1
#define RESIDENT_LAW(c) LAW_POWER
#define RESIDENT_EXTRA(r) EXTRA_NONE
#include "papers/govender2015/govender2015.cl"' >"$box/out" 2>&1
check "govender2015.cl: kernels compile, without a fused operation" grep -q '^#include .*: [0-9]\{5,\} bytes of PTX, 0 fused$' "$box/out"
laws='#define RESIDENT_TUBES 1
#define RESIDENT_FACETS 1
#define RESIDENT_LAW(c) LAW_LINEAR
#define RESIDENT_LEFT_OUT 8
#define RESIDENT_EXTRA(r) EXTRA_NONE'
solids=(depth overlap)
for k in 1 2; do # by depth, by overlap
	"$box/nvrtc" src "#define RESIDENT_SOLIDS $k
$laws
#include \"machine/resident_${solids[k - 1]}.cl\"" >"$box/out" 2>&1
	check "resident_${solids[k - 1]}.cl: kernels compile, without a fused operation" \
		grep -q '\.cl": [0-9]\{5,\} bytes of PTX, 0 fused$' "$box/out"
done
for file in "${files[@]}"; do
	"$box/nvrtc" src "#include \"../tests/machine/pocl/$file.cl\"" >"$box/out" 2>&1
	check "$file: kernels compile, without a fused operation" grep -q '^compiled .*: [0-9]\{5,\} bytes of PTX, 0 fused$' "$box/out"
done
"$box/nvrtc" src '#include "kernel/item.h"
SCREE_KERNEL void f(real *x) { *x = fma(*x, *x, *x); }' >"$box/out" 2>&1
check "a fused operation is detected" grep -q 'PTX, [1-9][0-9]* fused$' "$box/out"
"$box/nvrtc" src '#include "kernel/contact.h"
struct two { int a, b; }; SCREE_FN two f() { return (struct two){1, 2}; }' >"$box/out" 2>&1
check "a compound literal is refused" grep -q '^refused' "$box/out"
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if in_short; then
	: # ptxas takes a minute for all kernels
elif [ -n "$nvcc" ]; then
	"$nvcc" -std=c++17 --fmad=false -arch=sm_90 -Xptxas -v -I src -x cu -cubin -o "$box/kernels" src/machine/search.cl \
		>"$box/out" 2>&1
	check "search.cl: at most 80 registers, 16 bytes on the stack" awk -v all="$(grep -c '^SCREE_KERNEL' src/machine/search.cl)" '
		/Used/ { ++n; if ($5 > 80) exit ++wrong } /stack frame/ && $1 > 16 { exit ++wrong } END { exit !(n == all && !wrong) }' "$box/out"
	for k in 1 2; do
		"$nvcc" -std=c++17 --fmad=false -arch=sm_90 -Xptxas -v -I src -DRESIDENT_SOLIDS=$k -DRESIDENT_TUBES=1 -DRESIDENT_FACETS=1 -DRESIDENT_LEFT_OUT=8 \
			'-DRESIDENT_LAW(c)=LAW_LINEAR' '-DRESIDENT_EXTRA(r)=EXTRA_NONE' -x cu -cubin -o "$box/kernels" "src/machine/resident_${solids[k - 1]}.cl" >"$box/out" 2>&1
		check "resident_${solids[k - 1]}.cl: at most 128 registers, without spills" awk '
			/Used/ { ++n; if ($5 > 128) exit ++wrong } /spill/ && $5 + $9 > 0 { exit ++wrong }
			END { exit !(n > 15 && !wrong) }' "$box/out"
	done
	# laws, and what they have in addition; 2: the kernels of the law overlap
	variants=('HERTZ STICKS 1' 'LINEAR STICKS 1' 'POWER TURNS 1' 'PLASTIC STICKS 1' 'HERTZ TURNS 2' 'ANY STICKS 1')
	for variant in "${variants[@]}"; do
		IFS=' ' read -r law extra k <<<"$variant"
		defines=(-DRESIDENT_SOLIDS="$k" "-DRESIDENT_EXTRA(r)=EXTRA_$extra")
		[ "$law" = ANY ] || defines+=("-DRESIDENT_LAW(c)=LAW_$law")
		"$nvcc" -std=c++17 --fmad=false -arch=sm_90 -Xptxas -v -I src "${defines[@]}" -x cu -cubin -o "$box/kernels" \
			src/machine/resident_solids.cl >"$box/out" 2>&1
		check "law ${law,,}, ${extra,,}, $k: at most 128 registers, without spills" awk '
			/Used/ { ++n; if ($5 > 128) exit ++wrong } /stack frame/ && ($1 > 1000 || $5 + $9 > 0) { exit ++wrong }
			END { exit !(n > 10 && !wrong) }' "$box/out"
	done
	for file in "${files[@]}"; do
		text=tests/machine/pocl/$file.cl
		kernels=$(grep -c '^SCREE_KERNEL' "${text/_large/}")
		"$nvcc" -std=c++17 --fmad=false -arch=sm_90 -Xptxas -v -I src -I . -x cu -cubin -o "$box/kernels" "$text" >"$box/out" 2>&1
		check "$file: ptxas takes them" test $? -eq 0
		check "$file: with at most 128 registers" awk -v all="$kernels" '/Used/ { ++n; if ($5 > 128) exit ++wrong }
			END { exit !(n == all && !wrong) }' "$box/out"
		check "$file: without spills" awk -v all="$kernels" '/spill/ { ++n; if ($5 > 0 || $9 > 0) exit ++wrong }
			END { exit !(n >= all && !wrong) }' "$box/out"
		check "$file: with at most 2.6 kB on the stack for cuts, and 1 kB for others" awk -v all="$kernels" '
			/Function properties/ { name = $NF }
			/stack frame/ { ++n; if ($1 > (name ~ /regions$/ ? 2662 : 1000)) exit ++wrong }
			END { exit !(n >= all && !wrong) }' "$box/out"
	done
else
	echo "# not run: ptxas, there is no nvcc"
fi
echo "1..$n"
