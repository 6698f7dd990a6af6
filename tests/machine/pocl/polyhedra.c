/* polyhedra PAIRS SOURCES [KERNELS [PLATFORM]]: random pairs of polyhedra, computed by the engine, by
 * src/kernel/overlap_pair.h on the host, and by the same header on an OpenCL device; arguments as in pocl.c. Pairs with
 * too large regions are then computed by the same kernels with larger limits. Prints the numbers of pairs whose results
 * differ in any bit; exits with 1 if there are any, or if too few pairs of a kind touch. */
#include "kernel/overlap_pair.h"
#include "narrow/solid/overlap.h"
#include "solids.h"

static const char *const regular[] = {"cube", "tetrahedron", "octahedron", "dodecahedron", "icosahedron"};
/* prism: 60 vertices; round: 60 faces */
enum { REGULAR = 5, PRISM = REGULAR, ROUND, SHAPES, GROUP = 16, BATCH = 1024 * GROUP };

static bool add_shapes(shapes *s, convex_rows *rows)
{
	fail why;
	bool added = true;
	for (int k = 0; k < REGULAR; ++k) added &= scree_shapes_add_regular(s, regular[k], regular[k], &why) == k;
	added &= scree_shapes_add_prism(s, "prism", 0.8, 1, 30, &why) == PRISM;
	added &= added && add_round(s, s->row + REGULAR - 1, &why) == ROUND;
	for (int k = 0; k < SHAPES && added; ++k) rows[k] = rows_of(s->row + k);
	return added;
}

/* Half of the pairs are stacked cubes with a slight tilt; the other half are any two shapes at any angle. */
static void draw_pair(bool stacked, convex_pose *a, convex_pose *b)
{
	const real tilt = stacked ? 1e-3 : 1;
	a->shape = stacked ? 0 : (int32_t)draw(0, SHAPES);
	b->shape = stacked ? 0 : (int32_t)draw(0, SHAPES);
	a->size = draw(0.8, 1.2);
	b->size = draw(0.8, 1.2);
	a->turn = turned_by(tilt);
	b->turn = turned_by(tilt);
	a->at = draw3(9);
	const vec3 way = stacked ? v3(draw(-0.3, 0.3), draw(-0.3, 0.3), (a->size + b->size) * 0.499) : draw3(0.7);
	b->at = v3_add(a->at, way);
}

/* Pairs, and their contacts in the frame of the first body. */
typedef struct results {
	int32_t *outcome;
	overlap_contact *contact;
} results;

/* The contact as the engine stores it. */
static patch patch_of(int32_t outcome, const overlap_contact *c, const convex_pose *a)
{
	patch p = {.points = 0};
	if (outcome == OVERLAP_FOUND) scree_overlap_patch(c, ENERGY_OF_THICKNESS, &a->turn, &p);
	return p;
}

static bool same_patch(const patch *p, const patch *q)
{
	if (p->points != q->points) return false;
	if (p->points == 0) return true;
	bool same = p->depth == q->depth && p->pitch == q->pitch && p->arm == q->arm;
	same &= v3_equal(p->normal, q->normal) && v3_equal(p->hold, q->hold);
	for (int k = 0; k < p->points; ++k)
		same &= v3_equal(p->at[k], q->at[k]) && p->deep[k] == q->deep[k] && p->weight[k] == q->weight[k];
	return same;
}

static patch by_engine(const shapes *s, const convex_pose *a, const convex_pose *b)
{
	const placed pa = placed_of(s, a), pb = placed_of(s, b);
	patch p;
	scree_thickness_convex_convex(&pa, &pb, 0, &p);
	return p;
}

/* Returns the number of regions computed from forms. */
static size_t on_host(const convex_rows *shapes, const convex_pose *body, results *out, size_t pairs)
{
	size_t forms = 0;
	for (size_t i = 0; i < pairs; ++i) {
		const convex_pair c = convex_pair_of(body + 2 * i, body + 2 * i + 1, shapes);
		const overlap_frame frame = overlap_frame_of(body + 2 * i, body + 2 * i + 1, shapes);
		overlap_parts room;
		cut_solid solid;
		overlap_sums sum;
		out->outcome[i] = overlap_solid_of(&frame, shapes, &room, &solid);
		if (out->outcome[i] != OVERLAP_FOUND) continue;
		forms += overlap_solid_by_form(&c, &solid);
		overlap_sums_of(&frame, shapes, &solid, &sum);
		if (!overlap_contact_of(&sum.region, overlap_otherwise(&frame), out->contact + i))
			out->outcome[i] = OVERLAP_NONE;
	}
	return forms;
}

enum { SHAPE, BODY, FRAME, ROOM, SOLID, OUTCOME, SUM, CONTACT, BUFFERS };

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

/* times: room for records of larger limits, in units of the records on the host */
static void on_device(const device *d, const convex_rows *shapes, const convex_pose *body, results *out, size_t pairs,
					  size_t times)
{
	const size_t bytes[BUFFERS] = {SHAPES * sizeof *shapes,
								   2 * pairs * sizeof *body,
								   pairs * sizeof(overlap_frame),
								   pairs * times * sizeof(overlap_parts),
								   pairs * times * sizeof(cut_solid),
								   pairs * sizeof *out->outcome,
								   pairs * times * sizeof(overlap_sums),
								   pairs * sizeof *out->contact};
	cl_mem m[BUFFERS];
	for (int k = 0; k < BUFFERS; ++k) m[k] = room(d, bytes[k]);
	put(d, m[SHAPE], shapes, bytes[SHAPE]);
	put(d, m[BODY], body, bytes[BODY]);
	step(d, "regions", pairs, m, (int[]){SHAPE, BODY, FRAME, ROOM, SOLID, OUTCOME}, 6);
	step(d, "forms", pairs, m, (int[]){SHAPE, BODY, OUTCOME, SOLID}, 4);
	step(d, "sums", pairs, m, (int[]){SHAPE, FRAME, SOLID, OUTCOME, SUM}, 5);
	step(d, "effects", pairs, m, (int[]){FRAME, SUM, OUTCOME, CONTACT}, 4);
	get(d, out->outcome, m[OUTCOME], bytes[OUTCOME]);
	get(d, out->contact, m[CONTACT], bytes[CONTACT]);
	for (int k = 0; k < BUFFERS; ++k) clReleaseMemObject(m[k]);
}

static results room_for(size_t pairs)
{
	return (results){get_room(pairs, sizeof(int32_t)), get_room(pairs, sizeof(overlap_contact))};
}
static void free_results(results *r) { free(r->outcome), free(r->contact); }

/* Computes the pairs that are too large for the first kernels, and returns their number. */
static size_t large_on_device(const device *d, const convex_rows *shapes, const convex_pose *body, results *out)
{
	size_t *row = get_room(BATCH, sizeof *row), count = 0;
	convex_pose *large = get_room(2 * BATCH, sizeof *large);
	results found = room_for(BATCH);
	for (size_t i = 0; i < BATCH; ++i) {
		if (out->outcome[i] != OVERLAP_TOO_LARGE) continue;
		large[2 * count] = body[2 * i], large[2 * count + 1] = body[2 * i + 1];
		row[count++] = i;
	}
	if (count > 0) on_device(d, shapes, large, &found, count, 4);
	for (size_t k = 0; k < count; ++k) {
		out->outcome[row[k]] = found.outcome[k];
		out->contact[row[k]] = found.contact[k];
	}
	free(row), free(large), free_results(&found);
	return count;
}

/* Numbers of pairs: stacked and other ones that touch, and so on. */
typedef struct counts {
	size_t touch[2], forms, apart, larger, refused, other_host, other_device;
} counts;

static void count_pair(const shapes *s, const convex_pose *body, const results *host, const results *there, size_t i,
					   counts *n)
{
	const bool small = host->outcome[i] != OVERLAP_TOO_LARGE;
	const patch p = patch_of(host->outcome[i], host->contact + i, body + 2 * i);
	const patch q = patch_of(there->outcome[i], there->contact + i, body + 2 * i);
	const patch engine = by_engine(s, body + 2 * i, body + 2 * i + 1);
	n->touch[i % 2] += there->outcome[i] == OVERLAP_FOUND;
	n->apart += there->outcome[i] == OVERLAP_NONE;
	n->refused += there->outcome[i] == OVERLAP_TOO_LARGE;
	n->other_host += small && !same_patch(&p, &engine);
	n->other_device += there->outcome[i] != OVERLAP_TOO_LARGE && !same_patch(&q, &engine);
	n->other_device += small && host->outcome[i] != there->outcome[i];
}

static int report(const counts *n, size_t pairs)
{
	const bool enough = n->touch[0] > pairs / 3 && n->touch[1] > pairs / 5 && n->apart > pairs / 50 &&
						n->forms > pairs / 20 && n->larger > pairs / 50 && n->refused > 0 && n->refused < pairs / 30;
	const bool same = enough && !n->other_device && !n->other_host;
	printf(
		"%s: of %zu pairs %zu differ on the device, %zu from the engine; %zu + %zu touch, %zu of them with a form, %zu "
		"are apart, %zu are for the larger kernels, %zu are too large for them\n",
		same ? "same" : "wrong", pairs, n->other_device, n->other_host, n->touch[0], n->touch[1], n->forms, n->apart,
		n->larger, n->refused);
	return same ? 0 : 1;
}

int main(int count, char **text)
{
	if (count < 3) return 2;
	const size_t pairs = ((size_t)atol(text[1]) + BATCH - 1) / BATCH * BATCH;
	const char *kernels = count > 3 ? text[3] : text[2], *platform = count > 4 ? text[4] : POCL;
	shapes s = {0};
	convex_rows rows[SHAPES];
	if (!add_shapes(&s, rows)) return 2;
	device d = open_device("polyhedra.cl", text[2], kernels, platform);
	device large = open_device("polyhedra_large.cl", text[2], kernels, platform);
	convex_pose *body = get_room(2 * BATCH, sizeof *body);
	results host = room_for(BATCH), there = room_for(BATCH);
	counts n = {0};
	for (size_t done = 0; done < pairs; done += BATCH) {
		for (size_t i = 0; i < BATCH; ++i) draw_pair(i % 2 == 0, body + 2 * i, body + 2 * i + 1);
		n.forms += on_host(rows, body, &host, BATCH);
		on_device(&d, rows, body, &there, BATCH, 1);
		n.larger += large_on_device(&large, rows, body, &there);
		for (size_t i = 0; i < BATCH; ++i) count_pair(&s, body, &host, &there, i, &n);
	}
	close_device(&d), close_device(&large);
	scree_shapes_free(&s);
	free(body), free_results(&host), free_results(&there);
	return report(&n, pairs);
}
