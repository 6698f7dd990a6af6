#!/bin/bash
# A run and its files: full, closed, locked, linked, oddly named or existing targets cost no results and no foreign
# files, and a run that continues writes the same as an uninterrupted one.
cd "$(dirname "$0")/../.." || exit 70
scree=$(realpath "${SCREE:-build/test/scree}")
source tests/checks.sh
check() { # NAME COMMAND...
	n=$((n + 1))
	if "${@:2}" >"$box/log" 2>&1; then echo "ok $n - $1"; else
		echo "not ok $n - $1"
		sed 's/^/# /' "$box/log" "$box/said"
	fi
}
run() { # EXPECTED_CODE ARGUMENTS...: runs scree; $box/said is what it said; 0 when the code is right
	"$scree" run "${@:2}" --threads 1 >"$box/said" 2>&1
	code=$?
	[ $code = "$1" ] || { echo "exit code $code, not $1" >>"$box/said"; return 1; }
}
says() { grep -qF -- "$1" "$box/said"; }
cat >"$box/stones.scene.yaml" <<'TEXT'
scene: 1
materials: {stone: {density: 2600 kg/m^3, young: 5 MPa}}
contacts: {default: {restitution: 0.4, friction: 0.4}}
shapes: {ball: {sphere: {diameter: 1}}, brick: {box: [1, 1, 1]}}
walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: stone}}
fill:
  - {region: {box: {min: [-2 cm, -2 cm, 0], max: [2 cm, 2 cm, 4 cm]}}, count: 9, material: stone, shape: ball, size: 8 mm, velocity: [0, 0, -2 m/s], seed: 1}
  - {region: {box: {min: [-2 cm, -2 cm, 4 cm], max: [2 cm, 2 cm, 8 cm]}}, count: 9, material: stone, shape: brick, size: 6 mm, velocity: [0, 0, -4 m/s], seed: 2}
run: {until: 5 ms, step: 10 us}
output:
  history: {every: 20 us}
  bodies: {every: 1 ms}
  walls: {every: 1 ms}
  vtk: {every: 1 ms}
  images: {every: 2.2 ms, size: [32, 24], samples: 1}
TEXT
scene=$box/stones.scene.yaml
same() { diff -r -x '*.snap' "$1" "$2"; }
run 0 "$scene" -o "$box/whole" && hash=$(grep ^hash "$box/said")

# ---- a full disk
mkdir "$box/full"
(ulimit -f 30; run 4 "$scene" -o "$box/full"); code=$?
check "a file over the size limit: exit code 4" test $code = 0
check "  names the file and the cause" says "stones_history.csv: File too large"
check "  and says that there is no snapshot to go on from" says "no snapshot was written"
errors=(ENOSPC EIO)
in_short && errors=(EIO)
for call in write:when=2+ fsync close; do
	for error in "${errors[@]}"; do
		run 0 "$scene" --steps 250 -o "$box/part"
		strace -f -o /dev/null -P "$box/part/stones_history.csv" -e "inject=${call%%:*}:error=$error${call#"${call%%:*}"}" \
			"$scree" run --resume "$box/part/stones.snap" --quiet --threads 1 >"$box/said" 2>&1
		code=$?
		check "${call%%:*} fails with $error: exit code 4" test $code = 4
		run 0 --resume "$box/part/stones.snap"
		check "  and the run that goes on is whole" same "$box/whole" "$box/part"
		rm -r "$box/part"
	done
done
strace -f -o /dev/null -P "$box/wait/stones_history.csv" -e inject=write:error=ENOSPC:when=9 \
	"$scree" run "$scene" --wait-for-space --quiet --threads 1 -o "$box/wait" >"$box/said" 2>&1
check "--wait-for-space: exit code 0" test $? = 0
check "  says that it waits" says "No space left on device; waiting for space"
check "  writes all" same "$box/whole" "$box/wait"
began=$SECONDS
within 60 strace -f -o /dev/null -P "$box/late/stones_history.csv" -e inject=write:error=ENOSPC:when=2+ \
	"$scree" run "$scene" --wait-for-space --wall 2 --quiet --threads 1 -o "$box/late" >"$box/said" 2>&1
check "--wait-for-space and --wall: exit code 4" test $? = 4
check "  waits no longer than the time limit" test $((SECONDS - began)) -le $(stretched 20)
check "  says that no space came" says "no space became free before the time limit"

# ---- another every on a resume
run 0 "$scene" --steps 250 -o "$box/every" && run 0 --resume "$box/every/stones.snap" --set "output.history.every=0.5 ms" \
	--set "output.vtk.every=0.5 ms" --set "output.bodies.every=0.5 ms"
awk -F, '!/^#/ && !/^time/ && $1 "" != last { printf "%.5f ", $1; last = $1 "" }' "$box/every/stones_bodies.csv" >"$box/times"
check "another every: rows at its moments, none twice, no gap" test "$(cat "$box/times")" = "0.00000 0.00100 0.00200 0.00300 0.00350 0.00400 0.00450 0.00500 "
awk -F, '!/^#/ && !/^time/ && $1 > 0.0025001 { printf "%.5f ", $1 }' "$box/every/stones_history.csv" >"$box/times"
check "  no burst in the history" test "$(cat "$box/times")" = "0.00300 0.00350 0.00400 0.00450 0.00500 "
sed -n 's/.*timestep="\([^"]*\)" part="0".*/\1/p' "$box/every/stones.pvd" | xargs printf '%.5f ' >"$box/times"
check "  frames keep their times" test "$(cat "$box/times")" = "0.00000 0.00100 0.00200 0.00300 0.00350 0.00400 0.00450 0.00500 "
check "  the resolved scene has it" grep -q 'every: 0.0005 s' "$box/every/stones.resolved.scene.yaml"

# ---- signals, pipes and streams
for signal in TERM INT HUP XCPU USR1; do
	chosen || continue
	rm -rf "$box/signal"
	"$scree" run "$scene" --set "run.until=100 s" --set output={} --quiet --threads 1 -o "$box/signal" >"$box/said" 2>&1 &
	pid=$!
	wait_for test -e "$box/signal/stones.resolved.scene.yaml"
	kill -$signal $pid && kill -$signal $pid 2>/dev/null && kill -$signal $pid 2>/dev/null
	wait $pid
	code=$?
	check "SIG$signal, many times: exit code 5" test $code = 5
	check "  with a snapshot of what was said" test "$("$scree" hash "$box/signal/stones.snap")" = "$(grep ^hash "$box/said")"
done
hang_up() { # FOLDER: a run that receives SIGHUP during a write
	strace -f -o /dev/null -P "$1/stones_history.csv" -e inject=write:signal=HUP:when=3 \
		"$scree" run "$scene" --quiet --threads 1 -o "$1" >"$box/said" 2>&1
}
hang_up "$box/hung_up"
check "SIGHUP at a write: exit code 5" test $? = 5
(trap '' HUP; hang_up "$box/nohup")
check "  under nohup: goes on" test $? = 0
check "  writes all" same "$box/whole" "$box/nohup"
"$scree" run "$scene" --threads 1 -o "$box/pipe" 2>"$box/said" | head -1 >"$box/log"
code=${PIPESTATUS[0]}
check "a pipe that nobody reads: exit code 4" test "$code" = 4
check "  with whole results" same "$box/whole" "$box/pipe"
check "  and words" says "cannot write to the standard output: Broken pipe"
"$scree" run "$scene" --threads 1 -o "$box/closed" >&- 2>"$box/said"
check "closed output: no line of it gets into a table" same "$box/whole" "$box/closed"
"$scree" run "$scene" --threads 1 -o "$box/all_closed" <&- >&- 2>&-
check "  nor with all streams closed" same "$box/whole" "$box/all_closed"
for verb in schema list "explain run" --help --version "check $scene"; do
	"$scree" $verb >/dev/full 2>"$box/said"
	code=$?
	check "${verb%% *}, output full: exit code 4" test $code = 4
done

# ---- devices, links, names
mkdir "$box/folder"
for to in /dev/null "$box/folder"; do
	"$scree" export "$box/whole/stones.snap" -o "$to" >"$box/said" 2>&1
	code=$?
	check "export onto $([ -d "$to" ] && echo a folder || echo a device): refused" test $code = 4 -a -e "$to" -a ! -f "$to"
done
check "  and said" says "it is a folder"
"$scree" export "$box/whole/stones.snap" -o "$box/x.stl" >"$box/said" 2>&1
code=$?
check "export under the name of another format: refused" test $code = 2 -a ! -e "$box/x.stl"
check "  and said" says "export writes VTP (VTK's polygons), not 'stl' files: use a name that ends in .vtp"
mkdir "$box/far" && ln -s far/picture.png "$box/link.png"
"$scree" render "$box/whole/stones.snap" -o "$box/link.png" --set "output.images.size=[32,24]" >"$box/said" 2>&1
check "render onto a link: what it leads to is written" test -L "$box/link.png" -a -s "$box/far/picture.png"
run 4 "$scene" -o "$scene"
check "results into a file: refused" says "is a file, not a folder"
mkdir "$box/names"
for name in a.v1 a.v2 a; do
	cp "$scene" "$box/names/$name.scene.yaml"
	run 0 "$box/names/$name.scene.yaml" --set output={} -o "$box/names/out"
done
check "a.v1, a.v2 and a have files of their own" test -e "$box/names/out/a.v1.snap" -a -e "$box/names/out/a.v2.snap" -a -e "$box/names/out/a.snap"
long=$(printf 'n%.0s' $(seq 180))
cp "$scene" "$box/names/$long.scene.yaml"
run 0 "$box/names/$long.scene.yaml" -o "$box/names/long"
check "a name of 180 bytes is not cut" test -e "$box/names/long/$long.snap" -a -e "$box/names/long/${long}_particles_000005.vtp"
long=$(printf 'n%.0s' $(seq 235))
cp "$scene" "$box/names/$long.scene.yaml"
run 2 "$box/names/$long.scene.yaml" -o "$box/names/longer"
check "one of 235 is refused" says "has 235 bytes"
deep=$box/deep
for _ in $(seq 12); do deep=$deep/$(printf 'd%.0s' $(seq 120)); done
run 0 "$scene" -o "$deep"
check "a folder of 1,450 bytes is not cut" test -e "$deep/stones.snap"
for _ in $(seq 30); do deep=$deep/$(printf 'd%.0s' $(seq 120)); done
run 2 "$scene" -o "$deep"
check "one of 5,000 is refused" says "at most"

# ---- whose files they are
run 2 "$scene" -o "$box/whole"
check "a finished run is not overwritten unasked" says "holds the results of a run already"
cp -r "$box/whole" "$box/again" && touch "$box/again/stones_000123.txt" && : >"$box/again/stones_0099.png" && : >"$box/again/stones_particles_000099.vtp"
run 0 "$scene" -o "$box/again" --overwrite && rm "$box/again/stones_000123.txt"
check "--overwrite: replaced, nothing of the run before is left" same "$box/whole" "$box/again"
"$scree" run "$scene" --set "run.until=100 s" --set output={} --quiet --threads 1 -o "$box/locked" >"$box/log" 2>&1 &
pid=$!
wait_for test -e "$box/locked/stones.resolved.scene.yaml"
run 2 "$scene" -o "$box/locked" --overwrite
check "two runs of one name in a folder: the second is refused" says "process $pid is writing"
cp "$scene" "$box/other.scene.yaml"
run 0 "$box/other.scene.yaml" -o "$box/locked"
check "  one of another name is not" test -e "$box/locked/other.snap"
kill -9 $pid
wait $pid 2>/dev/null
run 0 "$scene" -o "$box/locked" && rm "$box"/locked/other*
check "  killed, it holds nothing" same "$box/whole" "$box/locked"

# ---- tables that are not those the snapshot knew
for what in history bodies walls; do
	rm -rf "$box/short" && run 0 "$scene" --steps 250 -o "$box/short"
	file=$box/short/stones_$what.csv
	head -c -9 "$file" >"$box/cut" && cp "$box/cut" "$file"
	run 2 --resume "$box/short/stones.snap"
	check "$what cut short: refused" says "are missing"
	check "  and left as it is" cmp "$box/cut" "$file"
	rm "$file"
	run 0 --resume "$box/short/stones.snap"
	check "  not there: begins, and says so" says "stones_$what.csv does not exist: a new one begins at t = 0.0025 s"
done

# ---- file systems without hard links
run 0 "$scene" --steps 100 -o "$box/nolink"
for k in 2 3; do
	strace -f -o /dev/null -e inject=link,linkat:error=EPERM "$scree" run --resume "$box/nolink/stones.snap" --quiet \
		--threads 1 --steps 100 >"$box/said" 2>&1
	check "no hard links: snapshot $k" test $? = 0
done
check "  the one before is kept" test "$("$scree" hash "$box/nolink/stones.snap")" != "$("$scree" hash "$box/nolink/stones.old.snap")"
run 0 --resume "$box/nolink/stones.snap"
check "  goes on to the same end" test "$(grep ^hash "$box/said")" = "$hash"

# ---- pictures, frames, closing lines
run 0 "$scene" --steps 250 -o "$box/pictures"
for _ in 1 2 3; do run 0 --resume "$box/pictures/stones.snap" --steps 50; done
run 0 --resume "$box/pictures/stones.snap"
check "stopped and resumed often: the same files" same "$box/whole" "$box/pictures"
run 0 --resume "$box/pictures/stones.snap"
check "a finished run resumed: nothing more" same "$box/whole" "$box/pictures"
run 0 "$scene" --set "output.images.every=2.5 ms" -o "$box/twice"
check "the end is drawn once" test "$(ls "$box"/twice/*.png | wc -l)" = 3
run 0 "$scene" --steps 250 -o "$box/here" && run 0 --resume "$box/here/stones.snap" -o "$box/there"
for format in svg pdf; do
	flat=(scenes/flat_mix.scene.yaml --set "output={images: {every: 2 ms, format: $format, size: [64, 48]}}" --set run.until=8ms)
	run 0 "${flat[@]}" -o "$box/flat" && run 0 "${flat[@]}" --steps 40 -o "$box/parts"
	run 0 --resume "$box/parts/flat_mix.snap"
	check "pictures of the plane as $format: stopped and resumed the same files" same "$box/flat" "$box/parts"
	check "  five" test "$(ls "$box"/flat/*_000[0-4]."$format" | wc -l)" = 5
	rm -r "$box/flat" "$box/parts"
done
run 0 "${flat[@]}" --steps 40 -o "$box/flat" && run 0 --resume "$box/flat/flat_mix.snap" --set output.images.format=svg
check "another format from a resume on: numbering continues" test "$(ls "$box"/flat | grep -c '_000[0-4].\(svg\|pdf\)$')" = 5
check "  the closing lines name all" test "$(grep -c 'flat_mix_000[0-4].\(svg\|pdf\)$' "$box/said")" = 5
grep -o 'file="[^"]*"' "$box/there/stones.pvd" | cut -d'"' -f2 >"$box/listed"
check "a .pvd in another folder lists the frames there" test "$(wc -l <"$box/listed")" = 9 -a "$(ls "$box/there" | grep -c '_[0-9]\{6\}\.vtp$')" = 9
check "  and none that is not" env -C "$box/there" xargs -a "$box/listed" ls
sed -n 's/^[pictures ]* \(.*png\)$/\1/p' "$box/said" >"$box/listed"
check "  nor do the closing lines" env -C "$box/there" xargs -a "$box/listed" ls
run 3 "$scene" --set "run.guard.speed=0.01 m/s" -o "$box/guard"
check "a guard: no snapshot is named that is not there" test -z "$(grep -F stones.snap "$box/said")" -a ! -e "$box/guard/stones.snap"
run 0 "$scene" --steps 250 -o "$box/named" && mv "$box/named/stones.snap" "$box/named/stones.old.snap"
run 0 --resume "$box/named/stones.old.snap"
check "going on from the snapshot before the last: the same files" same "$box/whole" "$box/named"
run 0 "$scene" --steps 250 -o "$box/back" && run 0 --resume "$box/back/stones.snap" --steps 100 # leaves an old one
strace -f -o /dev/null -e inject=openat:signal=KILL:when=60+ "$scree" run --resume "$box/back/stones.old.snap" --quiet --threads 1 >"$box/said" 2>&1
run 0 --resume "$box/back/stones.snap"
check "killed after that, gone on from the last: the same files" same "$box/whole" "$box/back"
echo "1..$n"
