/* compound: finds contacts of compounds and clumps independently for each pair of their parts. A compound of one part
 * behaves like a polyhedron and conserves energy equally well. Spheres and polyhedra count as bodies of one part.
 * Against a surface with a halo, balls are tested one by one, whereas polyhedra and compounds have their own surfaces.
 *
 * Most pairs of parts are far apart, so the balls around one body's parts are tested first against the ball around the
 * other body, then against the balls around its parts. */
#include "narrow/compound.h"

#include "base/memory.h"
#include "kernel/quat.h"
#include "kernel/sphere_contact.h"
#include "narrow/smooth/capsule.h"
#include "narrow/smooth/smooth.h"
#include "narrow/solid/known_cuts.h"
#include "narrow/touch_list.h"
#include "shape/shape_forms.h"

static const shape a_ball = {.type = SHAPE_SPHERE, .radius = (real)0.5, .inradius = (real)0.5};

/* Returns the number of balls that are computed from a shape's row rather than stored as parts; 0 for a sphere. */
static int32_t balls_of(const shape *s)
{
	const shape_form *f = scree_shape_forms + s->type;
	return f->balls && !s->parts && s->type != SHAPE_SPHERE ? f->balls(s) : 0;
}

int32_t scree_parts_of(const placed *p)
{
	const int32_t parts = p->shape->parts ? p->shape->parts : balls_of(p->shape);
	return parts ? parts : 1;
}

static vec3 centre_of(const placed *p, vec3 at) { return v3_madd(p->at, p->size, mat3_mul(p->turn, at)); }

placed scree_part(const placed *p, int32_t k)
{
	if (balls_of(p->shape)) {
		const shape_ball b = scree_shape_forms[p->shape->type].ball(p->shape, k);
		return (placed){&a_ball, centre_of(p, b.at), p->turn, 2 * b.radius * p->size};
	}
	if (!p->shape->parts) return *p;
	const shape_part *o = p->shape->part + k;
	const vec3 at = centre_of(p, o->at);
	if (!o->solid) return (placed){&a_ball, at, p->turn, 2 * o->radius * p->size};
	const mat3 turn = {mat3_mul(p->turn, o->turn.x), mat3_mul(p->turn, o->turn.y), mat3_mul(p->turn, o->turn.z)};
	return (placed){o->solid, at, turn, p->size};
}

typedef struct ball {
	vec3 at;
	real radius;
} ball;

static ball ball_around(const placed *p) { return (ball){p->at, p->shape->radius * p->size}; }

static ball ball_around_part(const placed *p, int32_t k)
{
	if (!p->shape->parts) { /* a body without parts, or one made of balls, which need no rotation */
		const placed o = scree_part(p, k);
		return ball_around(&o);
	}
	const shape_part *o = p->shape->part + k;
	return (ball){centre_of(p, o->at), (o->solid ? o->solid->radius : o->radius) * p->size};
}

static real balls_apart(ball a, ball b) { return v3_norm(v3_sub(a.at, b.at)) - a.radius - b.radius; }

static uint64_t feature_of(int32_t i, int32_t j) { return (uint64_t)i << 32 | (uint64_t)j; }

static real nearer(real least, real distance) { return real_min(least, real_max(distance, 0)); }

static void move_patch(patch *p, vec3 by)
{
	for (int32_t i = 0; i < p->points; ++i) p->at[i] = v3_add(p->at[i], by);
	p->hold = v3_add(p->hold, by);
}

typedef struct two_parts {
	const placed *a, *b;
	vec3 centre; /* centre of the whole first body */
	real ra, rb;
	real reach; /* m: points closer than this are contacts */
	real power; /* as for scree_parts_points */
	uint64_t feature;
} two_parts;

/* Adds the patch between two parts. Returns the distance between the parts, or 0 if they touch. */
static real patch_of(const narrow *by, struct known_cuts *cuts, const two_parts *o, patch_list *out)
{
	patch *p = scree_patch_list_add(out, o->feature);
	p->pitch = p->arm = 0;
	if (by->known)
		by->known(o->a, o->b, 0, cuts, NULL, p);
	else
		by->convex_convex(o->a, o->b, 0, p);
	if (p->points) {
		move_patch(p, v3_sub(o->a->at, o->centre));
		return 0;
	}
	--out->count;
	return -p->depth;
}

/* ------------------------------------------------------------------ points */

/* Radius of the sphere with the same volume as a polyhedron, used in laws (docs/theory/laws.md). */
static real round_of(const placed *p, real round)
{
	if (placed_is_capsule(p)) return p->size * p->shape->semi_x; /* its own radius */
	return placed_is_ball(p) ? p->size / 2 : round;
}

/* Adds the contact point between two balls. Returns the distance between the balls, or 0 if they are in contact. */
static real two_balls(const two_parts *o, point_list *out)
{
	const sphere_contact c = sphere_contact_of(v3_sub(o->a->at, o->b->at), o->ra, o->rb);
	if (!(c.depth > -o->reach)) return -c.depth;
	const vec3 at = v3_add(c.at, v3_sub(o->a->at, o->centre));
	scree_point_list_add(out, (point_found){o->feature, 0, c.normal, at, c.depth, o->ra, o->rb, 1});
	return 0;
}

static real ball_and_solid(const two_parts *o, point_list *out)
{
	const bool first = placed_is_ball(o->a);
	const placed *ball = first ? o->a : o->b, *solid = first ? o->b : o->a;
	patch p;
	scree_sphere_convex(ball->at, ball->size / 2 + o->reach, solid, 0, &p);
	if (!p.points) return o->reach - p.depth;
	const vec3 n = first ? p.normal : v3_neg(p.normal), on_ball = v3_madd(p.at[0], o->reach / 2, p.normal);
	const vec3 at = v3_add(on_ball, v3_sub(ball->at, o->centre));
	scree_point_list_add(out, (point_found){o->feature, 0, n, at, p.depth - o->reach, o->ra, o->rb, 1});
	return 0;
}

static real points_of(const two_parts *o, point_list *out)
{
	if (placed_is_capsule(o->a) || placed_is_capsule(o->b))
		return scree_capsule_points(o->a, o->b, o->ra, o->rb, o->reach, o->power, o->centre, o->feature, out);
	if (placed_is_smooth(o->a) || placed_is_smooth(o->b))
		return scree_smooth_points(o->a, o->b, o->ra, o->rb, o->reach, o->centre, o->feature, out);
	return placed_is_ball(o->a) && placed_is_ball(o->b) ? two_balls(o, out) : ball_and_solid(o, out);
}

typedef struct parts_job {
	const placed *a, *b;
	const narrow *by;
	struct known_cuts *cuts;
	patch_list *patches;
	point_list *points;
	real round_a, round_b;
	real reach; /* m: distance below which points are contacts */
	real power; /* of points */
} parts_job;

static real look_at_parts(const parts_job *j, const two_parts *o)
{
	return j->patches ? patch_of(j->by, j->cuts, o, j->patches) : points_of(o, j->points);
}

/* Tests part i of the first body against all parts of the second body whose balls overlap the ball of part i. */
static real one_with_each(const parts_job *j, int32_t i)
{
	const int32_t nb = scree_parts_of(j->b);
	const placed a = scree_part(j->a, i);
	const ball round_a = ball_around(&a);
	real least = INFINITY;
	for (int32_t k = 0; k < nb; ++k) {
		const real gap = balls_apart(round_a, ball_around_part(j->b, k));
		if (gap > j->reach) {
			least = nearer(least, gap);
			continue;
		}
		const placed b = scree_part(j->b, k);
		const real ra = round_of(&a, j->round_a), rb = round_of(&b, j->round_b);
		const two_parts o = {&a, &b, j->a->at, ra, rb, j->reach, j->power, feature_of(i, k)};
		least = nearer(least, look_at_parts(j, &o));
	}
	return least;
}

/* Tests all pairs of parts whose balls overlap; returns the smallest bound on their distances. */
static real each_pair(const parts_job *j)
{
	const int32_t na = scree_parts_of(j->a);
	const ball b = ball_around(j->b);
	real least = INFINITY;
	for (int32_t i = 0; i < na; ++i) {
		const real all = balls_apart(ball_around_part(j->a, i), b);
		least = nearer(least, all > j->reach ? all : one_with_each(j, i));
	}
	return least;
}

real scree_parts_patches(const narrow *by, struct known_cuts *cuts, const placed *a, const placed *b, patch_list *out)
{
	return each_pair(&(parts_job){.a = a, .b = b, .by = by, .cuts = cuts, .patches = out});
}

/* Sorts the contacts from `from` onwards by feature: a capsule may have several contacts with each part. */
static void sort_points(point_list *l, int32_t from)
{
	for (int32_t i = from + 1; i < l->count; ++i) {
		const point_found x = l->item[i];
		int32_t k = i;
		for (; k > from && l->item[k - 1].feature > x.feature; --k) l->item[k] = l->item[k - 1];
		l->item[k] = x;
	}
}

real scree_parts_points(const placed *a, const placed *b, real round_a, real round_b, real reach, real power,
						point_list *out)
{
	const int32_t from = out->count;
	const real least = each_pair(&(parts_job){
		.a = a, .b = b, .points = out, .round_a = round_a, .round_b = round_b, .reach = reach, .power = power});
	sort_points(out, from);
	return least;
}

bool scree_bodies_meet(const placed *a, const placed *b)
{
	point_list found = {0};
	scree_parts_points(a, b, 1, 1, 0, 1, &found);
	const bool meet = found.count > 0;
	scree_point_list_free(&found);
	return meet;
}

placed_surface scree_surface_placed(const placed *p, real round)
{
	const shape *s = p->shape;
	const trimesh *of = s->type == SHAPE_CONVEX ? s->skin : &s->mesh;
	return (placed_surface){of, p->at, p->turn, p->size, s->halo * p->size, round};
}

/* Finds contacts for each ball of a clump. Features are numbered ball by ball; points are relative to the centre of the
 * clump. */
static real points_of_balls(const placed *a, const placed_surface *b, surface_scratch *scratch, point_list *out,
							bool *crossed)
{
	real least = INFINITY;
	for (int32_t k = 0; k < scree_parts_of(a); ++k) {
		const placed ball = scree_part(a, k);
		const int32_t from = out->count;
		const vec3 from_whole = v3_sub(ball.at, a->at);
		least = real_min(least, scree_sphere_surface(ball.at, ball.size / 2, b, scratch, out, crossed));
		for (int32_t c = from; c < out->count; ++c) {
			out->item[c].feature |= (uint64_t)k << 32;
			out->item[c].at = v3_add(out->item[c].at, from_whole);
		}
	}
	return least;
}

real scree_points_of_surface(const placed *a, const placed *b, real round_a, real round_b, surface_scratch *scratch,
							 point_list *out, bool *crossed)
{
	const placed_surface there = scree_surface_placed(b, round_b);
	if (scree_shape_forms[a->shape->type].balls) return points_of_balls(a, &there, scratch, out, crossed);
	placed_surface here = scree_surface_placed(a, round_a);
	return scree_surface_surface(&here, &there, scratch, out, crossed);
}
