/* polyhedra PAIRS SOURCES [KERNELS [PLATFORM]]: random pairs of polyhedra by the engine, by src/kernel/overlap_pair.h
 * on the host, and by the same header on a device of OpenCL; arguments as in pocl.c. Prints the numbers of pairs whose
 * results differ in any bit; ends with 1 if there are any, or if too few pairs of a kind touch. */
#include "cl.h"
#include "kernel/quat.h"
#include "narrow/solid/overlap.h"
#include "polyhedra.h"
#include "shape/shapes.h"

/* pairs with at least FORM_LEAST_FACES faces have a form in the engine (kernel/form.h), which the header does not find */
static const char *const regular[] = {"cube", "tetrahedron", "octahedron", "dodecahedron"};
enum { SHAPES = 4 };

static convex_rows rows_of(const shape *s)
{
	convex_rows r = {.vertices = s->vertices, .faces = s->faces, .corners = s->corners, .radius = s->radius};
	for (int32_t v = 0; v < s->vertices; ++v) r.x[v] = s->vx[v], r.y[v] = s->vy[v], r.z[v] = s->vz[v];
	for (int32_t f = 0; f < s->faces; ++f) r.nx[f] = s->nx[f], r.ny[f] = s->ny[f], r.nz[f] = s->nz[f];
	for (int32_t f = 0; f < s->faces; ++f) r.off[f] = s->off[f];
	for (int32_t f = 0; f <= s->faces; ++f) r.first[f] = (uint8_t)s->first[f];
	for (int32_t k = 0; k < s->corners; ++k) r.corner[k] = (uint8_t)s->corner[k];
	return r;
}

static mat3 turned_by(real tilt)
{
	return quat_matrix(quat_unit(quat_of(1, draw(-tilt, tilt), draw(-tilt, tilt), draw(-tilt, tilt))));
}

/* Half of the pairs are stacked cubes with a slight tilt, the others any two shapes at any angle. */
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

/* The result as the engine stores it. */
static patch patch_of(const pair_result *r, const convex_pose *a)
{
	patch p = {.points = 0};
	if (r->outcome != OVERLAP_FOUND) return p;
	p.points = SPREAD_POINTS;
	p.depth = r->depth;
	p.pitch = r->pitch;
	p.arm = r->arm;
	p.normal = mat3_mul(a->turn, r->normal);
	p.hold = mat3_mul(a->turn, r->hold);
	for (int k = 0; k < SPREAD_POINTS; ++k) {
		p.at[k] = mat3_mul(a->turn, r->point[k]);
		p.deep[k] = r->depth;
		p.weight[k] = r->weight;
	}
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

static bool by_engine(const shapes *s, const convex_pose *a, const convex_pose *b, const pair_result *r)
{
	const placed pa = {s->row + a->shape, a->at, a->turn, a->size}, pb = {s->row + b->shape, b->at, b->turn, b->size};
	patch p;
	scree_thickness_convex_convex(&pa, &pb, 0, &p);
	const patch q = patch_of(r, a);
	return same_patch(&p, &q);
}

static void on_device(const device *d, const convex_rows *shapes, const convex_pose *body, pair_result *out,
					  size_t pairs)
{
	const cl_mem memory[] = {room(d, SHAPES * sizeof *shapes), room(d, 2 * pairs * sizeof *body),
							 room(d, pairs * sizeof *out)};
	cl_kernel k = kernel(d, "pairs");
	put(d, memory[0], shapes, SHAPES * sizeof *shapes);
	put(d, memory[1], body, 2 * pairs * sizeof *body);
	/* PoCL would choose groups of thousands, whose private memory exceeds its stack */
	launch(d, k, pairs, 16, memory, 3);
	get(d, out, memory[2], pairs * sizeof *out);
	for (int n = 0; n < 3; ++n) clReleaseMemObject(memory[n]);
	clReleaseKernel(k);
}

int main(int count, char **text)
{
	if (count < 3) return 2;
	const size_t pairs = (size_t)atol(text[1]) / 16 * 16;
	shapes s = {0};
	convex_rows rows[SHAPES];
	fail why;
	for (int k = 0; k < SHAPES; ++k) {
		if (scree_shapes_add_regular(&s, regular[k], regular[k], &why) < 0) return 2;
		rows[k] = rows_of(s.row + k);
	}
	device d = open_device("polyhedra.cl", text[2], count > 3 ? text[3] : text[2], count > 4 ? text[4] : POCL);
	convex_pose *body = calloc(2 * pairs, sizeof *body);
	pair_result *host = calloc(pairs, sizeof *host), *there = calloc(pairs, sizeof *there);
	if (!body || !host || !there) return 2;
	size_t touch[2] = {0, 0}, apart = 0, large = 0, other_engine = 0, other_device = 0;
	for (size_t i = 0; i < pairs; ++i) {
		draw_pair(i % 2 == 0, body + 2 * i, body + 2 * i + 1);
		host[i] = pair_result_of(body + 2 * i, body + 2 * i + 1, rows);
	}
	on_device(&d, rows, body, there, pairs);
	for (size_t i = 0; i < pairs; ++i) {
		touch[i % 2] += host[i].outcome == OVERLAP_FOUND;
		apart += host[i].outcome == OVERLAP_NONE;
		large += host[i].outcome == OVERLAP_TOO_LARGE;
		other_device += differences(host + i, there + i, sizeof *host) > 0;
		if (host[i].outcome != OVERLAP_TOO_LARGE)
			other_engine += !by_engine(&s, body + 2 * i, body + 2 * i + 1, host + i);
	}
	const bool enough = touch[0] > pairs / 3 && touch[1] > pairs / 5 && apart > pairs / 50 && large < pairs / 1000;
	printf("%s: of %zu pairs %zu differ on the device, %zu from the engine; %zu + %zu touch, %zu are apart, %zu are "
		   "too large\n",
		   enough && !other_device && !other_engine ? "same" : "wrong", pairs, other_device, other_engine, touch[0],
		   touch[1], apart, large);
	close_device(&d);
	scree_shapes_free(&s);
	free(body), free(host), free(there);
	return enough && !other_device && !other_engine ? 0 : 1;
}
