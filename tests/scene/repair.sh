#!/bin/bash
# scree check --repair: refused meshes of bodies are repaired into NAME.repaired.ply in the same folder, which are then
# accepted; those that cannot be repaired safely are refused with a reason, and no file is written; a valid mesh is left
# alone.
cd "$(dirname "$0")/../.." || exit 70
scree=$(realpath "${SCREE:-build/test/scree}")
. tests/checks.sh
run() { # ARGUMENTS: $code, and all words in "$box/out"
	(cd "$box" && "$scree" "$@") >"$box/out" 2>&1
	code=$?
}
is() { [ "$code" = "$1" ]; }
unchanged() { cmp -s "tests/bad/scenes/$1" "$box/$1"; }

for name in surface_open surface_turned surface_inside_out compound_open clump_of_open_mesh; do
	cp "tests/bad/scenes/$name.scene.yaml" "$box/"
	mesh=$(sed -n 's/.*file: \([a-z_]*\).off.*/\1/p' "$box/$name.scene.yaml")
	cp "tests/bad/scenes/$mesh.off" "$box/"
	rm -f "$box/$mesh.repaired.ply"
	run check "$name.scene.yaml"
	check "$name is refused, and told of --repair" eval 'is 2 && says "--repair"'
	check "$name: without --repair nothing is written" [ ! -e "$box/$mesh.repaired.ply" ]
	run check --repair "$name.scene.yaml"
	check "$name is repaired" eval 'is 0 && says "repaired '"$mesh"'.off: " && says "written to "'
	check "$name: its own file stays as it is" unchanged "$mesh.off"
	sed -i "s/$mesh.off/$mesh.repaired.ply/" "$box/$name.scene.yaml"
	run check "$name.scene.yaml"
	check "$name: the repaired mesh is accepted" is 0
	rm -f "$box/$mesh.repaired.repaired.ply"
	run check --repair "$name.scene.yaml"
	check "$name: there is nothing more to repair" eval 'is 0 && ! says repaired && [ ! -e "$box/$mesh.repaired.repaired.ply" ]'
done

for name in surface_crossing compound_crossing; do
	cp "tests/bad/scenes/$name.scene.yaml" tests/bad/scenes/octahedron_crossing.off "$box/"
	run check --repair "$name.scene.yaml"
	check "$name cannot be repaired: refused" is 2
	check "$name: says which triangles cross" says "crosses itself: triangle 0"
	check "$name: nothing is written" [ ! -e "$box/octahedron_crossing.repaired.ply" ]
done

# A repaired mesh is in the units of its file, since the scene scales it: a cube of 0.1 x 1 m has 2.6 kg.
cat >"$box/scaled.scene.yaml" <<'END'
scene: 1
materials: {s: {density: 2600 kg/m^3, young: 20 MPa}}
shapes: {g: {mesh: {file: box.off, as: compound, scale: 0.1}}}
fill: [{region: {box: {min: [0, 0, 0], max: [2 m, 2 m, 2 m]}}, count: 1, material: s, shape: g, size: 1 m}]
run: {until: 1 ms, step: 0.5 ms}
output: {bodies: {every: 1 ms}}
END
cat >"$box/box.off" <<'END'
OFF
8 11 0
-0.5 -0.5 -0.5
0.5 -0.5 -0.5
-0.5 0.5 -0.5
0.5 0.5 -0.5
-0.5 -0.5 0.5
0.5 -0.5 0.5
-0.5 0.5 0.5
0.5 0.5 0.5
3 0 2 3
3 0 3 1
3 4 5 7
3 4 7 6
3 0 1 5
3 0 5 4
3 2 6 7
3 2 7 3
3 0 4 6
3 0 6 2
3 1 3 7
END
for as in compound surface hull; do
	sed "s/as: compound/as: $as/" "$box/scaled.scene.yaml" >"$box/as.scene.yaml"
	run check --repair as.scene.yaml
	check "scaled as $as" eval 'is 0'
	sed -i s/box.off/box.repaired.ply/ "$box/as.scene.yaml"
	[ $as = hull ] && cp "$box/box.off" "$box/hull.off" && sed -i s/box.repaired.ply/hull.off/ "$box/as.scene.yaml"
	run run as.scene.yaml -o results --overwrite
	check "scaled as $as, repaired: 2.6 kg" eval 'is 0 && tail -1 "$box/results/as_bodies.csv" | awk -F, "{exit !(\$(NF - 2) > 2.599999 && \$(NF - 2) < 2.600001)}"'
done

# No file is overwritten: box.stl and box.off, and a file of the user.
rm -f "$box"/*.ply
run check --repair scaled.scene.yaml
check "the first one takes the short name" says "written to box.repaired.ply"
run check --repair scaled.scene.yaml
check "the same again changes nothing" eval 'is 0 && says "written to box.repaired.ply"'
cp "$box/box.repaired.ply" "$box/first.ply"
sed 's/-0.5 -0.5 -0.5/-0.6 -0.6 -0.6/' "$box/box.off" >"$box/other.off" && mv "$box/other.off" "$box/box.off"
run check --repair scaled.scene.yaml
check "another mesh takes a longer name" eval 'is 0 && says "written to box.off.repaired.ply"'
check "and leaves the first one" cmp -s "$box/first.ply" "$box/box.repaired.ply"
sed -i 's/-0.6 -0.6 -0.6/-0.7 -0.7 -0.7/' "$box/box.off"
cp "$box/box.off.repaired.ply" "$box/second.ply"
run check --repair scaled.scene.yaml
check "a third one is refused" eval 'is 2 && says "box.off.repaired.ply exists already"'
check "and leaves the second one" cmp -s "$box/second.ply" "$box/box.off.repaired.ply"

# names as long as the system permits
deep=$(printf 'd%.0s' {1..200})/$(printf 'e%.0s' {1..200})/$(printf 'f%.0s' {1..200})/$(printf 'g%.0s' {1..200})
deep=$deep/$(printf 'h%.0s' {1..200})/$(printf 'i%.0s' {1..200})
mkdir -p "$box/$deep"
cp "$box/box.off" "$box/scaled.scene.yaml" "$box/$deep/"
run check --repair "$deep/scaled.scene.yaml"
check "a path of 1,300 bytes" eval 'is 0 && [ -e "$box/$deep/box.repaired.ply" ]'
echo "1..$n"
