/* capsule: creates capsules, with volume, moments, and triangles for pictures. */
#include "shape/shapes.h"

#include "base/maths.h"
#include "base/memory.h"
#include "shape/compound.h"

static const real SLENDER = 100; /* largest ratio of length to diameter */

vec3 scree_capsule_normal(const shape *s, vec3 p)
{
	const real half = scree_capsule_half(s);
	return v3_unit(v3(p.x, p.y, p.z - real_clamp(p.z, -half, half)));
}

enum { RINGS = 12, SECTORS = 40, MOST_RINGS = 2 * RINGS, MOST_VERTICES = MOST_RINGS * SECTORS + 2 };

typedef struct facing {
	int32_t rings, triangles;
	vec3 vertex[MOST_VERTICES]; /* the poles, then the rings from the upper to the lower one */
	int32_t corner[3 * 2 * MOST_RINGS * SECTORS];
} facing;

static void add_ring(facing *f, const shape *s, real angle, real end)
{
	real sine, cosine, x, y;
	scree_sincos(angle, &sine, &cosine);
	for (int k = 0; k < SECTORS; ++k) {
		scree_sincos(2 * SCREE_PI * k / SECTORS, &y, &x);
		const real r = s->semi_x * sine, z = end * (scree_capsule_half(s) + s->semi_x * cosine);
		f->vertex[2 + f->rings * SECTORS + k] = v3(r * x, r * y, z);
	}
	++f->rings;
}

static void add_triangle(facing *f, int32_t a, int32_t b, int32_t c)
{
	int32_t *to = f->corner + 3 * f->triangles++;
	to[0] = a, to[1] = b, to[2] = c;
}

static int32_t vertex_of(int32_t ring, int k) { return 2 + ring * SECTORS + k % SECTORS; }

static bool add_skin(shape *s, fail *why)
{
	facing *f = scree_alloc(1, sizeof *f);
	const real step = SCREE_PI / 2 / RINGS;
	f->vertex[0] = v3(0, 0, s->semi_z), f->vertex[1] = v3(0, 0, -s->semi_z);
	for (int k = 1; k <= RINGS; ++k) add_ring(f, s, k * step, 1);
	for (int k = scree_capsule_half(s) > 0 ? RINGS : RINGS - 1; k > 0; --k) add_ring(f, s, k * step, -1);
	for (int k = 0; k < SECTORS; ++k) {
		const int32_t last = f->rings - 1;
		add_triangle(f, 0, vertex_of(0, k), vertex_of(0, k + 1));
		add_triangle(f, 1, vertex_of(last, k + 1), vertex_of(last, k));
		for (int32_t r = 0; r < last; ++r) {
			add_triangle(f, vertex_of(r, k), vertex_of(r + 1, k), vertex_of(r + 1, k + 1));
			add_triangle(f, vertex_of(r, k), vertex_of(r + 1, k + 1), vertex_of(r, k + 1));
		}
	}
	s->skin = scree_alloc(1, sizeof *s->skin);
	const bool made =
		scree_trimesh_load(s->skin, s->name, 2 + f->rings * SECTORS, f->vertex, f->triangles, f->corner, why);
	scree_free(f);
	return made;
}

/* Volume and moments of a cylinder with height 2h and two hemispheres with radius r. */
static void measure(shape *s)
{
	const real r = s->semi_x, h = scree_capsule_half(s), r2 = r * r;
	const real middle = 2 * SCREE_PI * r2 * h, ends = 4 * SCREE_PI / 3 * r2 * r;
	const real along = middle * r2 / 2 + ends * 2 * r2 / 5;
	const real across = middle * (r2 / 4 + h * h / 3) + ends * (2 * r2 / 5 + h * h + 3 * h * r / 4);
	s->volume = middle + ends;
	s->inertia = v3(across, across, along);
}

int32_t scree_shapes_add_capsule(shapes *s, const char *name, real length, real diameter, fail *why)
{
	shape made = {.type = SHAPE_CAPSULE, .frame = {1, 0, 0, 0}};
	if (!(diameter > 0 && length >= diameter && length <= SLENDER * diameter)) {
		scree_refuse(why,
					 "shape '%s': a capsule of length %g and diameter %g, expected a length from tip to tip of 1 to %g "
					 "diameters",
					 name, length, diameter, SLENDER);
		return -1;
	}
	if (!scree_shape_name(&made, name, why)) return -1;
	made.semi_x = made.semi_y = diameter / 2, made.semi_z = length / 2;
	made.radius = made.semi_z, made.inradius = made.semi_x;
	measure(&made);
	if (add_skin(&made, why)) return scree_shapes_append(s, &made);
	scree_shape_clear(&made);
	return -1;
}
