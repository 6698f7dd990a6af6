#!/bin/bash
# waits
# Scenes on ranks, by mpirun: the same files as from one process, byte by byte, also when resumed on other numbers of
# ranks, stopped by signals and limits, or killed. One sentence and one exit code if they fail. ./dev check has eight
# ranks, more scenes and 50 kills.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=$(realpath "${SCREE:-build/test/scree}")
if ! with_ranks; then
	OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 "$scree" run scenes/settling_spheres.scene.yaml -o "$box/none" >"$box/out" 2>&1
	check "without MPI several processes are refused" says "was built without MPI"
	check "and write nothing" test ! -e "$box/none"
	echo "1..$n"
	exit 0
fi
# Open MPI keeps memory at its end
export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0
ranks() { # NUMBER ARGUMENTS...
	timeout "$(stretched 120)" mpirun -n "$1" "$scree" "${@:2}" >"$box/out" 2>"$box/err"
	code=$?
	cat "$box/err" >>"$box/out" # mpirun would mix their lines
}
name_of() { basename "$1" .scene.yaml; }
hash_in() { grep -ao '^hash [0-9a-f]*' "$1"; }
# no file is missing or differs; the snapshot before the last one is that of a resume
same_files() { # FOLDER OTHER
	diff -rq --exclude='*.old.snap' "$1" "$2" >"$box/out" 2>&1
}
is_good() { "$scree" hash "$1" >/dev/null; } # SNAPSHOT
errors() { grep -c "error: " "$box/out"; }

# ------------------------------------------------------------------ files
files=(-t 1 --set output.images.size=[80,60])
for kind in vtk bodies contacts walls history images; do files+=(--set "output.$kind.every=EVERY"); done
compare() { # SCENE UNTIL EVERY RANKS ARGUMENTS...
	local scene=$1 options=("${files[@]/EVERY/$3}" --set "run.until=$2")
	rm -rf "$box/one" "$box/many"
	"$scree" run "$scene" "${options[@]}" -o "$box/one" >"$box/one.out" 2>&1
	ranks "$4" run "$scene" "${options[@]}" -o "$box/many" "${@:5}"
	check "$(name_of "$scene"), $4 ranks ${*:5}: they end" test $code -eq 0
	cp "$box/out" "$box/many.out"
	check "and say the hash of one process" test -n "$(hash_in "$box/one.out")" -a "$(hash_in "$box/one.out")" = "$(hash_in "$box/many.out")"
	check "and have its files" same_files "$box/one" "$box/many"
}
drawn compare scenes/settling_spheres.scene.yaml "50 ms" "10 ms" 1
drawn compare scenes/settling_cubes.scene.yaml "50 ms" "10 ms" 2
drawn compare scenes/mixed_drum.scene.yaml "10 ms" "5 ms" 3
drawn compare scenes/servo_lid.scene.yaml "20 ms" "10 ms" 4 --partition grid:2x2x1
drawn compare scenes/periodic_clumps.scene.yaml "10 ms" "5 ms" 3
drawn compare scenes/flat_shear.scene.yaml "50 ms" "25 ms" 3
drawn compare scenes/rain.scene.yaml "10 ms" "5 ms" 3 # no bodies at the start
drawn compare scenes/bonded_plate.scene.yaml "3 ms" "1 ms" 3 # bonds hold and break across parts
drawn compare scenes/wet_balls.scene.yaml "10 ms" "5 ms" 3 # bridges hold across parts
drawn compare scenes/hot_balls.scene.yaml "20 ms" "10 ms" 3 # temperatures move along
drawn compare scenes/yielding_balls.scene.yaml "10 ms" "5 ms" 3 # histories of the law plastic move along
drawn compare scenes/rods.scene.yaml "10 ms" "5 ms" 3 # capsules and ellipsoids, in a cell
drawn compare tests/module/ranks/eggs.scene.yaml "10 ms" "5 ms" 3 # contacts with round walls are followed
drawn compare scenes/gravel.scene.yaml "8 ms" "4 ms" 3 # ellipsoids among polyhedra and crosses
drawn compare scenes/flat_implicit.scene.yaml "20 ms" "10 ms" 2
for format in svg pdf; do
	chosen || continue
	files+=(--set output.images.format=$format)
	compare scenes/flat_shear.scene.yaml "50 ms" "25 ms" 3
	files=("${files[@]:0:${#files[@]}-2}")
	check "with pictures as $format" test "$(ls "$box"/many/*."$format" | wc -l)" = 3
done
files+=(--set run.response=implicit)
drawn compare scenes/rods.scene.yaml "60 ms" "30 ms" 3 # contacts end where pairs are found, too
files=("${files[@]:0:${#files[@]}-2}")
drawn compare scenes/hard_blocks.scene.yaml "10 ms" "5 ms" 3
drawn compare scenes/shaken_gas.scene.yaml "20 ms" "10 ms" 3
drawn compare scenes/mesh_chute.scene.yaml "20 ms" "10 ms" 2
drawn compare scenes/stages.scene.yaml "5 ms" "1 ms" 3
drawn compare tests/module/ranks/stream.scene.yaml "30 ms" "10 ms" 4
# every measure: tables in cells of all regions, flows through planes and into a sink, fields, walls, contacts
part=4
in_short && part=2
compare tests/module/ranks/measures.scene.yaml "30 ms" "10 ms" $part
values=$("$scree" explain 'output.measures.*.values' | sed -n 's/^ *value *list of: //p' | tr -d ,)
values=${values/stress_cylindrical/stress_rr} # its first column
columns=$(sed -n '/^time,/p' "$box"/one/measures_measure_*.csv | tr , '\n' | sort -u)
missing() {
	for value in $values; do grep -qE "^$value(_|\$)" <<<"$columns" || echo "no table has $value"; done
	for table in "$box"/one/measures_measure_*.csv; do
		tail -n +3 "$table" | cut -d, -f2- | tr , '\n' | grep -qvE '^(-?0|nan)$' || echo "$table has zeros alone"
	done
}
check "which are all measures of the language" test -n "$values" -a -z "$(missing)"
if "$scree" list responses | grep -q ffd/pe; then
	drawn compare scenes/iglberger2009_pe.scene.yaml "0.5 s" "0.25 s" 3
	drawn compare scenes/iglberger2009_pe.scene.yaml "0.5 s" "0.25 s" 4 --partition grid:2x2x1/pe
	drawn compare scenes/iglberger2009_corrected.scene.yaml "0.2 s" "0.1 s" 4
fi
files+=(--set output.vtk.bodies_per_file=17)
compare scenes/mixed_drum.scene.yaml "4 ms" "2 ms" 3
check "frames are in pieces" test -e "$box/many/mixed_drum_particles_000002_0001.vtp" -a -e "$box/many/mixed_drum_particles_000002.pvtp"
drawn compare tests/module/ranks/stream.scene.yaml "30 ms" "10 ms" 4
unset 'files[-1]' 'files[-1]'
if campaign; then
	compare scenes/settling_cubes.scene.yaml "300 ms" "50 ms" 8
	compare scenes/settling_spheres.scene.yaml "300 ms" "50 ms" 7 --partition hexagons
	compare tests/module/ranks/stream.scene.yaml "100 ms" "20 ms" 8
	for scene in periodic_shear periodic_cell periodic_bricks sticky_beads halos gear_beads hooks granulates volume_blocks cone_hopper vibrated_plate; do
		compare scenes/$scene.scene.yaml "30 ms" "10 ms" 8
	done
fi
# some steps of every scene of the repository
if campaign; then
	for scene in scenes/*.scene.yaml examples/*.scene.yaml; do
		"$scree" run "$scene" -t 1 --steps 20 -o "$box/one" --overwrite >"$box/one.out" 2>&1
		ranks 3 run "$scene" -t 1 --steps 20 -o "$box/many" --overwrite
		check "$(name_of "$scene"), 3 ranks: the hash of one process" test -n "$(hash_in "$box/one.out")" -a "$(hash_in "$box/one.out")" = "$(hash_in "$box/out")"
		rm -rf "$box/one" "$box/many"
	done
fi
if ! in_short; then
	# contacts with histories of another run
	"$scree" run scenes/settling_cubes.scene.yaml --set "run.until=300 ms" -o "$box/base" >"$box/out" 2>&1
	sed '/^fill:/,/^run:/c fill: [{from: base/settling_cubes.snap}]\nrun:' scenes/settling_cubes.scene.yaml >"$box/again.scene.yaml"
	drawn compare "$box/again.scene.yaml" "10 ms" "5 ms" 4
	# the first rank has a body, and none of these contacts
	aside='world: {gravity: [9.81 m/s^2, 0, 0]}'
	corner='region: {box: {min: [= -B/2, 0, 0], max: [= -B/2 + 2*a, = 2*a, = 2*a]}}, lattice: {spacing: = 2*a, count: [1, 1, 1]}'
	sed "s|^materials:|$aside\n&|" scenes/settling_cubes.scene.yaml >"$box/aside.scene.yaml"
	"$scree" run "$box/aside.scene.yaml" --set "run.until=300 ms" -o "$box/base" >"$box/out" 2>&1
	sed "/^fill:/,/^run:/c fill: [{from: base/aside.snap}, {$corner, material: wood, shape: die, size: = a/2}]\nrun:" \
		"$box/aside.scene.yaml" >"$box/alone.scene.yaml"
	drawn compare "$box/alone.scene.yaml" "10 ms" "5 ms" 2 --partition grid:2x1x1
	sed 's/^run:/&\n  response: implicit/; /fraction/d' "$box/again.scene.yaml" >"$box/implicit.scene.yaml"
	drawn compare "$box/implicit.scene.yaml" "30 ms" "10 ms" 3
fi

# ------------------------------------------------------------------ resumed on other numbers
resume() { # SCENE STEPS EVERY
	local scene=$1 name options=(-t 1 -q --set "output.vtk={every: $3, bodies_per_file: 40}" --set "output.bodies.every=$3" --set "output.history.every=$3")
	name=$(name_of "$scene")
	rm -rf "$box/one" "$box/many"
	"$scree" run "$scene" "${options[@]}" --steps $((3 * $2)) -o "$box/one" >"$box/one.out" 2>&1
	ranks 3 run "$scene" "${options[@]}" --steps "$2" -o "$box/many"
	check "$name: 3 ranks stop" test $code -eq 0
	ranks 2 run --resume "$box/many/$name.snap" -t 1 --steps "$2"
	check "$name: 2 ranks continue" test $code -eq 0
	ranks 4 run --resume "$box/many/$name.snap" -t 1 --steps "$2"
	check "$name: 4 ranks continue" test $code -eq 0
	check "$name: the files are those of one run" same_files "$box/one" "$box/many"
}
flown=600
in_short && flown=200
drawn resume scenes/settling_cubes.scene.yaml 900 "5 ms"
drawn resume tests/module/ranks/stream.scene.yaml $flown "5 ms"
drawn resume scenes/rods.scene.yaml 1500 "5 ms"
drawn resume tests/module/ranks/eggs.scene.yaml 800 "5 ms"
sed 's/response: elastic/response: implicit/; /correction/d' tests/module/ranks/crowd.scene.yaml >"$box/crowd.scene.yaml"
drawn resume "$box/crowd.scene.yaml" 60 "5 ms"

# ------------------------------------------------------------------ messages that arrive late and in another order
late() { # SCENE STEPS RANKS SEED
	timeout "$(stretched 120)" mpirun -n "$3" "$SCREE_BUILD/tests/steps_by_mpi" "$1" "$2" "$4" >"$box/out" 2>&1
	check "$(name_of "$1"), $3 ranks, a third of messages late: each step has the hash of one process" \
		test "$(grep -c "^rank [0-9] of $3: each step has the hash of one process, [1-9]" "$box/out")" -eq "$3"
}
if [ -x "${SCREE_BUILD:=build/test}/tests/steps_by_mpi" ]; then
	seeds=1
	campaign && seeds=20
	for ((seed = 1; seed <= seeds; seed++)); do
		drawn late scenes/settling_cubes.scene.yaml 400 3 $seed
		drawn late tests/module/ranks/stream.scene.yaml 300 4 $seed
		drawn late tests/module/ranks/crowd.scene.yaml 60 3 $seed # rounds of messages in a solver
	done
fi

# ------------------------------------------------------------------ guards, refusals, other verbs
spheres=scenes/settling_spheres.scene.yaml
"$scree" run $spheres -t 1 --set "run.guard.overlap=0.01 %" -o "$box/one" --overwrite >"$box/one.out" 2>&1
ranks 3 run $spheres -t 1 --set "run.guard.overlap=0.01 %" -o "$box/guard"
check "a guard: exit code 3" test $code -eq 3
check "with the sentence of one process, once" test "$(grep -a 'error: ' "$box/one.out")" = "$(grep -a 'error: ' "$box/out")"
check "and the state that it stopped" cmp "$box/one/settling_spheres.stopped.snap" "$box/guard/settling_spheres.stopped.snap"
refused() { # WORDS ARGUMENTS...
	ranks 3 run "${@:2}" -o "$box/refused"
	check "$1: exit code 2" test $code -eq 2
	check "$1: it says so once" test "$(grep -c "$1" "$box/out")" -eq 1 -a "$(errors)" -eq 1
	check "$1: it writes nothing" test ! -e "$box/refused"
}
refused "the scene cannot be read" "$box/nothing.yaml"
drawn refused "a grid of 2 x 2 x 1 parts does not match 3 ranks" $spheres --partition grid:2x2x1
drawn refused "unknown partition 'foo', expected rcb, grid or hexagons" $spheres --partition foo
drawn refused "expected three numbers" $spheres --partition grid:2x2
ranks 3 check $spheres
check "a check is done once" test $code -eq 0 -a "$(grep -c "Spheres settling" "$box/out")" -eq 1
ranks 2 hash "$box/guard/settling_spheres.stopped.snap"
check "and so is a hash" test $code -eq 0 -a "$(grep -c "^hash" "$box/out")" -eq 1
cat >"$box/other.sh" <<SCRIPT
#!/bin/bash
# rank 1 reads another scene
if [ "\$OMPI_COMM_WORLD_RANK" = 1 ]; then "$scree" run "\$1" -o "$box/refused" --set run.until=70ms; else "$scree" run "\$1" -o "$box/refused"; fi
SCRIPT
chmod +x "$box/other.sh"
timeout 60 mpirun -n 3 "$box/other.sh" $spheres >"$box/out" 2>&1
check "ranks with different scenes are refused" says "the ranks were given different scenes, snapshots or changes"
check "and write nothing" test ! -e "$box/refused"

# ------------------------------------------------------------------ memory
cat >"$box/balls.scene.yaml" <<SCENE
scene: 1
materials: {glass: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.22}}
contacts: {default: {restitution: 0.6, friction: 0.4}}
shapes: {ball: {sphere: {diameter: 1}}}
walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: glass}}
fill: [{region: {box: {min: [0, 0, 0], max: [40.4 mm, 40.4 mm, 40.4 mm]}}, lattice: {spacing: 0.999 mm}, material: glass, shape: ball, size: 1 mm}]
run: {until: 1 s}
SCENE
cat >"$box/peak.py" <<'SCRIPT'
import os, resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
with open(f"{sys.argv[1]}.{os.environ['OMPI_COMM_WORLD_RANK']}", "w") as f: # kB
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=f)
sys.exit(code)
SCRIPT
if ! in_short; then
	timeout "$(stretched 120)" mpirun -n 8 python3 "$box/peak.py" "$box/peak" "$scree" run "$box/balls.scene.yaml" -t 1 --steps 1 -o "$box/balls" >"$box/out" 2>&1
	check "64,000 balls on 8 ranks" test $? -eq 0
	check "only rank 0 ever has them all" test $(($(cat "$box/peak.5") + 20000)) -lt "$(cat "$box/peak.0")"
	# bodies and contacts in several rounds of messages
	"$scree" run "$box/balls.scene.yaml" -t 1 --steps 1 -o "$box/one" --overwrite >"$box/out" 2>&1
	check "they have the snapshot of one process" cmp "$box/one/balls.snap" "$box/balls/balls.snap"
	ranks 3 run --resume "$box/balls/balls.snap" -t 1 --steps 1
	"$scree" run --resume "$box/one/balls.snap" -t 1 --steps 1 >"$box/one.out" 2>&1
	check "and on 3 ranks it continues like it" cmp "$box/one/balls.snap" "$box/balls/balls.snap"
fi

# ------------------------------------------------------------------ a full disk at rank 0
cat >"$box/full.sh" <<SCRIPT
#!/bin/bash
if [ "\$OMPI_COMM_WORLD_RANK" = 0 ]; then
	exec strace -f -o /dev/null -P "$box/full/settling_spheres_history.csv" -e trace=write -e inject=write:error=ENOSPC:when=3+ "$scree" "\$@"
fi
exec "$scree" "\$@"
SCRIPT
chmod +x "$box/full.sh"
timeout 120 mpirun -n 3 "$box/full.sh" run $spheres -t 1 -o "$box/full" --set "output.history.every=1 us" --set "run.snapshot.every=1 ns" >"$box/out" 2>"$box/err"
code=$?
cat "$box/err" >>"$box/out"
check "a full disk: exit code 4" test $code -eq 4
check "it says so once" test "$(grep -c "error: .*No space left" "$box/out")" -eq 1
check "the last snapshot is good" is_good "$box/full/settling_spheres.snap"

# ------------------------------------------------------------------ the part of one rank in a snapshot
# rank 1 runs under a shell line, the others as they are
with_one() { # RANKS SHELL-LINE ARGUMENTS...
	printf '#!/bin/bash\nif [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then %s; fi\nexec %q "$@"\n' "$2" "$scree" >"$box/one.sh"
	chmod +x "$box/one.sh"
	timeout "$(stretched 120)" mpirun -n "$1" "$box/one.sh" "${@:3}" >"$box/out" 2>"$box/err"
	code=$?
	cat "$box/err" >>"$box/out"
}
part() { # FAULT: happens at the third and later writes of rank 1 to the new snapshot
	rm -rf "$box/part"
	"$scree" run $spheres -t 1 --steps 100 -o "$box/part" >"$box/out" 2>&1
	cp "$box/part/settling_spheres.snap" "$box/good.snap"
	with_one 3 "exec strace -f -o /dev/null -P '$box/part/settling_spheres.snap.tmp' -e trace=pwrite64,fsync -e inject=$1 '$scree' \"\$@\"" \
		run --resume "$box/part/settling_spheres.snap" -t 1 --steps 100
	check "$1 at rank 1: exit code 4" test $code -eq 4
	check "$1 at rank 1: the old snapshot stays" cmp "$box/good.snap" "$box/part/settling_spheres.snap"
	check "$1 at rank 1: nothing is left" test ! -e "$box/part/settling_spheres.snap.tmp"
}
part pwrite64:error=ENOSPC:when=3+
check "it says so once" test "$(grep -c "error: .*No space left" "$box/out")" -eq 1
if ! in_short; then
	part fsync:error=EIO
	check "it says so once" test "$(grep -c "error: .*Input/output error" "$box/out")" -eq 1
fi
if ! in_short; then
	part pwrite64:retval=8:when=3 # claims to have written
	check "it names the rank" test "$(grep -c "error: .*the part of rank 1 is not in the file" "$box/out")" -eq 1
fi
mkdir "$box/aside"
here=$PWD
with_one 3 "cd '$box/aside'" run "$here/$spheres" -t 1 -o "$(basename "$box")"
check "a folder that is not shared: exit code 4" test $code -eq 4
check "it says so once" test "$(grep -c "error: a rank cannot see .*: choose a folder" "$box/out")" -eq 1
rm -rf "./$(basename "$box")"

# ------------------------------------------------------------------ signals and limits
cubes=scenes/settling_cubes.scene.yaml
first=50 rows=20 # ms until the first snapshot, and rows of the history before a signal
in_short && first=15 rows=5
start() { # FOLDER RANKS: begins a long run; $job is that of mpirun
	rm -rf "$box/$1"
	mpirun -n "$2" "$scree" run $cubes -t 1 -o "$box/$1" --set "run.until=1000 s" --set "run.snapshot.every=$first ms" >"$box/$1.out" 2>&1 &
	job=$!
}
has_begun() { [ "$(wc -l <"$box/$1/settling_cubes_history.csv")" -gt $rows ] && [ -e "$box/$1/settling_cubes.snap" ]; } 2>/dev/null
rank_of() { pgrep -P "$job" -f "$scree run" | sed -n "$1p"; } # NUMBER, from 1
patience=60 # seconds; in short form other tests run at the same time
campaign && patience=3
ends() { timeout $(($(stretched $patience) + ${1:-0})) tail -s 0.02 --pid="$job" -f /dev/null; } # [SECONDS MORE]
# a run that continues it has the hash of an uninterrupted one
continues() { # FOLDER RANKS
	local steps
	ranks "$2" run --resume "$box/$1/settling_cubes.snap" -t 1 --steps 100
	steps=$(sed -n 's/^.*stopped by --steps at .* step \([0-9]*\),.*/\1/p' "$box/out")
	cp "$box/out" "$box/resumed.out"
	"$scree" run $cubes -t 1 --set "run.until=1000 s" --steps "${steps:-1}" -o "$box/whole" --overwrite >"$box/out" 2>&1
	[ -n "$steps" ] || { cp "$box/resumed.out" "$box/out"; return 1; }
	[ "$(hash_in "$box/out")" = "$(hash_in "$box/resumed.out")" ]
}
# mpirun gives ranks a second after SIGTERM, too little on a busy machine
export OMPI_MCA_odls_base_sigkill_timeout
OMPI_MCA_odls_base_sigkill_timeout=$(stretched 1) && given=$OMPI_MCA_odls_base_sigkill_timeout
start term 3
unset OMPI_MCA_odls_base_sigkill_timeout
wait_for has_begun term
kill -TERM $job
check "SIGTERM to mpirun ends it in time" ends "$given" # mpirun waits for all of that time
wait $job
cp "$box/term.out" "$box/out"
check "it was stopped with a snapshot" grep -aq "^stopped by a signal" "$box/out"
check "the snapshot has the hash that was said" test "$("$scree" hash "$box/term/settling_cubes.snap")" = "$(hash_in "$box/out")"
in_short || check "and it continues" continues term 2
if ! in_short; then
	start usr1 3
	wait_for has_begun usr1
	kill -USR1 "$(rank_of 2)"
	wait $job
	code=$?
	cp "$box/usr1.out" "$box/out"
	check "SIGUSR1 to a rank: exit code 5" test $code -eq 5
	check "the snapshot has the hash that was said" test "$("$scree" hash "$box/usr1/settling_cubes.snap")" = "$(hash_in "$box/out")"
fi
ranks 3 run $cubes -t 1 --set "run.until=1000 s" --wall 0:0:1 -o "$box/wall"
check "a time limit: exit code 5" test $code -eq 5
check "with a snapshot" is_good "$box/wall/settling_cubes.snap"

# ------------------------------------------------------------------ killed ranks the line that a continued run prints:
# the snapshot of the killed run, and its time and step
says_where() { # FOLDER
	local time step
	time=$(sed -n 's/.*"time": \([^,]*\),.*/\1/p' "$box/left.json")
	step=$(sed -n 's/.*"steps": \([^,]*\),.*/\1/p' "$box/left.json")
	cp "$box/resumed.out" "$box/out"
	[ "${step:-0}" -gt 0 ] && says "continues $box/$1/settling_cubes.snap from t = $(printf %.6g "$time") s, step $step: the snapshot is whole"
}
kills=3
in_short && kills=1
campaign && kills=50
longest=0 # ms, from a kill to the end of the job
RANDOM=7
for ((k = 1; k <= kills; k++)); do
	many=$((2 + k % 3)) victim=$((RANDOM % (2 + k % 3)))
	start killed $many
	wait_for has_begun killed
	sleep 0.$((RANDOM % 1000))
	began=$(date +%s%N)
	kill -9 "$(rank_of $((1 + victim)))"
	check "kill $k, rank $victim of $many: the job ends" ends
	wait $job
	code=$?
	took=$((($(date +%s%N) - began) / 1000000))
	((took > longest)) && longest=$took
	check "kill $k: exit code 137" test $code -eq 137
	"$scree" hash --json "$box/killed/settling_cubes.snap" >"$box/left.json" 2>"$box/out"
	check "kill $k: it continues" continues killed $((1 + RANDOM % 4))
	check "kill $k: and says from where" says_where killed
done
echo "# $kills kills: the jobs ended within $longest ms"
echo "1..$n"
