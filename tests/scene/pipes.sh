#!/bin/bash
# Inputs that are not regular files (pipes without a writer, folders, devices) are refused at once, with their kind.
cd "$(dirname "$0")/../.." || exit 70
scree=${SCREE:-build/test/scree}
source tests/checks.sh
refused() { # CODE WORDS WHAT COMMAND...: ends with this code and message, and does not wait
	local code=$1 words=$2 what=$3
	shift 3
	n=$((n + 1))
	within 30 "$@" >"$box/out" 2>"$box/said" </dev/null
	local got=$?
	if [ $got = "$code" ] && grep -qF -- "$words" "$box/said"; then
		echo "ok $n - $what"
	else
		echo "not ok $n - $what: code $got"
		sed 's/^/# /' "$box/said"
	fi
}
for file in scene.scene.yaml beads.csv wall.stl more.yaml state.snap; do mkfifo "$box/$file"; done
mkdir "$box/sub"
scene() { # NAME LINE: a scene with this line in it
	cat >"$box/$1.scene.yaml" <<-TEXT
		scene: 1
		materials: {stone: {density: 2500 kg/m^3, young: 1 MPa}}
		shapes: {ball: {sphere: 1}}
		$2
		run: {until: 1 ms}
	TEXT
}
scene table 'fill: [{from: beads.csv, material: stone, shape: ball, size: 5 mm}]'
scene mesh 'walls: {chute: {mesh: {file: wall.stl}, material: stone}}'
scene including 'include: more.yaml'
scene folder 'fill: [{from: sub, material: stone, shape: ball, size: 5 mm}]'
pipe="it is a pipe, but only regular files can be read"
refused 2 "$pipe" "a pipe as a scene" "$scree" check "$box/scene.scene.yaml"
refused 2 "$pipe" "a pipe as a scene to run" "$scree" run "$box/scene.scene.yaml" -o "$box/results"
refused 2 "cannot read 'beads.csv': $pipe" "a pipe as a table" "$scree" check "$box/table.scene.yaml"
refused 2 "cannot read 'wall.stl': $pipe" "a pipe as a mesh" "$scree" check "$box/mesh.scene.yaml"
refused 2 "cannot read 'more.yaml': $pipe" "a pipe as an included scene" "$scree" check "$box/including.scene.yaml"
refused 4 "state.snap: $pipe" "a pipe as a snapshot" "$scree" run --resume "$box/state.snap"
refused 4 "state.snap: $pipe" "a pipe as a snapshot to draw" "$scree" render "$box/state.snap" -o "$box/a.png"
refused 2 "it is a folder" "a folder as a scene" "$scree" check "$box"
refused 2 "it is a folder" "a folder as a table" "$scree" check "$box/folder.scene.yaml"
refused 2 "it is a device" "a device as a scene" "$scree" check /dev/null
refused 2 "it is a device" "an endless device as a scene" "$scree" check /dev/zero
refused 2 "$pipe" "standard input, a pipe" bash -c "true | '$scree' check /dev/stdin"
refused 2 "$pipe" "what a shell makes of <(..)" bash -c "'$scree' check <(echo 'scene: 1')"
echo "1..$n"
