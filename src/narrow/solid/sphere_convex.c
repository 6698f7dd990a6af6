/* sphere_convex: the contact of a sphere and a convex polyhedron of any size (kernel/sphere_convex.h). Most calls need
 * only the heights of the centre above all planes, and most of the others only the hint, a single plane. */
#include "narrow/solid/convex_solid.h"

#include "base/memory.h"
#include "kernel/sphere_convex.h"

/* number of faces whose heights fit on the stack; for more, memory is allocated */
enum { ROOM = 256 };

static void set_heights(const shape *s, vec3 p, real *height)
{
	for (int32_t f = 0, count = s->faces; f < count; ++f) height[f] = convex_height(s, 1, f, p);
}

void scree_sphere_convex(vec3 sphere, real radius, const placed *b, int32_t hint, patch *out)
{
	const shape *s = b->shape;
	vec3 p = v3_mul(1 / b->size, mat3_tmul(b->turn, v3_sub(sphere, b->at)));
	real r = radius / b->size;
	out->points = 0;
	if (hint >= 1 && hint <= s->faces) {
		real d = convex_height(s, 1, hint - 1, p);
		if (d > r) {
			out->axis = hint;
			out->depth = (r - d) * b->size;
			return;
		}
	}
	real small[ROOM], *height = s->faces > ROOM ? scree_alloc((size_t)s->faces, sizeof *height) : small;
	set_heights(s, p, height);
	const sphere_contact c = sphere_convex_contact(&(sphere_view){s, p, height}, radius, b, &out->axis);
	if (height != small) scree_free(height);
	out->axis += 1;
	out->depth = c.depth;
	if (!(c.depth > 0)) return;
	out->points = 1;
	out->normal = c.normal;
	out->at[0] = c.at;
	out->deep[0] = c.depth;
	out->weight[0] = 1;
}
