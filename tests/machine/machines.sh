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
check "PoCL is listed" like '^  opencl +device 0: .*, Portable Computing Language, driver .*, [0-9.]+ GB$'
gcc -shared -fPIC -x c /dev/null -o "$box/old/libcuda.so.1"
list LD_LIBRARY_PATH="$box/old"
check "a library that lacks a function: said" like '^  cuda +libcuda.so.1 has no cuInit: it is too old$'
echo >"$box/old/libOpenCL.so.1"
list LD_LIBRARY_PATH="$box/old"
check "a library that cannot be loaded: said" like '^  opencl +libOpenCL.so.1 cannot be loaded: .*file too short'
crowd=tests/machine/crowd.scene.yaml
large=($crowd --set 'B==30*p' --set 'fill.0.lattice.count=[30, 30, 15]' --set 'fill.1.lattice.count=[30, 30, 15]')
if ! ldconfig -p | grep -q libcuda.so.1; then
	"$SCREE" check "${large[@]}" --machine auto >"$box/out" 2>&1
	check "auto says that it takes only some cards" like "^note: machine cpu: auto takes NVIDIA's cards only \(opencl has others\): libcuda.so.1 is not there"
	list A=1
	check "a library that is not there: a remedy" like "^  cuda +libcuda.so.1 is not there: install NVIDIA's driver, or use machine cpu$"
fi

gcc -std=gnu17 -Wall -Wextra -Werror -shared -fPIC tests/machine/cuda/driver.c -o "$box/cuda/libcuda.so.1" >"$box/out" 2>&1
check "the driver builds" test $? -eq 0
export LD_LIBRARY_PATH=$box/cuda:/usr/local/cuda/lib64
list A=1
if like '^  cuda +libnvrtc.so, .* are not there: install CUDA, or use machine cpu$'; then
	echo "# not run: the row of CUDA, there is no libnvrtc"
else
	check "its card is listed" like "^  cuda +device 0: a test's card, driver for CUDA 13.0, NVRTC [0-9.]+, 1.1 GB$"
	"$SCREE" check $crowd --machine cuda >"$box/out" 2>&1
	check "the free memory of a card is printed" like "^machine a test's card, .* of 1073.7 MB, of which 1000.0 MB are free$"
	SCREE_TEST_FREE=20000000 "$SCREE" check $crowd --machine cuda >"$box/out" 2>&1
	check "a card with too little free memory is refused" test $? -eq 2
	check "with both numbers" like 'the world needs [0-9.]+ MB, but the device has only 20\.0 MB'
	"$SCREE" check "${large[@]}" --machine auto >"$box/out" 2>&1
	check "auto takes a card" like '^note: machine cuda: a card takes this world'
	SCREE_TEST_FREE=20000000 "$SCREE" check "${large[@]}" --machine auto >"$box/out" 2>&1
	check "auto takes the processor if the card has too little memory" test $? -eq 0
	check "and says so" like '^note: machine cpu: .*the device has only 20\.0 MB'
	SCREE_TEST_CAPABILITY=5 "$SCREE" check $crowd --machine cuda >"$box/out" 2>&1
	check "a card that NVRTC does not support is refused" test $? -eq 2
	check "with a remedy" like "a test's card, .* has compute capability 5\.0, .* does not support: install CUDA 12$"
	SCREE_TEST_CAPABILITY=99 "$SCREE" check $crowd --machine cuda >"$box/out" 2>&1
	check "a newer card, too" like 'has compute capability 99\.0, .* does not support: install a newer CUDA$'
	SCREE_TEST_CAPABILITY=5 "$SCREE" check "${large[@]}" --machine auto >"$box/out" 2>&1
	check "auto takes the processor then" test $? -eq 0
	check "and says so, too" like '^note: machine cpu: .*install CUDA 12$'
	SCREE_TEST_INIT=803 list A=1
	check "a driver that does not match is named" like '^  cuda +CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: restart the computer, or install the driver again$'
	SCREE_TEST_CONTEXT=46 list A=1
	check "a card that cannot be opened: the error is named" like "^  cuda +device 0: cuda: a test's card, .* cannot be opened: CUDA_ERROR_DEVICE_UNAVAILABLE \(46\)$"
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
