#!/bin/bash
# needs: test
# needs of a campaign: papers-off
# Without papers/: the same hashes; rows of papers are in no list, a scene or a snapshot that needs one is refused with
# the option of the build, and no other code refers to theirs. The command is linked from the objects of the usual
# build; in ./dev check it is that of a build with SCREE_PAPERS=OFF.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
plain=$SCREE_BUILD/tests/scree_without_papers
campaign && plain=$SCREE_BUILD/../papers-off/scree
# keeps code and output
try() {
	"$@" >"$box/out" 2>&1
	code=$?
}
sources() { # OF build.ninja: the sources of the library
	grep -oE '/(src|papers)/[a-z0-9_/]*\.c\b' "$1" | sed -E 's/.*\/(src|papers)\//\1\//' | grep -v '^src/law/\(point\|patch\)_' | sort -u
}

try cmake -B "$box/build" -G Ninja -DSCREE_PAPERS=OFF -DSCREE_TESTS=ON
check "it configures" test $code -eq 0
check "tests that are not built are named" says "not built without SCREE_PAPERS"
sources "$box/build/build.ninja" >"$box/without"
sources "$SCREE_BUILD/build.ninja" >"$box/with"
try diff "$box/with" "$box/without"
check "sources of papers are left out" says "< papers/levels/levels.c"
check "and no others" not grep -qE '^[<>] src/' "$box/out"
try nm "$plain"
check "nothing refers to their functions" not grep -qE 'scree_(levels|gear|govender|symplectic|ffd)' "$box/out"
try nm "$SCREE"
check "which the usual build has" says scree_levels_find

mapfile -t names < <(sed -n 's/^\t"\(.*\)",$/\1/p' papers/names.c)
check "there are names" test ${#names[@]} -gt 20
"$SCREE" list | sed -n 's/^  \([^ ]*\) .*/\1/p' | sort >"$box/with"
"$plain" list | sed -n 's/^  \([^ ]*\) .*/\1/p' | sort >"$box/without"
comm -23 "$box/with" "$box/without" >"$box/missing"
printf '%s\n' "${names[@]}" | sort | diff - "$box/missing" >"$box/out"
check "the lists lack the names of papers/names.c, and only those" test $? -eq 0
"$plain" schema >"$box/out"
for section in run run.guard contacts walls; do "$plain" explain $section >>"$box/out"; done
check "schema and explain have others" says sweep/once
for name in levels/regular govender2015 gear5 nested/static area/literal hybrid penalty ffd/pe; do
	check "schema and explain lack $name" not says "$name\""
	check "$name: not in a sentence either" not grep -qE "(^|[^a-z])$name([^a-z]|$)" "$box/out"
done

ran=0 refused=0 every=1
in_short && every=4
mapfile -t scenes < <(printf '%s\n' scenes/*.scene.yaml | awk -v every=$every 'NR % every == 0')
for scene in "${scenes[@]}"; do
	run=("$scene" --quiet --steps 30 --set 'output={}' --threads 1 --overwrite)
	try "$SCREE" run "${run[@]}" -o "$box/a"
	hash=$(sed -n 's/^hash //p' "$box/out")
	try "$plain" run "${run[@]}" -o "$box/b"
	if grep -qE "(broad_phase|integrator|narrow_phase|share|law|response): *($(IFS="|" && echo "${names[*]}"))([,} ]|$)" "$scene"; then
		check "$scene: refused" test $code -eq 2
		check "$scene: the option is named" says "SCREE_PAPERS=O"
		try "$plain" run --resume "$box/a/$(basename "$scene" .scene.yaml).snap" --steps 1 --quiet -o "$box/c"
		check "$scene: its snapshot is refused" test $code -eq 2
		check "$scene: the option is named there, too" says "SCREE_PAPERS=O"
		refused=$((refused + 1))
	else
		check "$scene: the same hash" test -n "$hash" -a "$(sed -n 's/^hash //p' "$box/out")" = "$hash"
		ran=$((ran + 1))
	fi
done
check "most scenes run, some are refused" test $ran -gt $((20 / every)) -a $refused -gt $((2 / every))
try "$plain" check scenes/flat_mix.scene.yaml --set run.broad_phase=levels/regular
check "--set: refused" test $code -eq 2
check "--set: the cure" says "build with -DSCREE_PAPERS=ON"
run=(scenes/halos.scene.yaml --quiet --steps 30 --set 'output={}' --threads 1 --overwrite)
try "$SCREE" run "${run[@]}" --set run.triangles=hybrid -o "$box/a"
check "hybrid runs in the usual build" test $code -eq 0
try "$plain" run "${run[@]}" --set run.triangles=hybrid -o "$box/b"
check "hybrid: refused" test $code -eq 2
check "hybrid: the option is named" says "SCREE_PAPERS=O"
try "$plain" run --resume "$box/a/halos.snap" --steps 1 --quiet -o "$box/c"
check "hybrid: its snapshot is refused" test $code -eq 2
check "hybrid: the option is named there, too" says "SCREE_PAPERS=O"
try "$plain" run "${run[@]}" --set run.triangles=brute -o "$box/b"
check "brute force for triangles: refused" test $code -eq 2
check "brute force for triangles: the option is named" says "SCREE_PAPERS=O"
try "$plain" run "${run[@]}" --set run.broad_phase=brute -o "$box/b"
check "the broad phase of this name is in every build" test $code -eq 0
try "$plain" check scenes/flat_mix.scene.yaml --set run.broad_phase=levels/none
check "a name of no row" not says SCREE_PAPERS
echo "1..$n"
