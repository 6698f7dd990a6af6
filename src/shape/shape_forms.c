#include "shape/shape_forms.h"

#include <stddef.h>

#include "shape/thickness.h"

static real reach_of_ball(const shape *s, vec3 n)
{
	(void)n;
	return s->radius;
}

static void box_of_ball(const shape *s, real size, vec3 at, mat3 turn, vec3 *low, vec3 *high)
{
	real radius = s->radius * size;
	vec3 r = v3(radius, radius, radius);
	(void)turn;
	*low = v3_sub(at, r);
	*high = v3_add(at, r);
}

static real reach_of_convex(const shape *s, vec3 n)
{
	real far = -INFINITY;
	for (int32_t v = 0; v < s->vertices; ++v) far = real_max(far, n.x * s->vx[v] + n.y * s->vy[v] + n.z * s->vz[v]);
	return far;
}

/* the box of the rotated vertices, not of the bounding sphere */
static void box_of_convex(const shape *s, real size, vec3 at, mat3 turn, vec3 *low, vec3 *high)
{
	vec3 l = v3(0, 0, 0), h = l;
	for (int32_t k = 0; k < s->vertices; ++k) v3_widen(&l, &h, mat3_mul(turn, shape_vertex(s, k)));
	*low = v3_madd(at, size, l);
	*high = v3_madd(at, size, h);
}

static real reach_of_mesh(const shape *s, vec3 n)
{
	real far = -INFINITY;
	for (int32_t v = 0; v < s->mesh.vertices; ++v) far = real_max(far, v3_dot(n, s->mesh.vertex[v]));
	return far + s->halo;
}

static void box_of_mesh(const shape *s, real size, vec3 at, mat3 turn, vec3 *low, vec3 *high)
{
	vec3 l = v3(0, 0, 0), h = l, halo = v3(s->halo, s->halo, s->halo);
	for (int32_t k = 0; k < s->mesh.vertices; ++k) v3_widen(&l, &h, mat3_mul(turn, s->mesh.vertex[k]));
	*low = v3_madd(at, size, v3_sub(l, halo));
	*high = v3_madd(at, size, v3_add(h, halo));
}

static real reach_of_balls(const shape *s, vec3 n)
{
	real far = -INFINITY;
	for (int32_t k = 0; k < s->parts; ++k) far = real_max(far, v3_dot(n, s->part[k].at) + s->part[k].radius);
	return far;
}

static void box_of_balls(const shape *s, real size, vec3 at, mat3 turn, vec3 *low, vec3 *high)
{
	vec3 l = v3(0, 0, 0), h = l;
	for (int32_t k = 0; k < s->parts; ++k) {
		vec3 v = mat3_mul(turn, s->part[k].at), r = v3(s->part[k].radius, s->part[k].radius, s->part[k].radius);
		l = v3_min(l, v3_sub(v, r));
		h = v3_max(h, v3_add(v, r));
	}
	*low = v3_madd(at, size, l);
	*high = v3_madd(at, size, h);
}

static real reach_of_ellipse(const shape *s, vec3 n)
{
	real x = n.x * s->semi_x, y = n.y * s->semi_y;
	return sqrt(x * x + y * y);
}

static real reach_of_polygon(const shape *s, vec3 n)
{
	real far = -INFINITY;
	for (int32_t c = 0; c < s->flat.corners; ++c)
		far = real_max(far, n.x * s->flat.corner[c].x + n.y * s->flat.corner[c].y);
	return far;
}

static void box_of_superquadric(const shape *s, real size, vec3 at, mat3 turn, vec3 *low, vec3 *high)
{
	const vec3 r = v3(scree_superquadric_reach(s, v3(turn.x.x, turn.y.x, turn.z.x)),
					  scree_superquadric_reach(s, v3(turn.x.y, turn.y.y, turn.z.y)),
					  scree_superquadric_reach(s, v3(turn.x.z, turn.y.z, turn.z.z)));
	*low = v3_madd(at, -size, r);
	*high = v3_madd(at, size, r);
}

static real reach_of_capsule(const shape *s, vec3 n)
{
	return scree_capsule_half(s) * real_abs(n.z) + s->semi_x * v3_norm(n);
}

static void box_of_capsule(const shape *s, real size, vec3 at, mat3 turn, vec3 *low, vec3 *high)
{
	const real half = size * scree_capsule_half(s), round = size * s->semi_x;
	const vec3 z = turn.z,
			   r = v3(half * real_abs(z.x) + round, half * real_abs(z.y) + round, half * real_abs(z.z) + round);
	*low = v3_sub(at, r);
	*high = v3_add(at, r);
}

static real radius_of(const shape *s) { return s->radius; }
static real halo_of(const shape *s) { return s->halo; }
static real radius_of_capsule(const shape *s) { return s->semi_x; }

static real smallest_ball(const shape *s)
{
	real least = INFINITY;
	for (int32_t k = 0; k < s->parts; ++k) least = real_min(least, s->part[k].radius);
	return least;
}

static int32_t one(const shape *s)
{
	(void)s;
	return 1;
}

static shape_ball itself(const shape *s, int32_t k)
{
	(void)k;
	return (shape_ball){v3(0, 0, 0), s->radius};
}

static int32_t parts_of(const shape *s) { return s->parts; }
static shape_ball part_of(const shape *s, int32_t k) { return (shape_ball){s->part[k].at, s->part[k].radius}; }

static bool ball_again(shapes *made, const shape *s, bool flat)
{
	fail why;
	return (flat ? scree_shapes_add_disc(made, s->name, &why) : scree_shapes_add_sphere(made, s->name)) >= 0;
}

static bool ellipse_again(shapes *made, const shape *s, bool flat)
{
	fail why;
	(void)flat;
	return scree_shapes_add_ellipse(made, s->name, s->semi_x, s->semi_y, &why) >= 0;
}

static bool superquadric_again(shapes *made, const shape *s, bool flat)
{
	fail why;
	const vec3 semi = v3(s->semi_x, s->semi_y, s->semi_z);
	return !flat && scree_shapes_add_superquadric(made, s->name, semi, s->power_xy, s->power_z, &why) >= 0;
}

static bool capsule_again(shapes *made, const shape *s, bool flat)
{
	fail why;
	return !flat && scree_shapes_add_capsule(made, s->name, 2 * s->semi_z, 2 * s->semi_x, &why) >= 0;
}

/* boxes of shapes in the plane are computed in shape/flat_support.h */
const shape_form scree_shape_forms[SHAPE_TYPES] = {
	[SHAPE_SPHERE] = {"sphere", "spheres", "discs", .side = TAKES_ROUND, .reach = reach_of_ball, .box = box_of_ball,
					  .rounding = radius_of, .balls = one, .ball = itself, .again = ball_again},
	[SHAPE_CONVEX] = {"convex", "polyhedra", NULL, .side = TAKES_OTHERS, .reach = reach_of_convex,
					  .box = box_of_convex},
	[SHAPE_ELLIPSE] = {"ellipse", NULL, "ellipses", .side = TAKES_OTHERS, .numbers = 2,
					   .number = {offsetof(shape, semi_x), offsetof(shape, semi_y)}, .reach = reach_of_ellipse,
					   .again = ellipse_again},
	[SHAPE_POLYGON] = {"polygon", NULL, "polygons", .side = TAKES_OTHERS, .reach = reach_of_polygon},
	[SHAPE_SUPERQUADRIC] = {"superquadric", "superquadrics", NULL, .rare = true, .side = TAKES_POINTED, .numbers = 5,
							.number = {offsetof(shape, semi_x), offsetof(shape, semi_y), offsetof(shape, semi_z),
									   offsetof(shape, power_z), offsetof(shape, power_xy)},
							.reach = scree_superquadric_reach, .box = box_of_superquadric,
							.rounding = scree_superquadric_sharpest, .again = superquadric_again},
	[SHAPE_CAPSULE] = {"capsule", "capsules", NULL, .rare = true, .side = TAKES_POINTED, .numbers = 3,
					   .number = {offsetof(shape, semi_x), offsetof(shape, semi_y), offsetof(shape, semi_z)},
					   .reach = reach_of_capsule, .box = box_of_capsule, .rounding = radius_of_capsule,
					   .again = capsule_again},
	[SHAPE_COMPOUND] = {"compound", "compounds", NULL, .rare = true, .side = TAKES_COMPOUNDS, .source = true,
						.reach = reach_of_mesh, .box = box_of_mesh},
	[SHAPE_CLUMP] = {"clump", "clumps", NULL, .rare = true, .side = TAKES_POINTED, .source = true,
					 .reach = reach_of_balls, .box = box_of_balls, .rounding = smallest_ball, .balls = parts_of,
					 .ball = part_of},
	[SHAPE_SURFACE] = {"surface", "triangulated grains", NULL, .rare = true, .side = TAKES_POINTED, .source = true,
					   .reach = reach_of_mesh, .box = box_of_mesh, .rounding = halo_of},
};

static real thinnest_ball(const shape *s)
{
	const shape_form *f = scree_shape_forms + s->type;
	real least = INFINITY;
	for (int32_t k = 0; k < f->balls(s); ++k) least = real_min(least, 2 * f->ball(s, k).radius);
	return least;
}

thick_piece scree_thick_piece(const shape *s, int32_t part, real size)
{
	if (s->parts) return (thick_piece){size * s->part[part].thick, s->parts > 1};
	const shape_form *f = scree_shape_forms + s->type;
	if (f->balls && s->type != SHAPE_SPHERE) return (thick_piece){size * thinnest_ball(s), f->balls(s) > 1};
	return (thick_piece){size * s->thick, false};
}
