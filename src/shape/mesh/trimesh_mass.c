/* trimesh_mass: volume, centroid and moments of the body inside a closed surface: sums over the tetrahedra between a
 * point and the triangles (Tonon 2004; docs/theory/shapes.md). The point is a vertex and then the centroid, so that
 * bodies far from the origin lose no digits. */
#include "shape/mesh/trimesh.h"

#include "shape/principal.h"

static moments moments_about(const trimesh *m, vec3 from)
{
	moments o = {0};
	for (int32_t t = 0; t < m->triangles; ++t) {
		const int32_t *c = m->corner + 3 * t;
		scree_add_tetrahedron(&o, v3_sub(m->vertex[c[0]], from), v3_sub(m->vertex[c[1]], from),
							  v3_sub(m->vertex[c[2]], from));
	}
	return o;
}

trimesh_mass scree_trimesh_mass(const trimesh *m)
{
	moments about_vertex = moments_about(m, m->vertex[0]);
	vec3 near = v3_madd(m->vertex[0], 1 / about_vertex.volume, about_vertex.first);
	moments o = moments_about(m, near);
	vec3 off = v3_mul(1 / o.volume, o.first); /* remaining rounding error */
	trimesh_mass out = {.volume = o.volume, .centre = v3_add(near, off)};
	real *i = out.moment, *s = o.second.m;
	s[0] -= o.volume * off.x * off.x, s[1] -= o.volume * off.y * off.y, s[2] -= o.volume * off.z * off.z;
	s[3] -= o.volume * off.x * off.y, s[4] -= o.volume * off.z * off.x, s[5] -= o.volume * off.y * off.z;
	i[0] = s[1] + s[2], i[1] = s[2] + s[0], i[2] = s[0] + s[1];
	i[3] = -s[3], i[4] = -s[5], i[5] = -s[4];
	return out;
}
