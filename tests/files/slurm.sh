#!/bin/bash
# needs: test
# share/slurm/scree.sbatch, with sbatch and srun that run it here, on two ranks by mpirun: it begins a run, stops it in
# time for a snapshot, submits itself again, continues, and ends with the files of an uninterrupted run.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=$(realpath "${SCREE:-build/test/scree}")
if ! with_ranks; then
	echo "ok 1 - # skip this build is without MPI"
	echo "1..1"
	exit 0
fi
export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 # Open MPI keeps memory at its end
mkdir "$box/bin"
ln -s "$scree" "$box/bin/scree"
# sbatch SCRIPT ARGUMENTS...: the job waits in a queue
cat >"$box/bin/sbatch" <<'SCRIPT'
#!/bin/bash
printf '%s\n' "$*" >>"$QUEUE"
echo "Submitted batch job 1"
SCRIPT
# srun --cpus-per-task N COMMAND...: two ranks. As with `--signal=USR1@300`, these get SIGUSR1 before the time limit:
# here when the run of job K has STOP_AFTER lines in its history; 0: not at all
cat >"$box/bin/srun" <<'SCRIPT'
#!/bin/bash
[ "$1" = --cpus-per-task ] || exit 64
shift 2
mpirun -n 2 "$@" >"$JOB.out" 2>&1 &
job=$!
lines() { cat "$HISTORY" 2>/dev/null | wc -l; }
if [ "$STOP_AFTER" -gt 0 ]; then
	while kill -0 $job 2>/dev/null && [ "$(lines)" -lt "$STOP_AFTER" ]; do sleep 0.005; done
	for rank in $(pgrep -P $job); do kill -USR1 "$rank" 2>/dev/null; done
fi
wait $job
SCRIPT
chmod +x "$box/bin/sbatch" "$box/bin/srun"
export PATH=$box/bin:$PATH QUEUE=$box/queue
asked() { sed -n 's/^#SBATCH //p' share/slurm/scree.sbatch; } # requests of a job to Slurm
check "the job asks for a signal in time" grep -q '^--signal=USR1@[1-9]' <<<"$(asked)"
seconds() { awk -F: '{ print $1 * 3600 + $2 * 60 + $3 }' <<<"$1"; }
limit=$(seconds "$(asked | sed -n 's/^--time=//p')") wall=$(seconds "$(sed -n 's/.*--wall \([0-9:]*\).*/\1/p' share/slurm/scree.sbatch)")
before=$(asked | sed -n 's/^--signal=USR1@//p')
check "and stops by itself before that signal" test "$wall" -gt 0 -a "$wall" -lt $((limit - before))

job() { # NUMBER STOP_AFTER SCENE FOLDER: runs the script as Slurm would
	: >"$QUEUE"
	export JOB=$box/job$1 STOP_AFTER=$2 HISTORY=$4/$(basename "$3" .scene.yaml)_history.csv
	SLURM_CPUS_PER_TASK=1 timeout "$(stretched 120)" bash share/slurm/scree.sbatch "$3" "$4" >"$box/out" 2>&1
	code=$?
	cat "$JOB.out" >>"$box/out"
}
again() { [ "$(cat "$QUEUE")" = "share/slurm/scree.sbatch $1 $2" ]; } # SCENE FOLDER: submitted itself with these, once
hash_of() { "$scree" hash "$1" | grep -ao '^hash [0-9a-f]*'; }
until=500
in_short && until=250
sed "s/^\( *until:\).*/\1 $until ms/" scenes/settling_cubes.scene.yaml >"$box/dice.scene.yaml"
scene=$box/dice.scene.yaml
"$scree" run "$scene" -t 1 -o "$box/one" >"$box/out" 2>&1
lines=$(wc -l <"$box/one/dice_history.csv")
check "a run that is not stopped has a history" test "$lines" -gt 30

job 1 $((lines / 8)) "$scene" "$box/many"
check "job 1 begins, and is stopped: exit code 5" test $code -eq 5
check "it leaves a snapshot" test -n "$(hash_of "$box/many/dice.snap")"
check "and submits itself again" again "$scene" "$box/many"
first=$(wc -l <"$box/many/dice_history.csv")
check "it has not come to the end" test "$first" -lt "$lines"
job 2 $((lines / 4)) "$scene" "$box/many"
check "job 2 continues, and is stopped: exit code 5" test $code -eq 5
check "it says from where" says "continues $box/many/dice.snap from t = "
check "it has come farther, and not to the end" test "$(wc -l <"$box/many/dice_history.csv")" -gt "$first" -a "$(wc -l <"$box/many/dice_history.csv")" -lt "$lines"
check "and submits itself again" again "$scene" "$box/many"
job 3 0 "$scene" "$box/many"
check "job 3 ends: exit code 0" test $code -eq 0
check "and submits nothing" test ! -s "$QUEUE"
check "the hash is that of the run that was not stopped" test -n "$(hash_of "$box/one/dice.snap")" -a "$(hash_of "$box/one/dice.snap")" = "$(hash_of "$box/many/dice.snap")"
check "and so is the history" cmp "$box/one/dice_history.csv" "$box/many/dice_history.csv"

# a run stopped by a guard would only stop again
sed 's/overlap: [^,}]*/overlap: 0.0001 %/' "$scene" >"$box/deep.scene.yaml"
job 4 0 "$box/deep.scene.yaml" "$box/deep"
check "a guard: exit code 3" test $code -eq 3
check "and nothing is submitted" test ! -s "$QUEUE"
echo "1..$n"
