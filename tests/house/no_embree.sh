#!/bin/bash
# needs: test gcc-O0
# Without Embree: the same hashes, and pictures of scenes in the plane; pictures in space are refused before anything is
# written. Without MPI: processes that a launcher starts are refused. And a plain CMake, as a user calls it, sets
# neither -Werror nor -march=native.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
# keeps code and output
try() {
	"$@" >"$box/out" 2>&1
	code=$?
}

try cmake -B "$box/build" -G Ninja -DSCREE_EMBREE=OFF
check "it configures" test $code -eq 0
try grep -E -m3 -e '-Werror|-march|embree' "$box/build/build.ninja"
check "neither -Werror nor -march nor Embree" test $code -eq 1
bare=build/gcc-O0/scree
try grep -q '^SCREE_EMBREE.*=OFF' build/gcc-O0/CMakeCache.txt
check "this build is without it" test $code -eq 0
try grep -q '^SCREE_MPI.*=OFF' build/gcc-O0/CMakeCache.txt
check "and without MPI" test $code -eq 0
try mpirun -n 2 "$bare" run scenes/flat_mix.scene.yaml --quiet --steps 5 -o "$box/ranks"
check "processes of a launcher are refused" test $code -eq 2
check "in words" says "this scree was built without MPI (SCREE_MPI=OFF)"
check "and nothing was written" not test -e "$box/ranks"

hash_of() { sed -n 's/^hash //p' "$box/out"; }
for scene in mixed_drum flat_mix; do
	run=(scenes/$scene.scene.yaml --quiet --steps 50 --set 'output={}')
	try "$SCREE" run "${run[@]}" -o "$box/a"
	hash=$(hash_of)
	try "$bare" run "${run[@]}" -o "$box/b"
	check "$scene: runs" test $code -eq 0
	check "$scene: the same hash" test -n "$hash" -a "$(hash_of)" = "$hash"
done

pictures='output={vtk: {every: 1 s}, images: {every: 0, size: [64, 64]}}'
try "$bare" check scenes/mixed_drum.scene.yaml --set "$pictures"
check "check: pictures in space are refused" test $code -eq 2
check "check: in words, with the cure" says "built without Embree and cannot draw three-dimensional pictures; leave output.images out"
try "$bare" run scenes/mixed_drum.scene.yaml --set "$pictures" -o "$box/refused"
check "run: refused" test $code -eq 2
check "run: in words" says "scree: error: output.images: this scree was built without Embree"
check "run: nothing was written" not test -e "$box/refused"
try "$bare" render "$box/b/mixed_drum.snap" -o "$box/space.png"
check "render: refused" test $code -eq 2
check "render: nothing was written" not test -e "$box/space.png"
try "$bare" run scenes/flat_mix.scene.yaml --quiet --steps 5 -o "$box/flat" --set "$pictures"
check "pictures of the plane are drawn" test $code -eq 0 -a -s "$box/flat/flat_mix_0000.png"
try "$SCREE" run scenes/flat_mix.scene.yaml --quiet --steps 5 -o "$box/flat2" --set "$pictures"
check "and are the same" cmp -s "$box/flat/flat_mix_0000.png" "$box/flat2/flat_mix_0000.png"
echo "1..$n"
