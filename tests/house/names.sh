#!/bin/sh
# needs: test clang-O3
# names and needs of the library's objects, in the release build; and the tool sees what breaks its rules
cd "$(dirname "$0")/../.." || exit 70
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
n=0
case_() { # NAME STATUS WANTED
	n=$((n + 1))
	if [ "$2" -eq "$3" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; sed 's/^/# /' "$box/out"; fi
}
tools/names "$SCREE_BUILD/libscree.a" >"$box/out" 2>&1
case_ "the library keeps the rules of names" $? 0
for build in test clang-O3; do
	objdump -d "$SCREE_BUILD/../$build/libscree.a" >"$box/code" 2>"$box/out"
	grep -q '<scree_step>:' "$box/code"
	case_ "$build: the code can be read" $? 0
	grep -E '\bv?fn?m(add|sub)[0-9s]' "$box/code" | head -5 >"$box/out"
	[ ! -s "$box/out" ]
	case_ "$build: nothing is multiplied and added in one" $? 0
done
broken() { # NAME CODE
	printf '%s\n' "$2" >"$box/world.c"
	gcc -fno-builtin -w -c "$box/world.c" -o "$box/world.c.o" && rm -f "$box/l.a" && ar rcs "$box/l.a" "$box/world.c.o"
	tools/names "$box/l.a" >"$box/out" 2>&1
	case_ "refused: $1" $? 1
}
broken "a symbol without scree_" 'int stray;'
broken "sin in the core" 'double sin(double); double scree_x(double x) { return sin(x); }'
broken "pow in the core" 'double pow(double, double); double scree_x(double x) { return pow(x, 1.5); }'
broken "malloc outside of base/memory.c" 'void *malloc(unsigned long); void *scree_x(void) { return malloc(8); }'
echo "1..$n"
