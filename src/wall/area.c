/* area: the area of a finite wall, for pressures. */
#include "wall/forms.h"

#include "base/real.h"
#include "shape/shapes.h"
#include "shape/shape_forms.h"

/* half of the sum of products of neighbouring corners, from the first one */
static real area_of_facet(const walls *s, const facet *f)
{
	vec3 sum = {0, 0, 0};
	for (int32_t k = 2; k < f->corners; ++k) {
		const vec3 *c = s->corner + f->first;
		sum = v3_add(sum, v3_cross(v3_sub(c[k - 1], c[0]), v3_sub(c[k], c[0])));
	}
	return v3_norm(sum) / 2;
}

static real around(const shape *s)
{
	const int32_t n = scree_shape_corners(s);
	real length = 0;
	for (int32_t k = 0; k < n; ++k)
		length += v3_norm(v3_sub(scree_shape_corner(s, (k + 1) % n), scree_shape_corner(s, k)));
	return length;
}

static real area_of_tube(const wall *w, bool flat)
{
	if (flat) return 2 * SCREE_PI * w->radius;
	const real other = w->type == WALL_CONE ? w->radius2 : w->radius, rise = w->radius - other;
	return SCREE_PI * (w->radius + other) * sqrt(w->length * w->length + rise * rise);
}

real scree_wall_area(const walls *s, const wall *w, const shapes *shapes, bool flat)
{
	real sum = 0;
	switch (w->type) {
	case WALL_CYLINDER:
	case WALL_CONE:
		return area_of_tube(w, flat);
	case WALL_POLYGON:
		return around(shapes->row + w->shape);
	case WALL_FACETS:
		for (int32_t f = 0; f < w->facets; ++f) sum += area_of_facet(s, s->facet + w->first_facet + f);
		return sum;
	default:
		return INFINITY;
	}
}
