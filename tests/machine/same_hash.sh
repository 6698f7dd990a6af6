#!/bin/bash
# needs: test gcc-O0 clang-O3
# needs of a campaign: gcc-O3 gcc-avx2 clang-O0 asan
# The same scene gives the same state, whatever computes it: gcc and clang, -O0 and -O3, with sanitizers, vectors of
# this machine, of two and of four numbers, 1, 2, 3 and 7 threads, uninterrupted or stopped and resumed from a snapshot.
# The state is compared by its hash. ./dev check same_hash does it with all seven builds, and a hundred times as many
# steps.
#
# For each scene of scenes/, tests/machine/ and examples/:
#   set-up   every build sets up the scene and takes a few steps: the same hash
#   phases   every broad phase, and two of them without a skin: the same hash
#   shares   every way to share the contacts of surfaces, where there are any: the same hash
#   state    the test build continues until some contacts stick and others slide (with impulses: until bodies have
#            collided), and leaves a snapshot
#   steps    from that snapshot every build takes the same steps, with several numbers of threads: the same hash
#   resume   the test build reaches that hash, too, when it never stops, and when it is stopped at several random steps,
#            each time continuing from its snapshot
# The number of steps follows from the number of bodies, so that a large scene takes no longer than a small one; at most 1000.
# Without a campaign: scenes/ and tests/machine/ only, and per scene of scenes/ two broad phases in turn and two stops.
cd "$(dirname "$0")/../.." || exit 70
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
factor=${SCREE_TEST_FACTOR:-1}
builds=(test gcc-O0 clang-O3)
((factor > 1)) && builds+=(gcc-O3 gcc-avx2 clang-O0 asan)
threads=(1 2 3 7) breaks=5 turn=0
((factor > 1)) || threads=(1 3 7) breaks=2
few_threads=(1 7) # for builds with -O0 or sanitizers; outside a campaign for all except the test build
mapfile -t all_phases < <(build/test/scree list | sed -n '/^broad_phases/,/^narrow_phases/s/^  \([^ ]*\) .*/\1/p')
mapfile -t few_phases < <(printf '%s\n' "${all_phases[@]}" | grep -v '/k2') # variants: only in the scene of this test
mapfile -t sharings < <(build/test/scree list sharings | sed -n 's/^  \([^ ]*\) .*/\1/p')
warm=20 # the steps that `scree bench` takes before it measures
n=0
report() { # NAME FILE: one case; FILE holds lines "HASH WHO", which must have the same hash
	n=$((n + 1))
	if [ "$(cut -d' ' -f1 "$2" | sort -u | wc -l)" = 1 ] && grep -qE '^[0-9a-f]{16} ' "$2"; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		sed 's/^/# /' "$2"
	fi
}
hash_of() { # WHO COMMAND...: the line "HASH WHO"; the output of the command if there is no hash
	"${@:2}" >"$box/log" 2>&1
	local code=$? hash
	hash=$(sed -n 's/^hash \([0-9a-f]\{16\}\)$/\1/p' "$box/log" | tail -1)
	if [ $code -eq 0 ] && [ -n "$hash" ]; then echo "$hash $1"; else echo "none $1: code $code: $(tail -3 "$box/log" | tr '\n' ' ')"; fi
}
# FOLDER BUILD THREADS: from the snapshot there; a scene with stages is run, since `scree bench` ends no stage
measured() {
	local snapshot=$1/$name.snap
	if grep -q '^stages:' "$scene"; then
		hash_of "$2, $3 threads" "build/$2/scree" run --resume "$snapshot" --quiet --steps $((warm + steps)) --threads "$3" \
			--overwrite -o "$box/staged"
	else
		hash_of "$2, $3 threads" "build/$2/scree" bench "$snapshot" --steps $steps --threads "$3"
	fi
}
least() { if [ "$1" -lt "$2" ]; then echo "$1"; else echo "$2"; fi; }

shopt -s nullglob
scenes=(scenes/*.scene.yaml tests/machine/*.scene.yaml)
((factor > 1)) && scenes+=(examples/*.scene.yaml)
((${#few_phases[@]} > 1)) || { echo "not ok 1 - there are no broad phases"; exit 1; }
((${#scenes[@]})) || { echo "not ok 1 - there are no scenes"; exit 1; }
for scene in "${scenes[@]}"; do
	name=$(basename "$scene" .scene.yaml)
	bodies=$(build/test/scree check "$scene" | sed -n 's/^\([0-9]*\) bodies.*/\1/p')
	[ "${bodies:-0}" -gt 0 ] || bodies=100 # all come from sources
	made=$((factor * 40000 / bodies + 50)) steps=$((factor * 25000 / bodies + 20))
	made=$(least $made 1000) steps=$(least $steps 980)
	small=(--set "run.until=1000000 s" --set 'output={}') # only the number of steps decides when to stop

	for b in "${builds[@]}"; do
		hash_of "$b" "build/$b/scree" run "$scene" "${small[@]}" --quiet --steps 3 --threads 2 -o "$box/$b"
	done >"$box/setup"
	report "$name: set-up" "$box/setup"

	phases=("${few_phases[turn++ % ${#few_phases[@]}]}" "${few_phases[turn++ % ${#few_phases[@]}]}")
	[[ $scene == tests/machine/* || $factor -gt 1 ]] && phases=("${all_phases[@]}")
	looked=$((factor > 1 ? made : made / 2)) # steps; there are several of these runs per scene
	# the first is the unchanged scene
	for p in "" "${phases[@]}"; do
		hash_of "broad phase ${p:-of the scene}" build/test/scree run "$scene" "${small[@]}" ${p:+--set run.broad_phase=$p} \
			--quiet --steps $looked --overwrite -o "$box/phase"
	done >"$box/phases"
	for p in grid sweep; do
		hash_of "$p without a skin" build/test/scree run "$scene" "${small[@]}" --set run.broad_phase=$p \
			--set 'run.skin=0 m' --threads 3 --quiet --steps $looked --overwrite -o "$box/phase"
	done >>"$box/phases"
	report "$name: $looked steps, $((${#phases[@]} + 2)) broad phases" "$box/phases"

	if grep -q 'as: surface' "$scene"; then
		for s in "${sharings[@]}"; do
			hash_of "shared by $s" build/test/scree run "$scene" "${small[@]}" --set run.share=$s --threads 3 \
				--quiet --steps $looked --overwrite -o "$box/share"
		done >"$box/shares"
		report "$name: $looked steps, ${#sharings[@]} ways to share" "$box/shares"
	fi

	# continues until some contacts stick and others slide; with impulses, until there have been more than a hundred
	# collisions
	pattern='s/^bodies .*contacts \([0-9]*\)  sliding \([0-9]*\) .*/\1 \2/p' few=0
	grep -qE 'response: (elastic|ffd)' "$scene" && pattern='s/^collisions \([0-9]*\) .*/1000000000 \1/p' few=100
	build/test/scree run "$scene" "${small[@]}" --quiet --steps $made -o "$box/made" >"$box/log" 2>&1 || sed 's/^/# /' "$box/log"
	for ((more = 1; more <= 60; ++more)); do
		read -r contacts sliding < <(build/test/scree bench "$box/made/$name.snap" --steps 1 --threads 1 | sed -n "$pattern")
		[ "${sliding:-0}" -gt "$few" ] && [ "$contacts" -gt "$sliding" ] && break
		build/test/scree run --resume "$box/made/$name.snap" --quiet --steps $((200 + 40 * more)) --overwrite -o "$box/on" >"$box/log" 2>&1 || sed 's/^/# /' "$box/log"
		mv "$box/on/$name.snap" "$box/made/$name.snap"
		made=$((made + 200 + 40 * more))
	done
	n=$((n + 1))
	if [ $more -le 60 ]; then
		if [ $few -eq 0 ]; then echo "ok $n - $name: after $made steps $sliding of $contacts contacts slide"; else
			echo "ok $n - $name: $sliding collisions in $made steps"
		fi
	else
		echo "not ok $n - $name: ${sliding:-no} of ${contacts:-no} contacts slide after $made steps"
		sed 's/^/# /' "$box/log"
	fi

	for b in "${builds[@]}"; do
		these=("${threads[@]}")
		[[ $b == *-O0 || $b == asan || ($b != test && $factor -eq 1) ]] && these=("${few_threads[@]}")
		for t in "${these[@]}"; do
			measured "$box/made" "$b" "$t"
		done
	done >"$box/steps"
	report "$name: $((warm + steps)) steps after $made, ${#builds[@]} builds, threads ${threads[*]}" "$box/steps"

	{
		head -1 "$box/steps"
		hash_of "never stopped" build/test/scree run "$scene" "${small[@]}" --quiet --steps $((made + warm + steps)) -o "$box/whole"
		at=0 from="$box/made/$name.snap" stops=
		for stop in $(shuf -i 1-$((warm + steps - 1)) -n $breaks --random-source="$box/made/$name.snap" | sort -n) $((warm + steps)); do
			hash_of "stopped at$stops" build/test/scree run --resume "$from" --quiet --steps $((stop - at)) --threads 3 -o "$box/stop$stop" >"$box/last"
			at=$stop from="$box/stop$stop/$name.snap" stops+=" $stop"
		done
		cat "$box/last"
	} >"$box/resume"
	report "$name: resumed is never stopped (at$stops)" "$box/resume"
	rm -rf "$box/made" "$box/whole" "$box"/stop*
done
echo "1..$n"
