/* place: places bodies at random positions without overlap (random sequential addition), the largest bodies first. A
 * body is tried at random positions in the region until it touches neither a wall nor an earlier body. Placed bodies
 * are kept in a hashed grid whose cells are as wide as the largest of these bodies. Bounding spheres are tested first,
 * and shapes only if these spheres overlap. Polyhedra are apart if a plane parallel to a face of either, or
 * perpendicular to the line between their centres, separates them: a conservative test, which rejects some positions
 * that an exact test would accept. Compounds are tested part by part (place_apart.c), triangulated surfaces by their
 * triangles, and clumps by their balls. Borders and walls are first tested against bounding spheres.
 *
 * After TRIES failed positions for one body, the other bodies are shaken several times. If that also fails, the fill
 * becomes tight: polyhedra are tested exactly, and borders and walls are tested against shapes instead of spheres
 * (place_apart.c). If nothing helps, the fill is refused with a message that says how far it got, since a simulation
 * with fewer bodies than requested would be worse. */
#include "scene/reader.h"

#include "base/sort.h"
#include "shape/shape_axes.h"
#include "shape/shape_forms.h"
#include "world/world.h"

enum { TRIES = 3000 };

typedef struct ball {
	vec3 at;
	real radius;
} ball;

typedef struct resident {
	ball round;
	quat turn; /* orientation of the shape's principal frame */
	real size;
	int32_t shape, material;
} resident;

struct placer {
	const reader *r;
	real cell;
	int64_t count, capacity, buckets;
	ball *round; /* [capacity] bounding spheres, stored separately, since most tests read nothing else */
	resident *row;
	int32_t *next; /* next body in the same bucket, or -1 */
	int32_t *bucket;
	int32_t big; /* first body in the list of bodies too large for the cells, from lattices and tables */
	bool balls;	 /* all bodies are spheres */
	bool tight;	 /* borders and walls are tested against shapes instead of spheres, and polyhedra are tested exactly */
	int32_t skins;
	trimesh *skin; /* [skins] surfaces of convex shapes, made on first use */
};

placer *scree_placer_new(const reader *r, real largest)
{
	placer *p = scree_alloc(1, sizeof *p);
	p->r = r;
	p->cell = largest > 0 ? 2 * largest * 1.0001 : 1;
	p->big = -1;
	p->balls = true;
	return p;
}

void scree_placer_free(placer *p)
{
	for (int32_t k = 0; k < p->skins; ++k) scree_trimesh_free(p->skin + k);
	scree_free(p->skin);
	scree_free(p->round);
	scree_free(p->row);
	scree_free(p->next);
	scree_free(p->bucket);
	scree_free(p);
}

static int64_t cell_of(const placer *p, real x) { return (int64_t)real_clamp(scree_floor(x / p->cell), -1e15, 1e15); }

/* Bucket of a cell. Cells that are neighbours along x have neighbouring buckets, because they are searched together. */
static int64_t bucket_of(const placer *p, int64_t i, int64_t j, int64_t k)
{
	uint64_t h = (uint64_t)j * 0xC2B2AE3D27D4EB4Full ^ (uint64_t)k * 0x165667B19E3779F9ull;
	h ^= h >> 29;
	return (int64_t)(((h * 0xBF58476D1CE4E5B9ull) >> 20) + (uint64_t)i) & (p->buckets - 1);
}

static void link_row(placer *p, int32_t n)
{
	const ball *o = &p->round[n];
	if (2 * o->radius > p->cell) {
		p->next[n] = p->big;
		p->big = n;
		return;
	}
	int64_t b = bucket_of(p, cell_of(p, o->at.x), cell_of(p, o->at.y), cell_of(p, o->at.z));
	p->next[n] = p->bucket[b];
	p->bucket[b] = n;
}

static const int32_t *bucket_at(const placer *p, const resident *o)
{
	const vec3 at = o->round.at;
	return p->bucket + bucket_of(p, cell_of(p, at.x), cell_of(p, at.y), cell_of(p, at.z));
}

static void fetch_bucket(const placer *p, const resident *o)
{
	if (p->count) __builtin_prefetch(bucket_at(p, o));
}

static void fetch_first(const placer *p, const resident *o)
{
	if (p->count && *bucket_at(p, o) >= 0) __builtin_prefetch(p->round + *bucket_at(p, o));
}

static resident placed_of(const reader *r, const new_body *b)
{
	const shape *s = &r->world->model.shape.row[b->shape];
	image crossed;
	vec3 drift,
		at = scree_periods_wrap(&r->world->model.period, &r->world->state.images, b->position, &crossed, &drift);
	return (resident){{at, s->radius * b->size}, shape_axes_in(s, b->orientation), b->size, b->shape, b->material};
}

static void reserve(placer *p, int64_t more)
{
	if (p->count + more <= p->capacity) return;
	int64_t capacity = p->capacity + p->capacity / 2 + 1024;
	capacity = capacity > p->count + more ? capacity : p->count + more;
	p->round = scree_grow(p->round, (size_t)p->count, (size_t)capacity, sizeof *p->round);
	p->row = scree_grow(p->row, (size_t)p->count, (size_t)capacity, sizeof *p->row);
	p->next = scree_grow(p->next, (size_t)p->count, (size_t)capacity, sizeof *p->next);
	p->capacity = capacity;
	scree_free(p->bucket);
	for (p->buckets = 1; p->buckets < 2 * capacity;) p->buckets *= 2;
	p->bucket = scree_alloc((size_t)p->buckets, sizeof *p->bucket);
	for (int64_t b = 0; b < p->buckets; ++b) p->bucket[b] = -1;
	p->big = -1;
	for (int32_t n = 0; n < p->count; ++n) link_row(p, n);
}

static void note(placer *p, resident o)
{
	reserve(p, 1);
	p->row[p->count] = o;
	p->round[p->count] = o.round;
	p->balls = p->balls && p->r->world->model.shape.row[o.shape].type == SHAPE_SPHERE;
	link_row(p, (int32_t)p->count++);
}

void scree_placer_note(placer *p, const body_list *all, int64_t from)
{
	reserve(p, all->count - from);
	for (int64_t i = from; i < all->count; ++i) note(p, placed_of(p->r, &all->row[i]));
}

/* largest distance of a body's points from its centre along n, in the world's frame */
static real reach(const shape *s, const resident *o, vec3 n)
{
	return s->type == SHAPE_SPHERE ? o->round.radius
								   : scree_shape_forms[s->type].reach(s, quat_unrotate(o->turn, n)) * o->size;
}

/* tests whether all of b is beyond the plane of a face of a */
static bool beyond_a_face(const shape *sa, const resident *a, const shape *sb, const resident *b)
{
	vec3 d = v3_sub(b->round.at, a->round.at);
	for (int32_t k = 0; k < sa->flat.corners; ++k) {
		const flat_corner *c = sa->flat.corner + k;
		vec3 n = quat_rotate(a->turn, v3(c->ty, -c->tx, 0));
		if (v3_dot(n, d) - reach(sb, b, v3_neg(n)) > a->size * (c->ty * c->x - c->tx * c->y)) return true;
	}
	for (int32_t f = 0; f < sa->faces; ++f) {
		vec3 n = quat_rotate(a->turn, v3(sa->nx[f], sa->ny[f], sa->nz[f]));
		if (v3_dot(n, d) - reach(sb, b, v3_neg(n)) > a->size * sa->off[f]) return true;
	}
	return false;
}

SCREE_FN bool balls_apart(const ball *a, const ball *b)
{
	real sum = a->radius + b->radius;
	return v3_norm2(v3_sub(b->at, a->at)) > sum * sum;
}

static bool solids_apart(const shape *sa, const resident *a, const shape *sb, const resident *b)
{
	vec3 d = v3_sub(b->round.at, a->round.at);
	real distance2 = v3_norm2(d);
	if (sa->type == SHAPE_SPHERE && sb->type == SHAPE_SPHERE) return false;
	real inner = sa->inradius * a->size + sb->inradius * b->size;
	if (distance2 <= inner * inner) return false;
	vec3 n = v3_unit(d);
	if (reach(sa, a, n) + reach(sb, b, v3_neg(n)) < sqrt(distance2)) return true;
	return beyond_a_face(sa, a, sb, b) || beyond_a_face(sb, b, sa, a);
}

/* part k of a body with several parts, as a body of its own */
static resident part_of(const shape *s, const resident *o, int32_t k)
{
	const shape_part *p = s->part + k;
	vec3 at = v3_madd(o->round.at, o->size, quat_rotate(o->turn, p->at));
	return (resident){{at, p->radius * o->size}, o->turn, o->size, o->shape, o->material};
}

/* Tests whether all parts of two bodies are apart from each other; the bounding ball of each part is tested. */
static bool parts_apart(const shape *sa, const resident *a, const shape *sb, const resident *b)
{
	for (int32_t i = 0; i < (sa->parts ? sa->parts : 1); ++i) {
		const resident pa = sa->parts ? part_of(sa, a, i) : *a;
		for (int32_t j = 0; j < (sb->parts ? sb->parts : 1); ++j) {
			const resident pb = sb->parts ? part_of(sb, b, j) : *b;
			if (!balls_apart(&pa.round, &pb.round)) return false;
		}
	}
	return true;
}

/* Returns the surface of a shape as triangles, or NULL if it has none. */
static const trimesh *surface_of(placer *p, int32_t row)
{
	const shape *s = p->r->world->model.shape.row + row;
	if (s->mesh.triangles) return &s->mesh;
	if (s->type != SHAPE_CONVEX) return NULL;
	if (row >= p->skins) {
		p->skin = scree_grow(p->skin, (size_t)p->skins, (size_t)p->r->world->model.shape.count, sizeof *p->skin);
		p->skins = p->r->world->model.shape.count;
	}
	if (!p->skin[row].triangles && !scree_trimesh_of_convex(p->skin + row, s)) return NULL;
	return p->skin + row;
}

/* tests whether the balls of a body are apart from a surface; a body without parts is one ball */
static bool balls_apart_from(const trimesh *m, const shape *sm, const resident *of, const shape *s, const resident *o)
{
	for (int32_t k = 0; k < (s->parts ? s->parts : 1); ++k) {
		const resident ball = s->parts ? part_of(s, o, k) : *o;
		const vec3 at = v3_mul(1 / of->size, quat_unrotate(of->turn, v3_sub(ball.round.at, of->round.at)));
		if (!scree_mesh_ball_apart(m, at, ball.round.radius / of->size + sm->halo)) return false;
	}
	return true;
}

static bool is_of_balls(const shape *s) { return s->type == SHAPE_SPHERE || s->type == SHAPE_CLUMP; }

static placed shape_at(const placer *p, const resident *o)
{
	return (placed){p->r->world->model.shape.row + o->shape, o->round.at, quat_matrix(o->turn), o->size};
}

/* Tests a superquadric or a capsule against another body without a halo. */
static bool points_apart(const placer *p, const resident *a, const resident *b)
{
	const placed here = shape_at(p, a), there = shape_at(p, b);
	return !scree_bodies_meet(&here, &there);
}

static bool is_of_solids(const shape *s) { return s->type == SHAPE_CONVEX || s->type == SHAPE_COMPOUND; }

/* Tests convex parts, or surfaces if one body has triangles and the other has triangles or consists of balls. */
static bool shapes_apart(placer *p, const resident *a, const resident *b)
{
	const shape *sa = &p->r->world->model.shape.row[a->shape], *sb = &p->r->world->model.shape.row[b->shape];
	if (shape_is_curved(sa) || shape_is_curved(sb)) return points_apart(p, a, b);
	const bool composed = sa->mesh.triangles || sb->mesh.triangles || sa->parts || sb->parts;
	if (!composed && !p->tight) return false; /* already tested with the planes of faces */
	if (is_of_solids(sa) && is_of_solids(sb)) {
		const placed here = shape_at(p, a), there = shape_at(p, b);
		const apartness found = scree_solids_apart(&here, &there);
		if (found != UNSURE) return found == APART;
	}
	const trimesh *ma = surface_of(p, a->shape), *mb = surface_of(p, b->shape);
	if (ma && is_of_balls(sb)) return balls_apart_from(ma, sa, a, sb, b);
	if (mb && is_of_balls(sa)) return balls_apart_from(mb, sb, b, sa, a);
	if (!ma || !mb) return false;
	const vec3 d = v3_sub(b->round.at, a->round.at);
	const mesh_place of = {.at = v3_mul(1 / a->size, quat_unrotate(a->turn, d)),
						   .turn = quat_matrix(quat_mul(quat_conj(a->turn), b->turn)),
						   .size = b->size / a->size,
						   .gap = sa->halo + sb->halo * b->size / a->size};
	return scree_meshes_apart(ma, mb, &of);
}

/* tests whether two bodies are safely apart although their bounding spheres overlap */
static bool surely_apart(placer *p, const resident *a, const resident *b)
{
	const shape *sa = &p->r->world->model.shape.row[a->shape], *sb = &p->r->world->model.shape.row[b->shape];
	if (solids_apart(sa, a, sb, b)) return true;
	if (is_of_balls(sa) && is_of_balls(sb)) return (sa->parts || sb->parts) && parts_apart(sa, a, sb, b);
	return shapes_apart(p, a, b);
}

static bool chain_is_free(placer *p, const resident *o, bool balls, int32_t first)
{
	for (int32_t n = first; n >= 0; n = p->next[n]) {
		if (balls_apart(&o->round, &p->round[n])) continue;
		if (balls || !surely_apart(p, o, &p->row[n])) return false;
	}
	return true;
}

/* Cells to search: the body's own, then those that share a face with it, then the others. Most obstacles are near. */
static const int8_t around[27][3] = {
	{0, 0, 0},	{-1, 0, 0},	  {1, 0, 0},   {0, -1, 0},	{0, 1, 0},	{0, 0, -1},	 {0, 0, 1},	 {-1, -1, 0}, {1, -1, 0},
	{-1, 1, 0}, {1, 1, 0},	  {-1, 0, -1}, {0, -1, -1}, {1, 0, -1}, {0, 1, -1},	 {-1, 0, 1}, {0, -1, 1},  {1, 0, 1},
	{0, 1, 1},	{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1},  {1, 1, 1}};
static const int rings[4] = {0, 1, 7, 27};

static bool is_free_here(placer *p, const resident *o)
{
	const vec3 at = o->round.at;
	const int64_t c[3] = {cell_of(p, at.x), cell_of(p, at.y), cell_of(p, at.z)};
	bool balls = p->balls && p->r->world->model.shape.row[o->shape].type == SHAPE_SPHERE;
	if (!chain_is_free(p, o, balls, p->big)) return false;
	for (int ring = 0; p->count && ring < 3; ++ring) {
		int32_t first[27];
		for (int n = rings[ring]; n < rings[ring + 1]; ++n)
			first[n] = p->bucket[bucket_of(p, c[0] + around[n][0], c[1] + around[n][1], c[2] + around[n][2])];
		/* list entries are scattered in memory, so they are all prefetched at once */
		for (int n = rings[ring]; n < rings[ring + 1]; ++n)
			if (first[n] >= 0) __builtin_prefetch(p->round + first[n]);
		for (int n = rings[ring]; n < rings[ring + 1]; ++n)
			if (!chain_is_free(p, o, balls, first[n])) return false;
	}
	return true;
}

/* Tests whether neither the body nor any of its images touches another body. An image of an existing body is tested
 * through the opposite image of the new body, since all bodies are stored within the cell. */
static bool is_free(placer *p, const resident *o)
{
	const periods *period = &p->r->world->model.period;
	if (!is_free_here(p, o)) return false;
	for (int32_t code = 0; period->on && code < IMAGE_CODES; ++code) {
		image e = image_of_code(code);
		const int32_t n[3] = {e.x, e.y, e.z};
		bool near = code != IMAGE_NONE;
		resident other = *o;
		other.round.at = v3_add(o->round.at, p->r->world->state.images.shift[code]);
		for (int32_t d = 0; d < 3; ++d) {
			real from = v3_part(period->low, d), to = from + v3_part(period->size, d), x = v3_part(other.round.at, d);
			real grown =
				p->big >= 0 ? v3_part(period->size, d) : p->cell; /* bodies too large for the cells may reach farther */
			near = near && n[d] >= -1 && n[d] <= 1 && (n[d] == 0 || period->axis[d]) &&
				   (!period->axis[d] || (x > from - grown && x < to + grown));
		}
		if (near && !is_free_here(p, &other)) return false;
	}
	if (scree_place_is_free(&p->r->world->model, &p->r->world->state, o->round.at, o->round.radius, o->material,
							scree_ball_meets_wall))
		return true;
	if (!p->tight) return false;
	const placed there = shape_at(p, o);
	return scree_shape_off_walls(p->r->world, &there, o->material, surface_of(p, o->shape));
}

/* Draws bodies, but not their positions, until their number, volume or mass reaches the fill's target. */
static bool draw_bodies(reader *r, const fill_spec *f, const region *g, random_stream *s, body_list *out)
{
	body_mix mix;
	real wanted = f->solid_fraction * scree_region_volume(g), volume = 0, mass = 0;
	int64_t most = r->sealed ? SEALED_BODIES : 1000000000;
	scree_build_mix(r, f, &mix);
	while (f->count ? out->count < f->count : f->mass > 0 ? mass < f->mass : volume < wanted) {
		const char *key = scree_fill_amount(f);
		if (out->count == most)
			return REFUSE_VALUE(r, &f->h, key, NULL, "%s: this takes more than %lld bodies", key, (long long)most);
		const new_body next = scree_fill_draw(r, f, &mix, r->shape, s);
		volume += scree_body_volume(r, &next);
		mass += scree_body_mass(r, &next);
		if (f->mass > 0 && scree_passes_mass(r, f, mass, &next)) break;
		scree_body_list_add(out, next);
	}
	return out->count > 0 || scree_too_little_mass(r, f, &mix);
}

typedef struct ranked {
	real radius;
	int64_t row;
} ranked;

static int by_radius(const void *a, const void *b)
{
	const ranked *m = a, *n = b;
	if (m->radius != n->radius) return m->radius > n->radius ? -1 : 1;
	return m->row < n->row ? -1 : 1;
}

/* Reports that the region is full, unless the caller wants the solid fraction. */
static bool refuse(reader *r, const fill_spec *f, const region *g, const body_list *all, const ranked *order,
				   int64_t found, real *reached)
{
	real solid = 0, spheres = 0;
	for (int64_t i = 0; i < found; ++i) {
		solid += scree_body_volume(r, &all->row[order[i].row]);
		spheres += SCREE_PI * order[i].radius * order[i].radius * (r->flat ? 1 : 4.0 / 3 * order[i].radius);
	}
	real volume = scree_region_volume(g);
	if (reached) *reached = solid / volume;
	return !reached &&
		   REFUSE_VALUE(r, &f->h, scree_fill_amount(f),
						"use dense: true, fewer bodies, smaller bodies, a larger region, lattice: or sources:",
						"%s: %lld bodies requested, but after %lld, which fill %.1f %% of the region (%.1f %% with "
						"their bounding spheres), no free position was found",
						scree_fill_name(r, f), (long long)all->count, (long long)found, 100 * solid / volume,
						100 * spheres / volume);
}

/* A fill in progress, with its bodies by decreasing radius; row first+k of the placer is body order[k]. */
typedef struct filling {
	placer *p;
	const fill_spec *f;
	const region *g;
	random_stream *s;
	body_list *fresh;
	ranked *order;
	int64_t first;
	int64_t tests; /* number of positions tested, for new bodies or for shaking */
	vec3 lean;	   /* direction of all moves in tight rounds */
} filling;

/* smallest distance of a centre from the border, in m */
static real inset_of(const placer *p, const new_body *b)
{
	const shape *s = &p->r->world->model.shape.row[b->shape];
	return (p->tight ? s->inradius : s->radius) * b->size;
}

static bool holds_in_the_middle(const filling *o, real inset)
{
	const region *g = o->g, open = scree_region_across(&o->p->r->world->model.period, g, inset);
	vec3 middle = g->type == REGION_BOX || g->type == REGION_SEGMENT ? v3_mul(0.5, v3_add(g->low, g->high)) : g->centre;
	return scree_region_holds(&open, middle, inset);
}

/* Makes the fill tight if a body does not fit in every orientation; returns false if one fits in no orientation. */
static bool in_region(reader *r, filling *o)
{
	for (int64_t k = 0; k < o->fresh->count; ++k) {
		const new_body *b = &o->fresh->row[o->order[k].row];
		if (holds_in_the_middle(o, o->order[k].radius)) continue;
		o->p->tight = true;
		if (!holds_in_the_middle(o, inset_of(o->p, b)))
			return REFUSE_VALUE(r, &o->f->h, "region", "make the region larger",
								"%s: a body %.3g m across does not fit into the region", scree_fill_name(r, o->f),
								2 * o->order[k].radius);
	}
	return true;
}

/* Tests whether the body in this pose is within the border. */
static bool keeps_in(const filling *o, const new_body *b, const resident *there)
{
	const periods *period = &o->p->r->world->model.period;
	const real radius = there->round.radius;
	const region open = scree_region_across(period, o->g, radius);
	if (!o->p->tight) return scree_region_holds(&open, b->position, radius);
	placed shape = shape_at(o->p, there);
	shape.at = b->position;
	return scree_shape_in_region(&shape, o->g, &open);
}

/* A candidate position: the body at this position, and the state of the random stream after the position was drawn. */
typedef struct candidate {
	new_body body;
	resident there;
	random_stream after;
} candidate;

/* draws a position and, if `turn` is set, another orientation, which may fit where the previous one does not */
static candidate draw_candidate(const filling *o, random_stream s, new_body b, bool turn)
{
	const reader *r = o->p->r;
	const real inset = inset_of(o->p, &b);
	const region open = scree_region_across(&r->world->model.period, o->g, inset);
	b.position = scree_region_draw(&open, &s, inset);
	if (turn && o->f->orientation.type == ORIENT_RANDOM)
		b.orientation = r->flat ? scree_random_turn(&s) : scree_random_rotation(&s);
	candidate c = {b, placed_of(r, &b), s};
	return c;
}

/* Several candidates are drawn in advance, so that memory around them is prefetched while earlier ones are tested. */
static bool place_one(filling *o, new_body *b)
{
	enum { AHEAD = 8 };
	candidate c[AHEAD];
	placer *p = o->p;
	for (int tries = 0, n; tries < TRIES; tries += n) {
		n = tries == 0 ? 1 : tries < AHEAD ? tries : TRIES - tries < AHEAD ? TRIES - tries : AHEAD;
		for (int k = 0; k < n; ++k) {
			c[k] = draw_candidate(o, k ? c[k - 1].after : *o->s, k ? c[k - 1].body : *b, tries + k > 0);
			fetch_bucket(p, &c[k].there);
		}
		for (int k = 0; k < n; ++k) fetch_first(p, &c[k].there);
		for (int k = 0; k < n; ++k) {
			*o->s = c[k].after;
			*b = c[k].body;
			if (p->tight && !keeps_in(o, b, &c[k].there)) continue;
			if (!is_free(p, &c[k].there)) continue;
			note(p, c[k].there);
			return true;
		}
	}
	return false;
}

/* ------------------------------------------------------------------ shaking
 * Bodies other than balls block each other long before the region is full. If no position is free, the bodies of the
 * fill are shifted and rotated slightly, each only if it stays apart from all others (Monte Carlo moves of hard bodies,
 * Metropolis et al. 1953). Gaps open and close, and placement is retried. In tight rounds, moves differ in size but
 * have one common direction, so that gaps collect on the opposite side; the direction changes after LEANING rounds. */

/* Loose rounds come first, so that fills that succeed in them never change. MOST_TESTS limits a fill to minutes. */
enum { LOOSE_ROUNDS = 8, ROUNDS = 300, LEANING = 100, MOST_TESTS = 20000000 };
/* displacement relative to the radius, and rotation about each axis relative to roughly a right angle */
static const real LONGEST_MOVE = (real)0.25, WIDEST_TURN = (real)0.3;

static void unlink_row(placer *p, int32_t n)
{
	int32_t *at = 2 * p->round[n].radius > p->cell ? &p->big : p->bucket;
	if (at != &p->big) {
		const vec3 c = p->round[n].at;
		at += bucket_of(p, cell_of(p, c.x), cell_of(p, c.y), cell_of(p, c.z));
	}
	while (*at != n) at = p->next + *at;
	*at = p->next[n];
}

/* a random number, uniformly distributed in -most .. most */
static real drawn(random_stream *s, real most) { return most * (2 * scree_random_real(s) - 1); }

/* Moves a body at random. In tight rounds, the range of moves is 1, 1/2, 1/4 or 1/8 of the range in loose rounds. */
static new_body moved(const filling *o, new_body b, real radius)
{
	random_stream *s = o->s;
	const bool flat = o->p->r->flat, tight = o->p->tight;
	const real part = tight ? (real)1 / (real)(1 << (int)(4 * scree_random_real(s))) : 1;
	const real most = part * LONGEST_MOVE * radius, widest = part * WIDEST_TURN;
	const real x = drawn(s, most), y = drawn(s, most), z = drawn(s, most);
	const real a = drawn(s, widest), c = drawn(s, widest), e = drawn(s, widest);
	const vec3 move = v3(x, y, flat ? 0 : z);
	b.position = v3_madd(b.position, tight && v3_dot(move, o->lean) < 0 ? -1 : 1, move);
	if (o->f->orientation.type == ORIENT_RANDOM)
		b.orientation = quat_unit(quat_mul(quat_of(1, flat ? 0 : a, flat ? 0 : c, e), b.orientation));
	return b;
}

static void shake_one(filling *o, int64_t k)
{
	placer *p = o->p;
	const int32_t n = (int32_t)(o->first + k);
	new_body *b = &o->fresh->row[o->order[k].row];
	const new_body next = moved(o, *b, p->round[n].radius);
	const resident there = placed_of(p->r, &next);
	if (!keeps_in(o, &next, &there)) return;
	unlink_row(p, n);
	if (is_free(p, &there)) {
		p->row[n] = there;
		p->round[n] = there.round;
		*b = next;
	}
	link_row(p, n);
}

static bool place_body(filling *o, int64_t which)
{
	for (int round = 0; round <= LOOSE_ROUNDS || (round <= ROUNDS && o->tests < MOST_TESTS); ++round) {
		if (o->p->tight && round % LEANING == 0) o->lean = scree_random_direction(o->s);
		for (int64_t k = 0; round && k < which; ++k) shake_one(o, k);
		if (place_one(o, &o->fresh->row[o->order[which].row])) return true;
		if (o->p->balls) return false;
		o->tests += TRIES + which;
		scree_progress("%lld of %lld bodies, moved %d of %d times to fit the next one", (long long)which,
					   (long long)o->fresh->count, round, ROUNDS);
		if (round == LOOSE_ROUNDS) o->p->tight = true;
	}
	return false;
}

static void drop_rows(placer *p, int64_t first)
{
	for (int64_t n = first; n < p->count; ++n) unlink_row(p, (int32_t)n);
	p->count = first;
}

static bool place_all(reader *r, placer *p, const fill_spec *f, const region *g, random_stream *s, body_list *fresh,
					  real *reached)
{
	ranked *order = scree_alloc((size_t)fresh->count, sizeof *order);
	filling o = {p, f, g, s, fresh, order, p->count, 0, {0, 0, 0}};
	p->tight = false;
	reserve(p, fresh->count);
	for (int64_t i = 0; i < fresh->count; ++i)
		order[i] = (ranked){r->world->model.shape.row[fresh->row[i].shape].radius * fresh->row[i].size, i};
	scree_sort_by(order, fresh->count, sizeof *order, by_radius);
	bool ok = in_region(r, &o);
	for (int64_t i = 0; ok && i < fresh->count; ++i) {
		if (i % 16 == 0) scree_progress("%lld of %lld bodies", (long long)i, (long long)fresh->count);
		if (!place_body(&o, i)) ok = refuse(r, f, g, fresh, order, i, reached);
	}
	if (!ok) drop_rows(p, o.first);
	scree_free(order);
	return ok;
}

static bool take_over(bool ok, body_list *fresh, body_list *out)
{
	for (int64_t i = 0; ok && i < fresh->count; ++i) scree_body_list_add(out, fresh->row[i]);
	scree_free(fresh->row);
	return ok;
}

bool scree_place_random(reader *r, placer *p, const fill_spec *f, random_stream *s, body_list *out, real *reached)
{
	const region g = scree_build_region(r, &f->region);
	body_list fresh = {0};
	scree_progress_begin("positions of", scree_fill_name(r, f));
	const bool ok = draw_bodies(r, f, &g, s, &fresh) && place_all(r, p, f, &g, s, &fresh, reached);
	return take_over(ok, &fresh, out);
}

/* Copies the positions and orientations of the small bodies, but keeps the full sizes. */
static bool place_small(reader *r, const placer *p, const fill_spec *f, const region *g, random_stream *s,
						const body_list *earlier, real part, body_list *fresh)
{
	placer *q = scree_placer_new(r, 0);
	body_list small = {.count = fresh->count,
					   .capacity = fresh->count,
					   .row = scree_copy(fresh->row, (size_t)fresh->count, sizeof *fresh->row)};
	q->cell = p->cell;
	scree_placer_note(q, earlier, 0);
	for (int64_t i = 0; i < small.count; ++i) small.row[i].size *= part;
	const bool ok = place_all(r, q, f, g, s, &small, NULL);
	for (int64_t i = 0; ok && i < small.count; ++i) {
		fresh->row[i].position = small.row[i].position;
		fresh->row[i].orientation = small.row[i].orientation;
	}
	scree_free(small.row);
	scree_placer_free(q);
	return ok;
}

bool scree_place_dense(reader *r, const placer *p, const fill_spec *f, random_stream *s, body_list *out)
{
	const region g = scree_build_region(r, &f->region);
	body_list fresh = {0};
	real solid = 0;
	if (r->sealed)
		return REFUSE_VALUE(r, &f->h, "dense", NULL, "dense: a scene that may not read files has no dense fills");
	scree_progress_begin("packing of", scree_fill_name(r, f));
	bool ok = draw_bodies(r, f, &g, s, &fresh);
	for (int64_t i = 0; i < fresh.count; ++i) solid += scree_body_volume(r, &fresh.row[i]);
	solid /= scree_region_volume(&g);
	const real part = scree_dense_start(r, solid);
	ok = ok && place_small(r, p, f, &g, s, out, part, &fresh) &&
		 (part == 1 || scree_dense_grow(r, f, &g, out, solid, part, &fresh));
	return take_over(ok, &fresh, out);
}
