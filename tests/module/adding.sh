#!/bin/bash
# needs: test
# docs/adding.md, carried out: each patch of tests/module/adding adds one toy (a wall form, a motion, a shape, a law, a
# column of history, a scene key) to a copy of the tree and touches the number of files stated in the document; the
# touched sources compile without a warning. ./dev check builds the copy with all of them, and a scene uses them.
cd "$(dirname "$0")/../.." || exit 70
source=$PWD
source tests/checks.sh

mkdir "$box/tree"
cp -r CMakeLists.txt cmake src papers include prog share "$box/tree"
: >"$box/out"
for patch in tests/module/adding/*.patch; do
	kind=$(basename "$patch" .patch)
	places=$(grep -c '^+++ ' "$patch")
	check "a $kind is added in $places places, as docs/adding.md says" \
		grep -q "^| ${kind//_/ } .*| $places | .*$kind.patch" docs/adding.md
	patch -s -p1 -F0 -d "$box/tree" <"$patch" >"$box/out" 2>&1 # all context lines must match
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
  hill: {torus: {radius: 45 mm, tube: 20 mm, side: outside, facets: 24}, material: clay}
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
toy explain walls.hill.torus
check "it explains the wall form" says "A ring-shaped tube"
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
for other in 'walls.hill.torus.tube=15 mm' 'walls.floor.motion.swing.angle=1 deg' 'contacts.default.stiffness=20 kN/m'; do
	toy run toys.scene.yaml -o other --overwrite --quiet --set "$other"
	check "with another ${other%%=*} it is another one" test -n "$(hash_of out)" -a "$(hash_of out)" != "$(hash_of whole.out)"
done

# the torus, a complete form: its contacts with balls, and balls that move in it
gcc -std=c17 -D_POSIX_C_SOURCE=200809L -O1 -fno-math-errno -I"$box/tree/src" "$source/tests/module/adding/torus.c" build/libscree_core.a -lpthread -lm \
	-o torus >out 2>&1 && ./torus >out 2>&1
check "contacts of balls with a torus are those of brute force" test $? -eq 0
printf 'x,y,z,size\n0.3069756473,0,-0.0796955,0.04\n' >one.csv # 5 degrees from the lowest circle
cat >torus.scene.yaml <<'END'
scene: 1
world: {gravity: [0, 0, -10 m/s^2]}
materials: {clay: {density: 1000 kg/m^3}}
contacts: {default: {law: linear, stiffness: 100 kN/m, restitution: 1, friction: 0}}
shapes: {ball: {sphere: {diameter: 1}}}
walls: {ring: {torus: {radius: 300 mm, tube: 100 mm}, material: clay}}
fill: [{from: one.csv, material: clay, shape: ball}]
run: {until: 0.28100 s}
output: {bodies: {every: 0.28100 s}, walls: {every: 0.28100 s}}
END
near() { # FILE COLUMN WANTED TOLERANCE: the last line of a table
	awk -F, -v name="$2" -v wanted="$3" -v slack="$4" '!/^#/ && !n { n = NF; for (k = 1; k <= NF; k++) if ($k == name) c = k; next }
		!/^#/ { x = $c } END { d = x - wanted; exit !(c && d < slack && -d < slack) }' "$1"
}
toy check torus.scene.yaml --machine opencl
check "a device refuses the form" says "machine opencl has no kernels for walls of the form torus"
toy run torus.scene.yaml -o slides --quiet
check "a ball slides to the mirrored position in pi sqrt((r - a)/g)" near slides/torus_bodies.csv x 0.2930244 2e-6
toy run torus.scene.yaml -o rolls --quiet --set contacts.default.friction=0.9 --set "run.until=0.33248 s" --set "output.bodies.every=0.33248 s"
check "it rolls there in sqrt(7/5) of that time" near rolls/torus_bodies.csv x 0.2930244 2e-6
toy run torus.scene.yaml -o tiles --quiet --set walls.ring.torus.facets=128
check "it slides so on facets" near tiles/torus_bodies.csv x 0.2930244 4e-5
toy run torus.scene.yaml -o rest --quiet --set contacts.default.friction=0.5 --set contacts.default.restitution=0.2 \
	--set contacts.default.rolling_friction=0.3 --set "run.until=3 s" --set "output.bodies.every=3 s" --set "output.walls.every=3 s"
check "at rest the wall carries its weight" near rest/torus_walls.csv fz -0.33510 1e-4
sed 's/sphere: {diameter: 1}/box: [1, 1, 1]/; s/law: linear, stiffness: 100 kN.m, restitution: 1/restitution: 0.5/
	s/density: 1000 kg.m^3/&, young: 5 MPa, poisson: 0.3/; s/one.csv/two.csv/; s/friction: 0/friction: 0.5/' torus.scene.yaml >cube.scene.yaml
printf 'x,y,z,size\n0.31,0,-0.06,0.04\n' >two.csv
toy check cube.scene.yaml
check "a cube in it is refused" says "wall ring supports spheres and clumps only, but the scene has the shape 'ball': make the wall from facets"
toy run cube.scene.yaml -o cube --quiet --set walls.ring.torus.facets=24 --set "run.until=1 s" --set "output.bodies.every=1 s"
check "on facets it comes to rest by the default law" near cube/cube_bodies.csv vz 0 1e-3
sed 's/sphere: {diameter: 1}/clump: {centers: [[0, 0, 0], [0.5, 0, 0]], radii: [0.5, 0.4]}/' torus.scene.yaml >clump.scene.yaml
toy run clump.scene.yaml -o clump --quiet
check "a clump of balls moves in it" test $? -eq 0
echo "1..$n"
