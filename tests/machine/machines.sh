#!/bin/bash
# needs: test
# Machines: `scree list machines` names each device, or why there is none; the row of CUDA by a driver without a card,
# tests/machine/cuda/driver.c, and NVRTC; the text of kernels is that of its files.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
keep_kernels
mkdir -p "$box/cuda" "$box/old" "$box/src/machine"
list() { env "$@" "$SCREE" list machines >"$box/out" 2>&1; }
like() { grep -Eq -- "$1" "$box/out"; }

list OCL_ICD_VENDORS="$box/none"
check "without a driver of OpenCL: said" like '^  opencl +there is no driver$'
list A=1
check "PoCL is listed" like '^  opencl +.*, Portable Computing Language, driver .*, [0-9.]+ GB$'
gcc -shared -fPIC -x c /dev/null -o "$box/old/libcuda.so.1"
list LD_LIBRARY_PATH="$box/old"
check "a library that lacks a function: said" like '^  cuda +libcuda.so.1 has no cuInit: it is too old$'
echo >"$box/old/libOpenCL.so.1"
list LD_LIBRARY_PATH="$box/old"
check "a library that cannot be loaded: said" like '^  opencl +libOpenCL.so.1 is not there'

gcc -std=gnu17 -Wall -Wextra -Werror -shared -fPIC tests/machine/cuda/driver.c -o "$box/cuda/libcuda.so.1" >"$box/out" 2>&1
check "the driver builds" test $? -eq 0
export LD_LIBRARY_PATH=$box/cuda:/usr/local/cuda/lib64
list A=1
if like '^  cuda +libnvrtc.so is not there$'; then
	echo "# not run: the row of CUDA, there is no libnvrtc"
else
	check "its card is listed" like "^  cuda +a test's card, driver for CUDA 13.0, NVRTC [0-9.]+, 1.1 GB$"
	SCREE_TEST_DRIVER=1 within 60 "$SCREE_BUILD/tests/test_machine_machines" >"$box/out" 2>&1
	check "memory, kernels, padding, messages and the cache of CUDA" test $? -eq 0
	check "of CUDA, too" says "# cuda: 1 devices"
fi

# preprocessed, the text and its files are the same
cp -r src/base src/kernel "$box/src/"
cp tests/machine/pocl/{polyhedra,patches}.cl "$box/src/machine/"
cmake -D SOURCE="$box/src" -D TO="$box/text.c" -P cmake/kernels_text.cmake >"$box/out" 2>&1
check "a text is made" test $? -eq 0
cat >"$box/print.c" <<-C
	#include <stdio.h>
	extern const char scree_kernels_text[];
	int main(void) { return fputs(scree_kernels_text, stdout) < 0; }
C
gcc -I src "$box/print.c" "$box/text.c" -o "$box/print" >"$box/out" 2>&1 && "$box/print" >"$box/text.cl"
check "and printed" test -s "$box/text.cl"
preprocessed() { # FILE
	gcc -E -P -D__OPENCL_C_VERSION__=120 -I "$box/src" -x c "$1" 2>&1
}
printf '#include "machine/%s"\n' patches.cl polyhedra.cl >"$box/files.cl"
preprocessed "$box/text.cl" >"$box/of_text"
preprocessed "$box/files.cl" >"$box/of_files"
diff "$box/of_text" "$box/of_files" >"$box/out" 2>&1
check "it is that of the files" test $? -eq 0 -a "$(wc -l <"$box/of_text")" -gt 500
check "without an #include of ours" not grep -q '^#include "' "$box/text.cl"
sed '/^#line/!s/kernel void patches(/& unknown_type x,/' "$box/text.cl" >"$box/wrong.cl"
sed -i 's/^SCREE_KERNEL_128 void sums(/&unknown_type x, /' "$box/wrong.cl"
gcc -fsyntax-only -D__global= -D__kernel= -I "$box/src" -x c "$box/wrong.cl" >"$box/out" 2>&1
check "messages name the file and the line" like "^machine/polyhedra.cl:$(grep -n ' sums(' tests/machine/pocl/polyhedra.cl | cut -d: -f1):"
echo "1..$n"
