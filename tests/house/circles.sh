#!/bin/sh
# needs: test
# No files of src call each other in a circle, and no two folders call each other; and the tool that tests this detects
# them
cd "$(dirname "$0")/../.." || exit 70
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
n=0
case_() { # NAME STATUS WANTED
	n=$((n + 1))
	if [ "$2" -eq "$3" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; sed 's/^/# /' "$box/out"; fi
}
tools/circles "$SCREE_BUILD/../test/CMakeFiles" >"$box/out" 2>&1
case_ "no files call each other in a circle, and no two folders call each other" $? 0

object() { # FILE DEFINES USES: an object that looks like that of this source
	mkdir -p "$(dirname "$box/objects/src/$1")" "$(dirname "$box/tree/src/$1")"
	: >"$box/tree/src/$1"
	printf 'void %s(void);\nvoid %s(void) { %s(); }\n' "$3" "$2" "$3" >"$box/code.c"
	gcc -w -c "$box/code.c" -o "$box/objects/src/$1.o"
}
finds() { # STATUS SENTENCE
	tools/circles "$box/objects" "$box/tree" >"$box/out" 2>&1
	[ $? -eq "$1" ] && grep -q "^$2" "$box/out"
	case_ "$2" $? 0
}
mkdir -p "$box/objects"
finds 1 "circles: no calls between objects were found"
object one/a.c scree_a scree_b
object two/b.c scree_b scree_c
object three/c.c scree_c scree_other
finds 0 "calls between files 2, circles of files 0, pairs of folders 0"
object three/c.c scree_c scree_d
object two/d.c scree_d scree_other
finds 1 "folders that call each other: three two"
finds 1 "calls between files 3, circles of files 0, pairs of folders 1"
object two/d.c scree_d scree_a
finds 1 "circle of 4 files: one/a.c three/c.c two/b.c two/d.c"
rm "$box/tree/src/two/d.c" # an object of a deleted source
finds 0 "calls between files 2, circles of files 0, pairs of folders 0"
object one/x/e.c scree_e scree_f
object one/y/f.c scree_f scree_g
object one/x/g.c scree_g scree_other
finds 1 "folders that call each other: one/x one/y"
echo "1..$n"
