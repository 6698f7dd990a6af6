/* mesh_tools: welding a mesh, and what to say about it as a surface. Nothing is repaired: a report with counts lets the
 * user see that a mesh is not what it seems. */
#include "base/memory.h"
#include "format/mesh.h"
#include "state/surface.h"

static void bounds(const mesh *m, vec3 *low, vec3 *high)
{
	*low = *high = m->vertices ? m->vertex[0] : v3(0, 0, 0);
	for (int32_t i = 0; i < m->vertices; ++i) {
		vec3 p = m->vertex[i];
		*low = v3(real_min(low->x, p.x), real_min(low->y, p.y), real_min(low->z, p.z));
		*high = v3(real_max(high->x, p.x), real_max(high->y, p.y), real_max(high->z, p.z));
	}
}

void scree_mesh_weld(mesh *m, real part)
{
	if (!m->vertices) return;
	vec3 low, high;
	bounds(m, &low, &high);
	real extent = real_max(high.x - low.x, real_max(high.y - low.y, high.z - low.z));
	int32_t *to = scree_alloc((size_t)m->vertices, sizeof *to);
	scree_weld(m->vertices, m->vertex, part * extent, to);
	int32_t kept = 0, vertices = 0;
	for (int32_t t = 0; t < m->triangles; ++t) {
		const int32_t *c = m->triangle + 3 * t;
		int32_t i = to[c[0]], j = to[c[1]], k = to[c[2]];
		if (i == j || j == k || k == i) continue;
		int32_t *out = m->triangle + 3 * kept++;
		out[0] = i, out[1] = j, out[2] = k;
	}
	m->triangles = kept;
	/* number[i]: 1 + the new row; vertices stay in order */
	int32_t *number = scree_alloc((size_t)m->vertices, sizeof *number);
	for (int32_t k = 0; k < 3 * kept; ++k) number[m->triangle[k]] = 1;
	for (int32_t i = 0; i < m->vertices; ++i) {
		if (!number[i]) continue;
		m->vertex[vertices] = m->vertex[i];
		number[i] = ++vertices;
	}
	for (int32_t k = 0; k < 3 * kept; ++k) m->triangle[k] = number[m->triangle[k]] - 1;
	m->vertices = vertices;
	scree_free(number);
	scree_free(to);
}

static int32_t root(int32_t *to, int32_t i)
{
	while (to[i] != i) i = to[i] = to[to[i]];
	return i;
}

mesh_report scree_mesh_look(const mesh *m)
{
	mesh_report r = {.parts = m->triangles};
	bounds(m, &r.low, &r.high);
	int64_t count = 3 * (int64_t)m->triangles;
	side *at = scree_sides(m->triangles, m->triangle);
	int32_t *part = scree_alloc((size_t)m->triangles, sizeof *part);
	for (int32_t t = 0; t < m->triangles; ++t) part[t] = t;
	for (int64_t from = 0; from < count;) {
		int64_t end = scree_sides_end(at, count, from);
		r.open += end - from == 1;
		r.crowded += end - from > 2;
		r.turned += end - from == 2 && at[from].forward == at[from + 1].forward;
		for (int64_t k = from + 1; k < end; ++k) {
			int32_t a = root(part, at[from].corner / 3), b = root(part, at[k].corner / 3);
			r.parts -= a != b;
			part[a > b ? a : b] = a > b ? b : a;
		}
		from = end;
	}
	scree_free(part);
	scree_free(at);
	if (r.open || r.crowded || r.turned) return r;
	vec3 middle = v3_mul((real)0.5, v3_add(r.low, r.high));
	for (int32_t t = 0; t < m->triangles; ++t) {
		const int32_t *c = m->triangle + 3 * t;
		vec3 u = v3_sub(m->vertex[c[0]], middle), v = v3_sub(m->vertex[c[1]], middle),
			 w = v3_sub(m->vertex[c[2]], middle);
		r.volume += v3_dot(u, v3_cross(v, w)) / 6;
	}
	return r;
}
