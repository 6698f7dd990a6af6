/* trimesh_mass: volume, centroid and moments of the body inside a closed surface: sums over the tetrahedra between a
 * point and the triangles (Tonon 2004; docs/theory/shapes.md). The point is a vertex and then the centroid, so that
 * bodies far from the origin lose no digits. */
#include "shape/mesh/trimesh.h"

typedef struct sums {
	real volume;
	vec3 first;		/* integral of x */
	real second[6]; /* integral of x_i x_j: xx, yy, zz, xy, yz, zx */
} sums;

static void add_tetrahedron(sums *o, vec3 u, vec3 v, vec3 w)
{
	real volume = v3_dot(u, v3_cross(v, w)) / 6, part = volume / 20;
	vec3 s = v3_add(u, v3_add(v, w));
	o->volume += volume;
	o->first = v3_madd(o->first, volume / 4, s);
	o->second[0] += part * (s.x * s.x + u.x * u.x + v.x * v.x + w.x * w.x);
	o->second[1] += part * (s.y * s.y + u.y * u.y + v.y * v.y + w.y * w.y);
	o->second[2] += part * (s.z * s.z + u.z * u.z + v.z * v.z + w.z * w.z);
	o->second[3] += part * (s.x * s.y + u.x * u.y + v.x * v.y + w.x * w.y);
	o->second[4] += part * (s.y * s.z + u.y * u.z + v.y * v.z + w.y * w.z);
	o->second[5] += part * (s.z * s.x + u.z * u.x + v.z * v.x + w.z * w.x);
}

static sums sums_about(const trimesh *m, vec3 from)
{
	sums o = {0};
	for (int32_t t = 0; t < m->triangles; ++t) {
		const int32_t *c = m->corner + 3 * t;
		add_tetrahedron(&o, v3_sub(m->vertex[c[0]], from), v3_sub(m->vertex[c[1]], from),
						v3_sub(m->vertex[c[2]], from));
	}
	return o;
}

trimesh_mass scree_trimesh_mass(const trimesh *m)
{
	sums about_vertex = sums_about(m, m->vertex[0]);
	vec3 near = v3_madd(m->vertex[0], 1 / about_vertex.volume, about_vertex.first);
	sums o = sums_about(m, near);
	vec3 off = v3_mul(1 / o.volume, o.first); /* remaining rounding error */
	trimesh_mass out = {.volume = o.volume, .centre = v3_add(near, off)};
	real *i = out.moment, *s = o.second;
	s[0] -= o.volume * off.x * off.x, s[1] -= o.volume * off.y * off.y, s[2] -= o.volume * off.z * off.z;
	s[3] -= o.volume * off.x * off.y, s[4] -= o.volume * off.y * off.z, s[5] -= o.volume * off.z * off.x;
	i[0] = s[1] + s[2], i[1] = s[2] + s[0], i[2] = s[0] + s[1];
	for (int k = 3; k < 6; ++k) i[k] = -s[k];
	return out;
}
