#!/bin/bash
# Numbers of bodies that exceed the region or memory are refused before memory is allocated: tested with 400 MB.
cd "$(dirname "$0")/../.." || exit 70
scree=${SCREE:-build/test/scree}
source tests/checks.sh
giant() { # CODE WORDS WHAT FILL [REST]
	n=$((n + 1))
	cat >"$box/giant.scene.yaml" <<-TEXT
		scene: 1
		materials: {stone: {density: 2500 kg/m^3, young: 1 MPa}}
		shapes: {ball: {sphere: 1}}
		fill: [{material: stone, shape: ball, $4}]
		$5
		run: {until: 1 s}
	TEXT
	(
		ulimit -v 400000
		within 60 "$scree" check "$box/giant.scene.yaml"
	) >"$box/out" 2>"$box/said"
	local got=$?
	if [ $got = "$1" ] && grep -qE -- "$2" "$box/said" "$box/out"; then
		echo "ok $n - $3"
	else
		echo "not ok $n - $3: code $got"
		sed 's/^/# /' "$box/said" "$box/out"
	fi
}
metre='region: {box: {min: [0, 0, 0], max: [1 m, 1 m, 1 m]}}'
memory='need about [0-9.e+]+ GB of memory; 0\.4096 GB are available, enough for at most 409600 bodies'
giant 0 '^1000 bodies' "a thousand bodies" "$metre, count: 1000, size: 10 mm"
giant 2 '1000000000 bodies requested, but the region has room for at most 1909859' "more than the region holds" \
	"$metre, count: 1e9, size: 10 mm"
giant 2 "count: 1000000000 bodies $memory" "more than the memory holds" "$metre, count: 1e9, size: 0.1 mm"
giant 2 "solid_fraction: 5\.73e\+17 bodies $memory" "a tiny size with a solid fraction" "$metre, solid_fraction: 0.3, size: 1 um"
giant 2 "solid_fraction: [0-9.e+]+ bodies $memory" "tiny sizes, drawn" "$metre, solid_fraction: 0.3, size: {uniform: [1 um, 5 um]}"
giant 2 "lattice: 1000000000 bodies $memory" "a fine lattice" "$metre, lattice: {spacing: 1 mm}, size: 1 mm"
giant 2 'a lattice of 1000000 x 1000000 x 1000000 cells is too large' "a lattice too fine to walk" "$metre, lattice: {spacing: 1 um}, size: 1 um"
giant 0 '^5 bodies' "a few of a fine lattice" "$metre, lattice: {spacing: 1 mm}, size: 1 mm, count: 5"
giant 0 "1000 bodies" "a source, whose bodies come one by one" "$metre, count: 1000, size: 10 mm" \
	'sources: [{region: {box: {min: [0, 0, 2 m], max: [1 m, 1 m, 3 m]}}, rate: 1e6 1/s, until: 1e5 s, material: stone, shape: ball, size: 1 mm}]'
seq 0 450000 | sed '1s/.*/x,y,z/; 2,$s/.*/0,0,0/' >"$box/beads.csv"
giant 2 "from: 450001 bodies $memory" "a table" "from: beads.csv, size: 1 mm"
echo "1..$n"
