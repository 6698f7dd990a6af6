#!/bin/bash
# needs: test
# docs/adding.md, carried out: each patch of tests/module/adding adds one toy (a wall form, a motion, a shape, a law, a
# column of history, a scene key) to a copy of the tree and touches as many files as the document says; the touched sources
# compile without a warning. ./dev check builds the copy with all of them, and a scene uses them.
cd "$(dirname "$0")/../.." || exit 70
source=$PWD
source tests/checks.sh

mkdir "$box/tree"
cp -r CMakeLists.txt src include prog share "$box/tree"
: >"$box/out"
for patch in tests/module/adding/*.patch; do
	kind=$(basename "$patch" .patch)
	places=$(grep -c '^+++ ' "$patch")
	check "a $kind is added in $places places, as docs/adding.md says" \
		grep -q "^| ${kind//_/ } .*| $places | .*$kind.patch" docs/adding.md
	patch -s -p1 -F3 -d "$box/tree" <"$patch" >"$box/out" 2>&1
	check "its patch fits the tree" test $? -eq 0
done

touched() { grep -h '^+++ b/.*\.c$' tests/module/adding/*.patch | cut -d/ -f2- | sort -u; }
compile() { # the touched sources, without output
	(cd "$box/tree" && xargs -n 1 gcc -std=c17 -D_POSIX_C_SOURCE=200809L -Isrc -Iinclude -O0 -Wall -Wextra -Wshadow=local -Wconversion \
		-Wno-sign-conversion -Wmissing-prototypes -Wvla -Werror -fopenmp-simd -fsyntax-only) < <(touched) >"$box/out" 2>&1
}
check "the touched sources compile" compile
if ! campaign; then
	echo "1..$n"
	exit 0
fi

cmake -S "$box/tree" -B "$box/build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 -DSCREE_WERROR=ON \
	-DSCREE_TESTS=OFF >"$box/out" 2>&1 && ninja -C "$box/build" scree >"$box/out" 2>&1
check "the tree with all of them builds" test $? -eq 0

cat >"$box/toys.scene.yaml" <<'END'
scene: 1
author: the test
materials: {clay: {density: 1000 kg/m^3}}
contacts: {default: {law: stiffening, stiffness: 10 kN/m, restitution: 0.5, friction: 0.3}}
shapes: {grain: {sphere: {diameter: 1}}, brick: {box: [1, 1, 1]}, stick: {rod: 3}}
walls:
  hill: {ball: {radius: 60 mm, center: [0, 0, -20 mm]}, material: clay}
  floor:
    plane: {point: [0, 0, -20 mm], normal: [0, 0, 1]}
    material: clay
    motion: {swing: {angle: 5 deg, frequency: 10 Hz}, about: x}
fill:
  - {name: grains, region: {box: {min: [-50 mm, -50 mm, 45 mm], max: [50 mm, 50 mm, 65 mm]}}, lattice: {spacing: 20 mm},
     material: clay, shape: grain, size: 12 mm}
  - {name: bricks, region: {box: {min: [-50 mm, -50 mm, 70 mm], max: [50 mm, 50 mm, 90 mm]}}, lattice: {spacing: 20 mm},
     material: clay, shape: brick, size: 10 mm}
  - {name: sticks, region: {box: {min: [-50 mm, -50 mm, 95 mm], max: [50 mm, 50 mm, 130 mm]}}, count: 20, material: clay,
     shape: stick, size: 20 mm, orientation: random}
run: {until: 0.2 s}
output: {vtk: {every: 0.1 s}}
END
cd "$box" || exit 70
toy() { build/scree "$@" >out 2>&1; }
toy list
check "the command lists the law" says stiffening
toy explain walls.hill.ball
check "it explains the wall form" says "A ball that bodies cannot enter"
toy run toys.scene.yaml -o whole --quiet
check "a scene with all of them runs" test $? -eq 0
cp out whole.out
toy run toys.scene.yaml -o part --quiet --steps 200
check "so does its beginning" test $? -eq 0
check "the column is in the snapshot" grep -aq since part/toys.snap
toy run --resume part/toys.snap --quiet
check "which goes on" test $? -eq 0
hash_of() { grep -o 'hash [0-9a-f]*' "$1" | tail -n 1; }
check "to the same state" test -n "$(hash_of whole.out)" -a "$(hash_of whole.out)" = "$(hash_of out)"
for other in 'walls.hill.ball.radius=1 mm' 'walls.floor.motion.swing.angle=1 deg' 'contacts.default.stiffness=20 kN/m'; do
	toy run toys.scene.yaml -o other --overwrite --quiet --set "$other"
	check "with another ${other%%=*} it is another one" test -n "$(hash_of out)" -a "$(hash_of out)" != "$(hash_of whole.out)"
done
echo "1..$n"
