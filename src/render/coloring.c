/* coloring: a number for each body and a colour for each number. */
#include "render/picture.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef real value_fn(const scree_world *w, int32_t i);

static real of_speed(const scree_world *w, int32_t i) { return v3_norm(body_velocity(&w->body, i)); }
static real of_spin(const scree_world *w, int32_t i) { return v3_norm(body_spin(&w->body, i)); }
static real of_size(const scree_world *w, int32_t i) { return w->body.size[i]; }
static real of_id(const scree_world *w, int32_t i) { return (real)w->body.id[i]; }
static real of_shape(const scree_world *w, int32_t i) { return w->body.shape[i]; }
static real of_material(const scree_world *w, int32_t i) { return w->body.material[i]; }
static real of_force(const scree_world *w, int32_t i)
{
	return v3_norm(v3(w->body.fx[i], w->body.fy[i], w->body.fz[i]));
}
static real of_height(const scree_world *w, int32_t i)
{
	vec3 up = v3_norm2(w->gravity) > 0 ? v3_unit(v3_neg(w->gravity)) : v3(0, 0, 1);
	return v3_dot(up, body_position(&w->body, i));
}

static const struct {
	const char *name, *label, *unit;
	bool categories;
	value_fn *value;
} fields[] = {
	{"speed", "speed", "m/s", false, of_speed},
	{"velocity", "speed", "m/s", false, of_speed},
	{"angular_velocity", "spin", "rad/s", false, of_spin},
	{"size", "size", "m", false, of_size},
	{"id", "id", "", true, of_id},
	{"shape", "shape", "", true, of_shape},
	{"material", "material", "", true, of_material},
	{"force", "force", "N", false, of_force},
	{"height", "height", "m", false, of_height},
};

static int compare(const void *a, const void *b)
{
	real x = *(const real *)a, y = *(const real *)b;
	return x < y ? -1 : x > y;
}

/* from the smallest to what 1 % of the bodies exceed: one fast body must not darken all others */
static void robust_range(coloring *c, int32_t count)
{
	real *sorted = scree_copy(c->value, (size_t)count, sizeof *sorted);
	qsort(sorted, (size_t)count, sizeof *sorted, compare);
	c->low = sorted[0];
	c->high = sorted[(int64_t)(count - 1) * 99 / 100];
	scree_free(sorted);
	if (c->low >= 0 && c->low < (real)0.3 * c->high) c->low = 0;
	if (!(c->high > c->low)) c->high = c->low + (c->low != 0 ? real_abs(c->low) : 1);
}

bool scree_coloring_make(coloring *c, const scree_world *w, const image_plan *plan, fail *why)
{
	const char *name = *plan->color ? plan->color : "speed";
	size_t k = 0, count = sizeof fields / sizeof *fields;
	while (k < count && strcmp(fields[k].name, name) != 0) ++k;
	if (k == count) return scree_fail(why, FAIL_INPUT, "output.images.color: there is no field '%s'", name);
	*c = (coloring){.label = fields[k].label, .unit = fields[k].unit, .categories = fields[k].categories, .high = 1};
	c->value = scree_alloc((size_t)w->body.count + 1, sizeof *c->value);
	for (int32_t i = 0; i < w->body.count; ++i) c->value[i] = fields[k].value(w, i);
	if (w->body.count) robust_range(c, w->body.count);
	if (plan->has_range) c->low = plan->range[0], c->high = plan->range[1];
	return true;
}

void scree_coloring_free(coloring *c)
{
	scree_free(c->value);
	c->value = NULL;
}

static real linear(real s) { return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4); }

/* a scale whose lightness rises evenly, from indigo over teal to pale yellow; anchors in sRGB */
static const real scale[7][3] = {{0.22, 0.10, 0.42}, {0.20, 0.29, 0.57}, {0.14, 0.46, 0.60}, {0.15, 0.61, 0.56},
								 {0.38, 0.75, 0.42}, {0.72, 0.84, 0.30}, {0.98, 0.91, 0.42}};
/* colours that keep apart, for kinds */
static const real kinds[8][3] = {{0.20, 0.45, 0.70}, {0.90, 0.56, 0.20}, {0.30, 0.62, 0.38}, {0.80, 0.32, 0.34},
								 {0.55, 0.42, 0.70}, {0.60, 0.45, 0.36}, {0.85, 0.55, 0.70}, {0.62, 0.64, 0.30}};

vec3 scree_coloring_color(const coloring *c, real value)
{
	if (c->categories) {
		const real *k = kinds[(uint64_t)value % 8];
		return v3(linear(k[0]), linear(k[1]), linear(k[2]));
	}
	real t = 6 * real_clamp((value - c->low) / (c->high - c->low), 0, 1);
	if (!(t >= 0)) t = 0;
	int i = t >= 6 ? 5 : (int)t;
	real f = t - i;
	real s[3];
	for (int k = 0; k < 3; ++k) s[k] = linear((1 - f) * scale[i][k] + f * scale[i + 1][k]);
	return v3(s[0], s[1], s[2]);
}
