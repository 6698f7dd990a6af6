/* mesh_build: a mesh that grows while a file is read. */
#include "base/memory.h"
#include "format/mesh_parts.h"

void scree_build_reserve(mesh_builder *b, int32_t vertices, int32_t triangles)
{
	mesh *m = &b->made;
	if (vertices > b->vertex_room - m->vertices) {
		b->vertex_room = m->vertices + vertices;
		m->vertex = scree_grow(m->vertex, (size_t)m->vertices, (size_t)b->vertex_room, sizeof *m->vertex);
	}
	if (triangles > b->triangle_room - m->triangles) {
		b->triangle_room = m->triangles + triangles;
		m->triangle =
			scree_grow(m->triangle, 3 * (size_t)m->triangles, 3 * (size_t)b->triangle_room, sizeof *m->triangle);
	}
}

/* a file of a GiB has at most 2^28 vertices and 2^29 triangles, so that doubling stays within 32 bits for both but the
 * last */
static int32_t more(int32_t count) { return count < 64 ? 64 : count < INT32_MAX / 6 ? count : INT32_MAX / 6; }

void scree_build_vertex(mesh_builder *b, vec3 p)
{
	if (b->made.vertices == b->vertex_room) scree_build_reserve(b, more(b->made.vertices), 0);
	b->made.vertex[b->made.vertices++] = p;
}

void scree_build_triangle(mesh_builder *b, int32_t i, int32_t j, int32_t k)
{
	if (b->made.triangles == b->triangle_room) scree_build_reserve(b, 0, more(b->made.triangles));
	int32_t *c = b->made.triangle + 3 * (size_t)b->made.triangles++;
	c[0] = i, c[1] = j, c[2] = k;
}

void scree_build_corner(mesh_builder *b, fan *f, int32_t vertex)
{
	if (f->corners == 0) f->first = vertex;
	if (f->corners >= 2) scree_build_triangle(b, f->first, f->last, vertex);
	f->last = vertex;
	++f->corners;
}
