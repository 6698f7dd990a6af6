/* clump_fit: finds spheres that fill a closed surface of triangles. The centre of a sphere determines its radius: the
 * centre's distance to the surface, plus the allowed excess. Candidates are balls that touch the surface at two or more
 * points, found from points of the surface (shrinking balls: Ma, Bae and Choi 2012), and the deepest points of a grid.
 * The candidate that covers most of the uncovered interior is chosen repeatedly (Angelidakis et al. 2021 choose the
 * deepest uncovered point). A second attempt starts from the centres of equal shares of the interior. Then the spheres
 * are moved one by one to where they add most to the volume covered by the others, as measured on a grid: first to
 * nearby candidates, then in steps of decreasing length. */
#include "shape/clump/clump_fit.h"

#include "base/memory.h"
#include "base/progress.h"
#include "base/sort.h"
#include "shape/clump/clump.h"
#include "shape/clump/clump_internal.h"

static const int32_t SAMPLES = 1500; /* approximate number of points on the surface; ten per sphere if that is more */
static const int32_t LOOKS = 300;	 /* approximate number of candidates tried in an exchange */
static const int32_t SPREAD = 32;	 /* the second attempt is made only up to this number of spheres */
static const int EVENINGS = 15;		 /* iterations that equalize distances between these initial positions */
static const int SWEEPS = 2;		 /* largest number of sweeps with the same step */
static const int HALVINGS = 10;		 /* number of halvings of the step, which is initially two bricks of the grid */
static const int FEW_HALVINGS = 4;	 /* number of halvings if there are more than MANY spheres */
static const int32_t LARGE_CLUMP = 200;

typedef struct candidate {
	sphere s;
	real gain;	   /* gain when last computed; the gain never increases */
	int32_t asked; /* number of spheres when the gain was last computed */
} candidate;

typedef struct fit {
	const trimesh *m;
	real out; /* distance by which a sphere may protrude from the surface */
	cover_grid grid;
	int32_t wanted, samples, candidates, spheres;
	vec3 *sample;		  /* [samples] points on the surface */
	int32_t *at;		  /* [samples] the triangle of each sample */
	candidate *candidate; /* a heap: a candidate's gain is at most the gain of its parent */
	sphere *sphere;
	open_points open; /* points around the sphere that is being moved */
} fit;

/* ------------------------------------------------------------------ candidates */

static real area_of(const trimesh *m, int32_t t)
{
	const int32_t *c = &m->corner[3 * (int64_t)t];
	vec3 a = m->vertex[c[0]];
	return v3_norm(v3_cross(v3_sub(m->vertex[c[1]], a), v3_sub(m->vertex[c[2]], a))) / 2;
}

static int32_t samples_of(const fit *f) { return f->wanted > SAMPLES / 10 ? f->wanted * 10 : SAMPLES; }

static int32_t parts_of(const fit *f, real area, real whole)
{
	int32_t parts = 1;
	while ((real)parts * (real)parts * whole < area * (real)samples_of(f)) ++parts;
	return parts;
}

/* Samples the surface: takes the centroids of n^2 parts of each triangle. */
static void sample_surface(fit *f)
{
	const trimesh *m = f->m;
	real whole = 0;
	for (int32_t t = 0; t < m->triangles; ++t) whole += area_of(m, t);
	int64_t room = 0;
	for (int32_t t = 0; t < m->triangles; ++t) {
		int64_t n = parts_of(f, area_of(m, t), whole);
		room += n * n;
	}
	f->sample = scree_alloc((size_t)room, sizeof *f->sample);
	f->at = scree_alloc((size_t)room, sizeof *f->at);
	for (int32_t t = 0; t < m->triangles; ++t) {
		const int32_t *c = &m->corner[3 * (int64_t)t], n = parts_of(f, area_of(m, t), whole);
		vec3 a = m->vertex[c[0]], e = v3_sub(m->vertex[c[1]], a), d = v3_sub(m->vertex[c[2]], a);
		for (int32_t i = 0; i < n; ++i)
			for (int32_t k = 0; i + k < n; ++k)
				for (int32_t half = 1; half <= 2 && i + k + half <= n;
					 ++half) { /* an upright part, then the adjacent inverted part */
					real by = 1 / (3 * (real)n), u = by * (real)(3 * i + half), v = by * (real)(3 * k + half);
					f->at[f->samples] = t;
					f->sample[f->samples++] = v3_madd(v3_madd(a, u, e), v, d);
				}
	}
}

static void offer(fit *f, vec3 centre, real depth)
{
	candidate c = {.s = {centre, depth + f->out}, .asked = -1};
	c.gain = scree_cover_gain(&f->grid, c.s);
	int32_t at = f->candidates++;
	for (; at > 0 && f->candidate[(at - 1) / 2].gain < c.gain; at = (at - 1) / 2)
		f->candidate[at] = f->candidate[(at - 1) / 2];
	f->candidate[at] = c;
}

/* Shrinks a ball that touches the surface at p from inside until the ball contains no other point of the surface. */
static void shrink(fit *f, vec3 p, int32_t triangle, real radius)
{
	vec3 inward = v3_neg(f->m->normal[triangle]), centre = p;
	int32_t hint = triangle;
	for (int turn = 0; turn < 30; ++turn) {
		centre = v3_madd(p, radius, inward);
		near_surface s = scree_trimesh_near(f->m, centre, hint);
		hint = s.triangle;
		if (s.apart >= radius * (real)(1 - 1e-6)) {
			if (scree_trimesh_inside(f->m, centre) > 0) offer(f, centre, s.apart);
			return;
		}
		vec3 way = v3_sub(s.at, p);
		real along = v3_dot(way, inward), less = along > 0 ? v3_norm2(way) / (2 * along) : 0;
		if (!(less > 0) || !(less < radius)) return;
		radius = less;
	}
}

static bool deepest(const cover_grid *g, int32_t x, int32_t y, int32_t z)
{
	const int64_t row = g->n[0], layer = row * g->n[1], i = x + row * y + layer * z;
	if (!g->solid[i]) return false;
	for (int32_t c = z > 0 ? -1 : 0; c <= 1 && z + c < g->n[2]; ++c)
		for (int32_t b = y > 0 ? -1 : 0; b <= 1 && y + b < g->n[1]; ++b)
			for (int32_t a = x > 0 ? -1 : 0; a <= 1 && x + a < g->n[0]; ++a) {
				int64_t k = i + a + row * b + layer * c;
				if (g->solid[k] && g->depth[k] > g->depth[i]) return false;
			}
	return true;
}

static void find_candidates(fit *f)
{
	const cover_grid *g = &f->grid;
	f->candidate = scree_alloc((size_t)f->samples + (size_t)g->inside, sizeof *f->candidate);
	for (int32_t z = 0; z < g->n[2]; ++z)
		for (int32_t y = 0; y < g->n[1]; ++y)
			for (int32_t x = 0; x < g->n[0]; ++x)
				if (deepest(g, x, y, z))
					offer(f, scree_cover_point(g, x, y, z),
						  g->depth[x + (int64_t)g->n[0] * (y + (int64_t)g->n[1] * z)]);
	real most = v3_norm(v3_sub(f->m->node[0].high, f->m->node[0].low)) / 2;
	int32_t every = 1 + f->samples / (4 * samples_of(f)); /* on a fine surface, only some samples are used */
	for (int32_t k = 0; k < f->samples; k += every) {
		scree_progress("spheres that touch the surface: %d of %d points", k, f->samples);
		shrink(f, f->sample[k], f->at[k], most);
	}
}

/* ------------------------------------------------------------------ greedy */

/* Reduces the gain of the first candidate in the heap and moves the candidate down. */
static void sink(fit *f, real gain)
{
	candidate *heap = f->candidate, c = heap[0];
	c.gain = gain, c.asked = f->spheres;
	int32_t at = 0;
	for (;;) {
		int32_t k = 2 * at + 1;
		if (k + 1 < f->candidates && heap[k + 1].gain > heap[k].gain) ++k;
		if (k >= f->candidates || !(heap[k].gain > gain)) break;
		heap[at] = heap[k];
		at = k;
	}
	heap[at] = c;
}

/* Repeatedly takes the candidate that covers the most. Gains only decrease as spheres are added, so a candidate is the
 * best if its gain is current and exceeds the old gains of all other candidates. */
static void take_greedily(fit *f)
{
	while (f->spheres < f->wanted && f->candidates > 0) {
		const candidate *best = &f->candidate[0];
		scree_progress("spheres chosen: %d of %d", f->spheres, f->wanted);
		if (best->asked < f->spheres) {
			sink(f, scree_cover_gain(&f->grid, best->s));
			continue;
		}
		if (f->spheres > 0 && best->gain < 1) return; /* the candidate would cover less than one grid point */
		scree_cover_add(&f->grid, best->s);
		f->sphere[f->spheres++] = best->s;
		sink(f, 0);
	}
}

/* ------------------------------------------------------------------ spread */

static real apart2(const open_points *o, int32_t i, vec3 p)
{
	return v3_norm2(v3_sub(v3(o->x[i], o->y[i], o->z[i]), p));
}

/* Chooses positions one by one, each at the grid point farthest from the previous ones. least: [count] */
static void seed_places(const fit *f, vec3 *place, real *least)
{
	const open_points *o = &f->open;
	vec3 mean = v3(0, 0, 0);
	for (int32_t i = 0; i < o->count; ++i) mean = v3_add(mean, v3(o->x[i], o->y[i], o->z[i]));
	mean = v3_mul(1 / (real)o->count, mean);
	for (int32_t i = 0; i < o->count; ++i) least[i] = apart2(o, i, mean);
	for (int32_t k = 0; k < f->wanted; ++k) {
		int32_t far = 0;
		for (int32_t i = 1; i < o->count; ++i)
			if (least[i] > least[far]) far = i;
		place[k] = v3(o->x[far], o->y[far], o->z[far]);
		for (int32_t i = 0; i < o->count; ++i) {
			real apart = apart2(o, i, place[k]);
			least[i] = k ? real_min(least[i], apart) : apart;
		}
	}
}

/* Moves each position to the mean of the points nearest to it (Lloyd 1982). sum, number: [wanted] */
static void even_places(const fit *f, vec3 *place, vec3 *sum, int32_t *number)
{
	const open_points *o = &f->open;
	for (int turn = 0; turn < EVENINGS; ++turn) {
		for (int32_t k = 0; k < f->wanted; ++k) sum[k] = v3(0, 0, 0), number[k] = 0;
		for (int32_t i = 0; i < o->count; ++i) {
			int32_t best = 0;
			real least = (real)INFINITY;
			for (int32_t k = 0; k < f->wanted; ++k) {
				real apart = apart2(o, i, place[k]);
				if (apart < least) least = apart, best = k;
			}
			sum[best] = v3_add(sum[best], v3(o->x[i], o->y[i], o->z[i]));
			++number[best];
		}
		for (int32_t k = 0; k < f->wanted; ++k)
			if (number[k]) place[k] = v3_mul(1 / (real)number[k], sum[k]);
	}
}

static void spread(fit *f)
{
	vec3 side = v3_sub(f->m->node[0].high, f->m->node[0].low);
	scree_cover_open(&f->grid, f->m->node[0].low, real_max(side.x, real_max(side.y, side.z)), &f->open);
	if (f->open.count < f->wanted) return;
	vec3 *place = scree_alloc((size_t)f->wanted, sizeof *place), *sum = scree_alloc((size_t)f->wanted, sizeof *sum);
	int32_t *number = scree_alloc((size_t)f->wanted, sizeof *number);
	real *least = scree_alloc((size_t)f->open.count, sizeof *least);
	seed_places(f, place, least);
	even_places(f, place, sum, number);
	for (int32_t k = 0; k < f->wanted; ++k) {
		if (scree_trimesh_inside(f->m, place[k]) <= 0) continue;
		f->sphere[f->spheres] = (sphere){place[k], scree_trimesh_near(f->m, place[k], 0).apart + f->out};
		scree_cover_add(&f->grid, f->sphere[f->spheres++]);
	}
	SCREE_FREE_ALL(least, number, sum, place);
}

/* ------------------------------------------------------------------ moving spheres */

static bool in_reach(const candidate *c, sphere s)
{
	return v3_norm2(v3_sub(c->s.centre, s.centre)) <= s.radius * s.radius;
}

/* Tries candidates with centres in the sphere, or an evenly spaced selection if there are many. Takes the candidate
 * that covers the most, if it covers more than `gain`. */
static void exchange(const fit *f, sphere *s, real *gain)
{
	sphere from = *s;
	int32_t number = 0, every = 1, passed = 0;
	for (int32_t k = 0; k < f->candidates; ++k) number += in_reach(&f->candidate[k], from);
	if (number > LOOKS) every = number / LOOKS;
	for (int32_t k = 0; k < f->candidates; ++k) {
		const candidate *c = &f->candidate[k];
		if (!in_reach(c, from) || ++passed % every) continue;
		real other = scree_cover_gain_of(&f->open, f->grid.blur, c->s);
		if (other > *gain * (real)(1 + 1e-9)) *s = c->s, *gain = other;
	}
}

/* makes one step along an axis or a diagonal that increases the gain; returns false if there is no such step */
static bool climb(const fit *f, sphere *s, real *gain, real step)
{
	sphere from = *s;
	bool moved = false;
	int32_t hint = 0;
	for (int k = 0; k < 27; ++k) {
		vec3 way = v3((real)(k % 3 - 1), (real)(k / 3 % 3 - 1), (real)(k / 9 - 1));
		real far = v3_norm(way);
		if (!(far > 0)) continue;
		vec3 centre = v3_madd(from.centre, step / far, way);
		if (step >= from.radius - f->out && scree_trimesh_inside(f->m, centre) <= 0) continue;
		near_surface surface = scree_trimesh_near(f->m, centre, hint);
		hint = surface.triangle;
		sphere to = {centre, surface.apart + f->out};
		real other = scree_cover_gain_of(&f->open, f->grid.blur, to);
		if (other > *gain * (real)(1 + 1e-9)) *s = to, *gain = other, moved = true;
	}
	return moved;
}

/* Returns false if sphere i did not move. The radius grows by no more than the centre moves, which limits the reach. */
static bool improve_one(fit *f, int32_t i, real step, bool exchanges)
{
	enum { CLIMBS = 4 };
	sphere *s = &f->sphere[i];
	scree_cover_remove(&f->grid, f->spheres, f->sphere, i);
	real reach = (exchanges ? 3 : 1) * s->radius + 2 * CLIMBS * step + f->grid.blur;
	scree_cover_open(&f->grid, s->centre, reach, &f->open);
	real gain = scree_cover_gain_of(&f->open, f->grid.blur, *s);
	if (exchanges) exchange(f, s, &gain);
	bool moved = false;
	for (int k = 0; k < CLIMBS && climb(f, s, &gain, step); ++k) moved = true;
	scree_cover_add(&f->grid, *s);
	return moved;
}

/* Returns the covered volume. The step stays the same while many spheres still move, since moves affect each other. */
static real improve(fit *f)
{
	real step = 2 * f->grid.blur;
	const int halvings = f->spheres > LARGE_CLUMP ? FEW_HALVINGS : HALVINGS;
	for (int halving = 0; halving <= halvings; ++halving, step /= 2)
		for (int sweep = 0, moved = f->spheres; sweep < SWEEPS && 4 * moved >= f->spheres; ++sweep) {
			moved = 0;
			for (int32_t i = 0; i < f->spheres; ++i) {
				scree_progress("%d spheres fitted: round %d of %d, sphere %d", f->spheres, halving + 1, halvings + 1,
							   i);
				moved += improve_one(f, i, step, halving < 2 && sweep == 0);
			}
		}
	return scree_cover_sum(&f->grid);
}

static void search(fit *f)
{
	size_t room = (size_t)f->grid.inside, n = (size_t)f->wanted;
	f->open = (open_points){.x = scree_alloc(room, sizeof(real)),
							.y = scree_alloc(room, sizeof(real)),
							.z = scree_alloc(room, sizeof(real)),
							.covered = scree_alloc(room, sizeof(real))};
	f->sphere = scree_alloc(n, sizeof *f->sphere);
	real first = 0;
	sphere *other = NULL;
	int32_t others = 0;
	if (f->wanted <= SPREAD) {
		spread(f);
		first = improve(f);
		other = f->sphere, others = f->spheres;
		f->sphere = scree_alloc(n, sizeof *f->sphere), f->spheres = 0;
		scree_cover_clear(&f->grid);
	}
	take_greedily(f);
	if (improve(f) < first) {
		SCREE_SWAP(f->sphere, other);
		f->spheres = others;
		scree_cover_clear(&f->grid);
		for (int32_t k = 0; k < f->spheres; ++k) scree_cover_add(&f->grid, f->sphere[k]);
	}
	SCREE_FREE_ALL(other, f->open.x, f->open.y, f->open.z, f->open.covered);
}

/* ------------------------------------------------------------------ results */

/* copies the spheres in descending order of radius, without spheres inside another, which clumps must not contain */
static void keep(const fit *f, clump_spheres *out)
{
	out->centre = scree_alloc((size_t)f->spheres, sizeof *out->centre);
	out->radius = scree_alloc((size_t)f->spheres, sizeof *out->radius);
	for (int32_t i = 0; i < f->spheres; ++i) {
		sphere s = f->sphere[i];
		int32_t k = out->count;
		for (; k > 0 && out->radius[k - 1] < s.radius; --k)
			out->centre[k] = out->centre[k - 1], out->radius[k] = out->radius[k - 1];
		out->centre[k] = s.centre, out->radius[k] = s.radius, ++out->count;
	}
	int32_t left = 0;
	for (int32_t i = 0; i < out->count; ++i) {
		bool inside = false;
		for (int32_t k = 0; k < left && !inside; ++k) {
			real more = out->radius[k] - out->radius[i];
			inside = v3_norm2(v3_sub(out->centre[k], out->centre[i])) <= more * more * (real)(1 + 1e-12);
		}
		if (!inside) out->centre[left] = out->centre[i], out->radius[left++] = out->radius[i];
	}
	out->count = left;
}

static real apart_from(const clump_spheres *s, vec3 p)
{
	real least = (real)INFINITY;
	for (int32_t k = 0; k < s->count; ++k) least = real_min(least, v3_norm(v3_sub(p, s->centre[k])) - s->radius[k]);
	return real_max(least, 0);
}

static bool measure(const fit *f, real volume, clump_spheres *out, fail *why)
{
	out->covered = scree_cover_sum(&f->grid) / (real)f->grid.inside;
	if (!(f->out > 0)) {
		solid_mass mass;
		if (!scree_clump_mass("fitted", out->count, out->centre, out->radius, &mass, why)) return false;
		out->covered = mass.volume / volume;
	}
	for (int32_t k = 0; k < f->m->vertices; ++k)
		out->farthest = real_max(out->farthest, apart_from(out, f->m->vertex[k]));
	for (int32_t k = 0; k < f->samples; ++k) out->farthest = real_max(out->farthest, apart_from(out, f->sample[k]));
	return true;
}

bool scree_clump_fit(const trimesh *m, int32_t count, real excess, clump_spheres *out, fail *why)
{
	*out = (clump_spheres){0};
	if (count < 1 || count > CLUMP_MOST)
		return scree_refuse(why, "%d spheres for a clump, expected 1 to %d", count, CLUMP_MOST);
	if (!(excess >= 0 && excess <= 1))
		return scree_refuse(why, "spheres that protrude by %g of the size, expected 0 to 1", excess);
	vec3 side = v3_sub(m->node[0].high, m->node[0].low);
	real volume = scree_trimesh_mass(m).volume;
	fit f = {.m = m, .wanted = count, .out = excess * real_max(side.x, real_max(side.y, side.z))};
	scree_cover_make(&f.grid, m, volume, count);
	bool good = f.grid.inside > 0;
	if (good) {
		sample_surface(&f);
		find_candidates(&f);
		search(&f);
		keep(&f, out);
		good = measure(&f, volume, out, why);
	} else {
		scree_refuse(why, "the inside of the surface is too thin for spheres: no point of a grid is inside");
	}
	SCREE_FREE_ALL(f.sphere, f.candidate, f.at, f.sample);
	scree_cover_free(&f.grid);
	if (!good) scree_clump_spheres_free(out);
	return good;
}

void scree_clump_spheres_free(clump_spheres *s)
{
	SCREE_FREE_ALL(s->centre, s->radius);
	*s = (clump_spheres){0};
}
