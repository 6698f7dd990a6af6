/* trees: finds triangles of two surfaces within reach of each other, by simultaneous traversal of both trees. A pair of
 * nodes, and finally of triangles, is discarded if a bound proves a larger distance. Boxes are tested first, then the
 * planes of triangles or of surrogates, each of which represents many triangles (shape/mesh/trimesh.h).
 *
 * Values needed for several partners are computed once: boxes of b along the axes of a, and boxes of triangles along
 * the axes of the world. The boxes of triangles are in arrays, so a triangle and a leaf are compared in one loop. */
#include "base/memory.h"
#include "narrow/surface/room.h"

typedef struct box {
	vec3 middle, half;
} box;

/* A node of b, along the axes of a. */
struct surface_node {
	uint32_t known;
	box around;
	vec3 corner[3], normal; /* corners and normal of the node's surrogate, if any */
};

typedef struct two_nodes {
	int32_t a, b;
} two_nodes;

enum { STARTS = 256 };

typedef struct walk {
	surface_job *j;
	const trimesh *a, *b;
	real size_a, size_b, reach;
	real sure;	/* reach, in m, for tests with products, whose rounding error is larger than for boxes */
	vec3 at;	/* position of b along the axes of a */
	mat3 turn;	/* rotation of b along the axes of a */
	mat3 grown; /* the same rotation multiplied by b's size */
	/* numbers of triangle pairs found within reach, and discarded by planes and by surrogates */
	int64_t compared, planes, surrogates;
	/* [STARTS] pairs of nodes that contain all pairs within reach: a ring of `starts` rows from `first` */
	two_nodes *start;
	int32_t first, starts;
} walk;

/* ------------------------------------------------------------------ boxes */

static real grown(real x) { return real_abs(x) + (real)1e-15; }
static vec3 grown3(vec3 a) { return v3(grown(a.x), grown(a.y), grown(a.z)); }

static walk walk_of(const placed_surface *a, const placed_surface *b)
{
	walk o = {.a = a->of, .b = b->of, .size_a = a->size, .size_b = b->size};
	o.at = mat3_tmul(a->turn, v3_sub(b->at, a->at));
	o.turn.x = mat3_tmul(a->turn, b->turn.x), o.turn.y = mat3_tmul(a->turn, b->turn.y);
	o.turn.z = mat3_tmul(a->turn, b->turn.z);
	o.grown.x = grown3(o.turn.x), o.grown.y = grown3(o.turn.y), o.grown.z = grown3(o.turn.z);
	return o;
}

static box box_of(const trimesh_node *n, real size)
{
	return (box){v3_mul(size / 2, v3_add(n->low, n->high)), v3_mul(size / 2, v3_sub(n->high, n->low))};
}

static box box_of_b(const walk *o, const trimesh_node *n)
{
	box k = box_of(n, o->size_b);
	return (box){v3_add(o->at, mat3_mul(o->turn, k.middle)), mat3_mul(o->grown, k.half)};
}

SCREE_FN real gap1(real d, real half)
{
	real g = real_abs(d) - half;
	return g > 0 ? g : 0;
}

/* Returns the squared distance between two boxes, which is a lower bound apart from rounding. */
static real boxes_apart2(const box *a, const box *b)
{
	return v3_norm2(v3(gap1(a->middle.x - b->middle.x, a->half.x + b->half.x),
					   gap1(a->middle.y - b->middle.y, a->half.y + b->half.y),
					   gap1(a->middle.z - b->middle.z, a->half.z + b->half.z)));
}

real scree_surface_boxes_apart(const placed_surface *a, const placed_surface *b)
{
	const walk o = walk_of(a, b);
	const box of_a = box_of(a->of->node, a->size), of_b = box_of_b(&o, b->of->node);
	return sqrt(boxes_apart2(&of_a, &of_b));
}

static real widest(const box *b) { return real_max(b->half.x, real_max(b->half.y, b->half.z)); }

static const struct surface_node *node_of_b(const walk *o, int32_t k)
{
	struct surface_room *r = o->j->room;
	struct surface_node *n = r->node + k;
	if (n->known == r->job) return n;
	n->known = r->job;
	n->around = box_of_b(o, o->b->node + k);
	const trimesh_surrogate *s = o->b->surrogate ? o->b->surrogate + k : NULL;
	for (int c = 0; s && c < 3; ++c) n->corner[c] = v3_add(o->at, mat3_mul(o->turn, v3_mul(o->size_b, s->corner[c])));
	if (s) n->normal = mat3_mul(o->turn, s->normal);
	return n;
}

/* ------------------------------------------------------------------ planes */

SCREE_FN real lowest(vec3 n, const vec3 *c)
{
	return real_min(v3_dot(n, c[0]), real_min(v3_dot(n, c[1]), v3_dot(n, c[2])));
}
SCREE_FN real highest(vec3 n, const vec3 *c)
{
	return real_max(v3_dot(n, c[0]), real_max(v3_dot(n, c[1]), v3_dot(n, c[2])));
}

/* The larger gap along two unit vectors, such as the normals: a lower bound on the distance, apart from rounding. */
static real planes_apart(const vec3 *a, vec3 normal_a, const vec3 *b, vec3 normal_b)
{
	return real_max(lowest(normal_a, b) - highest(normal_a, a), lowest(normal_b, a) - highest(normal_b, b));
}

static real surrogates_apart(const walk *o, int32_t ka, int32_t kb)
{
	const trimesh_surrogate *s = o->a->surrogate + ka;
	const struct surface_node *b = node_of_b(o, kb);
	const vec3 a[3] = {v3_mul(o->size_a, s->corner[0]), v3_mul(o->size_a, s->corner[1]),
					   v3_mul(o->size_a, s->corner[2])};
	return planes_apart(a, s->normal, b->corner, b->normal) - o->size_a * s->radius -
		   o->size_b * o->b->surrogate[kb].radius;
}

/* ------------------------------------------------------------------ leaves */

static void leaves_free(surface_leaves *l)
{
	for (int k = 0; k < 6; ++k) scree_free(l->row[k]);
	scree_free(l->normal), scree_free(l->known);
	*l = (surface_leaves){0};
}

/* short leaves are padded, so loops over a leaf always read valid data */
static void leaves_room(surface_leaves *l, int32_t triangles)
{
	if (triangles + TRIMESH_LEAF <= l->capacity) return;
	leaves_free(l);
	l->capacity = triangles + triangles / 2 + TRIMESH_LEAF;
	for (int k = 0; k < 6; ++k) l->row[k] = scree_alloc((size_t)l->capacity, sizeof *l->row[k]);
	l->normal = scree_alloc((size_t)l->capacity, sizeof *l->normal);
	l->known = scree_alloc((size_t)l->capacity, sizeof *l->known);
}

static void fill_leaf(surface_leaves *l, uint32_t job, const skin *s, const trimesh_node *n)
{
	if (l->known[n->first] == job) return;
	l->known[n->first] = job;
	for (int32_t t = n->first; t < n->first + n->count; ++t) {
		const vec3 p = skin_corner(s, 3 * t), q = skin_corner(s, 3 * t + 1), r = skin_corner(s, 3 * t + 2);
		const vec3 low = v3_min(v3_min(p, q), r);
		const vec3 high = v3_max(v3_max(p, q), r);
		const vec3 middle = v3_mul((real)0.5, v3_add(low, high)), half = v3_mul((real)0.5, v3_sub(high, low));
		l->row[0][t] = middle.x, l->row[1][t] = middle.y, l->row[2][t] = middle.z;
		l->row[3][t] = half.x, l->row[4][t] = half.y, l->row[5][t] = half.z;
		l->normal[t] = skin_normal(s, t);
	}
}

/* Squared distances between the box of triangle t and those of a leaf's triangles, along the world's axes. */
static void boxes_of_leaf(const surface_leaves *a, int32_t t, const surface_leaves *b, int32_t first, real *apart2)
{
	const real mx = a->row[0][t], my = a->row[1][t], mz = a->row[2][t];
	const real hx = a->row[3][t], hy = a->row[4][t], hz = a->row[5][t];
#pragma omp simd
	for (int k = 0; k < TRIMESH_LEAF; ++k) {
		const real x = gap1(mx - b->row[0][first + k], hx + b->row[3][first + k]);
		const real y = gap1(my - b->row[1][first + k], hy + b->row[4][first + k]);
		const real z = gap1(mz - b->row[2][first + k], hz + b->row[5][first + k]);
		apart2[k] = x * x + y * y + z * z;
	}
}

static real triangles_apart(const walk *o, int32_t ta, int32_t tb)
{
	const skin *sa = &o->j->a, *sb = &o->j->b;
	const surface_leaves *l = o->j->room->leaves;
	const vec3 a[3] = {skin_corner(sa, 3 * ta), skin_corner(sa, 3 * ta + 1), skin_corner(sa, 3 * ta + 2)};
	const vec3 b[3] = {skin_corner(sb, 3 * tb), skin_corner(sb, 3 * tb + 1), skin_corner(sb, 3 * tb + 2)};
	return planes_apart(a, l[0].normal[ta], b, l[1].normal[tb]);
}

static void leaf_pairs(walk *o, const trimesh_node *a, const trimesh_node *b)
{
	surface_job *j = o->j;
	surface_leaves *l = j->room->leaves;
	real least2 = INFINITY, apart2[TRIMESH_LEAF];
	fill_leaf(l, j->room->job, &j->a, a), fill_leaf(l + 1, j->room->job, &j->b, b);
	for (int32_t ta = a->first; ta < a->first + a->count; ++ta) {
		boxes_of_leaf(l, ta, l + 1, b->first, apart2);
		for (int32_t k = 0; k < b->count; ++k) {
			if (apart2[k] > o->reach * o->reach) {
				least2 = real_min(least2, apart2[k]);
				continue;
			}
			const real apart = triangles_apart(o, ta, b->first + k);
			if (apart > o->sure) {
				j->least = real_min(j->least, apart);
				++o->planes;
				continue;
			}
			scree_surface_pair(j, ta, b->first + k);
			++o->compared;
		}
	}
	j->least = real_min(j->least, sqrt(least2));
}

/* ------------------------------------------------------------------ nodes */

static int64_t triangles_below(const trimesh *m, int32_t node)
{
	const trimesh_node *low = m->node + node, *high = low;
	while (!low->count) low = m->node + low->first;
	while (!high->count) high = m->node + high->first + 1;
	return high->first + high->count - low->first;
}

/* Tests whether boxes or surrogates prove that two nodes are farther apart than the reach. */
static bool are_apart(walk *o, two_nodes p, const box *a, const box *b)
{
	const real apart2 = boxes_apart2(a, b);
	if (apart2 > o->reach * o->reach) {
		o->j->least = real_min(o->j->least, sqrt(apart2));
		return true;
	}
	if (!o->a->surrogate || !o->b->surrogate) return false;
	if (!(o->a->surrogate[p.a].radius < INFINITY && o->b->surrogate[p.b].radius < INFINITY)) return false;
	const real apart = surrogates_apart(o, p.a, p.b);
	if (!(apart > o->sure)) return false;
	o->j->least = real_min(o->j->least, apart);
	o->surrogates += triangles_below(o->a, p.a) * triangles_below(o->b, p.b);
	return true;
}

/* Finds the pairs of child nodes that may be within reach. Returns 0 if there are none, 1 if both nodes are leaves, or
 * 2 if the pairs are below[0] and below[1]. */
static int open_nodes(walk *o, two_nodes p, two_nodes *below)
{
	const trimesh_node *na = o->a->node + p.a, *nb = o->b->node + p.b;
	const box a = box_of(na, o->size_a), *b = &node_of_b(o, p.b)->around;
	if (are_apart(o, p, &a, b)) return 0;
	below[0] = below[1] = p;
	if (na->count && nb->count) return 1;
	if (nb->count || (!na->count && widest(&a) >= widest(b)))
		below[0].a = na->first + 1, below[1].a = na->first;
	else
		below[0].b = nb->first + 1, below[1].b = nb->first;
	return 2;
}

static void walk_below(walk *o, two_nodes start)
{
	two_nodes wait[2 * TRIMESH_DEPTH];
	int waiting = 0;
	wait[waiting++] = start;
	while (waiting) {
		const two_nodes p = wait[--waiting];
		const int below = open_nodes(o, p, wait + waiting);
		if (below == 1)
			leaf_pairs(o, o->a->node + p.a, o->b->node + p.b);
		else
			waiting += below;
	}
}

/* Replaces starts, the oldest first so that parts have similar sizes, until there are enough or only leaves remain. */
static void spread(walk *o)
{
	for (int32_t leaves = 0; o->starts && leaves < o->starts && o->starts < STARTS;) {
		two_nodes below[2];
		const int found = open_nodes(o, o->start[o->first], below);
		o->first = (o->first + 1) % STARTS, --o->starts;
		for (int k = 0; k < found; ++k) o->start[(o->first + o->starts++) % STARTS] = below[k];
		leaves = found == 1 ? leaves + 1 : 0;
	}
}

static void forget(struct surface_room *r, const trimesh *a, const trimesh *b)
{
	const trimesh *of[2] = {a, b};
	if (r->node_capacity < b->nodes) {
		scree_free(r->node);
		r->node_capacity = b->nodes + b->nodes / 2;
		r->node = scree_alloc((size_t)r->node_capacity, sizeof *r->node);
	}
	for (int k = 0; k < 2; ++k) leaves_room(r->leaves + k, of[k]->triangles);
	if (++r->job) return;
	for (int32_t k = 0; k < r->node_capacity; ++k) r->node[k].known = 0; /* after 2^32 jobs */
	for (int k = 0; k < 2; ++k)
		memset(r->leaves[k].known, 0, (size_t)r->leaves[k].capacity * sizeof *r->leaves[k].known);
	r->job = 1;
}

static walk walk_by(surface_job *j, const walk *of)
{
	walk o = *of;
	o.j = j, o.compared = o.planes = o.surrogates = 0;
	if (!j->walks) forget(j->room, o.a, o.b);
	j->walks = true;
	return o;
}

static void count(const walk *o)
{
	surface_counts *c = o->j->counts;
	c->tree -= o->compared + o->surrogates + o->planes;
	c->surrogates += o->surrogates, c->planes += o->planes;
}

static void walk_from(surface_job *j, const void *what, int32_t from, int32_t to)
{
	walk o = walk_by(j, what);
	for (int32_t k = from; k < to; ++k) walk_below(&o, o.start[(o.first + k) % STARTS]);
	count(&o);
}

void scree_surface_trees(surface_job *j, const placed_surface *a, const placed_surface *b, real reach)
{
	two_nodes start[STARTS];
	start[0] = (two_nodes){0, 0};
	walk of = walk_of(a, b);
	of.reach = reach, of.start = start, of.starts = 1;
	of.sure = reach + 2 * SURFACE_ROUNDED * (a->of->extent * a->size + b->of->extent * b->size);
	j->counts->tree += (int64_t)of.a->triangles * of.b->triangles;
	walk o = walk_by(j, &of);
	if (j->team) spread(&o);
	count(&o);
	scree_surface_walk(j, walk_from, &o, o.starts);
}

void scree_surface_trees_free(struct surface_room *r)
{
	leaves_free(r->leaves), leaves_free(r->leaves + 1);
	scree_free(r->node);
}
