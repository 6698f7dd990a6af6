#!/bin/bash
# Measures as columns of the history: the values are those of their own tables, with the same bytes after a resume and
# in stages; they appear in plots, sweeps, reports and explanations. On ranks: tests/files/ranks.sh.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=$(realpath "${SCREE:-build/test/scree}")
scene=scenes/rain.scene.yaml # bodies come and go
bed='region: {box: {min: [-30 mm, -30 mm, 0], max: [30 mm, 30 mm, 40 mm]}}'
plane='plane: {point: [0, 0, 20 mm], normal: [0, 0, -1]}'
measures=(--set "output.measures={bed: {history: true, $bed}, out: {history: true, sink: box},
	down: {history: true, $plane}, same: {every: 2 ms, $bed}, same_out: {every: 2 ms, sink: box},
	same_down: {every: 2 ms, $plane}}" --set 'run.step=5 us' --set 'run.until=0.1 s')
"$scree" run $scene "${measures[@]}" -o "$box/whole" >"$box/out" 2>&1
check "a run" test $? -eq 0
history=$box/whole/rain_history.csv
# a table as the columns of an entry of the history
columns() { # HISTORY ENTRY
	awk -F, -v entry="$2." '!/^#/ { line = $1; for (k = 2; k <= NF; k++) { if (/^time/ && index($k, entry) == 1) { is[k] = 1; $k = substr($k, length(entry) + 1) }
		if (is[k]) line = line "," $k } print line }' "$1"
}
for entry in bed out down; do
	table=$box/whole/rain_measure_same${entry#bed}.csv
	[ $entry = bed ] || table=$box/whole/rain_measure_same_$entry.csv
	columns "$history" $entry >"$box/$entry.csv"
	grep -v '^#' "$table" | cmp "$box/$entry.csv" - >"$box/out" 2>&1
	check "$entry: the history has the values of the table" test $? -eq 0 -a "$(wc -l <"$box/$entry.csv")" -gt 20
	check "$entry: some are numbers, and not all of them are 0" \
		awk -F, 'NR > 1 { for (k = 2; k <= NF; k++) n += $k > 0 } END { exit !(n > 3) }' "$box/$entry.csv"
done
cp "$history" "$box/out"
check "the columns have units" says ' bed.mass[kg] bed.bodies[1] bed.solid_fraction[1] bed.velocity_x[m/s]'
ls "$box/whole" >"$box/out"
check "without every a measure has no table" not says rain_measure_bed.csv
"$scree" run $scene "${measures[@]}" -o "$box/part" --steps 9000 >"$box/out" 2>&1
printf '0.0451,1,0.00' >>"$box/part/rain_history.csv" # state after a kill
"$scree" run --resume "$box/part/rain.snap" >"$box/out" 2>&1
check "stopped, torn and resumed: the same history, with its rates" cmp "$history" "$box/part/rain_history.csv"
"$scree" run --resume "$box/part/rain.snap" --set run.until=0.12s --set output.measures.bed.values='[mass]' >"$box/out" 2>&1
code=$?
check "a resumed run with other columns is refused" test $code -eq 2
check "in words" says "other columns"
"$scree" run --resume "$box/part/rain.snap" --set run.until=0.11s --set output.measures.bed.values='[mass]' -o "$box/other" >"$box/out" 2>&1
check "in another folder it has them" grep -q '^time,bodies,kinetic,contacts,bed.mass,out.mass' "$box/other/rain_history.csv"

"$scree" plot "$box/whole" >"$box/out" 2>&1
check "plot lists them" says "bed.solid_fraction"
check "with their units" grep -qE "bed\.stress_zz .*Pa" "$box/out"
"$scree" plot "$box/whole" 'bed.stress_*' kinetic -o "$box/plot.svg" >"$box/out" 2>&1
check "and draws them" grep -q "bed.stress_zz" "$box/plot.svg"
"$scree" report "$box/whole" >"$box/out" 2>&1
check "a report has them" grep -q "bed.coordination" "$box/whole/rain_report.html"
explains() { # COLUMN WORDS
	"$scree" explain "$1" >"$box/out" 2>&1
	check "explain $1" says "$2"
}
explains bed.stress_zz "  history    Pa      stress from contacts"
explains out.mass_rate "  history    kg/s    mean flow of mass"
explains measures.layers.velocity_x "  measures   m/s     mean velocity"
explains walls.floor.fz "  walls      N       "
"$scree" explain world.mass >"$box/out" 2>&1
code=$?
check "a wrong key of a scene is no column" test $code -eq 2
"$scree" sweep $scene "${measures[@]}" --set 'sources.0.rate=400 1/s,800 1/s' --statistics last,max -o "$box/sweep" >"$box/out" 2>&1
check "a sweep has them" grep -q ",bed.mass,.*bed.mass_max" <(head -2 "$box/sweep/sweep.csv" | grep -v '^#')
echo "1..$n"
