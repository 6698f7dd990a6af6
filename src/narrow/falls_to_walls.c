/* falls_to_walls: finds walls that a body touches at a position or hits on a path. Positions are tested when bodies are
 * added. Before a run, the unobstructed path of each body is followed to find which wall it hits first, and from which
 * side. One-sided facets and finite tubes do not stop bodies that come from behind; this is reported. */

#include "kernel/quat.h"
#include "narrow/smooth/capsule.h"
#include "narrow/smooth/smooth.h"
#include "narrow/wall/work.h"
#include "wall/facets.h"
#include "wall/forms.h"
#include "world/world.h"

/* number of chords that replace the parabola, which deviates from them by at most (path)/(4 CHORDS^2) */
enum { CHORDS = 64 };

typedef struct wall_met {
	int32_t wall; /* row of the wall, or -1 */
	real way2;	  /* square of the distance from the start of the chord */
	bool behind;
} wall_met;

static void keep_nearest(wall_met *m, int32_t wall, vec3 from, vec3 at, bool behind)
{
	real way2 = v3_norm2(v3_sub(at, from));
	if (m->wall < 0 || way2 < m->way2) *m = (wall_met){wall, way2, behind};
}

static void meet_facets(const model *m, int32_t k, const centre_way *c, facet_list *near, wall_met *met)
{
	vec3 a = c->from, b = c->to;
	vec3 low = v3_min(a, b);
	vec3 high = v3_max(a, b);
	const wall *o = m->wall.row + k;
	bool pushes_out = o->two_sided || wall_closed(&m->wall, o);
	wall_crossing x;
	scree_facet_grid_query(m->grid[k], &m->wall, low, high, near);
	for (int32_t n = 0; n < near->count; ++n)
		if (scree_crosses_facet(&m->wall, near->facet[n], c, &x))
			keep_nearest(met, k, a, x.at, x.from_behind && !pushes_out);
}

/* A wall that is not made of facets stops bodies from both directions and pushes back bodies behind it. */
static void meet_form(const wall *o, int32_t k, const centre_way *c, wall_met *m)
{
	wall_crossing x;
	if (scree_crosses_form(o, c, &x)) keep_nearest(m, k, c->from, x.at, x.from_behind);
	real h0 = scree_behind_form(o, c->from), h1 = scree_behind_form(o, c->to);
	if (h1 > 0)
		keep_nearest(m, k, c->from, v3_madd(c->from, h0 < 0 ? h0 / (h0 - h1) : 0, v3_sub(c->to, c->from)), false);
}

static wall_met meet_on(const model *m, const state *s, vec3 from, vec3 to, facet_list *near)
{
	wall_met met = {.wall = -1};
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		if (o->removed || o->only) continue;
		centre_way c = {world_to_wall(s->wall + k, from), world_to_wall(s->wall + k, to), 0};
		c.slack = (real)1e-9 * v3_norm(v3_sub(to, from));
		if (o->type == WALL_FACETS)
			meet_facets(m, k, &c, near, &met);
		else
			meet_form(o, k, &c, &met);
	}
	return met;
}

/* Distance in m from a bounded wall's position that no point of the wall exceeds. */
static real wall_extent(const walls *s, const wall *o)
{
	real far = 0;
	if (scree_wall_forms[o->type].has_a_back) return scree_wall_forms[o->type].has_a_back(o);
	for (int32_t k = o->first_facet; k < o->first_facet + o->facets; ++k)
		far = real_max(far, real_max(v3_norm(s->facet[k].low), v3_norm(s->facet[k].high)));
	return far;
}

/* Moving walls are excluded, since their later positions are unknown. */
static bool has_a_back(const walls *s, const wall *o)
{
	if (o->removed || o->only || o->two_sided || o->motion.type != MOTION_STILL) return false;
	if (o->type == WALL_FACETS) return !wall_closed(s, o);
	return scree_wall_forms[o->type].has_a_back && scree_wall_forms[o->type].has_a_back(o) > 0;
}

int32_t scree_falls_to_back(const model *m, const state *s, vec3 at, vec3 velocity)
{
	real far = 0, g = v3_norm(m->gravity), v = v3_norm(velocity);
	facet_list near = {0};
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		if (has_a_back(&m->wall, o))
			far = real_max(far, v3_norm(v3_sub(at, s->wall[k].position)) + wall_extent(&m->wall, o));
	}
	if (!(far > 0) || !(g + v > 0)) return -1;
	real dt = (g > 0 ? (v + sqrt(v * v + 2 * g * far)) / g : far / v) / CHORDS;
	wall_met met = {.wall = -1};
	vec3 from = at;
	for (int chord = 1; chord <= CHORDS && met.wall < 0; ++chord) {
		real t = chord * dt;
		vec3 to = v3_madd(v3_madd(at, t, velocity), t * t / 2, m->gravity);
		met = meet_on(m, s, from, to, &near);
		from = to;
	}
	scree_facet_list_free(&near);
	return met.wall >= 0 && met.behind && has_a_back(&m->wall, m->wall.row + met.wall) ? met.wall : -1;
}

static facet_list facets_near(const model *m, int32_t wall, vec3 at, real radius)
{
	const vec3 grown = v3(radius, radius, radius);
	facet_list near = {0};
	if (m->wall.row[wall].type == WALL_FACETS)
		scree_facet_grid_query(m->grid[wall], &m->wall, v3_sub(at, grown), v3_add(at, grown), &near);
	return near;
}

bool scree_ball_meets_wall(const model *m, const state *s, int32_t wall, vec3 at, real radius)
{
	vec3 p = world_to_wall(s->wall + wall, at);
	facet_list near = facets_near(m, wall, p, radius);
	touch_list found = {0};
	scree_sphere_wall(p, radius, &(near_wall){&m->wall, wall, near.count, near.facet}, &found);
	bool hit = found.count > 0;
	scree_facet_list_free(&near);
	scree_touch_list_free(&found);
	return hit;
}

/* Tests whether the line between the ends of a capsule passes through a wall. If no edge of a thin wall is near the
 * capsule, only the capsule's ends can touch the wall. */
static bool is_pierced(const model *m, int32_t wall, const placed *body, const facet_list *near)
{
	const capsule c = scree_capsule_of(body);
	const centre_way way = {capsule_point(&c, -c.half), capsule_point(&c, c.half), 0};
	wall_crossing x;
	if (m->wall.row[wall].type != WALL_FACETS) return scree_crosses_form(m->wall.row + wall, &way, &x);
	for (int32_t n = 0; n < near->count; ++n)
		if (scree_crosses_facet(&m->wall, near->facet[n], &way, &x)) return true;
	return false;
}

bool scree_curved_meets_wall(const model *m, int32_t wall, const placed *body)
{
	facet_list near = facets_near(m, wall, body->at, placed_radius(body));
	touch_list found = {0}, probe = {0};
	const near_wall to = {&m->wall, wall, near.count, near.facet};
	bool hit = false;
	if (placed_is_capsule(body)) hit = is_pierced(m, wall, body, &near);
	for (int32_t p = 0; !hit && p < (placed_is_capsule(body) ? CAPSULE_PARTS : 1); ++p) {
		if (placed_is_capsule(body))
			scree_capsule_wall(body, p, 0, &to, &probe, &found);
		else
			scree_smooth_wall(body, 0, 1, &to, &found);
		hit = found.count > 0;
	}
	scree_facet_list_free(&near);
	scree_touch_list_free(&found);
	scree_touch_list_free(&probe);
	return hit;
}
