/* orient: signs of determinants, computed with a filter and, if that is inconclusive, with exact sums.
 *
 * A number is stored as a sum of non-overlapping doubles, the largest last (an expansion; Dekker 1971, Shewchuk 1997);
 * its sign is the sign of the last double. Differences and products of two doubles are sums of two doubles, so a
 * determinant is a sum of at most 192 doubles. Zeros are omitted: points in a coordinate plane give few terms. */
#include "base/orient.h"

enum { MOST = 192 };
static const real ROUNDING = 0x1p-53;

/* high + low is exactly the sum or product */
typedef struct twofold {
	real high, low;
} twofold;

static twofold sum_of(real a, real b)
{
	real x = a + b, of_b = x - a, of_a = x - of_b;
	return (twofold){x, (a - of_a) + (b - of_b)};
}

/* halves of 26 bits each, whose products are exact */
static twofold split(real a)
{
	real c = 134217729.0 * a, high = c - (c - a);
	return (twofold){high, a - high};
}

static twofold product_of(real a, real b)
{
	real x = a * b;
	twofold p = split(a), q = split(b);
	real rest = ((x - p.high * q.high) - p.low * q.high) - p.high * q.low;
	return (twofold){x, p.low * q.low - rest};
}

typedef struct expansion {
	int terms;
	real term[MOST + 1];
} expansion;

static void add(expansion *h, real b)
{
	if (b == 0) return;
	int kept = 0;
	for (int i = 0; i < h->terms; ++i) {
		twofold s = sum_of(b, h->term[i]);
		b = s.high;
		if (s.low != 0) h->term[kept++] = s.low;
	}
	if (b != 0) h->term[kept++] = b;
	h->terms = kept;
}

static int sign_of(const expansion *h)
{
	real last = h->terms ? h->term[h->terms - 1] : 0;
	return (last > 0) - (last < 0);
}

/* adds a b c to h */
static void add_product(expansion *h, real a, real b, real c)
{
	if (a == 0 || b == 0 || c == 0) return;
	twofold ab = product_of(a, b), high = product_of(ab.high, c), low = product_of(ab.low, c);
	add(h, low.low);
	add(h, low.high);
	add(h, high.low);
	add(h, high.high);
}

/* adds sign * a * b * c to h, where a, b and c are differences stored as sums of two doubles each */
static void add_differences(expansion *h, real sign, twofold a, twofold b, twofold c)
{
	const real p[2] = {sign * a.low, sign * a.high}, q[2] = {b.low, b.high}, r[2] = {c.low, c.high};
	for (int i = 0; i < 2; ++i)
		for (int j = 0; j < 2; ++j)
			for (int k = 0; k < 2; ++k) add_product(h, p[i], q[j], r[k]);
}

static int exact_orient3(vec3 a, vec3 b, vec3 c, vec3 d)
{
	twofold bx = sum_of(b.x, -a.x), by = sum_of(b.y, -a.y), bz = sum_of(b.z, -a.z);
	twofold cx = sum_of(c.x, -a.x), cy = sum_of(c.y, -a.y), cz = sum_of(c.z, -a.z);
	twofold dx = sum_of(d.x, -a.x), dy = sum_of(d.y, -a.y), dz = sum_of(d.z, -a.z);
	expansion h = {0};
	add_differences(&h, 1, bx, cy, dz);
	add_differences(&h, -1, bx, cz, dy);
	add_differences(&h, 1, by, cz, dx);
	add_differences(&h, -1, by, cx, dz);
	add_differences(&h, 1, bz, cx, dy);
	add_differences(&h, -1, bz, cy, dx);
	return sign_of(&h);
}

int scree_orient3(vec3 a, vec3 b, vec3 c, vec3 d)
{
	vec3 u = v3_sub(b, a), v = v3_sub(c, a), w = v3_sub(d, a);
	real yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z, xy = u.x * v.y, yx = u.y * v.x;
	real value = w.x * (yz - zy) + w.y * (zx - xz) + w.z * (xy - yx);
	real sizes = real_abs(w.x) * (real_abs(yz) + real_abs(zy)) + real_abs(w.y) * (real_abs(zx) + real_abs(xz)) +
				 real_abs(w.z) * (real_abs(xy) + real_abs(yx));
	real most = (7 + 56 * ROUNDING) * ROUNDING * sizes; /* Shewchuk 1997, table 3 */
	if (value > most) return 1;
	if (value < -most) return -1;
	return exact_orient3(a, b, c, d);
}

int scree_orient2(real ax, real ay, real bx, real by, real cx, real cy)
{
	real left = (bx - ax) * (cy - ay), right = (by - ay) * (cx - ax), value = left - right;
	real most = (3 + 16 * ROUNDING) * ROUNDING * (real_abs(left) + real_abs(right));
	if (value > most) return 1;
	if (value < -most) return -1;
	twofold one = {1, 0};
	expansion h = {0};
	add_differences(&h, 1, sum_of(bx, -ax), sum_of(cy, -ay), one);
	add_differences(&h, -1, sum_of(by, -ay), sum_of(cx, -ax), one);
	return sign_of(&h);
}
