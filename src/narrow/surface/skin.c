/* skin: finds the feature to which a point of a surface belongs and the directions in which a feature is nearest. */
#include "narrow/surface/room.h"

#include "kernel/triangle.h"

static vec3 own_vertex(const skin *s, int32_t side) { return s->vertex[s->corner[side]]; }
static vec3 own_side(const skin *s, int32_t side)
{
	return v3_sub(own_vertex(s, side_next(side)), own_vertex(s, side));
}

/* Returns the direction in the face that is perpendicular to the side and points inwards. */
static vec3 inward(const skin *s, int32_t side) { return v3_unit(v3_cross(s->normal[side / 3], own_side(s, side))); }

/* Tests whether the surface rises from this side towards the other body, which it would therefore cross. */
static bool is_hollow(const skin *s, int32_t side, vec3 towards, real slack)
{
	if (s->two_sided) {
		if (s->across[side] < 0) return false;
		/* seen from behind both faces, a ridge is a valley */
		const real here = v3_dot(s->normal[side / 3], towards), there = v3_dot(s->normal[s->across[side] / 3], towards);
		return (here > 0 && there > 0 && s->bend[side] <= 0) || (here < 0 && there < 0 && s->bend[side] >= 0);
	}
	if (s->across[side] < 0) return v3_dot(s->normal[side / 3], towards) < -slack;
	return s->bend[side] <= 0;
}

bool scree_skin_edge_nearest(const skin *s, int32_t side, vec3 towards, real slack)
{
	if (is_hollow(s, side, towards, slack)) return false;
	if (v3_dot(inward(s, side), towards) > slack) return false;
	return s->across[side] < 0 || v3_dot(inward(s, s->across[side]), towards) <= slack;
}

/* The next corner around a vertex, counter-clockwise (left) or clockwise; SKIN_OPEN at the end of the surface. */
static int32_t turn_left(const skin *s, int32_t side)
{
	const int32_t across = s->across[side_last(side)];
	return across < 0 ? SKIN_OPEN : across;
}
static int32_t turn_right(const skin *s, int32_t side)
{
	return s->across[side] < 0 ? SKIN_OPEN : side_next(s->across[side]);
}

/* Returns the corner from which a turn to the left passes all corners of the same vertex. */
static int32_t rightmost(const skin *s, int32_t side)
{
	int32_t c = side, next = turn_right(s, c);
	while (next != SKIN_OPEN && next != side) c = next, next = turn_right(s, c);
	return next == SKIN_OPEN ? c : side;
}

/* The edges around a vertex, as seen from the vertex. */
typedef struct fan {
	vec3 towards;
	real slack, highest;
	int32_t on; /* side of the highest edge */
} fan;

/* Adds a side; returns false if the surface comes closer along this side. */
static bool fan_side(fan *f, const skin *s, int32_t side, vec3 along)
{
	real up = v3_dot(along, f->towards) / v3_norm(along);
	if (up > f->slack) return false;
	if (side_is_edge(s, side) && up > f->highest) f->highest = up, f->on = side;
	return true;
}

bool scree_skin_vertex_nearest(const skin *s, int32_t side, vec3 towards, real slack)
{
	fan f = {towards, slack, -INFINITY, -1};
	int32_t start = rightmost(s, side), c = start;
	do {
		if (!fan_side(&f, s, c, own_side(s, c))) return false;
		int32_t next = turn_left(s, c), last = side_last(c);
		if (next == SKIN_OPEN && !fan_side(&f, s, last, v3_neg(own_side(s, last)))) return false;
		c = next;
	} while (c != SKIN_OPEN && c != start);
	/* all edges descend from the vertex, which is a peak if the highest edge is a ridge, else a pit seen from inside */
	return f.on >= 0 && !is_hollow(s, f.on, towards, slack);
}

vec3 scree_skin_outward(const skin *s, feature f)
{
	vec3 sum = s->normal[f.side / 3];
	if (f.kind == FEATURE_EDGE && s->across[f.side] >= 0) sum = v3_add(sum, s->normal[s->across[f.side] / 3]);
	if (f.kind == FEATURE_VERTEX) {
		int32_t start = rightmost(s, f.side);
		sum = v3(0, 0, 0);
		for (int32_t c = start; c != SKIN_OPEN;) {
			sum = v3_add(sum, s->normal[c / 3]);
			c = turn_left(s, c);
			if (c == start) break;
		}
	}
	return mat3_mul(s->turn, v3_unit(sum));
}

int scree_skin_borders(const skin *s, feature f, int32_t side[2])
{
	int count = 0;
	if (f.kind == FEATURE_EDGE && s->across[f.side] == SKIN_OPEN) side[count++] = f.side;
	if (f.kind != FEATURE_VERTEX) return count;
	int32_t c = rightmost(s, f.side);
	if (s->across[c] == SKIN_OPEN) side[count++] = c;
	for (int32_t next = turn_left(s, c); next != SKIN_OPEN && next != f.side; next = turn_left(s, c)) c = next;
	if (s->across[side_last(c)] == SKIN_OPEN) side[count++] = side_last(c);
	return count;
}

/* For a wall, returns the smallest value at the corners of the facets around a vertex. */
static int32_t least_around(const skin *s, int32_t side, const int32_t *of_corner, const int32_t *of_triangle)
{
	int32_t start = rightmost(s, side), least = INT32_MAX;
	for (int32_t c = start; c != SKIN_OPEN;) {
		int32_t value = of_corner ? of_corner[c] : of_triangle[c / 3];
		least = value < least ? value : least;
		c = turn_left(s, c);
		if (c == start) break;
	}
	return least;
}

static int32_t number_of(const skin *s, feature f)
{
	int32_t across = f.kind == FEATURE_EDGE ? s->across[f.side] : SKIN_OPEN;
	switch (f.kind) {
	case FEATURE_VERTEX:
		return s->row ? least_around(s, f.side, s->row, NULL) : s->corner[f.side];
	case FEATURE_EDGE:
		if (!s->row) return side_of_edge(s, f.side);
		return across >= 0 && s->row[across] < s->row[f.side] ? s->row[across] : s->row[f.side];
	case FEATURE_FACE:
		break;
	}
	return s->surface ? s->surface[f.side / 3] : s->plane[f.side / 3];
}

uint32_t scree_skin_name(const skin *s, feature f) { return (uint32_t)f.kind << 30 | (uint32_t)number_of(s, f); }

int32_t scree_skin_surface(const skin *s, feature f)
{
	if (!s->surface) return 0;
	int32_t here = s->surface[f.side / 3];
	if (f.kind == FEATURE_VERTEX) return least_around(s, f.side, NULL, s->surface);
	if (f.kind == FEATURE_FACE || s->across[f.side] < 0) return here;
	int32_t there = s->surface[s->across[f.side] / 3];
	return there < here ? there : here;
}

static tri3 number3(vec3 a) { return t3(a.x, a.y, a.z); }

feature scree_skin_closest(const skin *s, int32_t t, vec3 p, real snap, vec3 *closest)
{
	vec3 c[3] = {skin_corner(s, 3 * t), skin_corner(s, 3 * t + 1), skin_corner(s, 3 * t + 2)};
	vec3 e = v3_sub(c[1], c[0]), f = v3_sub(c[2], c[0]);
	tri_weights w = tri_closest(number3(v3_sub(c[0], p)), number3(e), number3(f));
	vec3 y = v3_madd(v3_madd(c[0], w.b, e), w.c, f);
	*closest = y;
	for (int k = 0; k < 3; ++k)
		if (v3_norm2(v3_sub(y, c[k])) <= snap * snap && !vertex_is_flat(s, 3 * t + k)) {
			*closest = c[k];
			return (feature){FEATURE_VERTEX, 3 * t + k};
		}
	for (int k = 0; k < 3; ++k) {
		vec3 u = v3_sub(c[(k + 1) % 3], c[k]), r = v3_sub(y, c[k]);
		if (!side_is_edge(s, 3 * t + k) || v3_norm2(v3_cross(u, r)) > snap * snap * v3_norm2(u)) continue;
		*closest = v3_madd(c[k], v3_dot(u, r) / v3_norm2(u), u);
		return (feature){FEATURE_EDGE, 3 * t + k};
	}
	return (feature){FEATURE_FACE, 3 * t};
}
