#!/bin/bash
# needs: tsan
# The whole loop of Schinner (1999) on two threads with five barriers (bench/literal_loop.c), polygons that fall into a box
# of polygons: no race under clang's thread sanitizer; the pairs of the engine's broad phase; the positions and angles
# of the engine's own run, to 1e-9, since forces are summed in another order. Without damping: where it leaves no normal
# force, the engine's law takes friction at another point. Without the mutex a race is detected.
cd "$(dirname "$0")/../.." || exit 70
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
export TSAN_OPTIONS=ignore_noninstrumented_modules=1
cat >"$box/main.c" <<'C'
#include "literal_loop.h"

#include "base/maths.h"
#include "broad/broad.h"
#include "choices/choices.h"
#include "scene/scene.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 64, ROUNDS = 12, STEPS = 300 };

static scree_world *read_world(void)
{
	static const char *const set[] = {"count=64", "wide=8.16 m", "corners=5", "contacts.default.restitution=1"};
	scene s;
	char *report = NULL;
	if (!scree_scene_load("bench/literal2d.scene.yaml", 4, set, &s, &report)) {
		fputs(report, stderr);
		exit(2);
	}
	scree_world *w = s.world;
	s.world = NULL;
	scree_scene_free(&s);
	return w;
}

/* pairs that the engine's sort-and-update has and the lists have not, or the other way round */
static long wrong_pairs(const literal_loop *l)
{
	static broad_search search;
	static box_pairs found;
	int32_t n = literal_loop_count(l);
	static real side[4][BODIES + 8], flat[BODIES + 8];
	for (int32_t i = 0; i < n; ++i)
		for (int k = 0; k < 4; ++k) side[k][i] = literal_loop_boxes(l)[i][k];
	box_list boxes = {n, {side[0], side[1], flat}, {side[2], side[3], flat}, NULL, true};
	scree_broad_search(&search, scree_broad_find("sweep"), &boxes, true, &found);
	const literal_sweep *s = literal_loop_sweep(l);
	long bad = literal_sweep_count(s) != found.count;
	for (int64_t k = 0; k < found.count; ++k) bad += !literal_sweep_has(s, found.pair[k][0], found.pair[k][1]);
	return bad;
}

static double apart(const literal_loop *l, const scree_world *w)
{
	double most = 0;
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		double pose[3], turn = 2 * scree_atan2(w->state.body.qz[i], w->state.body.qw[i]), s, c;
		literal_loop_pose(l, (int32_t)w->state.body.id[i] - 1, pose);
		scree_sincos(pose[2] - turn, &s, &c);
		most = real_max(most, real_max(real_abs(pose[0] - w->state.body.x[i]), real_abs(pose[1] - w->state.body.y[i])));
		most = real_max(most, real_abs(s));
	}
	return most;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 2;
	scree_world *w = read_world(), *of = read_world();
	literal_loop *l = literal_loop_new(of, threads);
	long bad = 0, pairs = 0, overlaps = 0;
	double most = 0;
	for (int round = 0; round < ROUNDS; ++round) {
		literal_loop_run(l, STEPS);
		for (int k = 0; k < STEPS; ++k)
			if (!scree_step(w)) return 3;
		bad += wrong_pairs(l);
		pairs += literal_sweep_count(literal_loop_sweep(l));
		overlaps += literal_loop_overlaps(l);
		most = real_max(most, apart(l, w));
	}
	printf("wrong %ld, %ld pairs and %ld contacts in %d looks, apart %.2g\n", bad, pairs, overlaps, ROUNDS, most);
	printf("pairs %s\n", bad == 0 && pairs > ROUNDS * BODIES / 2 ? "right" : "wrong");
	printf("places %s\n", most < 1e-9 && most > 0 && overlaps > ROUNDS * BODIES / 4 ? "right" : "wrong");
	literal_loop_free(l);
	scree_world_free(of);
	scree_world_free(w);
	return 0;
}
C
n=0
report() { # NAME, status of the condition that holds
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then echo "ok $n - $1"; else
		echo "not ok $n - $1"
		head -40 "$box/log" | sed 's/^/# /'
	fi
}
build() { # WHERE SOURCE-OF-THE-SWEEP: with the thread sanitizer
	clang -std=c17 -g -O1 -ffp-contract=off -fsanitize=thread -pthread -I bench -I src "$box/main.c" bench/literal_loop.c "$2" \
		build/tsan/libscree.a -lyaml -lcairo -lz -lpng -lqhull_r -lembree3 -lm -o "$1"
}
build "$box/two" bench/literal_sweep.c >"$box/log" 2>&1 && "$box/two" 2 >"$box/log" 2>&1
code=$?
[ $code -eq 0 ] && ! grep -q 'WARNING: ThreadSanitizer' "$box/log"
report "two threads and five barriers, no race" $?
grep -q '^pairs right$' "$box/log"
report "the pairs of the engine's sort-and-update" $?
grep -q '^places right$' "$box/log"
report "the motion of the engine" $?
# without the mutex a race must be detected; the first one ends it
sed 's/pthread_mutex_\(un\)\?lock(&p->lock);//; s/particle \*p = s->particle + i;/(void)s, (void)i;/' bench/literal_sweep.c >"$box/unlocked.c"
build "$box/unlocked" "$box/unlocked.c" >"$box/log" 2>&1
# on busy processors both threads may never be in the sweep at the same time
for ((try = 1; try <= 5; ++try)); do
	TSAN_OPTIONS=halt_on_error=1:ignore_noninstrumented_modules=1 timeout 300 "$box/unlocked" 2 >"$box/log" 2>&1
	grep -q 'WARNING: ThreadSanitizer: data race' "$box/log" && break
done
grep -q 'WARNING: ThreadSanitizer: data race' "$box/log"
report "without the mutex a race is seen" $?
echo "1..$n"
