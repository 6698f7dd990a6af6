/* closest_features: nanoseconds per call for the closest features of two polygons, as a function of their number of
 * corners (Fig. 11 of seed 000).
 *
 * One regular polygon of circumradius 0.5 moves around another by 0.002 rad per step (0.0002 if slow) for 4096 steps,
 * once with a gap that varies between 0.005 and 0.025, and once with an overlap of 0 to 0.01. The search for each pose
 * starts from the features of the previous pose (warm), from no features (afresh), or from features on the far sides
 * (cold). Calls are timed in the order of the poses and are independent, like calls for different pairs in a
 * simulation; `chained` calls take their hint from the previous call. The shortest time of several rounds is printed,
 * since other programs on the machine can only add time.
 */
#include "narrow/polygon/pair.h"

#include "base/maths.h"
#include "shape/shapes.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { POSES = 4096, ROUNDS = 400, FEW_ROUNDS = 10 };

static const real FAST = 0.002, SLOW = 0.0002; /* radians per step */

static const flat_placed *fixed;
static flat_placed moved[POSES];
static int32_t before[POSES], far_side[POSES], none[POSES];

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* varies between 0 and 1, up and down every 512 steps */
static real swing(int32_t step)
{
	int32_t at = step % 512;
	return (at < 256 ? at : 512 - at) / (real)256;
}

/* Moves the centre of b along the line from a until the gap has the given value. */
static void set_gap(flat_placed *b, real cosine, real sine, real gap)
{
	feature_pair f = {0};
	real way = 1 + gap;
	for (int32_t k = 0; k < 60; ++k) {
		b->x = way * cosine;
		b->y = way * sine;
		scree_closest_features(fixed, b, f.hint, &f);
		real wrong = f.overlapping ? (real)-0.01 : f.distance - gap;
		if (wrong < (real)1e-9 && wrong > (real)-1e-9) break;
		way -= wrong;
	}
}

static void carry_around(const flat_polygon *shape, bool apart, real turn)
{
	for (int32_t k = 0; k < POSES; ++k) {
		real sine, cosine, gap = apart ? (real)0.005 + (real)0.02 * swing(k) : (real)1e-6;
		scree_sincos(turn * k, &sine, &cosine);
		moved[k] = (flat_placed){shape, 0, 0, 1, 0, 1};
		set_gap(moved + k, cosine, sine, gap);
		if (apart) continue;
		moved[k].x -= ((real)0.01 * swing(k) + (real)1e-5) * cosine;
		moved[k].y -= ((real)0.01 * swing(k) + (real)1e-5) * sine;
	}
}

typedef struct cost {
	double ns, sweeps, changes, asked;
} cost;

static cost timed(const int32_t *hint, int32_t rounds)
{
	cost c = {.ns = 1e30};
	feature_pair f;
	int64_t sweeps = 0, changes = 0, asked = 0;
	for (int32_t round = 0; round < rounds; ++round) {
		double start = now();
		sweeps = changes = asked = 0;
		for (int32_t k = 0; k < POSES; ++k) {
			scree_closest_features(fixed, moved + k, hint[k], &f);
			sweeps += f.sweeps;
			changes += f.changes;
			asked += f.exhausted;
		}
		double ns = (now() - start) / POSES;
		c.ns = ns < c.ns ? ns : c.ns;
	}
	c.sweeps = (double)sweeps / POSES;
	c.changes = (double)changes / POSES;
	c.asked = (double)asked / POSES;
	return c;
}

static double chained(void)
{
	double least = 1e30;
	feature_pair f = {0};
	for (int32_t round = 0; round < ROUNDS; ++round) {
		double start = now();
		for (int32_t k = 0; k < POSES; ++k) scree_closest_features(fixed, moved + k, f.hint, &f);
		double ns = (now() - start) / POSES;
		least = ns < least ? ns : least;
	}
	return least;
}

typedef void (*contact)(const placed *a, const placed *b, int32_t hint, patch *out);

/* warm start; every contact reports its features */
static double of_contact(const shape *s, contact find, double *points)
{
	static patch out;
	static placed at[POSES];
	static int32_t hint[POSES];
	double least = 1e30;
	placed a = {.shape = s, .turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .size = 1};
	for (int32_t k = 0, last = 0; k < POSES; ++k) {
		at[k] = a;
		at[k].at = v3(moved[k].x, moved[k].y, 0);
		hint[k] = last;
		find(&a, at + k, last, &out);
		last = out.axis;
	}
	for (int32_t round = 0; round < ROUNDS; ++round) {
		int64_t count = 0;
		double start = now();
		for (int32_t k = 0; k < POSES; ++k) {
			find(&a, at + k, hint[k], &out);
			count += out.points;
		}
		double ns = (now() - start) / POSES;
		least = ns < least ? ns : least;
		*points = (double)count / POSES;
	}
	return least;
}

/* the features of the previous pose, and the features opposite to the correct ones */
static void set_hints(int32_t corners)
{
	feature_pair f = {0};
	for (int32_t k = 0; k < POSES; ++k) {
		before[k] = f.hint;
		scree_closest_features(fixed, moved + k, f.hint, &f);
		far_side[k] = features_pack((f.fa + corners) % (2 * corners), (f.fb + corners) % (2 * corners));
	}
	before[0] = f.hint;
}

static void measure(const shape *s, bool apart)
{
	flat_placed a = {&s->flat, 0, 0, 1, 0, 1};
	fixed = &a;
	carry_around(&s->flat, apart, FAST);
	set_hints(s->flat.corners);
	cost warm = timed(before, ROUNDS), cold = timed(far_side, FEW_ROUNDS), afresh = timed(none, FEW_ROUNDS);
	int32_t lives = 0;
	for (int32_t k = 1; k < POSES; ++k) lives += before[k] != before[k - 1];
	printf("%-11s %5d   %6.1f ns (chained %6.1f)   %7.4f changes a step, features live %7.1f steps   afresh %7.1f ns   "
		   "cold %9.1f ns, "
		   "%7.1f changes, all asked %g\n",
		   apart ? "apart" : "overlapping", s->flat.corners, warm.ns, chained(), warm.changes,
		   (double)POSES / (lives ? lives : 1), afresh.ns, cold.ns, cold.changes, cold.asked);
	if (apart) {
		carry_around(&s->flat, apart, SLOW);
		set_hints(s->flat.corners);
		cost slow = timed(before, ROUNDS);
		printf("%17s   slow  %6.1f ns   %7.4f changes a step\n", "", slow.ns, slow.changes);
		return;
	}
	double points, ignored, area = of_contact(s, scree_polygon_overlap, &ignored);
	double depth = of_contact(s, scree_polygon_patch, &points);
	printf("%17s   area %6.1f ns   patch %6.1f ns, %4.1f points\n", "", area, depth, points);
}

/* closest_features [CORNERS...] runs only polygons with these numbers of corners */
int main(int count, char **word)
{
	static const int32_t corners[] = {3, 4, 6, 8, 16, 32, 64, 128, 256, 512, 1024};
	shapes all = {0};
	fail why;
	for (int32_t apart = 1; apart >= 0; --apart)
		for (size_t k = 0; k < sizeof corners / sizeof *corners; ++k) {
			char name[32];
			snprintf(name, sizeof name, "%d", corners[k]);
			bool wanted = count < 2;
			for (int i = 1; i < count; ++i) wanted |= !strcmp(word[i], name);
			if (!wanted || scree_shapes_add_regular_polygon(&all, name, corners[k], &why) < 0) continue;
			measure(all.row + all.count - 1, apart);
		}
	scree_shapes_free(&all);
	return 0;
}
