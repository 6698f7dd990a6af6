#!/bin/sh
# needs: test
# needs of builds: clang-O3
# names and dependencies of the library's objects, in the release build; and the tool detects violations of its rules
cd "$(dirname "$0")/../.." || exit 70
. tests/drawn.sh
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
n=0
case_() { # NAME STATUS WANTED
	n=$((n + 1))
	if [ "$2" -eq "$3" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; sed 's/^/# /' "$box/out"; fi
}
tools/names "$SCREE_BUILD/CMakeFiles/scree_core.dir" "$SCREE_BUILD/CMakeFiles/scree.dir" "$SCREE_BUILD/CMakeFiles/scree_command.dir" >"$box/out" 2>&1
case_ "the library and the command keep the rules of names" $? 0
for build in test ${SCREE_TEST_BUILDS:+clang-O3}; do
	objdump -d --no-show-raw-insn "$SCREE_BUILD/../$build/libscree.a" >"$box/$build" 2>"$box/out"
	grep -q '<scree_step>:' "$box/$build"
	case_ "$build: the code can be read" $? 0
	grep -E '\bv?fn?m(add|sub)[0-9s]' "$box/$build" | head -5 >"$box/out"
	[ ! -s "$box/out" ]
	case_ "$build: nothing is multiplied and added in one" $? 0
done
# the loop over contacts of spheres must stay a vector loop: it once silently became a scalar one, at half the speed
sed -n '/^[0-9a-f]* <scree_point_hertz_spheres/,/^$/p' "$box/test" >"$box/code" 2>"$box/out"
for what in vsqrtpd vdivpd; do
	case $(uname -m) in x86_64) packed=$(grep -cE "\bv?${what#v}\b.*%[xyz]mm" "$box/code") ;; *) packed=99 ;; esac
	echo "$packed packed $what" >"$box/out"
	[ "$packed" -ge 6 ]
	case_ "the loop over contacts holds packed $what" $? 0
done
# so must those over pairs of triangles, which need a flag of gcc's for it (CMakeLists.txt)
sed -n '/^[0-9a-f]* <block_brute>/,/^$/p' "$box/test" >"$box/code" 2>"$box/out"
case $(uname -m) in x86_64) packed=$(grep -cE '\bv?divpd\b.*%[xyz]mm' "$box/code") ;; *) packed=99 ;; esac
echo "$packed packed divpd" >"$box/out"
[ "$packed" -ge 20 ]
case_ "the loops over triangles hold packed divpd" $? 0
broken() { # NAME CODE
	mkdir -p "$box/src/wall"
	printf '%s\n' "$2" >"$box/walls.c"
	gcc -fno-builtin -w -c "$box/walls.c" -o "$box/src/wall/walls.c.o"
	tools/names "$box" >"$box/out" 2>&1
	[ $? -eq 1 ] && grep -q '^src/wall/walls.c: ' "$box/out"
	case_ "refused: $1" $? 0
}
drawn broken "a symbol without scree_" 'int stray;'
drawn broken "sin in the core" 'double sin(double); double scree_x(double x) { return sin(x); }'
drawn broken "pow in the core" 'double pow(double, double); double scree_x(double x) { return pow(x, 1.5); }'
drawn broken "malloc outside of base/memory.c" 'void *malloc(unsigned long); void *scree_x(void) { return malloc(8); }'
drawn broken "qsort outside of base/sort.c" 'void qsort(void *); void scree_x(void *p) { qsort(p); }'
drawn broken "free in the core" 'void free(void *); void scree_x(void *p) { free(p); }'
drawn broken "printing in the library" 'int puts(const char *); void scree_x(void) { puts("x"); }'
drawn broken "_Exit in the library" 'void _Exit(int); void scree_x(void) { _Exit(4); }'
for call in 'popen("", "r")' 'system("")' 'fopen("", "r")' 'freopen("", "r", 0)' 'mkstemp("")' 'open("", 0)' 'openat(0, "", 0)' 'creat("", 0)' \
	'rename("", "")' 'execv("", 0)' 'execlp("", "")' 'fork()' 'posix_spawn("")' 'tmpfile()' 'fdopen(0, "r")'; do
	drawn broken "${call%%(*} in the library" "void *${call%%(*}(); void *scree_x(void) { return $call; }"
done
rm "$box/src/wall/walls.c.o"
opened() { # NAME STATUS FILE CODE: the same for a file of the command
	mkdir -p "$box/prog"
	printf '%s\n' "$4" >"$box/x.c"
	gcc -fno-builtin -w -c "$box/x.c" -o "$box/prog/$3.o"
	tools/names "$box" >"$box/out" 2>&1
	[ $? -eq "$2" ] && { [ "$2" -eq 0 ] || grep -q "^prog/$3: " "$box/out"; }
	case_ "$1" $? 0
	rm "$box/prog/$3.o"
}
for call in 'popen("", "r")' 'system("")' 'fopen("", "r")' 'freopen("", "r", 0)' 'open("", 0)' 'mkstemp("")' 'rename("", "")' 'execv("", 0)'; do
	drawn opened "refused: ${call%%(*} in the command" 1 plot.c "void *${call%%(*}(); void *x(void) { return $call; }"
done
drawn opened "allowed: text in memory, and printing" 0 plot.c 'void *open_memstream(); int puts(); void *plain_name(void) { puts("x"); return open_memstream(0, 0); }'
drawn opened "allowed: the sweep starts this program again" 0 sweep.c 'int execv(), fork(); int x(void) { return fork() ? 0 : execv("/proc/self/exe", 0); }'
circle() { # FILE OTHER: two files that call each other
	for pair in "$1 $2" "$2 $1"; do
		one=${pair% *} two=${pair#* }
		mkdir -p "$box/$(dirname "$one")"
		echo "void scree_$(basename "$two")(void); void scree_$(basename "$one")(void) { scree_$(basename "$two")(); }" >"$box/a.c"
		gcc -c "$box/a.c" -o "$box/$one.c.o"
	done
	tools/names "$box" >"$box/out" 2>&1
	[ $? -eq 1 ] && grep -q "^$1.c: is in the circle" "$box/out" && grep -q "^$2.c: " "$box/out"
	case_ "refused: $1.c and $2.c that call each other" $? 0
	rm "$box/$1.c.o" "$box/$2.c.o"
}
drawn circle src/scene/build src/scene/check
drawn circle src/wall/mesh src/wall/net
drawn circle src/world/hash papers/gear/gear
# words that are not terms of the field, as parts of C identifiers
unclear() { # FILE...: identifiers with one of these words
	cat "$@" | gcc -fpreprocessed -dD -E -P -x c - 2>"$box/err" | sed -E 's/"([^"\\]|\\.)*"//g' |
		grep -oiE '\b([a-z0-9]+_)*(grips?|fits|flaws?|many|people|movers?|finders?|brings?|whom?|nobody)(_[a-z0-9]+)*\b' | sort -u
}
# shellcheck disable=SC2046
unclear $(find src papers prog include bench tests -name '*.[ch]' -o -name '*.h.in') >"$box/out"
[ ! -s "$box/out" ]
case_ "identifiers are made of clear words" $? 0
printf '%s\n' 'int may_fit, who_meets, most; /* many */ const char *s = "many \" who";' 'enum { MANY_STEPS };' >"$box/a.c"
unclear "$box/a.c" >"$box/out"
[ "$(tr '\n' ' ' <"$box/out")" = "MANY_STEPS who_meets " ]
case_ "refused: identifiers with unclear words" $? 0
echo "1..$n"
