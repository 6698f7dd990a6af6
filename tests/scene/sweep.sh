#!/bin/bash
# scree sweep: a run for each combination of values, each in its own folder; one table of their results, in which a
# swept quantity has the effect expected from physics; finished runs are not repeated, stopped ones continue with the
# same bits
cd "$(dirname "$0")/../.." || exit 70
scree=$(realpath "${SCREE:-build/test/scree}")
source tests/checks.sh
cd "$box" || exit 70
sweeps() { # ARGUMENTS...: output of the command, and its exit code in $code
	"$scree" sweep -t 1 "$@" >"$box/out" 2>"$box/errors"
	code=$?
	cat "$box/errors" >>"$box/out"
}
ends() { [ "$code" = "$1" ]; }
column() { # NAME FILE: values of a column of a table
	awk -F, -v name="$1" '!/^#/ && !head { for (k = 1; k <= NF; ++k) if ($k == name) at = k; head = 1; next } head && !/^#/ { print at ? $at : "none" }' "$2"
}

# a ball on a plane tilted by gravity: it slides at once with friction mu and speed v t
cat >slide.scene.yaml <<-TEXT
	scene: 1
	title: A block slides
	let: {mu: 0.1, size: 10 mm}
	world: {gravity: [4 m/s^2, 0 m/s^2, -8 m/s^2]}
	materials: {m: {density: 2500 kg/m^3, young: 10 MPa, poisson: 0.25}}
	contacts: {default: {restitution: 0.2, friction: = mu}}
	shapes: {block: {box: [1, 1, 1]}}
	walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}}
	fill: [{lattice: {spacing: [40 mm, 40 mm, = size]}, region: {box: {min: [0, 0, 0], max: [40 mm, 40 mm, = size]}}, material: m, shape: block, size: = size}]
	run: {until: 50 ms}
	output:
	  history: {every: 5 ms}
	  walls: {every: 5 ms}
	  measures: {all: {every: 5 ms, values: [mass, velocity]}}
TEXT
sweeps slide.scene.yaml --set mu=0.1:0.3:3 --set "size=10 mm,20 mm" -o grid
check "a grid ends with 0" ends 0
check "it has a folder for each run" test "$(ls -d grid/0* | wc -l)" = 6
check "named by its values" test -f "grid/002-mu=0.1-size=20mm/slide.snap"
check "a line a run" test "$(grep -c ' done after ' out)" = 6
table=grid/sweep.csv
check "the table has a row a run" test "$(column run $table | wc -l)" = 6
check "with the values, the last key fastest" test "$(column mu $table | tr '\n' ' ')$(column size $table | tr '\n' ' ')" = "0.1 0.1 0.2 0.2 0.3 0.3 10 mm 20 mm 10 mm 20 mm 10 mm 20 mm "
check "and the ends" test "$(column end $table | sort -u)" = done
check "and hashes that differ" test "$(column hash $table | sort -u | wc -l)" = 6
check "the last value of the history is that of the run" test "$(column kinetic $table | head -1)" = "$(column kinetic "grid/001-mu=0.1-size=10mm/slide_history.csv" | tail -1)"
# a = 4 - 8 mu m/s2
check "more friction, less speed" test "$(column measures.all.velocity_x $table | awk 'NR % 2 { mu = 0.1 * (NR + 1) / 2; want = (4 - 8 * mu) * 0.05; ++n; bad += $1 < 0.9 * want || $1 > 1.1 * want } END { print n - bad }')" = 3
check "walls are in it" test "$(column walls.floor.fz $table | awk '$1 < 0' | wc -l)" = 6
cp -r grid once
sweeps slide.scene.yaml --set mu=0.1:0.3:3 --set "size=10 mm,20 mm" -o grid
check "again: nothing is left to do" says "6 of 6 runs had already ended"
check "the same table" cmp -s $table once/sweep.csv
sweeps slide.scene.yaml --set mu=0.1:0.3:3 --set "size=10 mm,20 mm" --set run.until=40ms -o grid
check "another scene in the folder is refused" ends 2
check "in words" says "holds a run of another scene"

sweeps slide.scene.yaml --set mu=0.1:0.4:2 --set "size=10 mm,20 mm" --zip --statistics mean,max,last --from "20 ms" -o zip -q
check "--zip pairs the values" test "$code$(column run zip/sweep.csv | wc -l)" = 02
check "quiet: a line a run and the table" test "$(wc -l <out)" = 3
one=$(echo zip/001*/slide_history.csv)
check "the mean from a time on" test "$(column kinetic_mean zip/sweep.csv | head -1 | cut -c1-9)" = "$(paste <(column time "$one") <(column kinetic "$one") | awk '$1 >= 0.02 { s += $2; n += 1 } END { printf "%.12g", s / n }' | cut -c1-9)"
check "the greatest" test "$(column max_overlap_max zip/sweep.csv | head -1 | cut -c1-9)" = "$(paste <(column time "$one") <(column max_overlap "$one") | awk '$1 >= 0.02 && $2 > m { m = $2 } END { printf "%.15g", m }' | cut -c1-9)"

# a stop: current runs stop with snapshots, and continue with the same bits as without a stop
sweeps slide.scene.yaml --set mu=0.1,0.2 --set run.until=0.6s --jobs 2 -o whole
check "two at a time end" ends 0
"$scree" sweep -t 1 slide.scene.yaml --set mu=0.1,0.2 --set run.until=0.6s --jobs 2 -o part >out 2>&1 &
wait_for test -f part/002-mu=0.2/slide_history.csv
kill -TERM $!
wait $!
code=$?
check "a signal stops the sweep with code 5" test "$code" = 5
check "which says how it continues" says "run the same command to continue"
sweeps slide.scene.yaml --set mu=0.1,0.2 --set run.until=0.6s --jobs 2 -o part
check "it continues" ends 0
check "with the same bits" test -n "$(column hash whole/sweep.csv)" -a "$(column hash part/sweep.csv)" = "$(column hash whole/sweep.csv)"
check "and the same values" test "$(column kinetic part/sweep.csv)" = "$(column kinetic whole/sweep.csv)"

# the worst ending gives the code; a wrong value is reported before any run
sweeps slide.scene.yaml --set "run.guard.speed=0.05 m/s,10 m/s" -o guard
check "a guard's stop is the code" ends 3
check "and in the table" test "$(column end guard/sweep.csv | tr '\n' ' ')" = "guard done "
sweeps slide.scene.yaml --set mu=0.1,-1 -o bad
check "a wrong value is refused" ends 2
check "with its place" says "--set"
check "before the first run" test ! -e bad/001-mu=0.1/slide.snap
sweeps slide.scene.yaml --set mu=0.1,-1 -o bad --json
check "the facts name the run" says '"run": "002-mu=-1"'
while IFS='|' read -r words sentence; do
	eval "sweeps slide.scene.yaml -o wrong $words"
	check "refused: $words" ends 2
	check "in words: $words" says "$sentence"
done <<-'TEXT'
	--set mu|KEY=A:B:N
	--set mu=0.1 --set mu=0.2|given twice
	--set "size=1 mm:2 m:3"|the same unit
	--set mu=0:1:5:log|two positive or two negative
	--set mu=0.1:0.2:3 --set size=1mm,2mm --zip|--zip
	--set mu=0.1 --statistics median|there is no 'median'
	--set mu=0.1:0.2:9000 --set size=1mm,2mm|more than
TEXT
OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 "$scree" sweep slide.scene.yaml --set mu=0.1 -o ranks >out 2>&1
check "mpirun is refused" says "without mpirun"
echo "1..$n"
