#!/bin/bash
# output.film: a film of all pictures by ffmpeg, replaced by a script that joins them; the same after a stop and on
# ranks; without ffmpeg the run says so at the start and succeeds
cd "$(dirname "$0")/../.." || exit 70
scree=$(realpath "${SCREE:-build/test/scree}")
source tests/checks.sh
mkdir "$box/bin" "$box/none"
# joins the pictures from -start_number on, -frames:v of them, into the last argument, and notes how it was called
cat >"$box/bin/ffmpeg" <<'STANDIN'
#!/bin/bash
echo "$*" >>"$FILM_LOG"
[ -z "$FILM_FAILS" ] || exit 9
while [ $# -gt 1 ]; do
	case $1 in -i) pattern=${2#file:} ;; -start_number) first=$2 ;; -frames:v) count=$2 ;; esac
	shift
done
for ((k = first; k < first + count; ++k)); do
	printf -v picture "$pattern" "$k"
	cat "$picture" || exit 1
done >"${1#file:}"
STANDIN
chmod +x "$box/bin/ffmpeg"
export FILM_LOG=$box/calls
film=(--set 'output.images={every: 5 ms, size: [64, 48]}' --set 'output.film={rate: 10 1/s}' --set run.until=20ms -t 1)
run() { PATH=$box/bin:$PATH "$scree" run "$@" >"$box/out" 2>&1; }
scene=scenes/settling_spheres.scene.yaml

run $scene "${film[@]}" -o "$box/whole%d"
check "a run with a film ends" test $? -eq 0
check "it names the film" says "film      $box/whole%d/settling_spheres.mp4"
cat "$box"/whole%d/settling_spheres_00??.png | cmp -s - "$box/whole%d/settling_spheres.mp4"
check "of all pictures, in their order" test $? -eq 0
check "at least five" test "$(ls "$box"/whole%d/*.png | wc -l)" -ge 5
check "with its rate" grep -q -- "-framerate 10 " "$FILM_LOG"
check "pictures are kept, and no other file is left" test ! -e "$box/whole%d/settling_spheres.mp4.tmp"

run $scene "${film[@]}" -o "$box/part" --steps 300
check "a run that stops before its end makes no film" test ! -e "$box/part/settling_spheres.mp4"
run --resume "$box/part/settling_spheres.snap"
cmp -s "$box/whole%d/settling_spheres.mp4" "$box/part/settling_spheres.mp4"
check "stopped and resumed: the same film" test $? -eq 0
# pictures that show only the legend: of the state after 300 steps and of the end
aside=(--set 'output.images.camera={eye: [100 m, 100 m, 100 m], target: [200 m, 200 m, 300 m]}' --set output.images.title=false
	--set 'output.images.size=[320, 240]')
for name in early late; do
	case $name in early) from=$box/early/settling_spheres.snap ;; late) from=$box/part/settling_spheres.snap ;; esac
	[ $name = late ] || run $scene --set output={} -t 1 -o "$box/early" --steps 300
	"$scree" render "$from" -o "$box/$name.png" "${aside[@]}" >/dev/null
	"$scree" render "$from" -o "$box/$name.height.png" "${aside[@]}" --set output.images.color=height >/dev/null
	"$scree" render "$from" -o "$box/$name.own.png" "${aside[@]}" --set 'output.images.range=[0, 9 m/s]' >/dev/null
done
cmp -s "$box/early.png" "$box/late.png"
check "snapshots of one run have one range of colours" test $? -eq 0
cmp -s "$box/early.height.png" "$box/late.height.png"
check "for each quantity" test $? -eq 0
# a stage that changes what pictures show, and gravity
stages='stages=[{name: fall, until: 10 ms}, {name: hard, until: 10 ms, world: {gravity: [0, 0, -90 m/s^2]}, output: {images: {color: height}}}]'
run $scene --set output.images.every=5ms --set 'output.images.size=[64, 48]' --set "$stages" -t 1 -o "$box/stages"
check "a stage changes the quantity" test $? -eq 0 -a -s "$box/stages/settling_spheres_0004.png"
"$scree" render "$box/stages/settling_spheres.snap" -o "$box/stages.png" "${aside[@]}" --set output.images.color=speed >/dev/null
cmp -s "$box/early.png" "$box/stages.png"
check "and keeps the range" test $? -eq 0
cmp -s "$box/early.png" "$box/early.own.png"
check "a given range wins" test $? -eq 1
if with_ranks; then
	PATH=$box/bin:$PATH mpirun -n 2 "$scree" run $scene "${film[@]}" -o "$box/ranks" >"$box/out" 2>&1
	cmp -s "$box/whole%d/settling_spheres.mp4" "$box/ranks/settling_spheres.mp4"
	check "on ranks: the same film" test $? -eq 0
fi
run $scene "${film[@]}" -o "$box/guard" --set 'run.guard.speed=0.1 m/s'
check "stopped by a guard: a film" test -s "$box/guard/settling_spheres.mp4"
FILM_FAILS=1 run $scene "${film[@]}" -o "$box/fails"
check "a failure of ffmpeg does not change the code" test $? -eq 0
check "and is reported" says "ffmpeg could not make"
check "the pictures are there" test -s "$box/fails/settling_spheres_0001.png" -a ! -e "$box/fails/settling_spheres.mp4"
PATH=$box/none "$scree" run $scene "${film[@]}" -o "$box/without" >"$box/out" 2>&1
check "without ffmpeg a run ends well" test $? -eq 0
check "and has said so" says "ffmpeg is not installed"
check "with its pictures" test -s "$box/without/settling_spheres_0001.png"
run $scene -o "$box/whole%d" --overwrite --steps 3
check "an old film goes with its run" test ! -e "$box/whole%d/settling_spheres.mp4"
"$scree" check $scene --set output.film={} >"$box/out" 2>&1
check "a film without pictures is refused" test $? -eq 2
check "in words" says "has no output.images"
if command -v ffmpeg >/dev/null; then
	"$scree" run $scene "${film[@]}" -o "$box/real" >"$box/out" 2>&1
	check "by ffmpeg itself: an MP4" test "$(head -c 8 "$box/real/settling_spheres.mp4" | tail -c 4)" = ftyp
fi
echo "1..$n"
