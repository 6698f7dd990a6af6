#!/bin/bash
# The outputs at t = 0: a ball that begins 0.1 mm in the floor has its force, energy and overlap in all files; a run
# without steps only writes these, and a run that continues from there equals an uninterrupted one.
cd "$(dirname "$0")/../.." || exit 70
scree=${SCREE:-build/test/scree}
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
n=0
case_() { # NAME STATUS
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; sed 's/^/# /' "$box/log"; fi
}
printf 'x,y,z\n0,0,0.0049\n' >"$box/b.csv"
cat >"$box/pressed.scene.yaml" <<-TEXT
	scene: 1
	materials: {glass: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}}
	contacts: {default: {law: hertz, restitution: 0.7, friction: 0.3}}
	shapes: {ball: {sphere: {diameter: 1}}}
	walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: glass}}
	fill: [{from: b.csv, material: glass, shape: ball, size: 10 mm}]
	run: {until: 0.1 ms, step: 0.01 ms}
	output: {history: {every: 0.01 ms}, walls: {every: 0.01 ms}, bodies: {every: 0.01 ms}, vtk: {every: 0.05 ms}}
TEXT
at() { # FILE COLUMN ROW
	awk -F, -v name="$2" -v row="$3" '/^#/ { next } !head { for (k = 1; k <= NF; ++k) at[$k] = k; head = 1; next } ++n == row { print $at[name] }' "$1"
}
near() { # FILE COLUMN ROW VALUE
	awk -v a="$(at "$1" "$2" "$3")" -v b="$4" 'BEGIN { exit !(a != "" && (a - b) ^ 2 <= (1e-8 * b) ^ 2) }' || { echo "$1 $2: $(at "$1" "$2" "$3"), not $4" >>"$box/log"; return 1; }
}
"$scree" run "$box/pressed.scene.yaml" -o "$box/whole" --quiet >"$box/log" 2>&1
case_ "a run" $?
h=$box/whole/pressed_history.csv b=$box/whole/pressed_bodies.csv w=$box/whole/pressed_walls.csv
near "$h" elastic 1 1.00566298e-5 && near "$h" max_overlap 1 0.01 && near "$h" contacts 1 1 && near "$h" residual 1 0 && near "$h" brought 1 7.29788036e-5
case_ "the history begins with what the contact holds" $?
near "$b" fz 1 0.25141574442 && near "$w" fz 1 -0.25141574442
case_ "the tables begin with its force" $?
"$scree" run "$box/pressed.scene.yaml" -o "$box/look" --set run.until=0 >"$box/log" 2>&1
status=$?
for f in pressed_contacts_000000.vtp pressed_particles_000000.vtp; do cmp "$box/whole/$f" "$box/look/$f" >>"$box/log" 2>&1 || status=1; done
for f in history bodies walls; do
	head -3 "$box/whole/pressed_$f.csv" | cmp - "$box/look/pressed_$f.csv" >>"$box/log" 2>&1 || status=1
done
[ "$(grep -c 'CellData' "$box/look/pressed_contacts_000000.vtp")" -gt 0 ] && grep -qE '^ +0 +0 .* 1 +1.000 ' "$box/log" || status=1
case_ "run.until: 0 is one look: the same rows, frame and line" $status
hash=$(sed -n 's/^hash //p' "$box/log")
[ "$("$scree" hash "$box/look/pressed.snap" 2>>"$box/log")" = "hash $hash" ]
case_ "the hash that it tells is that of its snapshot" $?
"$scree" run --resume "$box/look/pressed.snap" --set 'run.until=0.1 ms' --quiet >"$box/log" 2>&1
status=$?
for f in "$box"/whole/pressed_*.csv "$box"/whole/*.vtp; do cmp "$f" "$box/look/${f##*/}" >>"$box/log" 2>&1 || status=1; done
case_ "a run that continues from there has the bytes of one that never stopped" $status
echo "1..$n"
