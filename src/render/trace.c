/* trace: rays from the eye to bodies and walls; a soft key light, a sky, and the dark where surfaces meet. Samples come
 * from a hash of pixel and number, so that a picture has the same bytes on any number of threads. */
#include "render/picture.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "kernel/quat.h"

#include <math.h>

enum { TILE = 32, MOST_SHELLS = 12 };

typedef struct job {
	picture *p;
	const scree_world *w;
	const image_plan *plan;
	const coloring *c;
	const camera *view;
	const stage_set *s;
	vec3 key; /* unit, towards the light */
	vec3 key_u, key_v;
	int32_t side; /* samples a pixel: side * side */
} job;

typedef struct surface {
	bool hit;
	vec3 at, n, color; /* n towards the eye */
	real far, shine;
} surface;

/* ------------------------------------------------------------------ numbers without a state */

static uint32_t mix(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

static real chance(uint32_t pixel, uint32_t sample, uint32_t which)
{
	return (real)mix(pixel * 9781u ^ mix(sample * 6271u + which * 26699u)) / 4294967296.0;
}

/* ------------------------------------------------------------------ rays */

static bool cast(RTCScene scene, vec3 from, vec3 to, real near, struct RTCRayHit *r)
{
	struct RTCIntersectContext context;
	rtcInitIntersectContext(&context);
	r->ray = (struct RTCRay){.org_x = (float)from.x,
							 .org_y = (float)from.y,
							 .org_z = (float)from.z,
							 .tnear = (float)near,
							 .dir_x = (float)to.x,
							 .dir_y = (float)to.y,
							 .dir_z = (float)to.z,
							 .tfar = INFINITY,
							 .mask = ~0u};
	r->hit.geomID = RTC_INVALID_GEOMETRY_ID;
	rtcIntersect1(scene, &context, r);
	return r->hit.geomID != RTC_INVALID_GEOMETRY_ID;
}

static bool blocked(RTCScene scene, vec3 from, vec3 to, real far)
{
	struct RTCIntersectContext context;
	rtcInitIntersectContext(&context);
	struct RTCRay r = {.org_x = (float)from.x,
					   .org_y = (float)from.y,
					   .org_z = (float)from.z,
					   .dir_x = (float)to.x,
					   .dir_y = (float)to.y,
					   .dir_z = (float)to.z,
					   .tnear = 0,
					   .tfar = (float)far,
					   .mask = ~0u};
	rtcOccluded1(scene, &context, &r);
	return r.tfar < 0;
}

/* ------------------------------------------------------------------ what a ray meets */

static const vec3 steel = {0.50, 0.53, 0.57};

/* 0 on an edge of face f, 1 away from it, over about a pixel and a half */
static real edge_shade(const job *j, int32_t i, int32_t f, vec3 at, real far)
{
	const bodies *b = &j->w->body;
	const shape *s = j->w->shape.row + b->shape[i];
	vec3 p = v3_mul(1 / b->size[i], quat_unrotate(body_orientation(b, i), v3_sub(at, body_position(b, i))));
	vec3 n = v3(s->nx[f], s->ny[f], s->nz[f]);
	real least = INFINITY;
	for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k) {
		int32_t next = k + 1 < s->first[f + 1] ? k + 1 : s->first[f];
		int32_t u = s->corner[k], v = s->corner[next];
		vec3 a = v3(s->vx[u], s->vy[u], s->vz[u]), e = v3_sub(v3(s->vx[v], s->vy[v], s->vz[v]), a);
		least = real_min(least, v3_dot(v3_unit(v3_cross(n, e)), v3_sub(p, a)));
	}
	real width = real_min(1.6 * far * j->view->pixel * 2, 0.03 * b->size[i]) + 0.004 * b->size[i];
	real t = real_clamp(least * b->size[i] / width, 0, 1);
	return t * t * (3 - 2 * t);
}

static surface body_surface(const job *j, const struct RTCRayHit *r, int32_t i, int32_t f, vec3 from, vec3 to)
{
	surface o = {.hit = true, .far = r->ray.tfar, .shine = 0.25};
	o.at = v3_madd(from, o.far, to);
	if (f < 0) {
		o.n = v3_unit(v3_sub(o.at, body_position(&j->w->body, i)));
	} else {
		const shape *s = j->w->shape.row + j->w->body.shape[i];
		o.n = quat_rotate(body_orientation(&j->w->body, i), v3(s->nx[f], s->ny[f], s->nz[f]));
	}
	o.color = scree_coloring_color(j->c, j->c->value[i]);
	if (f >= 0) o.color = v3_mul(0.35 + 0.65 * edge_shade(j, i, f, o.at, o.far), o.color);
	return o;
}

static surface meet_solid(const job *j, vec3 from, vec3 to)
{
	struct RTCRayHit r;
	surface none = {.far = INFINITY};
	if (!cast(j->s->solid, from, to, 0, &r)) return none;
	if (r.hit.geomID == j->s->mesh_id) {
		owner o = j->s->mesh[r.hit.primID];
		return body_surface(j, &r, o.body, o.face, from, to);
	}
	if (r.hit.geomID == j->s->ball_id) return body_surface(j, &r, j->s->ball[r.hit.primID], -1, from, to);
	surface s = {.hit = true, .far = r.ray.tfar, .color = steel, .shine = 0.15};
	s.at = v3_madd(from, s.far, to);
	owner o = j->s->facets[r.hit.primID];
	s.n = quat_rotate(j->w->wall.row[o.wall].turn, j->w->wall.facet[o.face].normal);
	return s;
}

/* normal of a plane or tube towards the bodies */
static vec3 inward(const wall *o, vec3 at)
{
	if (o->type == WALL_PLANE) return quat_rotate(o->turn, o->axis);
	vec3 p = v3_sub(quat_unrotate(o->turn, v3_sub(at, o->place)), o->point);
	vec3 out = v3_unit(v3_madd(p, -v3_dot(p, o->axis), o->axis));
	real slope = o->type == WALL_CONE ? (o->radius2 - o->radius) / o->length : 0;
	vec3 n = v3_unit(v3_madd(out, -slope, o->axis));
	return quat_rotate(o->turn, o->side == SIDE_INSIDE ? v3_neg(n) : n);
}

/* Is the point on the bodies' side of all other planes and tubes? What is not, is not part of the room. */
static bool inside_room(const job *j, int32_t but, vec3 at)
{
	real give = 1e-4 * j->s->size;
	for (int32_t k = 0; k < j->w->wall.count; ++k) {
		const wall *o = j->w->wall.row + k;
		if (k == but || o->removed || o->type == WALL_FACETS || o->two_sided) continue;
		vec3 p = v3_sub(quat_unrotate(o->turn, v3_sub(at, o->place)), o->point);
		real along = v3_dot(p, o->axis);
		if (o->type == WALL_PLANE) {
			if (along < -give) return false;
			continue;
		}
		if (along < -give || along > o->length + give) {
			if (o->length < INFINITY) continue;
		}
		real r = o->type == WALL_CONE ? o->radius + (o->radius2 - o->radius) * along / o->length : o->radius;
		real across = v3_norm(v3_madd(p, -along, o->axis));
		if (o->side == SIDE_INSIDE ? across > r + give : across < r - give) return false;
	}
	return true;
}

/* The first plane or tube that the ray meets from the bodies' side; those met from behind are counted with their slant.
 */
static surface meet_shell(const job *j, vec3 from, vec3 to, real until, real *glass)
{
	surface none = {.far = INFINITY};
	real near = 0;
	for (int k = 0; k < MOST_SHELLS; ++k) {
		struct RTCRayHit r;
		if (!cast(j->s->shell, from, to, near, &r) || r.ray.tfar >= until) return none;
		near = r.ray.tfar * 1.00001 + 1e-6 * j->s->size;
		surface s = {.hit = true, .far = r.ray.tfar, .color = steel, .shine = 0.08};
		s.at = v3_madd(from, s.far, to);
		int32_t wall_row = j->s->forms[r.hit.primID].wall;
		if (!inside_room(j, wall_row, s.at)) continue;
		if (j->plan->has_cut && v3_dot(j->plan->cut_normal, v3_sub(s.at, j->plan->cut_point)) > 0) continue;
		s.n = inward(j->w->wall.row + wall_row, s.at);
		real facing = -v3_dot(to, s.n);
		if (facing > 0 || j->plan->walls == LOOK_SOLID) return s;
		if (j->plan->walls == LOOK_TRANSLUCENT) {
			real rim = 1 + facing;
			*glass = 1 - (1 - *glass) * (1 - (0.10 + 0.55 * rim * rim * rim));
		}
	}
	return none;
}

/* ------------------------------------------------------------------ light */

static vec3 sky(const job *j, vec3 to)
{
	real t = real_clamp(0.5 + 0.5 * v3_dot(to, j->s->up), 0, 1);
	return v3(0.80 + 0.14 * t, 0.83 + 0.12 * t, 0.87 + 0.10 * t);
}

static vec3 shade(const job *j, const surface *s, vec3 to, uint32_t pixel, uint32_t sample)
{
	vec3 n = v3_dot(s->n, to) > 0 ? v3_neg(s->n) : s->n;
	vec3 from = v3_madd(s->at, 2e-4 * j->s->size, n);
	/* a round light of some ten degrees */
	real a = 2 * SCREE_PI * chance(pixel, sample, 1), r = 0.16 * sqrt(chance(pixel, sample, 2));
	vec3 light = v3_unit(v3_madd(v3_madd(j->key, r * cos(a), j->key_u), r * sin(a), j->key_v));
	real facing = v3_dot(n, light);
	real lit = facing > 0 && !blocked(j->s->solid, from, light, INFINITY) ? facing : 0;
	/* a cosine-weighted look around: open sky, or something near? */
	real b = 2 * SCREE_PI * chance(pixel, sample, 3), u = chance(pixel, sample, 4), c = sqrt(u);
	vec3 e = v3_across(n), f = v3_cross(n, e);
	vec3 around = v3_madd(v3_madd(v3_mul(sqrt(1 - u), n), c * cos(b), e), c * sin(b), f);
	real reach = 5 * j->s->size;
	bool closed = blocked(j->s->solid, from, around, reach) || blocked(j->s->shell, from, around, reach / 2);
	real open = closed ? 0.12 : 0.55 + 0.45 * real_clamp(0.5 + 0.5 * v3_dot(around, j->s->up), 0, 1);
	vec3 half = v3_unit(v3_sub(light, to));
	real gloss = lit > 0 ? s->shine * pow(real_max(0, v3_dot(n, half)), 40) : 0;
	vec3 warm = v3(1.05, 1.0, 0.93), cool = v3(0.93, 0.97, 1.05);
	vec3 sum = v3_add(v3_mul(1.25 * lit, warm), v3_mul(0.80 * open, cool));
	return v3(s->color.x * sum.x + gloss, s->color.y * sum.y + gloss, s->color.z * sum.z + gloss);
}

static vec3 look(const job *j, vec3 to, uint32_t pixel, uint32_t sample)
{
	vec3 from = j->view->eye;
	real glass = 0;
	surface s = meet_solid(j, from, to);
	surface shell = meet_shell(j, from, to, s.far, &glass);
	if (shell.hit) s = shell;
	vec3 c = s.hit ? shade(j, &s, to, pixel, sample) : sky(j, to);
	if (shell.hit && j->w->wall.row) { /* endless planes fade into the background */
		real fade = real_clamp((s.far - v3_norm(v3_sub(j->view->eye, s.at))) / (j->s->size + s.far), 0, 1);
		c = v3_add(v3_mul(1 - fade, c), v3_mul(fade, sky(j, to)));
	}
	vec3 pane = v3(0.86, 0.91, 0.96);
	return v3_add(v3_mul(1 - glass, c), v3_mul(glass, pane));
}

static real srgb(real x)
{
	x = real_clamp(x / (1 + 0.12 * x * x * x), 0, 1); /* highlights roll off */
	return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

static void draw_pixel(const job *j, int32_t x, int32_t y)
{
	uint32_t pixel = (uint32_t)(y * j->p->width + x);
	vec3 sum = v3(0, 0, 0);
	for (int32_t k = 0; k < j->side * j->side; ++k) {
		real u = (x + (k % j->side + chance(pixel, (uint32_t)k, 5)) / j->side) / j->p->width * 2 - 1;
		real v = 1 - (y + (k / j->side + chance(pixel, (uint32_t)k, 6)) / j->side) / j->p->height * 2;
		vec3 to = v3_unit(v3_madd(v3_madd(j->view->forward, u, j->view->right), v, j->view->up));
		vec3 c = look(j, to, pixel, (uint32_t)k);
		sum = v3_add(sum, v3(real_min(c.x, 2), real_min(c.y, 2), real_min(c.z, 2)));
	}
	sum = v3_mul(1.0 / (j->side * j->side), sum);
	float *to = j->p->pixel + 3 * (size_t)pixel;
	to[0] = (float)srgb(sum.x);
	to[1] = (float)srgb(sum.y);
	to[2] = (float)srgb(sum.z);
}

static void draw_tiles(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	const job *j = what;
	int32_t across = (j->p->width + TILE - 1) / TILE;
	for (int64_t t = from; t < to; ++t) {
		int32_t x0 = (int32_t)(t % across) * TILE, y0 = (int32_t)(t / across) * TILE;
		for (int32_t y = y0; y < y0 + TILE && y < j->p->height; ++y)
			for (int32_t x = x0; x < x0 + TILE && x < j->p->width; ++x) draw_pixel(j, x, y);
	}
}

void scree_picture_trace(picture *p, const scree_world *w, const image_plan *plan, const coloring *c,
						 const camera *view, const stage_set *s)
{
	job j = {.p = p, .w = w, .plan = plan, .c = c, .view = view, .s = s};
	/* from above, the left and behind the eye */
	vec3 right = v3_unit(view->right);
	j.key = v3_unit(v3_madd(v3_madd(v3_mul(0.9, s->up), -0.45, right), -0.75, view->forward));
	j.key_u = v3_across(j.key);
	j.key_v = v3_cross(j.key, j.key_u);
	int32_t samples = plan->samples > 0 ? plan->samples : 16;
	for (j.side = 1; (j.side + 1) * (j.side + 1) <= samples;) ++j.side;
	int64_t tiles = (int64_t)((p->width + TILE - 1) / TILE) * ((p->height + TILE - 1) / TILE);
	scree_parallel(draw_tiles, &j, tiles, 1);
}
