/* place: bodies at random places without overlap (random sequential addition), largest first.
 *
 * A body is tried at random places of the region until it touches neither a wall nor a body that is there already;
 * found bodies are kept in a hashed grid whose cells are as wide as the largest of them. Bounding spheres decide first.
 * Where they overlap, polyhedra are apart if a plane parallel to a face of one of them, or across the line of their
 * centres, has them on different sides: sure, but it gives up some places that an exact test would take. When TRIES
 * places have failed for one body, the fill is refused with numbers: a simulation that quietly began with fewer bodies
 * would be worse. */
#include "scene/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/maths.h"
#include "base/memory.h"
#include "kernel/quat.h"
#include "state/shape_forms.h"

enum { TRIES = 3000 };

typedef struct resident {
	vec3 at;
	quat turn; /* of the shape's principal frame */
	real radius, size;
	int32_t shape;
	int64_t next; /* in the same bucket; -1: none */
} resident;

struct placer {
	const reader *r;
	real cell;
	int64_t count, capacity, buckets;
	resident *row;
	int64_t *bucket;
	int64_t big; /* chain of those too large for the cells: of lattices and tables */
};

placer *scree_placer_new(const reader *r, real largest)
{
	placer *p = scree_alloc(1, sizeof *p);
	p->r = r;
	p->cell = largest > 0 ? 2 * largest * 1.0001 : 1;
	p->big = -1;
	return p;
}

void scree_placer_free(placer *p)
{
	scree_free(p->row);
	scree_free(p->bucket);
	scree_free(p);
}

static int64_t cell_of(const placer *p, real x) { return (int64_t)real_clamp(scree_floor(x / p->cell), -1e15, 1e15); }

static int64_t bucket_of(const placer *p, int64_t i, int64_t j, int64_t k)
{
	uint64_t h =
		(uint64_t)i * 0x9E3779B97F4A7C15ull ^ (uint64_t)j * 0xC2B2AE3D27D4EB4Full ^ (uint64_t)k * 0x165667B19E3779F9ull;
	h ^= h >> 29;
	return (int64_t)((h * 0xBF58476D1CE4E5B9ull) >> 20) & (p->buckets - 1);
}

static void link_row(placer *p, int64_t n)
{
	resident *o = &p->row[n];
	if (2 * o->radius > p->cell) {
		o->next = p->big;
		p->big = n;
		return;
	}
	int64_t b = bucket_of(p, cell_of(p, o->at.x), cell_of(p, o->at.y), cell_of(p, o->at.z));
	o->next = p->bucket[b];
	p->bucket[b] = n;
}

static resident placed_of(const reader *r, const new_body *b)
{
	const shape *s = &r->world->shape.row[b->shape];
	image crossed;
	vec3 drift, at = scree_periods_wrap(&r->world->period, b->position, &crossed, &drift);
	return (resident){at, quat_unit(quat_mul(b->orientation, s->frame)), s->radius * b->size, b->size, b->shape, -1};
}

static void note(placer *p, resident o)
{
	if (p->count == p->capacity) {
		int64_t capacity = 2 * p->capacity + 1024;
		p->row = scree_grow(p->row, (size_t)p->capacity, (size_t)capacity, sizeof *p->row);
		p->capacity = capacity;
		scree_free(p->bucket);
		for (p->buckets = 1; p->buckets < 2 * capacity;) p->buckets *= 2;
		p->bucket = scree_alloc((size_t)p->buckets, sizeof *p->bucket);
		for (int64_t b = 0; b < p->buckets; ++b) p->bucket[b] = -1;
		p->big = -1;
		for (int64_t n = 0; n < p->count; ++n) link_row(p, n);
	}
	p->row[p->count] = o;
	link_row(p, p->count++);
}

void scree_placer_note(placer *p, const body_list *all, int64_t from)
{
	for (int64_t i = from; i < all->count; ++i) note(p, placed_of(p->r, &all->row[i]));
}

/* the farthest that a body reaches along n (world), from its centre */
static real reach(const shape *s, const resident *o, vec3 n)
{
	return s->type == SHAPE_SPHERE ? o->radius
								   : scree_shape_forms[s->type].reach(s, quat_unrotate(o->turn, n)) * o->size;
}

/* has b all of itself beyond one of the planes of a's faces? */
static bool beyond_a_face(const shape *sa, const resident *a, const shape *sb, const resident *b)
{
	vec3 d = v3_sub(b->at, a->at);
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

static bool surely_apart(const placer *p, const resident *a, const resident *b)
{
	vec3 d = v3_sub(b->at, a->at);
	real sum = a->radius + b->radius, distance2 = v3_norm2(d);
	if (distance2 > sum * sum) return true;
	const shape *sa = &p->r->world->shape.row[a->shape], *sb = &p->r->world->shape.row[b->shape];
	if (sa->type == SHAPE_SPHERE && sb->type == SHAPE_SPHERE) return false;
	real inner = sa->inradius * a->size + sb->inradius * b->size;
	if (distance2 <= inner * inner) return false;
	vec3 n = v3_unit(d);
	if (reach(sa, a, n) + reach(sb, b, v3_neg(n)) < sqrt(distance2)) return true;
	return beyond_a_face(sa, a, sb, b) || beyond_a_face(sb, b, sa, a);
}

static bool is_free_here(const placer *p, const resident *o)
{
	int64_t c[3] = {cell_of(p, o->at.x), cell_of(p, o->at.y), cell_of(p, o->at.z)};
	for (int64_t n = p->big; n >= 0; n = p->row[n].next)
		if (!surely_apart(p, o, &p->row[n])) return false;
	for (int64_t k = c[2] - 1; p->count && k <= c[2] + 1; ++k)
		for (int64_t j = c[1] - 1; j <= c[1] + 1; ++j)
			for (int64_t i = c[0] - 1; i <= c[0] + 1; ++i)
				for (int64_t n = p->bucket[bucket_of(p, i, j, k)]; n >= 0; n = p->row[n].next)
					if (!surely_apart(p, o, &p->row[n])) return false;
	return true;
}

/* beside every image of those that are there: it stays, and its own images are tried in the cell, where all lie */
static bool is_free(const placer *p, const resident *o)
{
	const periods *period = &p->r->world->period;
	if (!is_free_here(p, o)) return false;
	for (int32_t code = 0; period->on && code < IMAGE_CODES; ++code) {
		image e = image_of_code(code);
		const int32_t n[3] = {e.x, e.y, e.z};
		bool near = code != IMAGE_NONE;
		resident other = *o;
		other.at = v3_add(o->at, period->shift[code]);
		for (int32_t d = 0; d < 3; ++d) {
			real from = v3_part(period->low, d), to = from + v3_part(period->size, d), x = v3_part(other.at, d);
			real grown = p->big >= 0 ? v3_part(period->size, d) : p->cell; /* those not in cells may be larger */
			near = near && n[d] >= -1 && n[d] <= 1 && (n[d] == 0 || period->axis[d]) &&
				   (!period->axis[d] || (x > from - grown && x < to + grown));
		}
		if (near && !is_free_here(p, &other)) return false;
	}
	return scree_place_is_free(p->r->world, o->at, o->radius);
}

real scree_body_volume(const reader *r, const new_body *b)
{
	return r->world->shape.row[b->shape].volume * b->size * b->size *
		   (r->flat ? 1 : b->size); /* an area in the plane */
}

/* The bodies without places: so many, or until their volume is reached. */
static bool draw_bodies(reader *r, const fill_spec *f, const region *g, random_stream *s, body_list *out)
{
	mix_part part[16];
	int32_t parts = scree_build_mix(r, f, part);
	real wanted = f->solid_fraction * scree_region_volume(g), volume = 0;
	int64_t most = r->sealed ? SEALED_BODIES : 1000000000;
	while (f->count ? out->count < f->count : volume < wanted) {
		if (out->count == most)
			return scree_report(&r->r, scree_where(&f->h, "solid_fraction")->at, NULL,
								"solid_fraction: this takes more than %lld bodies", (long long)most);
		scree_body_list_add(out, scree_fill_draw(r, f, part, parts, s));
		volume += scree_body_volume(r, &out->row[out->count - 1]);
	}
	return true;
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

static bool refuse(reader *r, const fill_spec *f, const region *g, const body_list *all, const ranked *order,
				   int64_t found)
{
	char name[64];
	real solid = 0, spheres = 0;
	for (int64_t i = 0; i < found; ++i) {
		solid += scree_body_volume(r, &all->row[order[i].row]);
		spheres += SCREE_PI * order[i].radius * order[i].radius * (r->flat ? 1 : 4.0 / 3 * order[i].radius);
	}
	real volume = scree_region_volume(g);
	return scree_report(&r->r, scree_where(&f->h, f->count ? "count" : "solid_fraction")->at,
						"ask for fewer, enlarge the region, shrink the bodies, or use lattice: or sources:",
						"%s: %lld bodies were asked for, but after %lld, which take up %.1f %% of the region (%.1f %% "
						"with their bounding spheres), "
						"no free place was found",
						scree_fill_name(r, f, name), (long long)all->count, (long long)found, 100 * solid / volume,
						100 * spheres / volume);
}

static bool too_large(reader *r, const fill_spec *f, const region *g, real radius)
{
	char name[64];
	vec3 middle = g->type == REGION_BOX || g->type == REGION_SEGMENT ? v3_mul(0.5, v3_add(g->low, g->high)) : g->centre;
	region open = scree_region_across(&r->world->period, g, radius);
	if (scree_region_holds(&open, middle, radius)) return false;
	scree_report(&r->r, scree_where(&f->h, "region")->at, "make the region larger",
				 "%s: a body %.3g m across does not fit into the region", scree_fill_name(r, f, name), 2 * radius);
	return true;
}

bool scree_place_random(reader *r, placer *p, const fill_spec *f, random_stream *s, body_list *out)
{
	region g = scree_build_region(r, &f->region);
	body_list fresh = {0};
	bool ok = draw_bodies(r, f, &g, s, &fresh);
	ranked *order = scree_alloc((size_t)fresh.count, sizeof *order);
	for (int64_t i = 0; i < fresh.count; ++i)
		order[i] = (ranked){r->world->shape.row[fresh.row[i].shape].radius * fresh.row[i].size, i};
	qsort(order, (size_t)fresh.count, fresh.count ? sizeof *order : 1, by_radius);
	if (ok && fresh.count && too_large(r, f, &g, order[0].radius)) ok = false;
	for (int64_t i = 0; ok && i < fresh.count; ++i) {
		new_body *b = &fresh.row[order[i].row];
		int tries = 0;
		resident o;
		do {
			region open = scree_region_across(&r->world->period, &g, order[i].radius);
			b->position = scree_region_draw(&open, s, order[i].radius);
			/* another way round may fit where this one does not */
			if (tries && f->orientation.type == ORIENT_RANDOM)
				b->orientation = r->flat ? scree_random_turn(s) : scree_random_rotation(s);
			o = placed_of(r, b);
		} while (!is_free(p, &o) && ++tries < TRIES);
		if (tries == TRIES) ok = refuse(r, f, &g, &fresh, order, i);
		note(p, o);
	}
	for (int64_t i = 0; ok && i < fresh.count; ++i) scree_body_list_add(out, fresh.row[i]);
	scree_free(order);
	scree_free(fresh.row);
	return ok;
}
