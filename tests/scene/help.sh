#!/bin/bash
# The help of each verb, the pages of the manual and the completion of bash follow from the tables of verbs, options and
# keys, and contain all of them; an option of another verb is refused.
cd "$(dirname "$0")/../.." || exit 70
scree=$(realpath "${SCREE:-build/test/scree}")
source tests/checks.sh
ends() { test "$code" -eq "$1"; }

"$scree" --help >"$box/out" 2>&1
check "--help ends with 0" test $? -eq 0
verbs=$(sed -n 's/^  scree \([a-z]*\) .*/\1/p' "$box/out")
check "it has the verbs" test "$(wc -w <<<"$verbs")" -ge 11
for verb in $verbs; do
	"$scree" "$verb" --help >"$box/$verb" 2>"$box/err"
	check "$verb --help: ends with 0, without words on the standard error" test $? -eq 0 -a ! -s "$box/err"
	check "$verb --help: says how to call it" grep -q "^usage: .* $verb .*\[OPTION\.\.\.\]" "$box/$verb"
	"$scree" help "$verb" | cmp -s - "$box/$verb"
	check "help $verb says the same" test $? -eq 0
done
check "run has the option --wall" grep -q -- "-w, --wall H:M:S" "$box/run"
check "hash has not" not grep -q -- --wall "$box/hash"
"$scree" >"$box/out" 2>&1
code=$?
check "without a verb: the help, and 2" ends 2
"$scree" help nonsense >"$box/out" 2>&1
code=$?
check "help of an unknown verb is refused" ends 2
check "in words" says "no such command: 'nonsense'"

"$scree" rnu >"$box/out" 2>&1
code=$?
check "an unknown verb is refused with the near one" ends 2
check "by name" says "no such command: 'rnu' (did you mean run? "
"$scree" quux >"$box/out" 2>&1
check "but none where none is near" not says "did you mean"
"$scree" run --ovrwrite x >"$box/out" 2>&1
code=$?
check "so is an unknown option" ends 2
check "by its name" says "no such option (did you mean --overwrite?): '--ovrwrite'"
"$scree" run --steps >"$box/out" 2>&1
check "an option without its value is not a misspelt one" says "no such option, or its value is missing: '--steps'"
"$scree" explain >"$box/out" 2>&1
check "explain without a key: keys only" not says "Columns of this name"
check "the keys at the top" says "  stages  "
"$scree" explain frictoin >"$box/out" 2>&1
code=$?
check "a misspelt key of another section is refused" ends 2
check "with the key that is near, and its place" says "there is no key 'frictoin' (did you mean contacts.friction?)"
"$scree" explain untli >"$box/out" 2>&1
check "the places nearest to the top come first" says ", run.until, walls.motion.until?)"
"$scree" explain kinetc >"$box/out" 2>&1
check "a misspelt column, too" says "there is no key 'kinetc' (did you mean the column kinetic?)"
"$scree" explain run.potentail >"$box/out" 2>&1
check "also behind a section" says "(did you mean the column potential?)"
"$scree" explain qqqqqqqq >"$box/out" 2>&1
code=$?
check "a word that is like none is refused" ends 2
check "without a proposal" not says "did you mean"
"$scree" explain friction >"$box/out" 2>&1
code=$?
check "explain of a key that is elsewhere is refused" ends 2
check "with its place" says "there is no key 'friction' (did you mean contacts.friction?)"
"$scree" explain max_overlap >"$box/out" 2>&1
code=$?
check "explain of a column of the history" ends 0
check "with its unit and meaning" says '  history    1       greatest overlap divided by the diameter'
"$scree" explain fx >"$box/out" 2>&1
check "of a column of several tables" test "$(grep -cE '^  (bodies|walls|contacts) +N +' "$box/out")" = 3
"$scree" explain velocity_x >"$box/out" 2>&1
check "of a column of measures" says '  measures   m/s     mean velocity, weighted by mass'
"$scree" explain body_rate >"$box/out" 2>&1
check "of a column of flows" says '  measures   1/s     mean flow of bodies'
"$scree" explain temperature >"$box/out" 2>&1
check "a column that is also a key elsewhere names it" says 'Keys of this name: world.temperature'
"$scree" explain contacts >"$box/out" 2>&1
check "a word that is a key" says 'contacts: contact laws'
check "and a column" says '  history    1       number of contacts'
cat >"$box/c.scene.yaml" <<-TEXT
	scene: 1
	materials: {m: {density: 1 g/cm^3, young: 1 MPa}}
	shapes: {s: {sphere: {diameter: 1}}}
	walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}}
	fill: [{lattice: 5 mm, region: {box: {min: [0, 0, 0], max: [5 mm, 5 mm, 5 mm]}}, material: m, shape: s, size: 5 mm}]
	output: {history: {every: 1 ms}, bodies: {every: 1 ms}, walls: {every: 1 ms}, contacts: {every: 1 ms}}
	run: {until: 1 ms}
TEXT
"$scree" run "$box/c.scene.yaml" -q -o "$box/columns" >"$box/out" 2>&1
check "a quiet run prints its hash alone" test "$(sed 's/^hash [0-9a-f]*$/hash/' "$box/out")" = hash
sink='sinks=[{name: s, region: {box: {min: [-1 m, -1 m, -1 m], max: [1 m, 1 m, 1 m]}}}]'
"$scree" run "$box/c.scene.yaml" -q -o "$box/other" --set "$sink" >"$box/out" 2>&1
check "and warnings" says "warning: s removes all 1 bodies in the first step"
check "of both kinds" says "warning: no body is left"
check "nothing else" test "$(grep -vc '^warning\|^hash' "$box/out")" = 0
"$scree" run "$box/c.scene.yaml" -q -o "$box/other" --overwrite --set "run.guard.speed=1 um/s" >"$box/out" 2>&1
code=$?
check "a guard stops a quiet run" ends 3
check "with its error" says "scree: error: "
"$scree" run "$box/c.scene.yaml" -o "$box/other" --overwrite >"$box/out" 2>&1
check "a run that is not quiet has all lines" says "checks   energy residual"
for table in history bodies walls contacts; do # each column of a file is explained
	sed -n 2p "$box"/columns/c_$table.csv | tr ',' '\n' | while read -r name; do
		"$scree" explain "$name" 2>&1 | grep -q "^  $table  *[^ ][^ ]*  *[^ ]" || echo "$table: $name"
	done
done >"$box/out"
check "each column of the tables of a run has a unit and a meaning" test ! -s "$box/out"
rm -r "$box/columns" "$box/other" "$box/c.scene.yaml"
"$scree" explain walls.lid.motoin.servo >"$box/out" 2>&1
check "a key that is not there is named with the path to it" says "there is no key 'motoin' in 'walls.lid' (did you mean motion?)"

# each option of the table, given to each verb: accepted if its help has it, refused otherwise
options=$(cat $(for verb in $verbs; do echo "$box/$verb"; done) | sed -n 's/^  .*--\([a-z-]*\)\( .*\)\?$/\1/p' | sort -u)
check "there are the options of all verbs" test "$(wc -w <<<"$options")" -ge 17
wrong=
for verb in $verbs; do
	for option in $options; do
		grep -qE "^  .*--$option( |$)" "$box/$verb" && continue
		chosen || continue
		value=(1)
		grep -qhE "^  .*--$option [A-Z]" "$box"/* || value=()
		"$scree" "$verb" "--$option" "${value[@]}" >"$box/out" 2>&1
		[ $? = 2 ] && grep -q "^scree: --$option is for scree .*, not for '$verb'" "$box/out" || wrong="$wrong $verb --$option"
	done
done
check "an option of another verb is refused, with the verbs that take it:$wrong" test -z "$wrong"
for wrong in "--threads 0" "--threads 2x" "--wall soon" "--steps 0"; do
	"$scree" run $wrong >"$box/out" 2>&1
	code=$?
	check "$wrong is refused" ends 2
	check "$wrong: in words" says "${wrong%% *} needs"
done
"$scree" run --steps >"$box/out" 2>&1
check "a missing value is refused" says "no such option, or its value is missing: '--steps'"
"$scree" run -Z >"$box/out" 2>&1
check "and an unknown letter" says "no such option, or its value is missing: '-Z'"

"$scree" manual >"$box/scree.1"
check "manual: ends with 0" test $? -eq 0
for verb in $verbs; do check "it has $verb" grep -q "^\.B $verb " "$box/scree.1"; done
missing=
for option in $options; do grep -q -- "\\\\-\\\\-${option//-/\\\\-}" "$box/scree.1" || missing="$missing $option"; done
check "and each option:$missing" test -z "$missing"
"$scree" manual scree-scene >"$box/scene.5"
check "manual scree-scene: ends with 0" test $? -eq 0
"$scree" schema | python3 tests/scene/help_keys.py "$box/scene.5" >"$box/out" 2>&1
check "it has each key of the schema" test $? -eq 0
"$scree" manual nonsense >"$box/out" 2>&1
code=$?
check "an unknown page is refused" ends 2
check "with the pages there are" says "pages are scree, scree-scene, bash"

"$scree" manual bash >"$box/completion"
bash -n "$box/completion"
check "the completion is a script of bash" test $? -eq 0
completed() { bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _scree; echo "${COMPREPLY[@]}"' - "$box/completion" "$@" >"$box/out"; }
completed scree che
check "it completes verbs" grep -qx check "$box/out"
completed scree check --rep
check "and the options of a verb" grep -qx -- --repair "$box/out"
completed scree run --rep
check "but not those of another" not grep -q repair "$box/out"
echo "1..$n"
