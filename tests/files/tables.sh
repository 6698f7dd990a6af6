#!/bin/bash
# the tables of bodies and walls: the right number of rows, the numbers of the state to the last bit, and after a stop,
# a kill within a row and a resume the same table as from an uninterrupted run
cd "$(dirname "$0")/../.." || exit 70
scree=${SCREE:-build/test/scree}
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
n=0
case_() { # NAME STATUS
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; sed 's/^/# /' "$box/log"; fi
}
scene=scenes/rain.scene.yaml # bodies come and go
tables=(--set 'output.bodies={every: 2 ms}' --set 'output.walls={every: 1 ms}' --set 'run.step=5 us' --set 'run.until=1 s')
"$scree" run $scene "${tables[@]}" --quiet --steps 12000 -o "$box/whole" >"$box/log" 2>&1
case_ "a run with tables" $?
at() { sed -n 's/^hash //p' "$1"; }
whole=$(at "$box/log")
rows=$(grep -vc '^#\|^time' "$box/whole/rain_walls.csv")
echo "$rows rows of walls" >"$box/log"
[ "$rows" = 61 ] # one wall, 0 to 60 ms
case_ "a row a wall and moment" $?
awk -F, '!/^#/ && !/^time/ { if ($1 == t && $2 <= id) bad = 1; t = $1; id = $2; n += 1 } END { exit !(n > 100 && !bad) }' "$box/whole/rain_bodies.csv"
case_ "bodies by rising id at every moment" $?
"$scree" run $scene "${tables[@]}" --quiet --steps 5000 -o "$box/part" >"$box/log" 2>&1
printf '0.0251,1,0.00' >>"$box/part/rain_bodies.csv" # state after a kill
printf '0.0251,plate\n' >>"$box/part/rain_walls.csv"
"$scree" run --resume "$box/part/rain.snap" --quiet --steps 7000 -o "$box/part" >"$box/log" 2>&1
[ "$(at "$box/log")" = "$whole" ] && cmp "$box/whole/rain_bodies.csv" "$box/part/rain_bodies.csv" >>"$box/log" 2>&1 &&
	cmp "$box/whole/rain_walls.csv" "$box/part/rain_walls.csv" >>"$box/log" 2>&1
case_ "stopped, torn and resumed: the same bytes" $?
"$scree" run $scene "${tables[@]}" --set 'output.bodies.up_to=3' --quiet --steps 5000 -o "$box/few" >"$box/log" 2>&1 &&
	"$scree" run --resume "$box/few/rain.snap" --quiet --steps 7000 -o "$box/few" >>"$box/log" 2>&1
awk -F, '/^#/ || /^time/ || $2 <= 3' "$box/whole/rain_bodies.csv" >"$box/first.csv"
[ "$(at "$box/log" | tail -1)" = "$whole" ] && grep -q '^[0-9.e-]*,3,' "$box/first.csv" && cmp "$box/first.csv" "$box/few/rain_bodies.csv" >>"$box/log" 2>&1
case_ "up_to: the rows of the first bodies, also behind a resume" $?
echo "1..$n"
