/* walls PAIRS SOURCES [KERNELS [PLATFORM]]: random spheres at walls of each form, and random polyhedra at planes, at
 * cylinders and cones, and at facets, by overlap and by depth, computed by the engine, by headers of
 * src/kernel on the host, and by the same headers on an OpenCL device; arguments as in pocl.c. Prints the numbers of
 * bodies whose results differ in any bit; exits with 1 if there are any, or if there are too few contacts of a kind. */
#include "wall_tables.h"
#include "kernel/facet_contacts.h"
#include "kernel/facet_overlap.h"
#include "kernel/round_patch.h"
#include "kernel/sphere_facets.h"
#include "kernel/tube_overlap.h"
#include "kernel/wall_overlap.h"
#include "kernel/wall_patch.h"
#include "narrow/solid/overlap.h"
#include "narrow/touch_list.h"

static const char *const regular[] = {"cube", "tetrahedron", "octahedron", "dodecahedron", "icosahedron"};
enum { SHAPES = 5, GROUP = 16, BATCH = 256 * GROUP, CHUNK = 32 * GROUP };

/* ------------------------------------------------------------------ spheres */

/* at: x, y, z and radius of each sphere; points: numbers of contacts, and there on the device */
typedef struct spheres {
	real *at;
	int32_t *wall, *points, *there;
	near_point *near;
	wall_point *point, *found; /* [SURFACES] of each sphere, and on the device */
} spheres;

static void draw_spheres(spheres *o)
{
	for (size_t i = 0; i < BATCH; ++i) {
		for (int k = 0; k < 3; ++k) o->at[4 * i + (size_t)k] = k < 2 ? draw(-1, 1) : draw(-0.5, 0.8);
		o->at[4 * i + 3] = draw(0.05, 0.6);
		o->wall[i] = (int32_t)(i % WALLS);
	}
}

static void sphere_on_host(const walls *s, const int32_t *all, spheres *o, size_t i)
{
	const struct wall *w = s->row + o->wall[i];
	const real *at = o->at + 4 * i;
	const vec3 c = v3(at[0], at[1], at[2]);
	const near_wall to = {s, o->wall[i], w->facets, all + w->first_facet};
	near_points out = {0, 0, SURFACES, o->near, o->point + SURFACES * i};
	rounded r = {c, at[3], 0};
	if (w->type == WALL_FACETS) {
		meet_facets(&out, &r, &to);
	} else {
		*out.point = w->type == WALL_PLANE ? sphere_plane(c, at[3], w) : sphere_tube(c, at[3], w);
		out.points = out.point->depth > 0;
	}
	o->points[i] = out.points;
}

static void spheres_on_device(const device *d, const cl_mem *tables, spheres *o)
{
	enum { ARGUMENTS = TABLES + 5, ROOM = BATCH * SURFACES };
	cl_mem m[ARGUMENTS];
	cl_kernel k = kernel(d, "spheres");
	memcpy(m, tables, TABLES * sizeof *m);
	m[TABLES] = copied(d, o->at, 4 * BATCH * sizeof *o->at);
	m[TABLES + 1] = copied(d, o->wall, BATCH * sizeof *o->wall);
	m[TABLES + 2] = room(d, ROOM * sizeof *o->near);
	m[TABLES + 3] = room(d, ROOM * sizeof *o->found);
	m[TABLES + 4] = room(d, BATCH * sizeof *o->there);
	launch(d, k, BATCH, GROUP, m, ARGUMENTS);
	get(d, o->found, m[TABLES + 3], ROOM * sizeof *o->found);
	get(d, o->there, m[TABLES + 4], BATCH * sizeof *o->there);
	for (int n = TABLES; n < ARGUMENTS; ++n) clReleaseMemObject(m[n]);
	clReleaseKernel(k);
}

/* ------------------------------------------------------------------ comparison */

static bool same(real a, real b) { return bits_of(a) == bits_of(b); }
static bool same3(vec3 a, vec3 b) { return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z); }

static bool same_points(const spheres *o, size_t i)
{
	if (o->points[i] != o->there[i]) return false;
	for (int32_t k = 0; k < o->points[i]; ++k) {
		const wall_point *p = o->point + SURFACES * i + k, *q = o->found + SURFACES * i + k;
		if (p->surface != q->surface || !same3(p->normal, q->normal) || !same3(p->at, q->at) ||
			!same(p->depth, q->depth))
			return false;
	}
	return true;
}

static bool same_by_engine(const spheres *o, size_t i, const touch_list *l)
{
	if (o->points[i] != l->count) return false;
	for (int32_t k = 0; k < l->count; ++k) {
		const wall_point *p = o->point + SURFACES * i + k;
		const touch *t = l->item + k;
		if (p->surface != t->surface || !same3(p->normal, t->normal) || !same3(p->at, l->at[t->first]) ||
			!same(p->depth, t->depth))
			return false;
	}
	return true;
}

/* Numbers of spheres: with contacts, for each wall; with several contacts; others. */
typedef struct counts {
	size_t touch[WALLS], several, other_host, other_device;
} counts;

static void compare_spheres(const walls *s, const int32_t *all, spheres *o, touch_list *l, counts *n)
{
	for (size_t i = 0; i < BATCH; ++i) {
		const real *at = o->at + 4 * i;
		const struct wall *w = s->row + o->wall[i];
		sphere_on_host(s, all, o, i);
		scree_sphere_wall(v3(at[0], at[1], at[2]), at[3], &(near_wall){s, o->wall[i], w->facets, all + w->first_facet},
						  l);
		n->touch[o->wall[i]] += o->points[i] > 0;
		n->several += o->points[i] > 1;
		n->other_host += !same_by_engine(o, i, l);
		n->other_device += !same_points(o, i);
	}
}

static bool report(const counts *n, size_t pairs)
{
	size_t least = pairs;
	for (int k = 0; k < WALLS; ++k) least = n->touch[k] < least ? n->touch[k] : least;
	const bool good = !n->other_host && !n->other_device && least > pairs / WALLS / 12 && n->several > pairs / 50;
	printf("%s: of %zu spheres %zu differ on the device, %zu from the engine; at least %zu touch each wall, %zu at "
		   "several points\n",
		   good ? "same" : "wrong", pairs, n->other_device, n->other_host, least, n->several);
	return good;
}

static bool test_spheres(const device *d, const walls *s, const cl_mem *tables, const int32_t *all, size_t pairs)
{
	const size_t room = (size_t)BATCH * SURFACES;
	spheres o = {get_room(4 * BATCH, sizeof(real)),	 get_room(BATCH, sizeof(int32_t)),
				 get_room(BATCH, sizeof(int32_t)),	 get_room(BATCH, sizeof(int32_t)),
				 get_room(SURFACES, sizeof *o.near), get_room(room, sizeof *o.point),
				 get_room(room, sizeof *o.found)};
	touch_list l = {0};
	counts n = {0};
	for (size_t done = 0; done < pairs; done += BATCH) {
		draw_spheres(&o);
		spheres_on_device(d, tables, &o);
		compare_spheres(s, all, &o, &l, &n);
	}
	scree_touch_list_free(&l);
	free(o.at), free(o.wall), free(o.points), free(o.there), free(o.near), free(o.point), free(o.found);
	return report(&n, pairs);
}

/* ------------------------------------------------------------------ polyhedra */

/* Bodies, and the results of the device. */
typedef struct polyhedra {
	convex_pose *body;
	int32_t *wall, *outcome;
	overlap_contact *overlap;
	wall_patch *patch;
	wall_contact *contact;
	wall_touches *touches;
	facet_overlaps *joined;
} polyhedra;

enum { BODY_TABLES = 4 };

typedef void draw_fn(const walls *s, size_t i, convex_pose *b, int32_t *wall);

/* The rotation from the axis z to this axis, after a rotation by a random small angle. */
static mat3 turned_to(vec3 axis, real tilt)
{
	const mat3 m = quat_matrix(quat_unit(quat_of(1 + axis.z, -axis.y, axis.x, 0))), t = turned_by(tilt);
	return (mat3){mat3_mul(m, t.x), mat3_mul(m, t.y), mat3_mul(m, t.z)};
}

/* A quarter of the bodies are cubes on the plane, most with a slight tilt and some without. */
static void draw_at_plane(const walls *s, size_t i, convex_pose *b, int32_t *wall)
{
	const bool flat = i % 4 == 0;
	*wall = i % 8 < 4 ? PLANE : SHEET;
	const vec3 axis = s->row[*wall].axis;
	b->shape = flat ? 0 : (int32_t)draw(0, SHAPES);
	b->size = draw(0.8, 1.2);
	b->turn = flat ? turned_to(axis, i % 64 ? 1e-3 : 0) : turned_by(1);
	b->at = v3_madd(v3_cross(axis, draw3(2)), flat ? 0.499 * b->size : draw(*wall == PLANE ? -0.8 : -0.4, 0.8), axis);
}

/* Bodies at facets: a sixteenth are cubes whose lower faces are level or nearly so. */
static void draw_at_facets(const walls *s, size_t i, convex_pose *b, int32_t *wall)
{
	const bool flat = i % 16 == 0;
	(void)s;
	*wall = GROUND + (int32_t)(i / 16 % (WALLS - GROUND));
	b->shape = flat ? 0 : (int32_t)draw(0, SHAPES);
	b->size = draw(0.2, 1);
	b->turn = flat ? turned_to(v3(0, 0, 1), i % 128 ? 1e-3 : 0) : turned_by(1);
	b->at = v3(draw(-1, 1), draw(-1, 1), flat ? 0.49 * b->size : draw(-0.4, 0.6));
}

/* Bodies at a tube; inside, a quarter are large and near its axis, where its sides do not rotate with the body. */
static void draw_at_tube(const walls *s, size_t i, convex_pose *b, int32_t *wall)
{
	*wall = TUBE + (int32_t)(i / 4 % 4);
	const struct wall *w = s->row + *wall;
	const bool inside = w->side == SIDE_INSIDE, large = inside && i % 4 == 0;
	const real z = draw(-0.1, 1.3), taper = w->type == WALL_CONE ? (w->radius2 - w->radius) / w->length : 0;
	const real radius = w->radius + taper * z, out = inside ? draw(-0.7, 0.3) : draw(0.4, 0.8);
	const vec3 aside = v3_unit(v3_cross(w->axis, draw3(1)));
	b->shape = (int32_t)draw(0, SHAPES);
	b->size = large ? draw(0.5, 1.2) * radius : draw(0.1, 0.4);
	b->turn = turned_by(1);
	b->at = v3_madd(w->point, z, w->axis);
	if (!inside || i % 64) b->at = v3_madd(b->at, large ? draw(0, 0.8) * radius : radius + out * b->size, aside);
}

static int32_t overlap_on_host(const near_wall *to, const convex_rows *shapes, const convex_pose *b, touch_list *out)
{
	const struct wall *w = to->s->row + to->wall;
	wall_region r;
	overlap_sums sum;
	overlap_contact c;
	wall_cutting room;
	const int32_t outcome = wall_region_of(b, shapes, w, &room, &r);
	if (outcome != OVERLAP_FOUND) return outcome;
	wall_sums_of(shapes + b->shape, &r, &sum);
	if (!overlap_contact_of(&sum.region, r.along, &c)) return OVERLAP_NONE;
	scree_overlap_touch(&c, ENERGY_OF_THICKNESS, &b->turn, w->first_surface, out);
	return OVERLAP_FOUND;
}

/* Runs a kernel with these buffers as its arguments. */
static void step(const device *d, const char *name, size_t items, const cl_mem *with, cl_uint count)
{
	cl_kernel k = kernel(d, name);
	launch(d, k, items, GROUP, with, count);
	clReleaseKernel(k);
}

static void overlaps_on_device(const device *d, const cl_mem *m, polyhedra *o)
{
	const cl_mem region = room(d, BATCH * sizeof(wall_region)), sum = room(d, BATCH * sizeof(overlap_sums));
	const cl_mem outcome = room(d, BATCH * sizeof(int32_t)), contact = room(d, BATCH * sizeof(overlap_contact));
	const cl_mem all[] = {region, sum, outcome, contact};
	step(d, "regions", BATCH, (cl_mem[]){m[0], m[1], m[2], m[3], region, outcome}, 6);
	step(d, "sums", BATCH, (cl_mem[]){m[0], m[1], region, outcome, sum}, 5);
	step(d, "effects", BATCH, (cl_mem[]){region, sum, outcome, contact}, 4);
	get(d, o->outcome, outcome, BATCH * sizeof(int32_t));
	get(d, o->overlap, contact, BATCH * sizeof(overlap_contact));
	for (size_t k = 0; k < sizeof all / sizeof *all; ++k) clReleaseMemObject(all[k]);
}

static int32_t tube_on_host(const near_wall *to, const convex_rows *shapes, const convex_pose *b, touch_list *out)
{
	const struct wall *w = to->s->row + to->wall;
	static parts_cutting room;
	static tube_parts p;
	overlap_sums sum;
	overlap_contact c;
	const int32_t outcome = tube_regions_of(b, shapes, w, &room, &p);
	if (outcome != OVERLAP_FOUND) return outcome;
	for (int32_t k = 0; k < TUBE_SUMS; ++k) {
		tube_sum_of(shapes + b->shape, &p, k, &sum);
		tube_effect_of(&p, k, &sum);
	}
	if (!tube_contact(p.tube, &p.result, &c)) return OVERLAP_NONE;
	scree_overlap_touch(&c, ENERGY_OF_THICKNESS, &b->turn, w->first_surface, out);
	return OVERLAP_FOUND;
}

static void tubes_on_device(const device *d, const cl_mem *m, polyhedra *o)
{
	const cl_mem parts = room(d, BATCH * sizeof(tube_parts)), sum = room(d, BATCH * TUBE_SUMS * sizeof(overlap_sums));
	const cl_mem outcome = room(d, BATCH * sizeof(int32_t)), contact = room(d, BATCH * sizeof(overlap_contact));
	const cl_mem all[] = {parts, sum, outcome, contact};
	step(d, "tube_regions", BATCH, (cl_mem[]){m[0], m[1], m[2], m[3], parts, outcome}, 6);
	step(d, "tube_sums", BATCH * TUBE_SUMS, (cl_mem[]){m[0], m[1], parts, outcome, sum}, 5);
	step(d, "tube_effects", BATCH * TUBE_SUMS, (cl_mem[]){parts, outcome, sum}, 3);
	step(d, "tube_contacts", BATCH, (cl_mem[]){parts, outcome, contact}, 3);
	get(d, o->outcome, outcome, BATCH * sizeof(int32_t));
	get(d, o->overlap, contact, BATCH * sizeof(overlap_contact));
	for (size_t k = 0; k < sizeof all / sizeof *all; ++k) clReleaseMemObject(all[k]);
}

static int32_t overlap_there(const walls *s, const polyhedra *o, size_t i, touch_list *out)
{
	if (o->outcome[i] != OVERLAP_FOUND) return o->outcome[i];
	scree_overlap_touch(o->overlap + i, ENERGY_OF_THICKNESS, &o->body[i].turn, s->row[o->wall[i]].first_surface, out);
	return OVERLAP_FOUND;
}

/* The contact by depth as the engine stores it. */
static int32_t patch_stored(const wall_patch *w, const wall_contact *c, int32_t surface, touch_list *out)
{
	patch p = {.points = w->nodes, .normal = c->normal};
	if (w->full) return OVERLAP_TOO_LARGE;
	if (w->nodes == 0) return OVERLAP_NONE;
	for (int32_t k = 0; k < w->nodes; ++k) p.at[k] = w->node[k].p, p.deep[k] = w->node[k].d, p.weight[k] = w->node[k].s;
	scree_touch_patch(out, surface, &p);
	out->item->arm = c->arm;
	return OVERLAP_FOUND;
}

static int32_t patch_on_host(const near_wall *to, const convex_rows *shapes, const convex_pose *b, touch_list *out)
{
	const struct wall *w = to->s->row + to->wall;
	static wall_patch p;
	wall_contact c;
	vec3 n;
	p.full = 0;
	if (!wall_plane_nodes(&p, shapes + b->shape, b, w, &n)) return OVERLAP_NONE;
	p.arm = wall_arm(&p);
	if (!wall_complete(&p, b, 1, &c)) return OVERLAP_NONE;
	c.normal = n;
	return patch_stored(&p, &c, w->first_surface, out);
}

static void patches_on_device(const device *d, const cl_mem *m, polyhedra *o)
{
	const cl_mem p = room(d, BATCH * sizeof(wall_patch)), contact = room(d, BATCH * sizeof(wall_contact));
	step(d, "nodes", BATCH, (cl_mem[]){m[0], m[1], m[2], m[3], p, contact}, 6);
	step(d, "arms", BATCH, &p, 1);
	step(d, "touches", BATCH, (cl_mem[]){m[1], p, contact}, 3);
	get(d, o->patch, p, BATCH * sizeof(wall_patch));
	get(d, o->contact, contact, BATCH * sizeof(wall_contact));
	clReleaseMemObject(p), clReleaseMemObject(contact);
}

static int32_t round_on_host(const near_wall *to, const convex_rows *shapes, const convex_pose *b, touch_list *out)
{
	const struct wall *w = to->s->row + to->wall;
	static wall_patch p;
	wall_contact c;
	real factor;
	p.full = 0;
	if (round_nodes(&p, shapes + b->shape, b, w, &factor) && wall_complete(&p, b, factor, &c))
		return patch_stored(&p, &c, w->first_surface, out);
	return p.full ? OVERLAP_TOO_LARGE : OVERLAP_NONE;
}

static void rounds_on_device(const device *d, const cl_mem *m, polyhedra *o)
{
	const cl_mem p = room(d, BATCH * sizeof(wall_patch)), contact = room(d, BATCH * sizeof(wall_contact));
	const cl_mem factor = room(d, BATCH * sizeof(real));
	step(d, "round_points", BATCH, (cl_mem[]){m[0], m[1], m[2], m[3], p, factor}, 6);
	step(d, "round_touches", BATCH, (cl_mem[]){m[1], p, factor, contact}, 4);
	get(d, o->patch, p, BATCH * sizeof(wall_patch));
	get(d, o->contact, contact, BATCH * sizeof(wall_contact));
	clReleaseMemObject(p), clReleaseMemObject(contact), clReleaseMemObject(factor);
}

static int32_t patch_there(const walls *s, const polyhedra *o, size_t i, touch_list *out)
{
	return patch_stored(o->patch + i, o->contact + i, s->row[o->wall[i]].first_surface, out);
}

/* The contacts with facets as the engine stores them. */
static int32_t touches_stored(const wall_touches *l, touch_list *out)
{
	if (l->full) return OVERLAP_TOO_LARGE;
	for (int32_t i = 0; i < l->count; ++i) {
		const wall_touch *t = l->item + i;
		patch p = {.points = t->points, .normal = t->normal};
		for (int32_t k = 0; k < t->points; ++k) {
			const int32_t from = t->first + k;
			p.at[k] = l->at[from], p.deep[k] = l->deep[from], p.weight[k] = l->weight[from];
		}
		scree_touch_patch(out, t->surface, &p);
		out->item[i].arm = t->arm;
		out->item[i].part = t->part;
	}
	return l->count ? OVERLAP_FOUND : OVERLAP_NONE;
}

static int32_t facets_on_host(const near_wall *to, const convex_rows *shapes, const convex_pose *b, touch_list *out)
{
	static facet_patch w;
	static wall_touches l;
	const convex_rows *s = shapes + b->shape;
	w.full = w.patch.full = w.fold.full = l.full = l.count = l.points = 0;
	facet_gather(&w, s, b, to, false);
	fold_region(&w, s, to->s);
	facet_meet_all(&w, s, b, to, &l);
	facet_finish(&w, s, b, to, &l);
	l.full |= w.full | w.patch.full | w.fold.full;
	return touches_stored(&l, out);
}

/* In chunks, since a body's memory for its facets is large. */
static void facets_on_device(const device *d, const cl_mem *m, polyhedra *o)
{
	static const char *const names[] = {"facet_gathers", "facet_folds", "facet_meets", "facet_finishes"};
	const cl_mem patch = room(d, CHUNK * sizeof(facet_patch)), touches = room(d, BATCH * sizeof(wall_touches));
	cl_mem with[TABLES + 6];
	memcpy(with, m + BODY_TABLES, TABLES * sizeof *m);
	with[TABLES] = m[0], with[TABLES + 1] = m[1], with[TABLES + 2] = m[3];
	with[TABLES + 4] = patch, with[TABLES + 5] = touches;
	for (int32_t from = 0; from < BATCH; from += CHUNK) {
		with[TABLES + 3] = copied(d, &from, sizeof from);
		for (int k = 0; k < 4; ++k) step(d, names[k], CHUNK, with, TABLES + (k == 1 ? 5 : 6));
		clReleaseMemObject(with[TABLES + 3]);
	}
	get(d, o->touches, touches, BATCH * sizeof *o->touches);
	clReleaseMemObject(patch), clReleaseMemObject(touches);
}

static int32_t facets_there(const walls *s, const polyhedra *o, size_t i, touch_list *out)
{
	(void)s;
	return touches_stored(o->touches + i, out);
}

static int32_t joined_stored(const facet_overlaps *l, const mat3 *turn, touch_list *out)
{
	for (int32_t k = 0; k < l->members; ++k)
		if (l->any[k]) scree_overlap_touch(l->contact + k, ENERGY_OF_THICKNESS, turn, l->surface[k], out);
	return OVERLAP_FOUND;
}

static int32_t joined_on_host(const near_wall *to, const convex_rows *shapes, const convex_pose *b, touch_list *out)
{
	static parts_cutting room;
	static facet_regions r;
	static overlap_sums sum[OVERLAP_MEMBERS];
	static facet_joint joint;
	static facet_overlaps l;
	const convex_rows *s = shapes + b->shape;
	const int32_t outcome = facet_regions_of(b, s, to, &room, &r);
	if (outcome != OVERLAP_FOUND) return outcome;
	for (int32_t k = 0; k < OVERLAP_MEMBERS; ++k) {
		facet_sum_of(s, &r, k, sum + k);
		facet_effect_of(&r, k, sum + k, &l);
	}
	facet_join(&r, sum, to->s, &joint, &l);
	return joined_stored(&l, &b->turn, out);
}

static void joined_in_chunk(const device *d, const cl_mem *with, cl_mem outcome, cl_mem joined, const cl_mem *w)
{
	const cl_mem *m = with + TABLES; /* shapes, bodies, walls, the first body */
	cl_mem all[TABLES + 9];
	memcpy(all, with, (TABLES + 4) * sizeof *with);
	all[TABLES + 4] = w[0], all[TABLES + 5] = outcome, all[TABLES + 6] = w[1];
	all[TABLES + 7] = w[2], all[TABLES + 8] = joined;
	step(d, "part_regions", CHUNK, all, TABLES + 6);
	step(d, "facet_sums", CHUNK * OVERLAP_MEMBERS, (cl_mem[]){m[0], m[1], m[3], w[0], outcome, w[1]}, 6);
	step(d, "facet_effects", CHUNK * OVERLAP_MEMBERS, (cl_mem[]){m[3], w[0], outcome, w[1], joined}, 5);
	step(d, "facet_joins", CHUNK, all, TABLES + 9);
}

static void joined_on_device(const device *d, const cl_mem *m, polyhedra *o)
{
	const cl_mem outcome = room(d, BATCH * sizeof(int32_t)), joined = room(d, BATCH * sizeof(facet_overlaps));
	const cl_mem w[] = {room(d, CHUNK * sizeof(facet_regions)), room(d, CHUNK * OVERLAP_MEMBERS * sizeof(overlap_sums)),
						room(d, CHUNK * sizeof(facet_joint))};
	cl_mem with[TABLES + 4];
	memcpy(with, m + BODY_TABLES, TABLES * sizeof *m);
	with[TABLES] = m[0], with[TABLES + 1] = m[1], with[TABLES + 2] = m[3];
	for (int32_t from = 0; from < BATCH; from += CHUNK) {
		with[TABLES + 3] = copied(d, &from, sizeof from);
		joined_in_chunk(d, with, outcome, joined, w);
		clReleaseMemObject(with[TABLES + 3]);
	}
	get(d, o->outcome, outcome, BATCH * sizeof(int32_t));
	get(d, o->joined, joined, BATCH * sizeof *o->joined);
	clReleaseMemObject(outcome), clReleaseMemObject(joined);
	for (int k = 0; k < 3; ++k) clReleaseMemObject(w[k]);
}

static int32_t joined_there(const walls *s, const polyhedra *o, size_t i, touch_list *out)
{
	(void)s;
	return o->outcome[i] == OVERLAP_FOUND ? joined_stored(o->joined + i, &o->body[i].turn, out) : o->outcome[i];
}

typedef struct method {
	const char *what;
	draw_fn *draw_body;
	void (*by_engine)(const placed *body, const near_wall *to, touch_list *out);
	int32_t (*on_host)(const near_wall *to, const convex_rows *shapes, const convex_pose *b, touch_list *out);
	void (*on_device)(const device *d, const cl_mem *m, polyhedra *o);
	int32_t (*there)(const walls *s, const polyhedra *o, size_t i, touch_list *out);
} method;

static const method methods[] = {
	{"overlaps", draw_at_plane, scree_thickness_convex_wall, overlap_on_host, overlaps_on_device, overlap_there},
	{"depths", draw_at_plane, scree_convex_wall, patch_on_host, patches_on_device, patch_there},
	{"tubes", draw_at_tube, scree_thickness_convex_wall, tube_on_host, tubes_on_device, overlap_there},
	{"rounds", draw_at_tube, scree_convex_wall, round_on_host, rounds_on_device, patch_there},
	{"facets", draw_at_facets, scree_convex_wall, facets_on_host, facets_on_device, facets_there},
	{"joined", draw_at_facets, scree_thickness_convex_wall, joined_on_host, joined_on_device, joined_there},
};

static bool same_lists(const touch_list *a, const touch_list *b)
{
	if (a->count != b->count || a->points != b->points) return false;
	for (int32_t k = 0; k < a->count; ++k) {
		const touch *t = a->item + k, *u = b->item + k;
		if (!same3(t->normal, u->normal) || !same3(t->hold, u->hold) || !same(t->depth, u->depth) ||
			!same(t->pitch, u->pitch) || !same(t->arm, u->arm) || !same(t->part, u->part) || t->points != u->points ||
			t->surface != u->surface)
			return false;
	}
	for (int32_t k = 0; k < a->points; ++k)
		if (!same3(a->at[k], b->at[k]) || !same(a->deep[k], b->deep[k]) || !same(a->weight[k], b->weight[k]))
			return false;
	return true;
}

typedef struct body_counts {
	size_t special, others, several, shared, apart, large, other_host, other_device;
} body_counts;

/* l: lists for the engine, the host and the device */
static void compare_bodies(const walls *s, const int32_t *all, const shapes *form, const convex_rows *shape,
						   const polyhedra *o, const method *by, touch_list *l, body_counts *n)
{
	for (size_t i = 0; i < BATCH; ++i) {
		const placed b = placed_of(form, o->body + i);
		for (int k = 0; k < 3; ++k) l[k].count = l[k].points = 0;
		const struct wall *w = s->row + o->wall[i];
		const near_wall to = {s, o->wall[i], w->facets, all + w->first_facet};
		by->by_engine(&b, &to, l);
		const int32_t outcome = by->on_host(&to, shape, o->body + i, l + 1);
		const int32_t there = by->there(s, o, i, l + 2);
		n->special += outcome == OVERLAP_FOUND && i % 4 == 0, n->others += outcome == OVERLAP_FOUND && i % 4 != 0;
		n->several += l->count > 1, n->shared += l->count > 1 && l->item->part < 1;
		n->apart += outcome == OVERLAP_NONE, n->large += outcome == OVERLAP_TOO_LARGE;
		n->other_host += outcome != OVERLAP_TOO_LARGE && !same_lists(l, l + 1);
		n->other_device += outcome != there || !same_lists(l + 1, l + 2);
	}
}

static bool report_bodies(const body_counts *n, const method *by, size_t pairs)
{
	const bool facets = by->draw_body == draw_at_facets, parts = by->on_host == facets_on_host;
	const bool good = !n->other_host && !n->other_device && n->special > pairs / 20 && n->others > pairs / 4 &&
					  n->apart > pairs / 50 && n->large < pairs / 50 && (!facets || n->several > pairs / 10) &&
					  (!parts || n->shared > pairs / 50);
	printf("%s: of %zu %s %zu differ on the device, %zu from the engine; %zu + %zu touch, %zu several surfaces, %zu of "
		   "these share stiffness, %zu are apart, %zu are too large\n",
		   good ? "same" : "wrong", pairs, by->what, n->other_device, n->other_host, n->special, n->others, n->several,
		   n->shared, n->apart, n->large);
	return good;
}

static bool add_shapes(shapes *form, convex_rows *shape)
{
	fail why;
	for (int k = 0; k < SHAPES; ++k) {
		if (scree_shapes_add_regular(form, regular[k], regular[k], &why) < 0) return false;
		shape[k] = rows_of(form->row + k);
	}
	return true;
}

static bool test_bodies(const device *d, const walls *s, const cl_mem *tables, const int32_t *all, const method *by,
						size_t pairs)
{
	polyhedra o = {get_room(BATCH, sizeof *o.body),	   get_room(BATCH, sizeof(int32_t)),
				   get_room(BATCH, sizeof(int32_t)),   get_room(BATCH, sizeof *o.overlap),
				   get_room(BATCH, sizeof *o.patch),   get_room(BATCH, sizeof *o.contact),
				   get_room(BATCH, sizeof *o.touches), get_room(BATCH, sizeof *o.joined)};
	shapes form = {0};
	convex_rows shape[SHAPES];
	touch_list l[3] = {{0}};
	body_counts n = {0};
	if (!add_shapes(&form, shape)) return false;
	for (size_t done = 0; done < pairs; done += BATCH) {
		for (size_t i = 0; i < BATCH; ++i) by->draw_body(s, i, o.body + i, o.wall + i);
		cl_mem m[BODY_TABLES + TABLES] = {copied(d, shape, sizeof shape), copied(d, o.body, BATCH * sizeof *o.body),
										  *tables, copied(d, o.wall, BATCH * sizeof *o.wall)};
		memcpy(m + BODY_TABLES, tables, TABLES * sizeof *m);
		by->on_device(d, m, &o);
		compare_bodies(s, all, &form, shape, &o, by, l, &n);
		clReleaseMemObject(m[0]), clReleaseMemObject(m[1]), clReleaseMemObject(m[3]);
	}
	for (int k = 0; k < 3; ++k) scree_touch_list_free(l + k);
	scree_shapes_free(&form);
	free(o.body), free(o.wall), free(o.outcome), free(o.overlap), free(o.patch), free(o.contact), free(o.touches),
		free(o.joined);
	return report_bodies(&n, by, pairs);
}

int main(int count, char **text)
{
	if (count < 3) return 2;
	const size_t pairs = ((size_t)atol(text[1]) + BATCH - 1) / BATCH * BATCH;
	walls s = {0};
	cl_mem tables[TABLES];
	if (!add_walls(&s)) return 2;
	device d = open_device("walls.cl", text[2], count > 3 ? text[3] : text[2], count > 4 ? text[4] : POCL);
	put_walls(&d, &s, tables);
	int32_t *all = get_room((size_t)s.facets, sizeof *all);
	for (int32_t k = 0; k < s.facets; ++k) all[k] = k;
	bool good = test_spheres(&d, &s, tables, all, pairs);
	for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k)
		good &= test_bodies(&d, &s, tables, all, methods + k, pairs);
	for (int k = 0; k < TABLES; ++k) clReleaseMemObject(tables[k]);
	close_device(&d);
	scree_walls_free(&s);
	free(all);
	return good ? 0 : 1;
}
