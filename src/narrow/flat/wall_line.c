/* wall_line: contact between a disc, an ellipse, or a polygon and the half plane behind a line.
 *
 * For laws that use depth, the points are the polygon's corners behind the line, as for polyhedra on a plane
 * (wall/patch.c), but with lengths along the line instead of areas. A corner's strength is its overlap times half the
 * length of its two edges behind the line, projected along the normal. Edges that do not face the line contribute
 * nothing. */
#include "narrow/flat/round.h"

static real over_line(const placed *body, vec3 point, xy n)
{
	return xy_dot(n, xy_of(body->at.x - point.x, body->at.y - point.y));
}

void scree_flat_depth_round_line(const placed *body, vec3 point, vec3 normal, patch *out)
{
	xy n = xy_flat(normal), top;
	oval o = scree_flat_oval(body, UPRIGHT);
	real depth = oval_support(&o, n, &top) - over_line(body, point, n);
	if (flat_begin(out, n, depth)) flat_point(out, xy_madd(xy_mul(-1, top), depth / 2, n), depth, 1);
}

void scree_flat_area_round_line(const placed *body, vec3 point, vec3 normal, patch *out)
{
	xy n = xy_flat(normal), top;
	oval o = scree_flat_oval(body, UPRIGHT);
	real h = oval_support(&o, n, &top), depth = h - over_line(body, point, n), part = depth / h;
	if (!flat_begin(out, n, depth)) return;
	/* in coordinates in which the ellipse is the unit circle, `part` is the sagitta, and the chord's midpoint is in the
	 * direction of the support point */
	flat_area sum = {0};
	if (part < 2) {
		real sine = sqrt(part * (2 - part)), ab = o.a * o.b;
		flat_area_add(&sum, ab * scree_flat_segment(sine, 1 - part), xy_mul(2 * ab * sine / h, n),
					  xy_mul(part - 1, top));
	}
	flat_area_patch(&sum, n, out);
}

/* Data are in the polygon's frame. In counter-clockwise order, edges that face down run to the right along the line. */
typedef struct over {
	const flat_polygon *p;
	xy n, right;
	real size, centre; /* height of the centre */
	int32_t lowest;
} over;

static over see(const placed *body, vec3 point, xy normal)
{
	over o = {.p = &body->shape->flat, .n = xy_unturned(body->turn, normal), .size = body->size};
	o.right = xy_of(o.n.y, -o.n.x);
	o.centre = over_line(body, point, normal);
	o.lowest = scree_flat_farthest(o.p, xy_mul(-1, o.n));
	return o;
}

static xy corner_of(const over *o, int32_t k) { return flat_corner_at(o->p, k, o->size); }
static real height(const over *o, int32_t k) { return o->centre + xy_dot(o->n, corner_of(o, k)); }

/* Returns the length, measured to the right, of the part of edge k behind the line. */
static real width_behind(const over *o, int32_t k)
{
	int32_t next = flat_after(o->p, k);
	real h = height(o, k), g = height(o, next), width = xy_dot(o->right, xy_sub(corner_of(o, next), corner_of(o, k)));
	real part = h < 0 && g < 0 ? 1 : h < 0 ? h / (h - g) : g < 0 ? g / (g - h) : 0;
	return real_max(part * width, 0);
}

/* Finds the corners behind the line: the first corner in counter-clockwise order, and the number of corners. */
static int32_t corners_behind(const over *o, int32_t *count)
{
	int32_t first = o->lowest, last = o->lowest;
	for (*count = 1; *count < o->p->corners; ++*count) {
		int32_t k = flat_before(o->p, first);
		if (!(height(o, k) < 0)) break;
		first = k;
	}
	for (; *count < o->p->corners; ++*count) {
		int32_t k = flat_after(o->p, last);
		if (!(height(o, k) < 0)) break;
		last = k;
	}
	return first;
}

void scree_flat_depth_polygon_line(const placed *body, vec3 point, vec3 normal, patch *out)
{
	over o = see(body, point, xy_flat(normal));
	int32_t count;
	if (!flat_begin(out, xy_flat(normal), -height(&o, o.lowest))) return;
	int32_t k = corners_behind(&o, &count);
	flat_rows rows = flat_rows_start(out, count);
	real before = width_behind(&o, flat_before(o.p, k));
	for (int32_t i = 0; i < count; ++i, k = flat_after(o.p, k)) {
		real deep = -height(&o, k), after = width_behind(&o, k);
		xy at = xy_turned(body->turn, xy_madd(corner_of(&o, k), deep / 2, o.n));
		flat_rows_add(&rows, at, deep, (before + after) * deep);
		before = after;
	}
	flat_rows_end(&rows);
}

/* Follows the border on one side, from the lowest corner to the line. Outputs the distance along the line and the area
 * below the line up to that point. Returns false if the border never reaches the line. */
static bool follow(const over *o, bool ahead, real *aside, real *area)
{
	int32_t k = o->lowest;
	xy from = corner_of(o, k);
	real h = height(o, k), u = 0;
	for (int32_t i = 0; i < o->p->corners; ++i) {
		k = ahead ? flat_after(o->p, k) : flat_before(o->p, k);
		real g = height(o, k), v = xy_dot(o->right, xy_sub(corner_of(o, k), from));
		bool out = !(g < 0);
		if (out) {
			v = u + h / (h - g) * (v - u);
			g = 0;
		}
		*area += (ahead ? u - v : v - u) * (h + g) / 2;
		u = v;
		h = g;
		if (!out) continue;
		*aside = u;
		return true;
	}
	return false;
}

void scree_flat_area_polygon_line(const placed *body, vec3 point, vec3 normal, patch *out)
{
	over o = see(body, point, xy_flat(normal));
	flat_area sum = {0};
	real lowest = height(&o, o.lowest), left, right, area = 0;
	if (!flat_begin(out, xy_flat(normal), -lowest)) return;
	if (follow(&o, true, &right, &area) && follow(&o, false, &left, &area) && right > left) {
		xy middle = xy_madd(xy_madd(corner_of(&o, o.lowest), (left + right) / 2, o.right), -lowest, o.n);
		flat_area_add(&sum, area, xy_mul(right - left, xy_flat(normal)), xy_turned(body->turn, middle));
	}
	flat_area_patch(&sum, xy_flat(normal), out);
}
