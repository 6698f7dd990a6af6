#!/bin/bash
# needs: test asan tsan
# Repeats the misuses of Python with a library under the address, undefined-behaviour and thread sanitizers. Python
# itself is built without them: their runtimes are loaded before it. A planted overflow and a planted race are detected.
. "$(dirname "$0")/../checks.sh"
cd "$(dirname "$0")/../.." || exit 70
# leaks are due to Python, which frees little at its end
export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=ignore_noninstrumented_modules=1
declare -A runtime
runtime[asan]=$(clang -print-file-name=libclang_rt.asan-x86_64.so)
# clang 14 has a shared runtime for threads that ends in a fault before main(); that of gcc 12 has the same functions
runtime[tsan]=$(gcc -print-file-name=libtsan.so.2)
python() { # PRESET ARGUMENTS...
	SCREE_LIBRARY=$PWD/build/$1/libscree.so LD_PRELOAD=${runtime[$1]} /usr/bin/python3 "${@:2}" >"$box/out" 2>&1
}
silent() { ! grep -E 'AddressSanitizer|runtime error:|WARNING: ThreadSanitizer' "$box/out"; }

cat >"$box/planted.c" <<'C'
#include <sched.h>
static volatile long sum;
static int here;
long beyond(long at)
{
	char bytes[8] = {0};
	char *volatile seen = bytes;
	return seen[at];
}
void add(void) /* by two threads, which wait for each other */
{
	__atomic_fetch_add(&here, 1, __ATOMIC_RELAXED);
	while (__atomic_load_n(&here, __ATOMIC_RELAXED) < 2) sched_yield();
	for (long k = 0; k < 1000; ++k) sum += k;
}
C
cat >"$box/planted.py" <<'P'
import ctypes, sys, threading
library = ctypes.CDLL(sys.argv[1])
threads = [threading.Thread(target=library.add) for _ in range(2)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(library.beyond(int(sys.argv[2])))
P
planted() { # PRESET SANITIZER PLACE
	clang -shared -fPIC -g -O1 -fsanitize="$2" "$box/planted.c" -o "$box/planted_$1.so" || return 70
	python "$1" "$box/planted.py" "$box/planted_$1.so" "$3"
}
planted asan address 8
check "a planted overflow is seen" says "stack-buffer-overflow"
planted asan address 7
check "a place within is none" silent
planted tsan thread 7
check "a planted race is seen" says "WARNING: ThreadSanitizer: data race"
for preset in asan tsan; do
	python "$preset" tests/module/misuse.py
	good=$?
	check "$preset: misuses of Python end well" [ $good -eq 0 ]
	check "$preset: nothing is found in any of them" silent
	check "$preset: they are all" [ "$(grep -c '^ok' "$box/out")" -ge 80 ]
done
echo "1..$n"
