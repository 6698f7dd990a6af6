#!/bin/bash
# scree check --repair: meshes of bodies that are refused are mended into NAME.repaired.ply beside them, which are
# accepted then; what cannot be mended safely is refused with a reason, and nothing is written; a right mesh is left alone.
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
	check "$name is mended" eval 'is 0 && says "mended '"$mesh"'.off: " && says "written to "'
	check "$name: its own file stays as it is" unchanged "$mesh.off"
	sed -i "s/$mesh.off/$mesh.repaired.ply/" "$box/$name.scene.yaml"
	run check "$name.scene.yaml"
	check "$name: the mended mesh is accepted" is 0
	rm -f "$box/$mesh.repaired.repaired.ply"
	run check --repair "$name.scene.yaml"
	check "$name: there is nothing more to mend" eval 'is 0 && ! says mended && [ ! -e "$box/$mesh.repaired.repaired.ply" ]'
done

for name in surface_crossing compound_crossing; do
	cp "tests/bad/scenes/$name.scene.yaml" tests/bad/scenes/octahedron_crossing.off "$box/"
	run check --repair "$name.scene.yaml"
	check "$name cannot be mended: refused" is 2
	check "$name: says which triangles cross" says "crosses itself: triangle 0"
	check "$name: nothing is written" [ ! -e "$box/octahedron_crossing.repaired.ply" ]
done
echo "1..$n"
