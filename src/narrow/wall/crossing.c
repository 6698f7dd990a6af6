/* crossing: crossings of a centre's path with a wall, in closed form. The sign of the same number as in the narrow
 * phase (sphere_facets.c, convex_facets.c, sphere_round.c) determines the centre's side; 0 counts as positive. */
#include "narrow/wall/work.h"

#include "shape/shapes.h"

static vec3 on_way(const centre_way *c, real t) { return v3_madd(c->from, t, v3_sub(c->to, c->from)); }

static bool endless(const wall *w) { return !(w->length < (real)INFINITY); }

bool scree_crosses_facet(const walls *s, int32_t row, const centre_way *c, wall_crossing *out)
{
	const facet *f = s->facet + row;
	real h0 = v3_dot(f->normal, c->from) - f->off, h1 = v3_dot(f->normal, c->to) - f->off;
	if ((h0 < 0) == (h1 < 0)) return false;
	vec3 at = on_way(c, h0 / (h0 - h1));
	for (int32_t k = f->first; k < f->first + f->corners; ++k)
		if (v3_dot(s->outward[k], v3_sub(at, s->corner[k])) > c->slack) return false;
	*out = (wall_crossing){at, h0 < 0};
	return true;
}

bool scree_crosses_plane(const wall *w, const centre_way *c, wall_crossing *out)
{
	real h0 = v3_dot(w->axis, v3_sub(c->from, w->point)), h1 = v3_dot(w->axis, v3_sub(c->to, w->point));
	if ((h0 < 0) == (h1 < 0)) return false;
	*out = (wall_crossing){on_way(c, h0 / (h0 - h1)), false};
	return true;
}

static vec3 across_axis(const wall *w, vec3 p, real *z)
{
	vec3 r = v3_sub(p, w->point);
	*z = v3_dot(r, w->axis);
	return v3_madd(r, -*z, w->axis);
}

static real taper_of(const wall *w) { return endless(w) ? 0 : (w->radius2 - w->radius) / w->length; }

real scree_outside_tube(const wall *w, vec3 p)
{
	real z;
	vec3 across = across_axis(w, p, &z);
	return v3_norm(across) - w->radius - taper_of(w) * z;
}

static bool between_ends(const wall *w, const centre_way *c, real *t0, real *t1)
{
	real z0, z1;
	across_axis(w, c->from, &z0);
	across_axis(w, c->to, &z1);
	*t0 = 0, *t1 = 1;
	if (endless(w)) return true;
	if ((z0 < 0 && z1 < 0) || (z0 > w->length && z1 > w->length)) return false;
	if (z0 < 0 || z0 > w->length) *t0 = ((z0 < 0 ? 0 : w->length) - z0) / (z1 - z0);
	if (z1 < 0 || z1 > w->length) *t1 = ((z1 < 0 ? 0 : w->length) - z0) / (z1 - z0);
	return *t0 <= *t1;
}

/* Finds the deepest point of the path in the tube from t0 to t1. |x + t y| minus a linear function is convex. */
static real deepest_on_way(const wall *w, const centre_way *c, real t0, real t1)
{
	real z0, z1;
	vec3 x = across_axis(w, c->from, &z0), y = v3_sub(across_axis(w, c->to, &z1), x);
	real slope = taper_of(w) * (z1 - z0), y2 = v3_norm2(y);
	if (!(y2 > slope * slope)) return slope > 0 ? t1 : t0;
	real xy = v3_dot(x, y), q = real_max(v3_norm2(x) - xy * xy / y2, 0);
	return real_clamp(-xy / y2 + slope * sqrt(q / (y2 * (y2 - slope * slope))), t0, t1);
}

bool scree_crosses_tube(const wall *w, const centre_way *c, wall_crossing *out)
{
	real t0, t1;
	bool inside = w->side == SIDE_INSIDE;
	if (!between_ends(w, c, &t0, &t1)) return false;
	real f0 = scree_outside_tube(w, t0 > 0 ? on_way(c, t0) : c->from),
		 f1 = scree_outside_tube(w, t1 < 1 ? on_way(c, t1) : c->to);
	if (f0 < 0 && endless(w)) return false; /* the body moves out of a solid, which pushes bodies outwards */
	if (f0 < 0 && f1 < 0) return false;
	real t = t0 + (t1 - t0) * f0 / (f0 - f1);
	if (!(f0 < 0) && !(f1 < 0)) {
		t = deepest_on_way(w, c, t0, t1);
		if (!(scree_outside_tube(w, on_way(c, t)) < 0)) return false;
	}
	*out = (wall_crossing){on_way(c, t), inside == !(f0 < 0)};
	return true;
}

bool scree_enters_polygon(const wall *w, const centre_way *c, wall_crossing *out)
{
	const flat_polygon *p = &w->form->flat;
	vec3 a = v3_sub(c->from, w->form->centre), b = v3_sub(c->to, w->form->centre);
	bool outside = false;
	real in = 0, leave = 1;
	for (int32_t k = 0; k < p->corners; ++k) {
		const flat_corner *e = p->corner + k;
		real d0 = e->ty * (a.x - e->x) - e->tx * (a.y - e->y), d1 = e->ty * (b.x - e->x) - e->tx * (b.y - e->y);
		if (d0 >= 0 && d1 >= 0) return false;
		if (d0 < 0 && d1 < 0) continue;
		outside |= d0 >= 0;
		if (d0 >= 0)
			in = real_max(in, d0 / (d0 - d1));
		else
			leave = real_min(leave, d0 / (d0 - d1));
	}
	if (!outside || !(in <= leave)) return false;
	*out = (wall_crossing){on_way(c, in), false};
	return true;
}
