/* polygon_help.h: random polygons at random positions, and oracles that share no code with src/narrow: they put all
 * corners into one frame and test every feature. */
#ifndef SCREE_TESTS_POLYGON_HELP_H
#define SCREE_TESTS_POLYGON_HELP_H

#include "test.h"

#include "base/maths.h"
#include "narrow/narrow.h"
#include "narrow/polygon/pair.h"
#include "shape/shapes.h"

enum { RING = 256 }; /* maximum number of corners in tests */

typedef struct ring {
	int32_t n;
	real x[RING], y[RING];
} ring;

/* corners at random angles on an ellipse with aspect ratio `flat`, with a minimum distance between them */
__attribute__((unused)) static int32_t add_any_polygon(shapes *s, random_stream *r, int32_t n, real flat,
													   const char *name)
{
	vec3 point[RING];
	fail why;
	for (int32_t i = 0; i < n; ++i) {
		real sine, cosine;
		scree_sincos(2 * SCREE_PI * (i + scree_random_between(r, 0, 0.8)) / n, &sine, &cosine);
		point[i] = v3(0.5 * cosine, 0.5 * flat * sine, 0);
	}
	int32_t row = scree_shapes_add_polygon(s, name, n, point, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

/* regular polygons, a bar, and random polygons from round to thin */
__attribute__((unused)) static void add_polygons(shapes *s)
{
	static const int32_t sides[] = {3, 4, 5, 6, 7, 8, 16, 64, 128};
	fail why;
	char name[32];
	for (size_t k = 0; k < sizeof sides / sizeof *sides; ++k) {
		snprintf(name, sizeof name, "regular%d", sides[k]);
		CHECK(scree_shapes_add_regular_polygon(s, name, sides[k], &why) >= 0, "%s", why.text);
	}
	const vec3 bar[] = {{0, 0, 0}, {4, 0, 0}, {4, 0.5, 0}, {0, 0.5, 0}};
	CHECK(scree_shapes_add_polygon(s, "bar", 4, bar, &why) >= 0, "%s", why.text);
	random_stream r = scree_random_start(99, 0);
	for (int32_t k = 0; k < 14; ++k) {
		snprintf(name, sizeof name, "any%d", k);
		add_any_polygon(s, &r, 3 + (int32_t)(scree_random_bits(&r) % (k % 2 ? 6 : 40)),
						k % 3 ? 1 : scree_random_between(&r, 0.1, 0.9), name);
	}
}

static shapes all; /* shapes used in the test */

__attribute__((unused)) static int make_shapes(void **state)
{
	(void)state;
	add_polygons(&all);
	return 0;
}

__attribute__((unused)) static int free_shapes(void **state)
{
	(void)state;
	scree_shapes_free(&all);
	return 0;
}

/* a polygon from `all` in the representation used by the narrow phase */
__attribute__((unused)) static placed as_body(const flat_placed *f)
{
	placed p = {.at = {f->x, f->y, 0}, .turn = {{f->c, f->s, 0}, {-f->s, f->c, 0}, {0, 0, 1}}, .size = f->size};
	for (int32_t k = 0; k < all.count; ++k)
		if (&all.row[k].flat == f->shape) p.shape = all.row + k;
	return p;
}

__attribute__((unused)) static flat_placed place_flat(const shape *s, real x, real y, real angle, real size)
{
	flat_placed p = {&s->flat, x, y, 0, 0, size};
	scree_sincos(angle, &p.s, &p.c);
	return p;
}

/* a is at the origin, and b at a distance between `low` and `high` times the sum of their radii, with any angles and
 * sizes */
__attribute__((unused)) static void random_pair(const shapes *s, random_stream *r, real low, real high, flat_placed *a,
												flat_placed *b)
{
	const shape *sa = s->row + scree_random_bits(r) % (uint32_t)s->count;
	const shape *sb = s->row + scree_random_bits(r) % (uint32_t)s->count;
	real size_a = scree_random_between(r, 0.5, 2), size_b = scree_random_between(r, 0.5, 2);
	real sine, cosine, way = scree_random_between(r, low, high) * (size_a * sa->radius + size_b * sb->radius);
	scree_sincos(scree_random_between(r, 0, 2 * SCREE_PI), &sine, &cosine);
	*a = place_flat(sa, 0, 0, scree_random_between(r, -4, 4), size_a);
	*b = place_flat(sb, way * cosine, way * sine, scree_random_between(r, -4, 4), size_b);
}

/* poses on a coarse lattice, so edges and corners often coincide */
__attribute__((unused)) static void lattice_pair(const shapes *s, random_stream *r, flat_placed *a, flat_placed *b)
{
	static const char *const name[] = {"regular4", "regular4", "regular8", "bar", "regular6"};
	const shape *sa = s->row + scree_shapes_find(s, name[scree_random_bits(r) % 5]);
	const shape *sb = s->row + scree_shapes_find(s, name[scree_random_bits(r) % 5]);
	real side = 0.5 * sqrt(0.5);
	real angle = (real)(scree_random_bits(r) % 4) * SCREE_PI / 2;
	*a = place_flat(sa, 0, 0, angle, 1);
	*b = place_flat(sb, side * ((int)(scree_random_bits(r) % 7) - 3), side * ((int)(scree_random_bits(r) % 7) - 3),
					angle + (real)(scree_random_bits(r) % 4) * SCREE_PI / 2, 1);
	if (scree_random_bits(r) & 1) b->x += 1e-13 * scree_random_between(r, -2, 2);
	if (scree_random_bits(r) & 1) b->y += 1e-13 * scree_random_between(r, -2, 2);
}

__attribute__((unused)) static void ring_of(const flat_placed *p, ring *out)
{
	out->n = p->shape->corners;
	for (int32_t i = 0; i < out->n; ++i) {
		real x = p->shape->corner[i].x, y = p->shape->corner[i].y;
		out->x[i] = p->x + p->size * (p->c * x - p->s * y);
		out->y[i] = p->y + p->size * (p->s * x + p->c * y);
	}
}

/* distance of (x, y) from segment i of a ring */
static real from_segment(const ring *r, int32_t i, real x, real y)
{
	int32_t k = i + 1 < r->n ? i + 1 : 0;
	real dx = r->x[k] - r->x[i], dy = r->y[k] - r->y[i], px = x - r->x[i], py = y - r->y[i];
	real t = real_clamp((px * dx + py * dy) / (dx * dx + dy * dy), 0, 1);
	real ux = px - t * dx, uy = py - t * dy;
	return sqrt(ux * ux + uy * uy);
}

/* largest separation along the normals of the first ring: smallest height of the other ring above each edge */
static real separation_of(const ring *a, const ring *b)
{
	real best = -INFINITY;
	for (int32_t i = 0; i < a->n; ++i) {
		int32_t k = i + 1 < a->n ? i + 1 : 0;
		real dx = a->x[k] - a->x[i], dy = a->y[k] - a->y[i], length = sqrt(dx * dx + dy * dy), low = INFINITY;
		for (int32_t j = 0; j < b->n; ++j)
			low = real_min(low, (dy * (b->x[j] - a->x[i]) - dx * (b->y[j] - a->y[i])) / length);
		best = real_max(best, low);
	}
	return best;
}

/* separating axes: > 0 if and only if the polygons are separate; otherwise minus the smallest penetration */
__attribute__((unused)) static real separation(const ring *a, const ring *b)
{
	return real_max(separation_of(a, b), separation_of(b, a));
}

/* for separate polygons */
__attribute__((unused)) static real distance_of(const ring *a, const ring *b)
{
	real best = INFINITY;
	for (int32_t i = 0; i < a->n; ++i)
		for (int32_t j = 0; j < b->n; ++j) {
			best = real_min(best, from_segment(a, i, b->x[j], b->y[j]));
			best = real_min(best, from_segment(b, j, a->x[i], a->y[i]));
		}
	return best;
}

#endif
