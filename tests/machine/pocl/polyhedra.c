/* polyhedra PAIRS SOURCES [KERNELS [PLATFORM]]: random pairs of polyhedra, computed by the engine, by
 * src/kernel/overlap_pair.h on the host, and by the same header on an OpenCL device; arguments as in pocl.c. Prints the
 * numbers of pairs whose results differ in any bit; exits with 1 if there are any, or if too few pairs of a kind touch.
 */
#include "kernel/overlap_pair.h"
#include "narrow/solid/overlap.h"
#include "solids.h"

/* in the engine, pairs with at least FORM_LEAST_FACES faces use a combinatorial form (kernel/form.h), which the header
 * does not compute */
static const char *const regular[] = {"cube", "tetrahedron", "octahedron", "dodecahedron"};
enum { SHAPES = 4, GROUP = 16, BATCH = 1024 * GROUP };
/* on the device, each sum over SIMD lanes is a single number, and there are four times as many sums */
enum { DEVICE_SUMS = sizeof(overlap_region) + 4 * (10 + MONOMIALS) * sizeof(real) };

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
	const vec3 way = stacked ? v3(draw(-0.3, 0.3), draw(-0.3, 0.3), (a->size + b->size) * 0.499) : draw3(0.6);
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

static void on_host(const convex_rows *shapes, const convex_pose *body, results *out, size_t pairs)
{
	for (size_t i = 0; i < pairs; ++i) {
		const overlap_frame frame = overlap_frame_of(body + 2 * i, body + 2 * i + 1, shapes);
		cut_solid solid;
		overlap_sums sum;
		out->outcome[i] = overlap_solid_of(&frame, shapes, &solid);
		if (out->outcome[i] != OVERLAP_FOUND) continue;
		overlap_sums_of(&frame, shapes, &solid, &sum);
		if (!overlap_contact_of(&sum.region, overlap_otherwise(&frame), out->contact + i))
			out->outcome[i] = OVERLAP_NONE;
	}
}

static void on_device(const device *d, const convex_rows *shapes, const convex_pose *body, results *out, size_t pairs)
{
	enum { SHAPE, BODY, FRAME, SOLID, OUTCOME, SUM, CONTACT, BUFFERS };
	const size_t bytes[BUFFERS] = {SHAPES * sizeof *shapes,		  2 * pairs * sizeof *body,
								   pairs * sizeof(overlap_frame), pairs * sizeof(cut_solid),
								   pairs * sizeof *out->outcome,  pairs * DEVICE_SUMS,
								   pairs * sizeof *out->contact};
	cl_mem m[BUFFERS];
	for (int k = 0; k < BUFFERS; ++k) m[k] = room(d, bytes[k]);
	cl_kernel regions = kernel(d, "regions"), sums = kernel(d, "sums"), effects = kernel(d, "effects");
	put(d, m[SHAPE], shapes, bytes[SHAPE]);
	put(d, m[BODY], body, bytes[BODY]);
	/* PoCL would choose groups of thousands of items, whose private memory exceeds its stack */
	launch(d, regions, pairs, GROUP, (cl_mem[]){m[SHAPE], m[BODY], m[FRAME], m[SOLID], m[OUTCOME]}, 5);
	launch(d, sums, pairs, GROUP, (cl_mem[]){m[SHAPE], m[FRAME], m[SOLID], m[OUTCOME], m[SUM]}, 5);
	launch(d, effects, pairs, GROUP, (cl_mem[]){m[FRAME], m[SUM], m[OUTCOME], m[CONTACT]}, 4);
	get(d, out->outcome, m[OUTCOME], bytes[OUTCOME]);
	get(d, out->contact, m[CONTACT], bytes[CONTACT]);
	for (int k = 0; k < BUFFERS; ++k) clReleaseMemObject(m[k]);
	clReleaseKernel(regions);
	clReleaseKernel(sums);
	clReleaseKernel(effects);
}

int main(int count, char **text)
{
	if (count < 3) return 2;
	const size_t pairs = ((size_t)atol(text[1]) + BATCH - 1) / BATCH * BATCH;
	shapes s = {0};
	convex_rows rows[SHAPES];
	fail why;
	for (int k = 0; k < SHAPES; ++k) {
		if (scree_shapes_add_regular(&s, regular[k], regular[k], &why) < 0) return 2;
		rows[k] = rows_of(s.row + k);
	}
	device d = open_device("polyhedra.cl", text[2], count > 3 ? text[3] : text[2], count > 4 ? text[4] : POCL);
	convex_pose *body = get_room(2 * BATCH, sizeof *body);
	results host = {get_room(BATCH, sizeof(int32_t)), get_room(BATCH, sizeof(overlap_contact))};
	results there = {get_room(BATCH, sizeof(int32_t)), get_room(BATCH, sizeof(overlap_contact))};
	size_t touch[2] = {0, 0}, apart = 0, large = 0, other_host = 0, other_device = 0;
	for (size_t done = 0; done < pairs; done += BATCH) {
		for (size_t i = 0; i < BATCH; ++i) draw_pair(i % 2 == 0, body + 2 * i, body + 2 * i + 1);
		on_host(rows, body, &host, BATCH);
		on_device(&d, rows, body, &there, BATCH);
		for (size_t i = 0; i < BATCH; ++i) {
			touch[i % 2] += host.outcome[i] == OVERLAP_FOUND;
			apart += host.outcome[i] == OVERLAP_NONE;
			large += host.outcome[i] == OVERLAP_TOO_LARGE;
			const patch p = patch_of(host.outcome[i], host.contact + i, body + 2 * i);
			const patch q = patch_of(there.outcome[i], there.contact + i, body + 2 * i);
			const patch engine = by_engine(&s, body + 2 * i, body + 2 * i + 1);
			other_device += host.outcome[i] != there.outcome[i] || !same_patch(&p, &q);
			if (host.outcome[i] != OVERLAP_TOO_LARGE) other_host += !same_patch(&p, &engine);
		}
	}
	const bool enough = touch[0] > pairs / 3 && touch[1] > pairs / 5 && apart > pairs / 50 && large < pairs / 1000;
	const bool same = enough && !other_device && !other_host;
	printf("%s: of %zu pairs %zu differ on the device, %zu from the engine; %zu + %zu touch, %zu are apart, %zu are "
		   "too large\n",
		   same ? "same" : "wrong", pairs, other_device, other_host, touch[0], touch[1], apart, large);
	close_device(&d);
	scree_shapes_free(&s);
	free(body), free(host.outcome), free(host.contact), free(there.outcome), free(there.contact);
	return same ? 0 : 1;
}
