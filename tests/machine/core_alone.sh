#!/bin/bash
# The core stands alone: a program that builds a world with it and steps it needs only libc and threads, and contains no
# code of the edges; its state has the hash found by the whole of scree.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
alone=$SCREE_BUILD/tests/core_alone
libraries() { ldd "$1" | sed -n 's/^[ \t]*\([^ ]*\)\.so.*/\1/p' | sort; }

for threads in 1 3; do
	"$alone" $threads 1500 "$box/$threads.snap" >"$box/out" 2>&1
	check "it runs with $threads threads, and all memory is given back" test $? -eq 0
	grep '^hash' "$box/out" >"$box/hash.$threads"
	check "bodies touch" grep -qE '^touching [1-9][0-9]+$' "$box/out"
done
"$SCREE" hash "$box/3.snap" >"$box/out" 2>&1
check "the command reads its snapshot" test $? -eq 0
check "and finds its hash" cmp -s "$box/out" "$box/hash.1"
check "of any number of threads" cmp -s "$box/out" "$box/hash.3"

# vdso and loader belong to the system; old C libraries have threads in a separate library, and compilers have libraries
# of their own
others() { libraries "$1" | grep -vE '^(linux-vdso|linux-gate|.*/ld-.*|libc|libpthread|libgcc_s)$'; }
others "$alone" >"$box/out"
check "it needs libc and threads alone" test ! -s "$box/out"
others "$SCREE" >"$box/out"
check "where the command needs more, and that is seen" says "libyaml"
# all of the library, used or not, linked with libc alone, without libm
echo 'int main(void) { return 0; }' >"$box/main.c"
link() { gcc "$box/main.c" -Wl,--whole-archive "$1" -Wl,--no-whole-archive -nodefaultlibs -lc -lgcc -lgcc_eh -pthread -o "$box/all" >"$box/out" 2>&1; }
check "all of the core links with libc alone" link "$SCREE_BUILD/libscree_core.a"
check "which the whole of scree does not" not link "$SCREE_BUILD/libscree.a"
check "for want of libraries" says "yaml_"
echo "1..$n"
