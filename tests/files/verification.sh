#!/bin/bash
# runs the part of the verification book that takes a second or two; a book with an error is refused with its line
cd "$(dirname "$0")/../.." || exit 70
source tests/drawn.sh
n=0
case_() { # NAME STATUS
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; sed 's/^/# /' "$box/said"; fi
}
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
few=()
in_short && few=(slope) # experiments with these words in their names
tools/verify --quick "${few[@]}" >"$box/said" 2>/dev/null
case_ "the quick experiments of the verification book" $?
if [ "${SCREE_TEST_FACTOR:-1}" -gt 1 ]; then # some seconds each
	for experiment in "forms slide" "forms stick" dem01; do
		tools/verify "$experiment" >"$box/said" 2>/dev/null
		case_ "the experiment $experiment" $?
	done
fi
cp -r tools verify "$box"
sed -i 's/because: "a thousand/becuase: "a thousand/' "$box/verify/1_chung_ooi.yaml"
line=$(grep -n becuase "$box/verify/1_chung_ooi.yaml" | cut -d: -f1)
SCREE=$PWD/${SCREE#"$PWD"/} "$box/tools/verify" --quick >"$box/said" 2>&1
[ $? -eq 2 ] && grep -q "^verify/1_chung_ooi.yaml:$((line - 1)): a case has no key 'becuase'" "$box/said"
case_ "a key that is misspelt is refused with its line" $?
# a wrong reference fails: no quantity passes because it is not tested
sed -i 's/becuase/because/; s/reference: 274.1e-6/reference: 275.1e-6/' "$box/verify/1_chung_ooi.yaml"
SCREE=$PWD/${SCREE#"$PWD"/} "$box/tools/verify" "test 1 glass" >"$box/said" 2>&1
[ $? -eq 1 ] && grep -q "^FAILED 1: two glass spheres, printed overlap" "$box/said" && grep -q "^3 passed, 1 failed$" "$box/said"
case_ "a wrong reference fails" $?
[ -f "$box/out/verify/verification.md" ] && [ ! -e "$box/docs" ]
case_ "a filtered book leaves the recorded page alone" $?
SCREE=$PWD/${SCREE#"$PWD"/} "$box/tools/verify" nobody >"$box/said" 2>&1
[ $? -eq 2 ] && grep -q "no experiment of verify/\*.yaml has a name with nobody in it; there are: " "$box/said"
case_ "a filter that names nothing is refused" $?
# a book of long runs: stopped and continued, it gives the same results, and a finished run is not repeated
mkdir "$box/once" "$box/twice"
for where in once twice; do
	cp -r "$box/tools" "$box/verify" "$box/$where"
	rm "$box/$where"/verify/long/*
	cat >"$box/$where/verify/long/small.yaml" <<'BOOK'
chapter: small
experiments:
  - name: small
    scene: gas
    set: {end: 30 ms, e: 0.9}
    cases:
      - {name: spheres, quantity: "history('bodies')[-1]", reference: 512, tolerance: {absolute: 0}, because: a count of all spheres, source: none}
BOOK
done
scree=$PWD/${SCREE#"$PWD"/}
long() { SCREE=$scree "$box/$1/tools/verify" --long >"$box/said" 2>&1; }
page() { sed -n 's/.*| \(`[0-9a-f]*`\) |$/\1/p' "$box/$1/docs/verification_long.md" 2>>"$box/said"; }
rows() { cat "$box/twice/out/verify_long/small/gas_history.csv" 2>/dev/null | wc -l; }
long once && grep -q '^1 passed, 0 failed' "$box/said" && [ -n "$(page once)" ]
case_ "a book of long runs" $?
SCREE=$scree "$box/twice/tools/verify" --long >"$box/said" 2>&1 &
driver=$!
while kill -0 $driver && [ "$(rows)" -lt 10 ]; do sleep 0.05; done 2>/dev/null
kill -TERM $driver
wait $driver
[ $? -eq 5 ] && [ -f "$box/twice/out/verify_long/small/gas.snap" ] && [ ! -e "$box/twice/docs" ] && long twice && [ "$(page once)" = "$(page twice)" ]
case_ "stopped and gone on with: the same end" $?
touch -d '2001-01-01' "$box/twice/out/verify_long/small/gas.snap"
long twice && [ "$(date -r "$box/twice/out/verify_long/small/gas.snap" +%Y)" = 2001 ] && [ "$(page once)" = "$(page twice)" ]
case_ "a run that has ended is measured, not run again" $?
# tables of measures, with one cell and with several: the gas has the temperature of its start
mkdir "$box/measures"
cp -r tools verify "$box/measures"
rm "$box"/measures/verify/*.yaml
book() { # MEASURE: a book that reads a measure of this name
	cat >"$box/measures/verify/small.yaml" <<BOOK
chapter: small
experiments:
  - name: small
    scene: gas
    set:
      end: 2 ms
      output.measures.all: "{{every: 1 ms, values: [mass, temperature]}}"
      output.measures.cells: "{{every: 1 ms, cells: [2, 1, 3], values: [mass, bodies], region: {{box: {{min: [0, 0, 0], max: [= L, = L, = L]}}}}}}"
    cases:
      - {name: temperature, quantity: "measure('$1', 'temperature')[0]", reference: 1, tolerance: {absolute: 1.0e-12}, because: rounding of sums alone, source: u^2}
      - {name: mass, quantity: "max(abs(sum(measure('cells', 'mass'), 1) - measure('all', 'mass')))", reference: 0, tolerance: {absolute: 1.0e-12}, because: rounding of sums alone, source: a sum}
      - {name: bodies, quantity: "sum(measure('cells', 'bodies')[:, 0]) + sum(measure('cells', 'bodies')[:, 1:])", reference: "512 * len(measure('all', 'time'))", tolerance: {absolute: 0}, because: a count of all spheres, source: a sum}
BOOK
	SCREE=$scree "$box/measures/tools/verify" small >"$box/said" 2>&1
}
book all && grep -q '^3 passed, 0 failed' "$box/said"
case_ "tables of measures are read, a cell or several" $?
! book none && grep -q 'this run writes no table of measure_none' "$box/said"
case_ "a measure that the scene does not have is a fault" $?
echo "1..$n"
