/* narrow_convex: nanoseconds per call for the contact of two polyhedra, in situations that occur in a settled heap.
 * bench_narrow_convex [WORD [NARROW_PHASE]] runs only situations with this word; the default is the standard narrow
 * phase.
 *
 * Each situation has a few hundred pairs with small random differences, which are processed one after the other with
 * the hints of the previous round, as in a simulation. The shortest time of several rounds is printed, since other
 * programs on the machine can only add time. */
#include "base/random.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "narrow/narrow.h"
#include "narrow/solid/known_cuts.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { PAIRS = 256, ROUNDS = 2000 };

typedef struct situation {
	placed a[PAIRS], b[PAIRS];
	int32_t hint[PAIRS];
} situation;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static mat3 tilted(random_stream *r, real angle)
{
	return quat_matrix(quat_exp(v3_mul(angle, scree_random_direction(r)), 1));
}

static const char *wanted; /* only situations with this word, or all if NULL */
static const narrow *way;

static known_cuts *known; /* clipping results stored by a thread */

static void one_by_one(situation *s, bool cached, int *touching, int *points)
{
	static patch out;
	for (int k = 0; k < PAIRS; ++k) {
		if (cached && way->known)
			way->known(s->a + k, s->b + k, s->hint[k], known, NULL, &out);
		else
			way->convex_convex(s->a + k, s->b + k, cached ? s->hint[k] : 0, &out);
		s->hint[k] = out.axis;
		*touching += out.points > 0;
		*points += out.points;
	}
}

/* computed as in pairs_to_contacts */
static void several_at_once(situation *s, int *touching, int *points)
{
	static patch out;
	static overlap_pairs block;
	for (int k = 0; k < PAIRS; ++k) {
		if (!scree_overlap_pairs_add(&block, k, s->a + k, s->b + k, s->hint[k], known, NULL, &out))
			s->hint[k] = out.axis;
		if (block.count < PAIRS_AT_ONCE && k + 1 < PAIRS) continue;
		scree_overlap_pairs(&block);
		for (int32_t i = 0; i < block.count; ++i) {
			if (!scree_overlap_pairs_get(&block, i, &out)) continue;
			s->hint[block.row[i]] = out.axis;
			*touching += 1;
			*points += out.points;
		}
		block.count = 0;
	}
}

static void measure(const char *name, situation *s, bool cached)
{
	if (wanted && !strstr(name, wanted)) return;
	double least = 1e30;
	int touching = 0, points = 0;
	for (int round = 0; round < ROUNDS; ++round) {
		double start = now();
		touching = points = 0;
		if (cached && way->overlaps)
			several_at_once(s, &touching, &points);
		else
			one_by_one(s, cached, &touching, &points);
		double t = (now() - start) / PAIRS;
		least = t < least ? t : least;
	}
	printf("%-34s %-8s %8.1f ns   touching %5.1f %%, %4.1f points\n", name, cached ? "cached" : "afresh", least,
		   100.0 * touching / PAIRS, touching ? (double)points / touching : 0);
}

/* b is above a, with a gap, a sideways displacement and a tilt */
static void stack(situation *s, const shape *shape, random_stream *r, real height, real aside, real tilt)
{
	for (int k = 0; k < PAIRS; ++k) {
		s->a[k] = (placed){shape, v3(0, 0, 0), tilted(r, tilt), 1};
		vec3 at = v3(scree_random_between(r, -aside, aside), scree_random_between(r, -aside, aside),
					 height + scree_random_between(r, 0, (real)0.0005));
		s->b[k] = (placed){shape, at, tilted(r, tilt), 1};
		s->hint[k] = 0;
	}
}

/* random orientations, at this fraction of the distance at which the bounding spheres touch */
static void toss(situation *s, const shapes *all, int32_t first, int32_t last, random_stream *r, real low, real high)
{
	for (int k = 0; k < PAIRS; ++k) {
		const shape *a = all->row + first + scree_random_bits(r) % (uint32_t)(last - first);
		const shape *b = all->row + first + scree_random_bits(r) % (uint32_t)(last - first);
		vec3 at = v3_mul((a->radius + b->radius) * scree_random_between(r, low, high), scree_random_direction(r));
		s->a[k] = (placed){a, v3(0, 0, 0), quat_matrix(scree_random_rotation(r)), 1};
		s->b[k] = (placed){b, at, quat_matrix(scree_random_rotation(r)), 1};
		s->hint[k] = 0;
	}
}

/* cubes that touch at crossed edges */
static void edges(situation *s, const shape *cube, random_stream *r)
{
	for (int k = 0; k < PAIRS; ++k) {
		quat up = quat_exp(v3(SCREE_PI / 4, 0, 0), 1), crossed = quat_exp(v3(0, 0, SCREE_PI / 2), 1);
		vec3 at = v3(scree_random_between(r, (real)-0.3, (real)0.3), scree_random_between(r, (real)-0.3, (real)0.3),
					 (real)1.413);
		s->a[k] = (placed){cube, v3(0, 0, 0),
						   quat_matrix(quat_mul(quat_exp(v3_mul((real)0.1, scree_random_direction(r)), 1), up)), 1};
		s->b[k] = (placed){cube, at, quat_matrix(quat_mul(crossed, up)), 1};
		s->hint[k] = 0;
	}
}

static int32_t hulls(shapes *all, random_stream *r, int32_t points)
{
	int32_t first = all->count;
	for (int32_t k = 0; k < 16; ++k) {
		vec3 p[64];
		for (int32_t i = 0; i < points; ++i) p[i] = v3_mul((real)0.5, scree_random_direction(r));
		char name[32];
		fail why;
		snprintf(name, sizeof name, "hull%d_%d", points, k);
		if (scree_shapes_add_hull(all, name, points, p, &why) < 0) fprintf(stderr, "%s\n", why.text);
	}
	return first;
}

int main(int count, char **word)
{
	known = scree_known_cuts();
	wanted = count > 1 ? word[1] : NULL;
	way = count > 2 ? scree_narrow_find(word[2]) : scree_narrow_row(0);
	if (!way) return 2;
	static situation s;
	static shapes all;
	fail why;
	random_stream r = scree_random_start(7, 7);
	scree_shapes_add_regular(&all, "cube", "cube", &why);
	int32_t small = hulls(&all, &r, 12), large = hulls(&all, &r, 32), end = all.count;
	const shape *cube = all.row;
	struct {
		const char *name;
		real height, aside, tilt;
	} stacks[] = {
		{"cubes, stacked", (real)0.998, 0, 0},
		{"cubes, face on face", (real)0.998, (real)0.05, (real)0.001},
		{"cubes, face on face, half aside", (real)0.998, (real)0.6, (real)0.001},
		{"cubes, face on face, slanted", (real)0.998, (real)0.6, (real)0.03},
		{"cubes, faces a little apart", (real)1.01, (real)0.5, (real)0.001},
	};
	for (int k = 0; k < 5; ++k) {
		stack(&s, cube, &r, stacks[k].height, stacks[k].aside, stacks[k].tilt);
		measure(stacks[k].name, &s, true);
		measure(stacks[k].name, &s, false);
	}
	/* diagonal neighbours in a packing, which are separated along an edge */
	for (int k = 0; k < PAIRS; ++k) s.b[k].at = v3((real)0.99, (real)1.005, 0), s.a[k].turn = tilted(&r, (real)0.001);
	measure("cubes, diagonal neighbours", &s, true);
	edges(&s, cube, &r);
	measure("cubes, edge on edge", &s, true);
	toss(&s, &all, 0, 1, &r, (real)0.55, (real)0.75);
	measure("cubes, anyhow", &s, true);
	measure("cubes, anyhow", &s, false);
	struct {
		const char *name;
		int32_t first, last;
	} kinds[] = {{"hulls of 20 faces", small, large}, {"hulls of 60 faces", large, end}};
	for (int k = 0; k < 2; ++k) {
		char name[64];
		toss(&s, &all, kinds[k].first, kinds[k].last, &r, (real)0.75, (real)0.85);
		snprintf(name, sizeof name, "%s, about touching", kinds[k].name);
		measure(name, &s, true);
		measure(name, &s, false);
		toss(&s, &all, kinds[k].first, kinds[k].last, &r, (real)0.97, (real)1);
		snprintf(name, sizeof name, "%s, apart", kinds[k].name);
		measure(name, &s, true);
		measure(name, &s, false);
	}
	scree_shapes_free(&all);
	return 0;
}
