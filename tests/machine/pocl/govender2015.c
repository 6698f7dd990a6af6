/* govender2015 ITEMS SOURCES [KERNELS [PLATFORM]]: random pairs of polyhedra, and polyhedra at surfaces of walls, by
 * the algorithms of Govender et al. (2015), computed by the rows of the table of narrow phases, by
 * papers/govender2015/kernel on the host, and by the same headers on an OpenCL device; arguments as in pocl.c. Prints
 * the numbers of items whose results differ in any bit; exits with 1 if there are any, or if there are too few contacts
 * of a kind. */
#include "narrow/touch_list.h"
#include "papers/govender2015/govender2015.h"
#include "papers/govender2015/kernel/govender2015_pair.h"
#include "papers/govender2015/kernel/govender2015_surface.h"
#include "wall_tables.h"

static const char *const regular[] = {"cube", "tetrahedron", "octahedron", "dodecahedron", "icosahedron"};
enum { REGULAR = 5, BOX = REGULAR, PRISM, ROUND, SHAPES, GROUP = 16, BATCH = 256 * GROUP };

static bool add_shapes(shapes *s, convex_rows *rows)
{
	fail why;
	bool added = true;
	for (int k = 0; k < REGULAR; ++k) added &= scree_shapes_add_regular(s, regular[k], regular[k], &why) == k;
	added &= scree_shapes_add_box(s, "box", v3(1.2, 0.7, 0.5), &why) == BOX;
	added &= scree_shapes_add_prism(s, "prism", 0.8, 1, 12, &why) == PRISM;
	added &= added && add_round(s, s->row + REGULAR - 1, &why) == ROUND;
	for (int k = 0; k < SHAPES && added; ++k) rows[k] = rows_of(s->row + k);
	return added;
}

static bool same(real a, real b) { return bits_of(a) == bits_of(b); }
static bool same3(vec3 a, vec3 b) { return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z); }

static void step(const device *d, const char *name, const cl_mem *with, cl_uint count)
{
	cl_kernel k = kernel(d, name);
	launch(d, k, BATCH, GROUP, with, count);
	clReleaseKernel(k);
}

/* Numbers of items that touch, by vertices and by edges, and of others. */
typedef struct counts {
	size_t vertices, edges, apart, other_host, other_device;
} counts;

static int report(const counts *n, const char *what, size_t items, size_t edges)
{
	const bool good = !n->other_host && !n->other_device && n->vertices > items / 8 && n->edges > items / edges &&
					  n->apart > items / 20;
	printf("%s: of %zu %s %zu differ on the device, %zu from the engine; %zu touch by vertices, %zu by edges, %zu are "
		   "apart\n",
		   good ? "same" : "wrong", items, what, n->other_device, n->other_host, n->vertices, n->edges, n->apart);
	return good ? 0 : 1;
}

/* ------------------------------------------------------------------ pairs */

/* A quarter of the pairs are two cubes, an eighth of them with parallel edges. */
static void draw_pair(size_t i, convex_pose *a, convex_pose *b)
{
	const bool cubes = i % 4 == 0;
	const real tilt = i % 32 == 0 ? 0 : 1;
	a->shape = cubes ? 0 : (int32_t)draw(0, SHAPES);
	b->shape = cubes ? 0 : (int32_t)draw(0, SHAPES);
	a->size = draw(0.8, 1.2);
	b->size = draw(0.8, 1.2);
	a->turn = turned_by(tilt);
	b->turn = turned_by(tilt);
	a->at = draw3(9);
	b->at = v3_add(a->at, v3_mul(draw(0.6, 1.4), v3_unit(draw3(1))));
}

static govender2015_contact pair_on_host(const convex_rows *shapes, const convex_pose *body, bool printed)
{
	const govender2015_body a = govender2015_body_at(v3(0, 0, 0), body, shapes);
	const govender2015_body b = govender2015_body_at(v3_sub(body[1].at, body->at), body + 1, shapes);
	govender2015_contact c = {0};
	if (!govender2015_by_vertices(&a, &b, &c) && (printed || !govender2015_separated(&a, &b)))
		govender2015_by_edges(&a, &b, &c);
	return c;
}

static void pairs_on_device(const device *d, const convex_rows *shapes, const convex_pose *body, bool printed,
							govender2015_contact *out)
{
	const cl_mem m[] = {copied(d, shapes, SHAPES * sizeof *shapes), copied(d, body, 2 * BATCH * sizeof *body),
						room(d, BATCH * sizeof(int32_t)), room(d, BATCH * sizeof *out)};
	step(d, "by_vertices", m, 4);
	if (!printed) step(d, "separated", m, 3);
	step(d, "by_edges", m, 4);
	get(d, out, m[3], BATCH * sizeof *out);
	for (int k = 0; k < 4; ++k) clReleaseMemObject(m[k]);
}

static patch pair_by_engine(const shapes *s, const convex_pose *body, bool printed)
{
	placed a = placed_of(s, body), b = placed_of(s, body + 1);
	patch p;
	b.at = v3_sub(b.at, a.at), a.at = v3(0, 0, 0);
	(printed ? scree_govender2015_convex_convex_printed : scree_govender2015_convex_convex)(&a, &b, 0, &p);
	return p;
}

static bool same_pair(const govender2015_contact *p, const govender2015_contact *q)
{
	if (p->code != q->code || !same(p->at.depth, q->at.depth)) return false;
	return !p->code || (same3(p->at.n, q->at.n) && same3(p->at.p, q->at.p));
}

static bool pair_is(const govender2015_contact *p, const patch *q)
{
	if (!same(p->at.depth, q->depth) || q->points != (p->code ? 1 : 0)) return false;
	return !p->code || (q->axis == -p->code && same3(p->at.n, q->normal) && same3(p->at.p, q->at[0]) &&
						same(p->at.depth, q->deep[0]) && same(1, q->weight[0]));
}

static int test_pairs(const device *d, const shapes *s, const convex_rows *rows, size_t pairs, bool printed)
{
	convex_pose *body = get_room(2 * BATCH, sizeof *body);
	govender2015_contact *there = get_room(BATCH, sizeof *there);
	counts n = {0};
	for (size_t done = 0; done < pairs; done += BATCH) {
		for (size_t i = 0; i < BATCH; ++i) draw_pair(i, body + 2 * i, body + 2 * i + 1);
		pairs_on_device(d, rows, body, printed, there);
		for (size_t i = 0; i < BATCH; ++i) {
			const convex_pose *p = body + 2 * i;
			const govender2015_contact here = pair_on_host(rows, p, printed);
			const patch engine = pair_by_engine(s, p, printed);
			const bool edges = here.code > rows[p[0].shape].faces + rows[p[1].shape].faces;
			n.vertices += here.code && !edges, n.edges += edges, n.apart += !here.code;
			n.other_host += !pair_is(&here, &engine);
			n.other_device += !same_pair(&here, there + i);
		}
	}
	free(body), free(there);
	return report(&n, printed ? "pairs as printed" : "pairs", pairs, 50);
}

/* ------------------------------------------------------------------ walls */

typedef struct at_walls {
	convex_pose *body;
	int32_t *wall, *surface, *all;
	wall_point *there;
} at_walls;

static const wall_point NONE = {.surface = -1};

/* A body near one surface of a wall. */
static void draw_at_wall(const walls *s, size_t i, convex_pose *b, int32_t *wall, int32_t *surface)
{
	*wall = (int32_t)(i % WALLS);
	const struct wall *w = s->row + *wall;
	b->shape = (int32_t)draw(0, SHAPES);
	b->size = draw(0.3, 0.8);
	b->turn = i % 64 ? turned_by(1) : turned_by(0);
	b->at = v3(draw(-0.8, 0.8), draw(-0.8, 0.8), draw(-0.1, 0.6));
	*surface = w->first_surface;
	if (w->type != WALL_FACETS) return;
	const facet *f = s->facet + w->first_facet + (int32_t)draw(0, w->facets);
	*surface = f->surface;
	if (i % 8 < 4) b->at = v3_madd(s->corner[f->first], draw(0, 0.8) * b->size, f->normal);
}

static wall_point wall_on_host(const walls *s, const at_walls *o, const convex_rows *shapes, size_t i)
{
	const struct wall *w = s->row + o->wall[i];
	const govender2015_body b = govender2015_body_at(o->body[i].at, o->body + i, shapes);
	const near_wall to = {s, o->wall[i], w->facets, o->all + w->first_facet};
	wall_point p;
	const bool touches =
		w->type == WALL_FACETS ? govender2015_at_surface(&b, &to, o->surface[i], &p) : govender2015_at_wall(&b, w, &p);
	return touches ? p : NONE;
}

static wall_point wall_by_engine(const walls *s, const shapes *form, const at_walls *o, size_t i, touch_list *l)
{
	const struct wall *w = s->row + o->wall[i];
	const placed b = placed_of(form, o->body + i);
	scree_govender2015_convex_wall(&b, &(near_wall){s, o->wall[i], w->facets, o->all + w->first_facet}, l);
	for (int32_t k = 0; k < l->count; ++k) {
		const touch *t = l->item + k;
		if (t->surface == o->surface[i]) return (wall_point){t->surface, t->normal, l->at[t->first], t->depth};
	}
	return NONE;
}

static bool same_point(const wall_point *p, const wall_point *q)
{
	if (p->surface != q->surface) return false;
	return p->surface < 0 || (same3(p->normal, q->normal) && same3(p->at, q->at) && same(p->depth, q->depth));
}

static void walls_on_device(const device *d, const cl_mem *tables, const convex_rows *shapes, const at_walls *o)
{
	cl_mem m[TABLES + 5];
	memcpy(m, tables, TABLES * sizeof *m);
	m[TABLES] = copied(d, shapes, SHAPES * sizeof *shapes);
	m[TABLES + 1] = copied(d, o->body, BATCH * sizeof *o->body);
	m[TABLES + 2] = copied(d, o->wall, BATCH * sizeof *o->wall);
	m[TABLES + 3] = copied(d, o->surface, BATCH * sizeof *o->surface);
	m[TABLES + 4] = room(d, BATCH * sizeof *o->there);
	step(d, "at_surfaces", m, TABLES + 5);
	get(d, o->there, m[TABLES + 4], BATCH * sizeof *o->there);
	for (int k = TABLES; k < TABLES + 5; ++k) clReleaseMemObject(m[k]);
}

/* By edges: contacts at surfaces that no vertex is behind, as the kernel for vertices alone finds them. */
static bool by_vertices(const walls *s, const at_walls *o, const convex_rows *shapes, size_t i)
{
	const struct wall *w = s->row + o->wall[i];
	const govender2015_body b = govender2015_body_at(o->body[i].at, o->body + i, shapes);
	const near_wall to = {s, o->wall[i], w->facets, o->all + w->first_facet};
	const govender2015_facets f = {&to, o->surface[i], w->two_sided};
	wall_point p;
	return w->type != WALL_FACETS || govender2015_over_facets(&b, &f, &p);
}

static int test_walls(const device *d, const walls *s, const shapes *form, const convex_rows *rows, size_t bodies)
{
	at_walls o = {get_room(BATCH, sizeof(convex_pose)), get_room(BATCH, sizeof(int32_t)),
				  get_room(BATCH, sizeof(int32_t)), get_room((size_t)s->facets, sizeof(int32_t)),
				  get_room(BATCH, sizeof(wall_point))};
	cl_mem tables[TABLES];
	touch_list l = {0};
	counts n = {0};
	put_walls(d, s, tables);
	for (int32_t k = 0; k < s->facets; ++k) o.all[k] = k;
	for (size_t done = 0; done < bodies; done += BATCH) {
		for (size_t i = 0; i < BATCH; ++i) draw_at_wall(s, i, o.body + i, o.wall + i, o.surface + i);
		walls_on_device(d, tables, rows, &o);
		for (size_t i = 0; i < BATCH; ++i) {
			const wall_point here = wall_on_host(s, &o, rows, i), engine = wall_by_engine(s, form, &o, i, &l);
			const bool touches = here.surface >= 0, vertices = touches && by_vertices(s, &o, rows, i);
			n.vertices += vertices, n.edges += touches && !vertices, n.apart += !touches;
			n.other_host += !same_point(&here, &engine);
			n.other_device += !same_point(&here, o.there + i);
		}
	}
	for (int k = 0; k < TABLES; ++k) clReleaseMemObject(tables[k]);
	scree_touch_list_free(&l);
	free(o.body), free(o.wall), free(o.surface), free(o.all), free(o.there);
	return report(&n, "bodies at walls", bodies, 100);
}

int main(int count, char **text)
{
	if (count < 3) return 2;
	const size_t items = ((size_t)atol(text[1]) + BATCH - 1) / BATCH * BATCH;
	shapes form = {0};
	walls s = {0};
	convex_rows rows[SHAPES];
	if (!add_shapes(&form, rows) || !add_walls(&s)) return 2;
	device d = open_device("govender2015.cl", text[2], count > 3 ? text[3] : text[2], count > 4 ? text[4] : POCL);
	int wrong = test_pairs(&d, &form, rows, items, false) + test_pairs(&d, &form, rows, items, true);
	wrong += test_walls(&d, &s, &form, rows, items);
	close_device(&d);
	scree_walls_free(&s);
	scree_shapes_free(&form);
	return wrong ? 1 : 0;
}
