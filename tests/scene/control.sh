#!/bin/bash
# Output of the command with file names, arguments and contents of files has no control characters except line ends.
cd "$(dirname "$0")/../.." || exit 70
scree=$(realpath "${SCREE:-build/test/scree}")
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
n=0
clean() { # CODE WHAT COMMAND...: this code, ESC shown as \x1b (as ? in a line of a file), and none left
	local code=$1 what=$2
	shift 2
	n=$((n + 1))
	"$@" >"$box/said" 2>&1
	local got=$?
	if [ $got = "$code" ] && grep -qE "(\\\\x1b|\?)(\[31m|')" "$box/said" && ! LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' "$box/said"; then
		echo "ok $n - $what"
	else
		echo "not ok $n - $what: code $got"
		cat -v "$box/said" | sed 's/^/# /'
	fi
}
evil=$'\e[31mred\e]0;title\a'
cd "$box" || exit 70
cat >"$evil.scene.yaml" <<-TEXT
	scene: 1
	materials: {stone: {density: 2500 kg/m^3, young: 1 MPa}}
	shapes: {ball: {sphere: 1}}
	fill: [{region: {box: {min: [0, 0, 0], max: [1 m, 1 m, 1 m]}}, count: 3, material: stone, shape: ball, size: 5 mm}]
	run: {until: 0.1 ms}
	output: {history: {every: 0.1 ms}, vtk: {every: 0.1 ms}}
TEXT
clean 0 "check" "$scree" check "$evil.scene.yaml"
clean 0 "a run" "$scree" run "$evil.scene.yaml" -t 1
clean 2 "a scene that is not there" "$scree" check "$evil"
clean 4 "a snapshot that is not there" "$scree" run --resume "$evil.snap"
clean 2 "a key" "$scree" explain "run.$evil"
clean 2 "a table" "$scree" list "$evil"
clean 2 "a command" "$scree" "$evil"
clean 2 "an option" "$scree" check "--$evil"
clean 2 "a short option" "$scree" check "-$evil"
clean 2 "a number" "$scree" run --threads "$evil"
clean 2 "--set" "$scree" check "$evil.scene.yaml" --set "$evil=1"
clean 2 "the value of --set" "$scree" check "$evil.scene.yaml" --set "run.until=$evil"
clean 0 "a picture" "$scree" render "out/$evil/$evil.snap" -o "$evil.png"
printf 'v 0 0 0\nv %s 0 0\n' "$evil" >mesh.obj
clean 2 "a mesh" "$scree" check "$evil.scene.yaml" --set 'walls={w: {mesh: {file: mesh.obj}, material: stone}}'
printf 'x,y,z,%s\n' "$evil" >beads.csv
clean 2 "a table of bodies" "$scree" check "$evil.scene.yaml" --set 'fill=[{from: beads.csv, material: stone, shape: ball, size: 1 mm}]'
echo "1..$n"
