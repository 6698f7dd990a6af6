/* torus: contacts between balls and the torus of wall_form.patch, compared with brute force; built by adding.sh against
 * the patched tree. Prints the number of cases with contact and the number of cases without. */
#include "base/maths.h"
#include "base/random.h"
#include "narrow/narrow.h"
#include "wall/forms.h"

#include <stdio.h>

enum { CASES = 600, COARSE = 64, HALVINGS = 40 };

typedef struct frame {
	const wall *w;
	vec3 u, v;
} frame;

static vec3 on_torus(const frame *f, real around_ring, real around_tube)
{
	real x, y, across, along;
	scree_sincos(around_ring, &y, &x);
	scree_sincos(around_tube, &along, &across);
	vec3 e = v3_madd(v3_mul(x, f->u), y, f->v);
	return v3_madd(v3_madd(f->w->point, f->w->radius + f->w->radius2 * across, e), f->w->radius2 * along, f->w->axis);
}

/* nearest point on the surface: the best point of a coarse grid, then a pattern search with repeatedly halved steps */
static real nearest(const frame *f, vec3 p)
{
	real best = INFINITY, a = 0, b = 0, step = 2 * SCREE_PI / COARSE;
	for (int i = 0; i < COARSE; ++i)
		for (int k = 0; k < COARSE; ++k) {
			real far = v3_norm(v3_sub(on_torus(f, i * step, k * step), p));
			if (far < best) best = far, a = i * step, b = k * step;
		}
	for (int halving = 0; halving < HALVINGS; ++halving, step /= 2)
		for (int turn = 0; turn < 8; ++turn) {
			real x = a + (turn % 4 == 0) * step - (turn % 4 == 1) * step;
			real y = b + (turn % 4 == 2) * step - (turn % 4 == 3) * step;
			real far = v3_norm(v3_sub(on_torus(f, x, y), p));
			if (far < best) best = far, a = x, b = y;
		}
	return best;
}

static real off_surface(const wall *w, vec3 p)
{
	vec3 d = v3_sub(p, w->point);
	real along = v3_dot(d, w->axis), across = v3_norm(v3_madd(d, -along, w->axis)) - w->radius;
	return sqrt(along * along + across * across) - w->radius2;
}

static bool right(const frame *f, vec3 p, real radius, const touch_list *t)
{
	const wall *w = f->w;
	const bool in = off_surface(w, p) < 0, free = in == (w->side == SIDE_INSIDE);
	const real far = nearest(f, p), depth = free ? radius - far : radius + far;
	const real error = 1e-9 * (w->radius + radius);
	if (t->count != (depth > 0)) return real_abs(depth) < error;
	if (!t->count) return true;
	const touch *o = t->item;
	const vec3 foot = v3_madd(p, o->depth - radius, o->normal), at = v3_mul(o->depth / 2 - radius, o->normal);
	return real_abs(o->depth - depth) < error && real_abs(v3_norm(o->normal) - 1) < 1e-12 &&
		   real_abs(off_surface(w, foot)) < error && v3_norm(v3_sub(t->at[o->first], at)) < error && o->points == 1;
}

int main(void)
{
	int touching = 0, apart = 0;
	random_stream r = scree_random_start(7, 1);
	for (int k = 0; k < CASES; ++k) {
		walls all = {0};
		touch_list found = {0};
		fail why;
		wall w = {.name = "ring", .type = WALL_TORUS, .side = k % 2 ? SIDE_INSIDE : SIDE_OUTSIDE};
		w.radius2 = scree_random_between(&r, 0.2, 1);
		w.radius = w.radius2 + scree_random_between(&r, 0.1, 3);
		w.axis = v3_unit(
			v3(scree_random_between(&r, -1, 1), scree_random_between(&r, -1, 1), scree_random_between(&r, 0.1, 1)));
		w.point = v3(scree_random_between(&r, -1, 1), 1, 2);
		if (scree_walls_add(&all, w, &why) < 0) return printf("%s\n", why.text), 1;
		const frame f = {all.row, v3_across(all.row->axis), v3_cross(all.row->axis, v3_across(all.row->axis))};
		vec3 p = on_torus(&f, scree_random_between(&r, 0, 7), scree_random_between(&r, 0, 7));
		for (int d = 0; d < 3; ++d) *v3_along(&p, d) += scree_random_between(&r, -0.5, 0.5) * w.radius2;
		const real radius = scree_random_between(&r, 0.01, 0.6) * w.radius2;
		scree_sphere_wall(p, radius, &(near_wall){&all, 0, 0, NULL}, &found);
		if (!right(&f, p, radius, &found)) return printf("case %d: another contact than brute force finds\n", k), 1;
		*(found.count ? &touching : &apart) += 1;
	}
	printf("%d touch, %d do not\n", touching, apart);
	return touching < CASES / 10 || apart < CASES / 10;
}
