/* patches PAIRS SOURCES [KERNELS [PLATFORM]]: random pairs of polyhedra, computed with the engine's separating axes,
 * with src/kernel/depth_pair.h on the host, and with the same header on an OpenCL device; arguments as in pocl.c.
 * Pairs with too many faces or too large patches are then computed by the same kernels with larger limits. Prints the
 * numbers of pairs whose results differ in any bit; exits with 1 if there are any, or if there are too few contacts of
 * a kind. */
#include "kernel/depth_pair.h"
#include "solids.h"

static const char *const regular[] = {"cube", "tetrahedron", "octahedron", "dodecahedron", "icosahedron"};
/* the prism has faces with 12 corners, so that its polygons may be too large; round: 60 faces; wheel: 30 corners */
enum { REGULAR = 5, BOX = REGULAR, PLATE, PRISM, ROUGH, ROUND, WHEEL, SHAPES, GROUP = 16, BATCH = 1024 * GROUP };
enum { FACES, EDGES, BOTH, KINDS };

#define PRISM_LENGTH 0.8

/* Displaces the vertices of a shape, so that its faces are not flat: arcs of edges may then appear to cross beyond
 * their ends, and edges are searched a second time. */
static void roughen(shape *s)
{
	for (int32_t v = 0; v < s->padded; ++v) {
		const vec3 by = draw3(1e-6), at = v < s->vertices ? v3_add(shape_vertex(s, v), by) : shape_vertex(s, 0);
		s->vx[v] = at.x, s->vy[v] = at.y, s->vz[v] = at.z;
	}
}

static bool add_shapes(shapes *s, convex_rows *rows)
{
	fail why;
	bool added = true;
	for (int k = 0; k < REGULAR; ++k) added &= scree_shapes_add_regular(s, regular[k], regular[k], &why) == k;
	added &= scree_shapes_add_box(s, "box", v3(1.2, 0.7, 0.5), &why) == BOX;
	added &= scree_shapes_add_box(s, "plate", v3(1, 1, 0.3), &why) == PLATE;
	added &= scree_shapes_add_prism(s, "prism", PRISM_LENGTH, 1, 12, &why) == PRISM;
	added &= scree_shapes_add_regular(s, "rough", "cube", &why) == ROUGH;
	if (added) roughen(s->row + ROUGH);
	added &= added && add_round(s, s->row + REGULAR - 1, &why) == ROUND;
	added &= scree_shapes_add_prism(s, "wheel", 0.5, 1, 30, &why) == WHEEL;
	for (int k = 0; k < SHAPES && added; ++k) rows[k] = rows_of(s->row + k);
	return added;
}

/* A quarter of the pairs are stacked cubes, most with a slight tilt and some without, so that their edges are parallel.
 * The others are any two shapes at any angle, the last two shapes in an eighth of the pairs. */
static void draw_pair(size_t i, convex_pose *a, convex_pose *b)
{
	const bool stacked = i % 4 == 0;
	const real tilt = stacked ? i % 32 == 0 ? 0 : 1e-3 : 1;
	const int32_t shapes = i % 8 == 3 ? SHAPES : ROUND;
	a->shape = stacked ? 0 : (int32_t)draw(0, shapes);
	b->shape = stacked ? 0 : (int32_t)draw(0, shapes);
	a->size = draw(0.8, 1.2);
	b->size = draw(0.8, 1.2);
	a->turn = turned_by(tilt);
	b->turn = turned_by(tilt);
	a->at = draw3(9);
	const vec3 above = v3(draw(-0.6, 0.6), draw(-0.6, 0.6), (a->size + b->size) * 0.499);
	b->at = v3_add(a->at, stacked ? above : draw3(0.8));
}

/* Two stacked prisms of nearly the same size, turned about their axis: the common area of their faces has up to 24
 * corners. */
static void draw_prisms(convex_pose *a, convex_pose *b)
{
	draw_pair(0, a, b);
	a->shape = b->shape = PRISM;
	b->size = a->size * draw(0.95, 1.05);
	b->turn = quat_matrix(quat_unit(quat_of(1, 0, 0, draw(-1, 1))));
	b->at = v3_add(a->at, v3(draw(-0.1, 0.1), draw(-0.1, 0.1), (a->size + b->size) * PRISM_LENGTH * 0.499));
}

/* Two cubes of almost the same orientation whose faces are not flat. */
static void draw_rough(convex_pose *a, convex_pose *b)
{
	draw_pair(1, a, b);
	a->shape = b->shape = ROUGH;
	const mat3 tilt = turned_by(1e-7);
	b->turn = (mat3){mat3_mul(a->turn, tilt.x), mat3_mul(a->turn, tilt.y), mat3_mul(a->turn, tilt.z)};
}

static void draw_any(size_t i, convex_pose *a, convex_pose *b)
{
	if (i % 256 == 1)
		draw_prisms(a, b);
	else if (i % 32 == 2)
		draw_rough(a, b);
	else
		draw_pair(i, a, b);
}

/* The pair records, and their number. */
typedef struct results {
	size_t pairs;
	int32_t *outcome;
	depth_axes *axes;
	convex_pressure *pressure;
	convex_points *contact;
} results;

static results room_for(size_t pairs)
{
	return (results){pairs, get_room(pairs, sizeof(int32_t)), get_room(pairs, sizeof(depth_axes)),
					 get_room(pairs, sizeof(convex_pressure)), get_room(pairs, sizeof(convex_points))};
}

static void free_results(results *r) { free(r->outcome), free(r->axes), free(r->pressure), free(r->contact); }

static void on_host(const convex_rows *shapes, const convex_pose *body, results *out)
{
	for (size_t i = 0; i < out->pairs; ++i) {
		const convex_pair c = convex_pair_of(body + 2 * i, body + 2 * i + 1, shapes);
		int32_t *outcome = out->outcome + i;
		*outcome = depth_faces(&c, out->axes + i);
		if (*outcome == DEPTH_FOUND) *outcome = depth_edges(&c, out->axes + i);
		if (*outcome != DEPTH_FOUND) continue;
		face_stage stage;
		depth_reference(&c, out->axes + i, &stage);
		const convex_rows *ref = stage.of_b ? c.b : c.a, *inc = stage.of_b ? c.a : c.b;
		depth_room room;
		*outcome = depth_patch(&stage, ref, inc, out->axes + i, &room, out->pressure + i, out->contact + i);
		if (*outcome != DEPTH_FOUND) continue;
		depth_arm(out->axes + i, out->pressure + i, out->contact + i);
		depth_complete(&c, out->axes + i, out->contact + i);
	}
}

enum { SHAPE, BODY, AXES, OUTCOME, STAGE, ROOM, PRESSURE, CONTACT, BUFFERS };

/* Runs a kernel with some of the buffers as its arguments. PoCL would choose groups of thousands of items, whose
 * private memory exceeds its stack. */
static void step(const device *d, const char *name, size_t pairs, const cl_mem *m, const int *which, cl_uint count)
{
	cl_mem with[BUFFERS];
	cl_kernel k = kernel(d, name);
	for (cl_uint n = 0; n < count; ++n) with[n] = m[which[n]];
	launch(d, k, pairs, pairs % GROUP ? 1 : GROUP, with, count);
	clReleaseKernel(k);
}

/* The records of larger limits: as convex_points, and at least as large as the other records. */
enum { LARGE_POINTS = 128, LARGE_ROOM = 8192 };
typedef struct large_points {
	int32_t points;
	vec3 normal;
	real arm, depth;
	vec3 at[LARGE_POINTS];
	real deep[LARGE_POINTS], weight[LARGE_POINTS];
} large_points;

/* contact: the record of a contact, of this size */
static void on_device(const device *d, const convex_rows *shapes, const convex_pose *body, results *out, void *contact,
					  size_t size, size_t room_size)
{
	const size_t pairs = out->pairs;
	const size_t bytes[BUFFERS] = {
		SHAPES * sizeof *shapes,	2 * pairs * sizeof *body, pairs * sizeof *out->axes, pairs * sizeof *out->outcome,
		pairs * sizeof(face_stage), pairs * room_size,		  pairs * room_size,		 pairs * size};
	cl_mem m[BUFFERS];
	for (int k = 0; k < BUFFERS; ++k) m[k] = room(d, bytes[k]);
	put(d, m[SHAPE], shapes, bytes[SHAPE]);
	put(d, m[BODY], body, bytes[BODY]);
	step(d, "face_axes", pairs, m, (int[]){SHAPE, BODY, AXES, OUTCOME}, 4);
	step(d, "edge_axes", pairs, m, (int[]){SHAPE, BODY, AXES, OUTCOME}, 4);
	step(d, "references", pairs, m, (int[]){SHAPE, BODY, AXES, OUTCOME, STAGE}, 5);
	step(d, "patches", pairs, m, (int[]){SHAPE, BODY, AXES, OUTCOME, STAGE, ROOM, PRESSURE, CONTACT}, 8);
	step(d, "arms", pairs, m, (int[]){AXES, OUTCOME, PRESSURE, CONTACT}, 4);
	step(d, "contacts", pairs, m, (int[]){SHAPE, BODY, AXES, OUTCOME, CONTACT}, 5);
	get(d, out->outcome, m[OUTCOME], bytes[OUTCOME]);
	get(d, out->axes, m[AXES], bytes[AXES]);
	get(d, contact, m[CONTACT], bytes[CONTACT]);
	for (int k = 0; k < BUFFERS; ++k) clReleaseMemObject(m[k]);
}

/* ------------------------------------------------------------------ comparison */

static bool same(real a, real b) { return bits_of(a) == bits_of(b); }
static bool same3(vec3 a, vec3 b) { return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z); }
static bool same_axis(const convex_axis *a, const convex_axis *b)
{
	return same(a->s, b->s) && a->code == b->code && same3(a->n, b->n);
}

static bool same_points(const convex_points *p, const vec3 *at, const real *deep, const real *weight)
{
	for (int32_t k = 0; k < p->points; ++k)
		if (!same3(p->at[k], at[k]) || !same(p->deep[k], deep[k]) || !same(p->weight[k], weight[k])) return false;
	return true;
}

static bool same_on_device(const results *r, const results *q, size_t i)
{
	const convex_points *a = r->contact + i, *b = q->contact + i;
	if (r->outcome[i] != q->outcome[i]) return false;
	if (r->outcome[i] != DEPTH_FOUND) return true;
	if (!same_axis(&r->axes[i].face, &q->axes[i].face) || !same_axis(&r->axes[i].edges, &q->axes[i].edges))
		return false;
	return a->points == b->points && same3(a->normal, b->normal) && same(a->depth, b->depth) && same(a->arm, b->arm) &&
		   same_points(a, b->at, b->deep, b->weight);
}

static patch by_engine(const shapes *s, const convex_pose *body)
{
	const placed a = placed_of(s, body), b = placed_of(s, body + 1);
	patch p;
	scree_convex_convex(&a, &b, 0, &p);
	return p;
}

static bool same_by_engine(const shapes *s, const convex_pose *body, const results *r, size_t i)
{
	const convex_points *p = r->contact + i;
	if (r->outcome[i] == DEPTH_TOO_LARGE) return true;
	const patch q = by_engine(s, body + 2 * i);
	if (r->outcome[i] == DEPTH_NONE) return q.points == 0 && q.depth <= 0;
	return p->points == q.points && same3(p->normal, q.normal) && same(p->depth, q.depth) && same(p->arm, q.arm) &&
		   same_points(p, q.at, q.deep, q.weight);
}

static bool large_same_by_engine(const shapes *s, const convex_pose *body, int32_t outcome, const large_points *p)
{
	const patch q = by_engine(s, body);
	if (outcome == DEPTH_TOO_LARGE) return true;
	if (outcome == DEPTH_NONE) return q.points == 0 && q.depth <= 0;
	bool good = p->points == q.points && same3(p->normal, q.normal) && same(p->depth, q.depth) && same(p->arm, q.arm);
	for (int32_t k = 0; k < p->points && good; ++k)
		good = same3(p->at[k], q.at[k]) && same(p->deep[k], q.deep[k]) && same(p->weight[k], q.weight[k]);
	return good;
}

/* Returns whether the best edges found by the first search are not outermost, which triggers a second search. */
static bool searched_twice(const convex_rows *shapes, const convex_pose *body, const depth_axes *axes)
{
	const convex_pair c = convex_pair_of(body, body + 1, shapes);
	const real least = convex_least_of_edges(&c, axes->face.s);
	const depth_marks a = depth_marks_of(&c, false, axes->deep_a, least),
					  b = depth_marks_of(&c, true, axes->deep_b, least);
	convex_axis best = convex_no_axis();
	for (int32_t e = 0; e < c.a->edges && depth_allow_any(b); ++e)
		if (depth_allows(c.a, a, e)) depth_edges_with(&c, e, b, false, &best);
	return best.s > -INFINITY && !convex_is_outermost(&c, &best);
}

/* Numbers of pairs with face contacts, with edge contacts and with both, and number of other pairs. */
typedef struct counts {
	size_t contacts[KINDS], several, twice, apart, larger, large_touch, refused, other_host, other_device;
} counts;

static void count_pair(const convex_rows *shapes, const convex_pose *body, const results *r, size_t i, counts *n)
{
	const bool found = r->outcome[i] == DEPTH_FOUND, edges = r->axes[i].gain > 0;
	n->apart += r->outcome[i] == DEPTH_NONE;
	if (!found) return;
	++n->contacts[!edges ? FACES : r->contact[i].points > 1 ? BOTH : EDGES];
	n->twice += searched_twice(shapes, body + 2 * i, r->axes + i);
	n->several += r->axes[i].area > 0 && r->pressure[i].parts > 1;
}

/* Computes the pairs that are too large for the first kernels. */
static void count_large(const device *d, const shapes *s, const convex_rows *rows, const convex_pose *body,
						const results *r, counts *n)
{
	convex_pose *large = get_room(2 * BATCH, sizeof *large);
	results found = room_for(BATCH);
	found.pairs = 0;
	for (size_t i = 0; i < BATCH; ++i) {
		if (r->outcome[i] != DEPTH_TOO_LARGE) continue;
		const size_t k = found.pairs++;
		large[2 * k] = body[2 * i], large[2 * k + 1] = body[2 * i + 1];
	}
	large_points *contact = get_room(found.pairs, sizeof *contact);
	if (found.pairs > 0) on_device(d, rows, large, &found, contact, sizeof *contact, LARGE_ROOM);
	for (size_t k = 0; k < found.pairs; ++k) {
		n->other_device += !large_same_by_engine(s, large + 2 * k, found.outcome[k], contact + k);
		n->refused += found.outcome[k] == DEPTH_TOO_LARGE;
		n->large_touch += found.outcome[k] == DEPTH_FOUND;
	}
	n->larger += found.pairs;
	free(large), free(contact), free_results(&found);
}

static bool are_enough(const counts *n, size_t pairs)
{
	return n->contacts[FACES] > pairs / 4 && n->contacts[EDGES] > pairs / 100 && n->contacts[BOTH] > pairs / 50 &&
		   n->several > pairs / 20 && n->twice > pairs / 500 && n->apart > pairs / 50 && n->large_touch > pairs / 200 &&
		   n->refused < pairs / 2000;
}

static int report(const counts *n, size_t pairs)
{
	const bool good = are_enough(n, pairs) && !n->other_device && !n->other_host;
	printf("%s: of %zu pairs %zu differ on the device, %zu from the engine; %zu touch by faces, %zu by edges, %zu by "
		   "both; "
		   "%zu of them with several faces, %zu after a second search; %zu are apart, %zu are for the "
		   "larger kernels and %zu of these touch, %zu are too large for them\n",
		   good ? "same" : "wrong", pairs, n->other_device, n->other_host, n->contacts[FACES], n->contacts[EDGES],
		   n->contacts[BOTH], n->several, n->twice, n->apart, n->larger, n->large_touch, n->refused);
	return good ? 0 : 1;
}

int main(int count, char **text)
{
	if (count < 3) return 2;
	const size_t pairs = ((size_t)atol(text[1]) + BATCH - 1) / BATCH * BATCH;
	shapes s = {0};
	convex_rows rows[SHAPES];
	if (!add_shapes(&s, rows)) return 2;
	const char *kernels = count > 3 ? text[3] : text[2], *platform = count > 4 ? text[4] : POCL;
	device d = open_device("patches.cl", text[2], kernels, platform);
	device large = open_device("patches_large.cl", text[2], kernels, platform);
	convex_pose *body = get_room(2 * BATCH, sizeof *body);
	results host = room_for(BATCH), there = room_for(BATCH);
	counts n = {0};
	for (size_t done = 0; done < pairs; done += BATCH) {
		for (size_t i = 0; i < BATCH; ++i) draw_any(i, body + 2 * i, body + 2 * i + 1);
		on_host(rows, body, &host);
		on_device(&d, rows, body, &there, there.contact, sizeof *there.contact, sizeof(convex_pressure));
		count_large(&large, &s, rows, body, &there, &n);
		for (size_t i = 0; i < BATCH; ++i) {
			count_pair(rows, body, &host, i, &n);
			n.other_device += !same_on_device(&host, &there, i);
			n.other_host += !same_by_engine(&s, body, &host, i);
		}
	}
	close_device(&d), close_device(&large);
	scree_shapes_free(&s);
	free_results(&host), free_results(&there), free(body);
	return report(&n, pairs);
}
