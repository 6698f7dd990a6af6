#include "shape/flat_support.h"

oval scree_shape_oval(const shape *s, real size, xy along)
{
	bool disc = s->type == SHAPE_SPHERE;
	real a = disc ? s->radius : s->semi_x, b = disc ? s->radius : s->semi_y;
	return (oval){along, size * a, size * b};
}

/* tests whether the counter-clockwise angle from `zero` to a is less than the angle from `zero` to b */
static bool turns_less(xy zero, xy a, xy b)
{
	real ca = xy_cross(zero, a), cb = xy_cross(zero, b);
	bool first_a = ca > 0 || (ca == 0 && xy_dot(zero, a) > 0), first_b = cb > 0 || (cb == 0 && xy_dot(zero, b) > 0);
	return first_a == first_b ? xy_cross(a, b) > 0 : first_a;
}

int32_t scree_flat_farthest(const flat_polygon *p, xy n)
{
	/* Finds the last edge whose normal precedes n: corner k is the farthest between the normals of edges k-1 and k. */
	xy zero = flat_edge_normal(p, 0);
	int32_t low = 0, high = p->corners;
	if (!turns_less(zero, zero, n)) return 0;
	while (high - low > 1) {
		int32_t mid = low + (high - low) / 2;
		if (turns_less(zero, flat_edge_normal(p, mid), n))
			low = mid;
		else
			high = mid;
	}
	return flat_after(p, low);
}

static xy half_box_of_oval(const shape *s, real size, mat3 turn)
{
	oval o = scree_shape_oval(s, size, xy_flat(turn.x));
	xy at;
	return xy_of(oval_support(&o, xy_of(1, 0), &at), oval_support(&o, xy_of(0, 1), &at));
}

/* extent of the polygon along n, a direction in the frame of the world */
static real reach_of_polygon(const flat_polygon *p, real size, mat3 turn, xy n)
{
	xy m = xy_unturned(turn, n);
	int32_t k = scree_flat_farthest(p, m);
	real most = xy_dot(m, flat_corner_at(p, k, size));
	/* neighbours are also tested, because rounding may prefer one of them if an edge is perpendicular to n */
	most = real_max(most, xy_dot(m, flat_corner_at(p, flat_before(p, k), size)));
	return real_max(most, xy_dot(m, flat_corner_at(p, flat_after(p, k), size)));
}

void scree_flat_box(const shape *s, real size, vec3 at, mat3 turn, vec3 *low, vec3 *high)
{
	xy up, down;
	if (s->type == SHAPE_POLYGON) {
		const flat_polygon *p = &s->flat;
		up = xy_of(reach_of_polygon(p, size, turn, xy_of(1, 0)), reach_of_polygon(p, size, turn, xy_of(0, 1)));
		down = xy_of(reach_of_polygon(p, size, turn, xy_of(-1, 0)), reach_of_polygon(p, size, turn, xy_of(0, -1)));
	} else {
		down = up = half_box_of_oval(s, size, turn);
	}
	*low = v3(at.x - down.x, at.y - down.y, 0);
	*high = v3(at.x + up.x, at.y + up.y, 0);
}
