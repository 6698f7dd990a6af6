#!/bin/bash
# A scene that can be read, but needs too much memory while it is built or runs: exit code 4 and a message, never
# another ending; with enough memory the same scene runs.
cd "$(dirname "$0")/../.." || exit 70
scree=${SCREE:-build/test/scree}
source tests/checks.sh
cat >"$box/block.scene.yaml" <<-TEXT
	scene: 1
	materials: {stone: {density: 2500 kg/m^3, young: 1 MPa}}
	shapes: {ball: {sphere: 1}}
	fill: [{material: stone, shape: ball, size: 1 cm, lattice: {spacing: 1.05 cm},
	        region: {box: {min: [0, 0, 0], max: [30 cm, 30 cm, 30 cm]}}}]
	run: {until: 1 s}
TEXT
broke=0 strange='' code=-1
# the libraries, which are loaded before the program starts, need 75 MB
for kilobytes in $(seq 84000 6000 600000); do
	(
		ulimit -v "$kilobytes"
		within 60 "$scree" run "$box/block.scene.yaml" --quiet --steps 5 --threads 1 --overwrite -o "$box/run"
	) >"$box/out" 2>"$box/said"
	code=$?
	[ $code = 0 ] && break
	if [ $code = 4 ] && grep -qxE 'scree: out of memory: [0-9]+ bytes requested, [0-9]+ in use' "$box/said"; then
		broke=$((broke + 1))
	else
		strange="$strange with $kilobytes kB code $code: $(tail -1 "$box/said");"
	fi
done
echo "# $broke runs ended for want of memory; $kilobytes kB are enough"
if [ -z "$strange" ] && [ $broke -ge 2 ]; then echo "ok 1 - without memory: code 4 and a sentence"; else
	echo "not ok 1 - without memory: code 4 and a sentence"
	echo "# $broke;$strange"
fi
if [ $code = 0 ]; then echo "ok 2 - with memory it runs"; else echo "not ok 2 - with memory it runs: code $code"; fi
echo "1..2"
