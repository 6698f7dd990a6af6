/* compound: shapes made of several parts or triangles: closed meshes as the union of convex polyhedra, closed meshes
 * with a halo, and clumps of balls. All are stored in the frame of the whole shape's principal axes, with the centroid
 * at the origin (convex.c). Mass properties are those of the mesh or of the union of the balls, not sums over parts. */
#include "shape/compound.h"

#include "base/memory.h"
#include "kernel/quat.h"
#include "shape/clump/clump.h"
#include "shape/mesh/surface.h"
#include "shape/parts/convex_parts.h"
#include "shape/principal.h"
#include "shape/thickness.h"

static mat3 mat3_times(mat3 a, mat3 b) { return (mat3){mat3_mul(a, b.x), mat3_mul(a, b.y), mat3_mul(a, b.z)}; }
static mat3 mat3_turned_back(mat3 a, mat3 b) { return (mat3){mat3_tmul(a, b.x), mat3_tmul(a, b.y), mat3_tmul(a, b.z)}; }

/* second moments about the same point, in these axes */
static sym3 turned_moments(sym3 s, mat3 axes)
{
	const mat3 of = {v3(s.m[0], s.m[3], s.m[4]), v3(s.m[3], s.m[1], s.m[5]), v3(s.m[4], s.m[5], s.m[2])};
	const mat3 in = mat3_turned_back(axes, mat3_times(of, axes));
	return (sym3){{in.x.x, in.y.y, in.z.z, in.x.y, in.x.z, in.y.z}};
}

/* Sets volume, centre, frame, and moments of inertia. Returns the frame as a matrix. */
static mat3 set_mass(shape *s, real volume, vec3 centre, sym3 second)
{
	s->volume = volume;
	s->centre = centre;
	s->frame = scree_principal_frame(second);
	mat3 turn = quat_matrix(s->frame);
	if (s->frame.w != 1) second = turned_moments(second, turn);
	s->inertia = scree_inertia_of(second);
	return turn;
}

/* converts a point from the user's frame to the shape's frame */
static vec3 stored(const shape *s, mat3 turn, vec3 p)
{
	vec3 d = v3_sub(p, s->centre);
	return s->frame.w == 1 ? d : mat3_tmul(turn, d);
}

static void keep_source(shape *s, int32_t points, const vec3 *point, int32_t triangles, const int32_t *triangle,
						const real *radius)
{
	shape_source *o = &s->source;
	o->points = points;
	o->triangles = triangles;
	o->point = scree_copy(point, (size_t)points, sizeof *point);
	o->triangle = triangles ? scree_copy(triangle, 3 * (size_t)triangles, sizeof *triangle) : NULL;
	o->radius = radius ? scree_copy(radius, (size_t)points, sizeof *radius) : NULL;
}

static real distance_to_triangle(vec3 p, const trimesh *m, int32_t t)
{
	const int32_t *c = m->corner + 3 * (int64_t)t;
	const vec3 a = m->vertex[c[0]], b = m->vertex[c[1]], d = m->vertex[c[2]], n = m->normal[t];
	real least = INFINITY;
	bool over = true;
	const vec3 corner[4] = {a, b, d, a};
	for (int k = 0; k < 3; ++k) {
		vec3 edge = v3_sub(corner[k + 1], corner[k]), to = v3_sub(p, corner[k]);
		over &= v3_dot(v3_cross(n, edge), to) >= 0;
		real along = real_clamp(v3_dot(to, edge) / v3_norm2(edge), 0, 1);
		least = real_min(least, v3_norm(v3_madd(to, -along, edge)));
	}
	return over ? real_abs(v3_dot(n, v3_sub(p, a))) : least;
}

/* returns the radius of the largest ball around the centroid inside the surface; 0 if the centroid is outside */
static real inner_radius(const trimesh *m)
{
	if (scree_trimesh_inside(m, v3(0, 0, 0)) <= 0) return 0;
	real least = INFINITY;
	for (int32_t t = 0; t < m->triangles; ++t) least = real_min(least, distance_to_triangle(v3(0, 0, 0), m, t));
	return least;
}

static bool set_mesh(shape *s, int32_t vertices, const vec3 *vertex, int32_t triangles, const int32_t *triangle,
					 fail *why)
{
	if (!scree_trimesh_build(&s->mesh, s->name, vertices, vertex, triangles, triangle, why)) return false;
	keep_source(s, vertices, vertex, triangles, triangle, NULL);
	trimesh_mass m = scree_trimesh_mass(&s->mesh);
	const real half = (m.moment[0] + m.moment[1] + m.moment[2]) / 2;
	const sym3 second = {
		{half - m.moment[0], half - m.moment[1], half - m.moment[2], -m.moment[3], -m.moment[5], -m.moment[4]}};
	mat3 turn = set_mass(s, m.volume, m.centre, second);
	scree_trimesh_move(&s->mesh, s->centre, s->frame.w == 1 ? quat_matrix(quat_one()) : turn);
	for (int32_t k = 0; k < s->mesh.vertices; ++k) s->radius = real_max(s->radius, v3_norm(s->mesh.vertex[k]));
	s->inradius = inner_radius(&s->mesh);
	return true;
}

static bool set_part(shape *s, shape_part *to, const convex_part *from, fail *why)
{
	mat3 turn = quat_matrix(s->frame);
	to->solid = scree_alloc(1, sizeof *to->solid);
	if (!scree_convex_build(to->solid, s->name, from->vertices, from->vertex, from->faces, from->first, from->corner,
							why))
		return false;
	to->at = stored(s, turn, to->solid->centre);
	to->turn = mat3_turned_back(turn, quat_matrix(to->solid->frame));
	to->radius = to->solid->radius;
	return true;
}

static bool set_parts(shape *s, const convex_parts *from, fail *why)
{
	s->part = scree_alloc((size_t)from->count, sizeof *s->part);
	s->parts = from->count;
	for (int32_t k = 0; k < s->parts; ++k)
		if (!set_part(s, s->part + k, from->part + k, why)) return false;
	for (int32_t k = 0; k < s->parts; ++k) s->part[k].thick = scree_part_thickness(s, k, from->part[k].inner);
	return true;
}

int32_t scree_shapes_add_compound(shapes *s, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
								  const int32_t *triangle, fail *why)
{
	shape made = {.type = SHAPE_COMPOUND};
	convex_parts parts = {0};
	int32_t row = -1;
	if (triangles > PARTS_TRIANGLES) /* invalid input is refused before anything is computed */
		return scree_convex_parts(name, vertices, vertex, triangles, triangle, COMPOUND_PARTS, &parts, why) ? row : -1;
	if (scree_shape_name(&made, name, why) && set_mesh(&made, vertices, vertex, triangles, triangle, why) &&
		scree_convex_parts(name, vertices, vertex, triangles, triangle, COMPOUND_PARTS, &parts, why)) {
		const convex_part *one = parts.part;
		if (parts.count == 1)
			row =
				scree_shapes_add_convex(s, name, one->vertices, one->vertex, one->faces, one->first, one->corner, why);
		else if (set_parts(&made, &parts, why))
			row = scree_shapes_append(s, &made);
	}
	if (row < 0 || parts.count == 1) scree_shape_clear(&made);
	scree_convex_parts_free(&parts);
	return row;
}

/* If a flat face is rotated in space, its corners are off its plane due to rounding in the file, and even farther off
 * if the face is wider than its largest triangle. Without correction, cutting these rounded meshes gives splinters as
 * thin as the error, or no parts. Faces that are flat to within the precision of the file are therefore flattened
 * first. If this fails, the mesh is used unchanged; wider bounds are tried last. */
static const real FLAT = 1e-11;	 /* largest deviation, relative to the extent, that convex parts always treat as flat */
static const real COARSE = 1e-4; /* relative deviation above which coordinates determine planes too poorly */

static int32_t add_flat(shapes *s, const char *name, int32_t vertices, const vec3 *from, int32_t triangles,
						const int32_t *triangle, real within)
{
	vec3 *vertex = scree_copy(from, (size_t)vertices, sizeof *vertex);
	int32_t row = -1;
	real moved = 0;
	fail why = {0};
	if (scree_convex_parts_flatten(name, vertices, vertex, triangles, triangle, within, &moved, &why) && moved > 0)
		row = scree_shapes_add_compound(s, name, vertices, vertex, triangles, triangle, &why);
	scree_free(vertex);
	return row;
}

int32_t scree_shapes_add_rounded(shapes *s, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
								 const int32_t *triangle, real rounding, fail *why)
{
	const real extent = scree_extent(vertices, vertex), point = 2 * rounding; /* point: error of three coordinates */
	const bool may = rounding <= COARSE * extent && extent > 1e-30 && extent < 1e30 && triangles >= 4 &&
					 triangles <= PARTS_TRIANGLES;
	int32_t row = -1;
	if (may && 4 * point > FLAT * extent) row = add_flat(s, name, vertices, vertex, triangles, triangle, 4 * point);
	if (row < 0) row = scree_shapes_add_compound(s, name, vertices, vertex, triangles, triangle, why);
	for (real within = 16 * point; may && row < 0 && within <= 300 * point; within *= 4)
		if (within > FLAT * extent) row = add_flat(s, name, vertices, vertex, triangles, triangle, within);
	return row;
}

int32_t scree_shapes_add_surface(shapes *s, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
								 const int32_t *triangle, real halo, fail *why)
{
	shape made = {.type = SHAPE_SURFACE, .halo = halo};
	if (scree_shape_name(&made, name, why) && set_mesh(&made, vertices, vertex, triangles, triangle, why)) {
		made.radius += halo;
		return scree_shapes_append(s, &made);
	}
	scree_shape_clear(&made);
	return -1;
}

bool scree_shapes_need_skins(shapes *s, fail *why)
{
	bool any = false;
	for (int32_t k = 0; k < s->count; ++k) any |= s->row[k].type == SHAPE_SURFACE;
	for (int32_t k = 0; any && k < s->count; ++k) {
		shape *o = s->row + k;
		if (o->type != SHAPE_CONVEX || o->skin) continue;
		o->skin = scree_alloc(1, sizeof *o->skin);
		if (!scree_trimesh_of_convex(o->skin, o))
			return scree_refuse(why, "shape '%s' has a face too thin for bodies with a halo", o->name);
	}
	return true;
}

/* Counts faces of parts in one plane, which all push when the body rests on it, and sums the roots of their areas. */
static int32_t faces_in_plane(const shape *s, vec3 n, real off, real near, real *roots)
{
	int32_t count = 0;
	*roots = 0;
	for (int32_t k = 0; k < s->parts; ++k) {
		const shape_part *p = s->part + k;
		const vec3 m = mat3_tmul(p->turn, n);
		for (int32_t f = 0; f < p->solid->faces; ++f) {
			if (v3_dot(shape_normal(p->solid, f), m) < 1 - (real)1e-6) continue;
			if (real_abs(p->solid->off[f] + v3_dot(n, p->at) - off) > near * s->radius) continue;
			*roots += sqrt(scree_shape_face_area(p->solid, f));
			++count;
		}
	}
	return count;
}

int32_t scree_compound_faces(const shape *s, real near, real *roots)
{
	int32_t most = 0;
	*roots = 0;
	for (int32_t k = 0; k < s->parts; ++k) {
		const shape_part *p = s->part + k;
		for (int32_t f = 0; f < p->solid->faces; ++f) {
			const vec3 n = mat3_mul(p->turn, shape_normal(p->solid, f));
			real sum;
			const int32_t count = faces_in_plane(s, n, p->solid->off[f] + v3_dot(n, p->at), near, &sum);
			most = count > most ? count : most;
			*roots = real_max(*roots, sum);
		}
	}
	return most;
}

int32_t scree_shapes_add_clump(shapes *s, const char *name, int32_t balls, const vec3 *centre, const real *radius,
							   bool added, fail *why)
{
	shape made = {.type = SHAPE_CLUMP};
	solid_mass mass;
	bool right = scree_shape_name(&made, name, why) &&
				 (added ? scree_clump_mass_added : scree_clump_mass)(name, balls, centre, radius, &mass, why);
	if (!right) return -1;
	sym3 second;
	for (int k = 0; k < 6; ++k) second.m[k] = mass.second[k];
	mat3 turn = set_mass(&made, mass.volume, mass.centre, second);
	keep_source(&made, balls, centre, 0, NULL, radius);
	made.source.added = added;
	made.part = scree_alloc((size_t)balls, sizeof *made.part);
	made.parts = balls;
	for (int32_t k = 0; k < balls; ++k) {
		made.part[k] =
			(shape_part){NULL, stored(&made, turn, centre[k]), quat_matrix(quat_one()), radius[k], 2 * radius[k]};
		made.radius = real_max(made.radius, v3_norm(made.part[k].at) + radius[k]);
		/* the largest ball around the centroid that is inside one of the balls */
		made.inradius = real_max(made.inradius, radius[k] - v3_norm(made.part[k].at));
	}
	return scree_shapes_append(s, &made);
}
