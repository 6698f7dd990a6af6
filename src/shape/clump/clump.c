/* clump: mass properties of rigid bodies made of overlapping spheres. The union of the balls is cut along planes where
 * two balls have equal power (the power diagram; Aurenhammer 1987). The part of a ball is its region that is not beyond
 * any plane between the ball and an overlapping one. These parts are convex and disjoint, and their moments have closed
 * forms (clump_share.c). Rounding error in a plane moves volume from one part to another, but changes the union only to
 * second order. */
#include "shape/clump/clump.h"

#include "base/memory.h"
#include "base/sort.h"
#include "shape/clump/clump_share.h"

static bool check(const char *name, int32_t count, const vec3 *centre, const real *radius, fail *why)
{
	if (count < 1) return scree_refuse(why, "clump '%s' has no spheres", name);
	if (count > CLUMP_MOST)
		return scree_refuse(why, "clump '%s' has %d spheres, expected at most %d", name, count, CLUMP_MOST);
	for (int32_t i = 0; i < count; ++i) {
		vec3 c = centre[i];
		if (!isfinite(c.x) || !isfinite(c.y) || !isfinite(c.z) || !isfinite(radius[i]))
			return scree_refuse(why, "clump '%s': sphere %d has numbers that are not finite", name, i);
		if (!(radius[i] > 0))
			return scree_refuse(why, "clump '%s': sphere %d has radius %g, expected above 0", name, i, radius[i]);
	}
	for (int32_t i = 0; i < count; ++i)
		for (int32_t j = 0; j < count; ++j) {
			real more = radius[j] - radius[i];
			if (j == i || more < 0 || v3_norm2(v3_sub(centre[j], centre[i])) > more * more) continue;
			return scree_refuse(why, "clump '%s': sphere %d is inside sphere %d and adds nothing", name,
								more > 0 || i > j ? i : j, more > 0 || i > j ? j : i);
		}
	return true;
}

typedef struct build {
	int32_t count;
	const vec3 *centre;
	const real *radius;
	real *less;					/* amount by which the power of a ball is lowered */
	clump_plane *found, *plane; /* [count] planes of one ball: in the order found, and in ascending order of h */
	sort_item *order, *tmp;		/* [count] */
	clump_edge *work;			/* [2 (count + 4)] */
} build;

/* an integer key that increases with x */
static uint64_t key_of(real x)
{
	uint64_t bits = bits_of(x);
	return bits >> 63 ? ~bits : bits | 1ull << 63;
}

/* Returns the distance from centre i, towards j, to the plane between balls i and j. */
static real offset(const build *b, int32_t i, int32_t j, real apart)
{
	real ri = b->radius[i], rj = b->radius[j];
	return (apart + ((ri - rj) * (ri + rj) - (b->less[i] - b->less[j])) / apart) / 2;
}

static bool overlap(const build *b, int32_t i, int32_t j, real *apart)
{
	real apart2 = v3_norm2(v3_sub(b->centre[j], b->centre[i])), both = b->radius[i] + b->radius[j];
	*apart = sqrt(apart2);
	return j != i && apart2 < both * both;
}

/* If a centre is in a plane, rounding decides whether the facet covers half of all directions or none, or any fraction
 * of them where planes meet at a corner. The power of that ball is therefore lowered until the planes are 1e-9 radii
 * away. The union's volume is stationary in the positions of planes and changes by only 1e-18. The ball on the other
 * side of the plane is larger; its power may also have been lowered because of a third ball. */
static void keep_off_centres(const build *b)
{
	real *less = scree_alloc((size_t)b->count, sizeof *less);
	bool changed = true;
	for (int pass = 0; pass < 16 && changed; ++pass) {
		changed = false;
		for (int32_t i = 0; i < b->count; ++i)
			for (int32_t j = 0; j < b->count; ++j) {
				real apart, radius = b->radius[i];
				if (!overlap(b, i, j, &apart) || real_abs(offset(b, i, j, apart)) > (real)1e-13 * radius) continue;
				real wanted = less[j] + (real)2e-9 * radius * apart;
				if (less[i] < wanted) less[i] = wanted, changed = true;
			}
	}
	for (int32_t i = 0; i < b->count; ++i) b->less[i] = less[i];
	scree_free(less);
}

/* Finds the planes between ball i, scaled to radius 1, and the balls that it overlaps, in ascending order of h. */
static int32_t planes_of(const build *b, int32_t i)
{
	int32_t count = 0;
	for (int32_t j = 0; j < b->count; ++j) {
		real apart;
		if (!overlap(b, i, j, &apart)) continue;
		vec3 way = v3_sub(b->centre[j], b->centre[i]);
		real h = offset(b, i, j, apart) / b->radius[i];
		if (real_abs(h) < (real)1e-17) h = (real)1e-17; /* keeps the distance from the centre above 0 */
		b->found[count] = (clump_plane){v3_mul(1 / apart, way), h};
		b->order[count] = (sort_item){key_of(h), count};
		++count;
	}
	scree_sort(b->order, b->tmp, count);
	for (int32_t k = 0; k < count; ++k) b->plane[k] = b->found[b->order[k].value];
	return count;
}

/* Computes mass properties as sums of the moments of balls or parts of balls, each about the ball's centre. */
static void join(int32_t count, const vec3 *centre, const moments *part, solid_mass *out)
{
	solid_mass sum = {0};
	vec3 from = centre[0], first = v3(0, 0, 0); /* a nearby reference point preserves precision far from the origin */
	for (int32_t i = 0; i < count; ++i) {
		sum.volume += part[i].volume;
		first = v3_add(first, v3_madd(part[i].first, part[i].volume, v3_sub(centre[i], from)));
	}
	vec3 middle = v3_mul(1 / sum.volume, first);
	sum.centre = v3_add(from, middle);
	for (int32_t i = 0; i < count; ++i) {
		vec3 d = v3_sub(v3_sub(centre[i], from), middle);
		for (int k = 0; k < 6; ++k) sum.second[k] += part[i].second.m[k];
		scree_add_product(sum.second, 2, d, part[i].first);
		scree_add_product(sum.second, part[i].volume, d, d);
	}
	*out = sum;
}

static moments scaled(moments m, real radius)
{
	real cube = radius * radius * radius;
	m.volume *= cube;
	m.first = v3_mul(cube * radius, m.first);
	for (int k = 0; k < 6; ++k) m.second.m[k] *= cube * radius * radius;
	return m;
}

bool scree_clump_mass(const char *name, int32_t count, const vec3 *centre, const real *radius, solid_mass *out,
					  fail *why)
{
	if (!check(name, count, centre, radius, why)) return false;
	const size_t n = (size_t)count;
	build b = {.count = count,
			   .centre = centre,
			   .radius = radius,
			   .less = scree_alloc(n, sizeof *b.less),
			   .found = scree_alloc(n, sizeof *b.found),
			   .plane = scree_alloc(n, sizeof *b.plane),
			   .order = scree_alloc(n, sizeof *b.order),
			   .tmp = scree_alloc(n, sizeof *b.tmp),
			   .work = scree_alloc(2 * (n + 4), sizeof *b.work)};
	moments *part = scree_alloc(n, sizeof *part);
	keep_off_centres(&b);
	for (int32_t i = 0; i < count; ++i)
		part[i] = scaled(scree_clump_share(planes_of(&b, i), b.plane, b.work), radius[i]);
	join(count, centre, part, out);
	SCREE_FREE_ALL(part, b.work, b.tmp, b.order, b.plane, b.found, b.less);
	return true;
}

bool scree_clump_mass_added(const char *name, int32_t count, const vec3 *centre, const real *radius, solid_mass *out,
							fail *why)
{
	if (!check(name, count, centre, radius, why)) return false;
	moments *part = scree_alloc((size_t)count, sizeof *part);
	for (int32_t i = 0; i < count; ++i) part[i] = scaled(scree_clump_share(0, NULL, NULL), radius[i]);
	join(count, centre, part, out);
	scree_free(part);
	return true;
}
