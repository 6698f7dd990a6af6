/* dense: fills up to random close packing. Small bodies at random positions grow step by step. After each step a
 * separate simulation pushes them apart, with hard contacts and without friction, gravity or restitution
 * (src/step/implicit.c); bodies stay at rest unless pushed. The scene's walls (at rest), earlier bodies (held) and the
 * border of the region confine them. Bodies other than spheres creep: a step moves them only as far as the contacts
 * push them, so they separate in a few steps. Growth steps become shorter when bodies cannot be separated. If even the
 * shortest step does not help, the fill is refused, and the message names the solid fraction reached (Lubachevsky and
 * Stillinger 1990 grow bodies at a rate; here motion is overdamped, as in Makse, Johnson and Schwartz 2000). The result
 * depends only on the scene. */
#include "model/respond.h"
#include "scene/reader.h"

#include "kernel/law_constants.h"
#include "model/narrow.h"
#include "model/response.h"
#include "prepare/prepare.h"
#include "shape/shape_axes.h"
#include "wall/walls.h"
#include "world/world.h"

static const real LOOSE = (real)0.06, LOOSE_FLAT = (real)0.2; /* solid fractions of the small bodies at the start */
/* Growth steps, relative to the size. The values for spheres must not change, so that fills stay bitwise identical. */
static const real LONGEST = (real)0.05, LONGEST_OF_SPHERES = (real)0.01, SHORTEST = (real)1e-4;
/* Largest relative overlap at which bodies count as separated; after the last step, only half of it is allowed. */
static const real STILL_APART = (real)0.004;
static const real STEP = (real)1e-3;	 /* s; no effect, since hard contacts have no time scale */
static const real DEEPEST = (real)0.005; /* largest overlap of a packing, relative to the size of the smaller body */
/* Creeping bodies are jammed when their largest overlap has not decreased by this factor within PATIENCE steps. */
static const real PROGRESS = (real)0.9;
enum { MOST_STEPS = 300, PATIENCE = 30 };

typedef struct packing {
	reader *r;
	const fill_spec *f;
	scree_world *w;
	int64_t held;	/* number of earlier bodies, which come first */
	body_list body; /* present positions and orientations, and full sizes */
	real solid;		/* solid fraction of the region with fully grown bodies */
	real overlap;	/* largest overlap after the last step */
} packing;

/* Copies the materials of the scene, but with the contact rule used in the preparation. */
static void copy_materials(const materials *from, materials *to)
{
	const contact_rule slippery = {.law = LAW_OVERLAP, .restitution = (real)0.01};
	for (int32_t k = 0; k < from->count; ++k) {
		material one = from->row[k];
		one.young = 1e7; /* without effect */
		scree_materials_add(to, one);
	}
	for (int32_t i = 0; i < from->count; ++i)
		for (int32_t j = i; j < from->count; ++j) scree_materials_set_rule(to, i, j, slippery);
}

/* Adds the border of a dense fill in a sphere: triangles with corners on the sphere, so that no body extends beyond it.
 * Each face of an octahedron is divided into a grid and projected onto the sphere. */

/* The middle of a triangle is at most 0.9 % of the radius closer to the centre than its corners. */
enum { CUTS = 16, TRIANGLES = 8 * CUTS * CUTS };

/* Returns corner (i, j) of the grid on a face. Faces that share an edge have bitwise equal corners there. */
static vec3 corner_of(int face, int i, int j, vec3 centre, real radius)
{
	const int k = CUTS - i - j;
	const vec3 p = v3(face & 1 ? -i : i, face & 2 ? -j : j, face & 4 ? -k : k);
	return v3_madd(centre, radius / v3_norm(p), p);
}

/* Adds a triangle that acts on its inner side. */
static void add_triangle(vec3 *to, vec3 a, vec3 b, vec3 c, vec3 centre)
{
	const bool inwards = v3_dot(v3_cross(v3_sub(b, a), v3_sub(c, a)), v3_sub(centre, a)) > 0;
	to[0] = a, to[1] = inwards ? b : c, to[2] = inwards ? c : b;
}

static void add_cell(vec3 **to, int face, int i, int j, vec3 centre, real radius)
{
	const vec3 a = corner_of(face, i, j, centre, radius), b = corner_of(face, i + 1, j, centre, radius),
			   c = corner_of(face, i, j + 1, centre, radius);
	add_triangle(*to, a, b, c, centre);
	*to += 3;
	if (i + j + 2 > CUTS) return;
	add_triangle(*to, corner_of(face, i + 1, j + 1, centre, radius), b, c, centre);
	*to += 3;
}

static bool add_ball(scree_world *w, vec3 centre, real radius, fail *why)
{
	vec3 *corner = scree_alloc(3 * TRIANGLES, sizeof *corner), *next = corner;
	int32_t *index = scree_alloc(3 * TRIANGLES, sizeof *index);
	for (int32_t k = 0; k < 3 * TRIANGLES; ++k) index[k] = k;
	for (int face = 0; face < 8; ++face)
		for (int i = 0; i < CUTS; ++i)
			for (int j = 0; i + j < CUTS; ++j) add_cell(&next, face, i, j, centre, radius);
	SCREE_ASSERT(next == corner + 3 * TRIANGLES);
	const int32_t row = scree_walls_add_mesh(&w->model.wall, scree_wall_default("border", 0), 3 * TRIANGLES, corner,
											 TRIANGLES, index, why);
	scree_free(corner);
	scree_free(index);
	return row >= 0;
}

static bool add_plane(scree_world *w, vec3 point, vec3 normal, fail *why)
{
	return scree_walls_add_plane(&w->model.wall, scree_wall_default("border", 0), point, normal, why) >= 0;
}

static bool add_box(scree_world *w, const region *g, fail *why)
{
	for (int d = 0; d < (w->model.flat ? 2 : 3); ++d) {
		vec3 axis = v3(d == 0, d == 1, d == 2);
		const real low = v3_part(g->low, d), high = v3_part(g->high, d);
		if (isinf(low)) continue; /* it spans a period */
		if (!add_plane(w, v3_mul(low, axis), axis, why) || !add_plane(w, v3_mul(high, axis), v3_neg(axis), why))
			return false;
	}
	return true;
}

static bool add_border(scree_world *w, const region *g, fail *why)
{
	const wall round = scree_wall_default("border", 0);
	if (g->type == REGION_BOX) return add_box(w, g, why);
	if (g->type == REGION_SPHERE && !w->model.flat) return add_ball(w, g->centre, g->radius, why);
	if (g->type == REGION_SPHERE) /* a disc */
		return scree_walls_add_cylinder(&w->model.wall, round, g->centre, v3(0, 0, 1), g->radius, INFINITY, SIDE_INSIDE,
										why) >= 0;
	const vec3 end = v3_madd(g->centre, -g->length / 2, g->axis), top = v3_madd(g->centre, g->length / 2, g->axis);
	return scree_walls_add_cylinder(&w->model.wall, round, end, g->axis, g->radius, INFINITY, SIDE_INSIDE, why) >= 0 &&
		   add_plane(w, end, g->axis, why) && add_plane(w, top, v3_neg(g->axis), why);
}

/* Adds the border of the region along axes where it does not span a period. */
static region border_of(const model *m, const region *g)
{
	region open = *g;
	for (int d = 0; d < 3 && g->type == REGION_BOX; ++d) {
		const real low = v3_part(m->period.low, d), high = low + v3_part(m->period.size, d);
		if (!m->period.axis[d] || v3_part(g->low, d) > low || v3_part(g->high, d) < high) continue;
		*v3_along(&open.low, d) = -INFINITY;
		*v3_along(&open.high, d) = INFINITY;
	}
	return open;
}

/* Creates the world for the preparation. It shares the shapes of the scene's world, and has the same walls, at rest. */
static scree_world *new_world(const scree_world *from, const region *g, fail *why, bool *good)
{
	scree_world *w = scree_world_new();
	model *m = &w->model;
	const region border = border_of(&from->model, g);
	m->flat = from->model.flat;
	m->thickness = from->model.thickness;
	m->shape = from->model.shape;
	m->search = from->model.search;
	m->share = from->model.share;
	m->triangles = from->model.triangles;
	m->integrator = from->model.integrator;
	m->narrow = scree_narrow_find(m->flat ? "overlap-thickness/plane" : "overlap-thickness");
	m->period = from->model.period;
	m->period.shears = false;
	m->period.rate = 0;
	m->guard = (guards){.bounded = false};
	m->unsafe = true;
	m->wall = scree_walls_copy(&from->model.wall);
	for (int32_t k = 0; k < m->wall.count; ++k) m->wall.row[k].motion = (wall_motion){.type = MOTION_STILL};
	model_respond(m, scree_response_find("hard"));
	copy_materials(&from->model.material, &m->material);
	*good = add_border(w, &border, why);
	scree_state_room(m, &w->state);
	return w;
}

static void free_world(scree_world *w)
{
	w->model.shape = (shapes){0};
	scree_world_free(w);
}

/* Adds all bodies to the world at rest. The bodies of the fill start at this fraction of their full size. */
static bool put_bodies(packing *p, real part, fail *why)
{
	scree_world *w = p->w;
	const int64_t count = p->body.count;
	int32_t *all = scree_alloc((size_t)w->state.body.count, sizeof *all);
	new_body *now = scree_copy(p->body.row, (size_t)count, sizeof *now);
	for (int32_t i = 0; i < w->state.body.count; ++i) all[i] = i;
	scree_world_remove(&w->model, &w->state, &w->work, w->state.body.count, all);
	for (int64_t k = 0; k < count; ++k) {
		now[k].velocity = now[k].angular_velocity = v3(0, 0, 0);
		if (k < p->held) continue;
		now[k].size *= part;
	}
	w->state.next_id = 1;
	scree_world_add(&w->model, &w->state, &w->work, count, now);
	scree_free(all);
	scree_free(now);
	return scree_world_prepare(w, 0, STEP, why);
}

static void take_poses(packing *p)
{
	const scree_world *w = p->w;
	const bodies *b = &w->state.body;
	for (int32_t i = 0; i < b->count; ++i) {
		const int64_t k = (int64_t)b->id[i] - 1;
		if (k < p->held) continue;
		p->body.row[k].position = body_position(b, i);
		p->body.row[k].orientation = shape_axes_out(w->model.shape.row + b->shape[i], body_orientation(b, i));
	}
}

/* Stops the bodies, so that they move only as far as they are pushed. */
static void stop_bodies(bodies *b)
{
	real *const to[] = {b->vx, b->vy, b->vz, b->wx, b->wy, b->wz, b->lx, b->ly, b->lz};
	for (size_t c = 0; c < sizeof to / sizeof *to && b->count; ++c) memset(to[c], 0, (size_t)b->count * sizeof(real));
}

/* The smallest overlap so far, and its value PATIENCE steps earlier. */
typedef struct parting {
	real least, before;
} parting;

/* Tests after a step whether creeping bodies have stopped separating. */
static bool stalls(parting *o, const packing *p, int step)
{
	o->least = real_min(o->least, p->overlap);
	if (!p->w->model.creeps || (step + 1) % PATIENCE) return false;
	const bool stalled = !(o->least < PROGRESS * o->before);
	o->before = o->least;
	return stalled;
}

/* Pushes the bodies apart until no overlap is larger than this; returns false if that fails. */
static bool relax(packing *p, real part, real most, fail *why)
{
	if (!put_bodies(p, part, why)) return false;
	const real fraction = p->solid * (p->r->flat ? part * part : part * part * part);
	bool apart = false, stalled = false;
	parting parts = {INFINITY, INFINITY};
	for (int k = 0; k < MOST_STEPS && !apart && !stalled; ++k) {
		if (!scree_step(p->w)) return scree_fail(why, FAIL_INPUT, "%s", p->w->work.why.text);
		if (!p->w->model.creeps) stop_bodies(&p->w->state.body);
		p->overlap = p->w->work.greatest_overlap_part;
		apart = k > 0 && p->overlap <= most;
		stalled = stalls(&parts, p, k);
		scree_progress("solid fraction %.3f of %.3f, overlaps up to %.2g %% of the size", fraction, p->solid,
					   100 * p->overlap);
	}
	take_poses(p);
	return apart;
}

/* Returns the largest overlap of the first `count` bodies, fully grown, from contacts of a world without steps. */
static real look(packing *p, const region *g, int64_t count)
{
	fail why = {0};
	bool good = true;
	packing q = *p;
	q.body.count = count;
	q.w = new_world(p->r->world, g, &why, &good);
	good = good && put_bodies(&q, 1, &why);
	if (good) scree_world_look_at_start(&q.w->model, &q.w->state, &q.w->work);
	const real overlap = good ? q.w->work.start.overlap : INFINITY;
	free_world(q.w);
	return overlap;
}

/* The solver predicts overlaps, so the overlaps of fully grown bodies are tested here. Earlier bodies may overlap. */
static bool settle(packing *p, const region *g, fail *why)
{
	enum { ROUNDS = 6 };
	const real before = p->held ? look(p, g, p->held) : 0;
	real most = STILL_APART / 4;
	for (int k = 0; k < ROUNDS && !why->text[0]; ++k, most /= 2) {
		p->overlap = look(p, g, p->body.count);
		if (p->overlap <= real_max(DEEPEST, before)) return true;
		relax(p, 1, most, why);
	}
	return false;
}

/* Grows the bodies from this fraction of their full size. Returns the fraction that they reach. */
static real grow(packing *p, real part, fail *why)
{
	const real longest = p->w->model.creeps ? LONGEST : LONGEST_OF_SPHERES;
	real by = longest;
	while (part < 1 && by >= SHORTEST && !why->text[0]) {
		const real next = real_min(1, part * (1 + by));
		if (relax(p, next, next < 1 ? STILL_APART : STILL_APART / 2, why))
			part = next, by = real_min(longest, by * (real)1.5);
		else
			by /= 2;
	}
	return part;
}

static bool refuse(const packing *p, real part, const fail *why)
{
	reader *r = p->r;
	const bool asked = scree_given(&p->f->h, "dense");
	const place at = scree_where(&p->f->h, asked ? "dense" : scree_fill_amount(p->f))->at;
	const char *name = scree_fill_name(r, p->f);
	if (why->text[0]) return scree_report(&r->r, at, NULL, "%s: dense: %s", name, why->text);
	return scree_report(&r->r, at, "use fewer or smaller bodies, or a larger region",
						"%s: a solid fraction of %.4g is needed, but bodies are jammed at %.4g, where they overlap by "
						"%.2g %% of their size when they grow further",
						name, p->solid, p->solid * (r->flat ? part * part : part * part * part), 100 * p->overlap);
}

real scree_dense_start(const reader *r, real solid)
{
	const real loose = r->flat ? LOOSE_FLAT : LOOSE, part = loose / solid;
	if (part >= 1) return 1;
	return r->flat ? sqrt(part) : scree_pow(part, (real)1 / 3);
}

static bool all_are_spheres(const reader *r, const body_list *l)
{
	for (int64_t k = 0; k < l->count; ++k)
		if (r->world->model.shape.row[l->row[k].shape].type != SHAPE_SPHERE) return false;
	return true;
}

bool scree_dense_grow(reader *r, const fill_spec *f, const region *g, const body_list *earlier, real solid, real part,
					  body_list *fresh)
{
	fail why = {0};
	bool good = true;
	packing p = {.r = r, .f = f, .held = earlier->count, .solid = solid};
	for (int64_t k = 0; k < earlier->count; ++k) {
		new_body b = earlier->row[k];
		b.flags |= BODY_HELD;
		scree_body_list_add(&p.body, b);
	}
	for (int64_t k = 0; k < fresh->count; ++k) {
		new_body b = fresh->row[k];
		b.flags = f->orientation.type == ORIENT_RANDOM ? 0 : BODY_LOCKED; /* only random orientations change */
		scree_body_list_add(&p.body, b);
	}
	p.w = new_world(r->world, g, &why, &good);
	p.w->model.creeps = !all_are_spheres(r, fresh);
	const real reached = good ? grow(&p, part, &why) : 0;
	good = good && reached == 1 && settle(&p, g, &why);
	for (int64_t k = 0; k < fresh->count; ++k) {
		fresh->row[k].position = p.body.row[p.held + k].position;
		fresh->row[k].orientation = p.body.row[p.held + k].orientation;
	}
	free_world(p.w);
	if (!good) refuse(&p, reached, &why);
	scree_free(p.body.row);
	return good;
}
