#!/bin/bash
# needs:
# in builds only
# Every header of src/kernel, and of the kernels of papers, stands alone and compiles as C17, C++17, OpenCL C 1.2 and, where there is nvcc, as CUDA for
# host and device; and code that one of these languages does not support is refused.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
headers=(src/kernel/*.h papers/*/kernel/*.h)
strict=(-Wall -Wextra -Werror -I src -I .)
c_gcc() { gcc -std=c17 "${strict[@]}" -fsyntax-only -x c "$1"; }
c_clang() { clang -std=c17 "${strict[@]}" -fsyntax-only -x c "$1"; }
cpp_gcc() { g++ -std=c++17 "${strict[@]}" -fsyntax-only -x c++ "$1"; }
cpp_clang() { clang++ -std=c++17 "${strict[@]}" -fsyntax-only -x c++ "$1"; }
# beyond the core of 1.2 a device needs only 64-bit numbers and their atomics
opencl() { clang -cl-std=CL1.2 -Xclang -cl-ext=-all,+cl_khr_fp64,+cl_khr_int64_base_atomics "${strict[@]}" -fsyntax-only -x cl "$1"; }
cuda() { "$nvcc" -std=c++17 --fmad=false -Xcompiler -Wall,-Wextra,-Werror -Werror all-warnings -I src -I . -x cu -c -o "$box/cuda.o" "$1"; }

each() { # LANGUAGE: every header in a file of its own
	local header
	: >"$box/out"
	for header in "${headers[@]}"; do
		echo "#include \"${header#src/}\"" >"$box/one"
		"$1" "$box/one" >>"$box/out" 2>&1 || return 1
	done
}
together() { # LANGUAGE: where a separate file for each would take too long
	printf '#include "%s"\n' "${headers[@]#src/}" >"$box/one"
	"$1" "$box/one" >"$box/out" 2>&1
}
refused() { # LANGUAGE TEXT, after a kernel header
	printf '#include "kernel/contact.h"\n%s\n' "$2" >"$box/one"
	! "$1" "$box/one" >"$box/out" 2>&1
}
check "C17, gcc" each c_gcc
check "C17, clang" each c_clang
check "C++17, g++" each cpp_gcc
check "C++17, clang++" each cpp_clang
check "OpenCL C 1.2" each opencl
check "a class is refused by C" refused c_gcc 'class a { };'
check "a jump into a scope is refused by C++" refused cpp_gcc 'void f(int k) { switch (k) { case 0: ; int a = 1; (void)a; break; case 1: ; } }'
check "a function pointer is refused by OpenCL" refused opencl 'real twice(real (*f)(real), real x) { return f(f(x)); }'
check "a number called half is refused by OpenCL" refused opencl 'real f(real x) { real half = x / 2; return half; }'
# clang supports it, other OpenCL compilers do not
check "no kernel has an integer of 128 bits" not grep -rqi int128 src/kernel papers/*/kernel src/base/real.h
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -n "$nvcc" ]; then
	check "CUDA" together cuda
	check "a function of the host is refused by CUDA" refused cuda '__global__ void f(real *x) { *x = getenv("x") ? 1 : 0; }'
else
	echo "# not run: CUDA, there is no nvcc"
fi
echo "1..$n"
