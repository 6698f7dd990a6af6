/* colours: a field of the bodies as colours, and the labels of the scale bar.
 *
 * Numbers go through viridis (Eric Firing, Nathaniel J. Smith and Stefan van der Walt 2015; a table in the public
 * domain, CC0), whose lightness grows evenly and which is safe for colour-blind eyes. Names (shape, material) and ids
 * use a palette (Okabe and Ito 2008). A range taken from the data ends at the value that one body in 200 exceeds.
 * Otherwise a single fast body would make all others look as if they were at rest. */
#include "base/memory.h"
#include "base/sort.h"
#include "render/picture.h"

#include <math.h>
#include <string.h>

vec3 scree_linear(vec3 c)
{
	real v[3] = {c.x, c.y, c.z};
	for (int k = 0; k < 3; ++k) v[k] = v[k] <= 0.04045 ? v[k] / 12.92 : pow((v[k] + 0.055) / 1.055, 2.4);
	return v3(v[0], v[1], v[2]);
}

static real encode(real x)
{
	x = real_clamp(x, 0, 1);
	return x <= 0.0031308 ? 12.92 * x : 1.055 * cbrt(x * sqrt(sqrt(x))) - 0.055; /* x^(1/2.4); faster than pow */
}

vec3 scree_encode(vec3 linear) { return v3(encode(linear.x), encode(linear.y), encode(linear.z)); }

vec3 scree_background(real row)
{
	return scree_linear(v3_mix(v3(0.865, 0.895, 0.93), v3(0.985, 0.988, 0.992), smooth_step(0, 1, row)));
}

/* Viridis as a polynomial in 2 t - 1, fitted to the table of the map by tools/fit_colours, with an error of at most 2.3
 * of 255. */
static vec3 viridis(real t)
{
	static const vec3 c[] = {
		{0.124783, 0.565090, 0.551089},	  {-0.093959, 0.467181, -0.098045}, {0.662645, 0.004478, -0.337870},
		{1.150665, 0.011892, -0.238708},  {0.232423, -0.237044, 0.132317},	{-1.206411, -0.080524, -0.039970},
		{-0.730637, 0.177785, -0.690823}, {0.519528, 0.052835, 0.283648},	{0.343345, -0.055966, 0.585565},
	};
	enum { POWERS = sizeof c / sizeof c[0] };
	vec3 out = c[POWERS - 1];
	for (int k = POWERS - 2; k >= 0; --k) out = v3_madd(c[k], 2 * t - 1, out);
	return v3(real_clamp(out.x, 0, 1), real_clamp(out.y, 0, 1), real_clamp(out.z, 0, 1));
}

vec3 scree_colour_map(real t) { return scree_linear(viridis(real_clamp(t, 0, 1))); }

enum { PALETTE = 8 };
static const vec3 palette[PALETTE] = {{0.16, 0.47, 0.72}, {0.94, 0.60, 0.13}, {0.13, 0.62, 0.46}, {0.82, 0.37, 0.16},
									  {0.60, 0.45, 0.72}, {0.40, 0.72, 0.88}, {0.93, 0.86, 0.38}, {0.78, 0.48, 0.62}};

typedef enum colour_by { BY_SPEED, BY_SPIN, BY_SIZE, BY_FORCE, BY_HEIGHT, BY_ID, BY_SHAPE, BY_MATERIAL } colour_by;

static const struct {
	const char *word, *name, *unit;
	colour_by by;
} rows[] = {
	{"speed", "speed", "m/s", BY_SPEED},
	{"velocity", "speed", "m/s", BY_SPEED},
	{"angular_velocity", "angular velocity", "rad/s", BY_SPIN},
	{"size", "size", "m", BY_SIZE},
	{"force", "contact force", "N", BY_FORCE},
	{"height", "height", "m", BY_HEIGHT},
	{"id", "id", "", BY_ID},
	{"shape", "shape", "", BY_SHAPE},
	{"material", "material", "", BY_MATERIAL},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static real value_of(const scree_world *w, int32_t i, colour_by by, vec3 up)
{
	const bodies *b = &w->state.body;
	switch (by) {
	case BY_SPEED:
		return v3_norm(body_velocity(b, i));
	case BY_SPIN:
		return v3_norm(body_angular_velocity(b, i));
	case BY_SIZE:
		return b->size[i] / w->model.shape.row[b->shape[i]].scale;
	case BY_FORCE:
		return v3_norm(v3(b->fx[i], b->fy[i], b->fz[i]));
	case BY_HEIGHT:
		return v3_dot(up, body_position(b, i));
	default:
		return 0;
	}
}

/* Range of the data: from zero for magnitudes, from the least value for sizes and heights. */
static void range_of_data(const real *value, int32_t count, colour_by by, scale_bar *bar)
{
	real *sorted = scree_copy(value, (size_t)count, sizeof *value);
	int32_t n = 0;
	for (int32_t i = 0; i < count; ++i)
		if (isfinite(sorted[i])) sorted[n++] = sorted[i];
	scree_sort_by(sorted, n, sizeof *sorted, scree_sort_rising);
	bool whole = by == BY_SIZE || by == BY_HEIGHT;
	bar->low = whole && n ? sorted[0] : 0;
	bar->high = n ? sorted[whole ? n - 1 : n - 1 - n / 200] : 1;
	if (n && sorted[n - 1] > bar->high) bar->over = true;
	if (!(bar->high > bar->low)) {
		real width = bar->low != 0 ? 0.1 * real_abs(bar->low) : 1;
		bar->low = whole ? bar->low - width : bar->low;
		bar->high = whole ? bar->high + width : width;
	}
	scree_free(sorted);
}

static void paint_numbers(const scree_world *w, const image_plan *plan, colour_by by, vec3 up, vec3 *colour,
						  scale_bar *bar)
{
	int32_t count = w->state.body.count;
	real *value = scree_alloc((size_t)count, sizeof *value);
	for (int32_t i = 0; i < count; ++i) value[i] = value_of(w, i, by, up);
	if (plan->has_range) {
		bar->low = plan->range[0];
		bar->high = plan->range[1];
		for (int32_t i = 0; i < count; ++i) bar->over = bar->over || value[i] > bar->high;
	} else {
		range_of_data(value, count, by, bar);
	}
	for (int32_t i = 0; i < count; ++i) {
		real t = (value[i] - bar->low) / (bar->high - bar->low);
		colour[i] = isfinite(t) ? scree_colour_map(t) : v3(1, 0, 0.6);
	}
	scree_free(value);
}

static vec3 category(int64_t k) { return scree_linear(palette[k % PALETTE]); }

static void paint_names(const scree_world *w, colour_by by, vec3 *colour, scale_bar *bar)
{
	bar->categories = true;
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		const bodies *b = &w->state.body;
		colour[i] = category(by == BY_ID	  ? (int64_t)(b->id[i] % PALETTE)
							 : by == BY_SHAPE ? b->shape[i]
											  : b->material[i]);
	}
	int32_t count = by == BY_SHAPE ? w->model.shape.count : by == BY_MATERIAL ? w->model.material.count : 0;
	const int32_t *of = by == BY_SHAPE ? w->state.body.shape : w->state.body.material;
	for (int32_t k = 0; k < count && bar->names < (int32_t)(sizeof bar->label / sizeof bar->label[0]); ++k) {
		bool used = false;
		for (int32_t i = 0; i < w->state.body.count && !used; ++i) used = of[i] == k;
		if (!used) continue;
		bar->label[bar->names] = by == BY_SHAPE ? w->model.shape.row[k].name : w->model.material.row[k].name;
		bar->swatch[bar->names++] = palette[k % PALETTE];
	}
}

bool scree_colours(const scree_world *w, const image_plan *plan, vec3 up, vec3 *colour, scale_bar *bar, fail *why)
{
	const char *word = plan->color[0] ? plan->color : "speed";
	for (int k = 0; k < ROWS; ++k) {
		if (strcmp(rows[k].word, word) != 0) continue;
		bar->name = rows[k].name;
		bar->unit = rows[k].unit;
		if (rows[k].by >= BY_ID)
			paint_names(w, rows[k].by, colour, bar);
		else
			paint_numbers(w, plan, rows[k].by, up, colour, bar);
		return true;
	}
	return scree_fail(why, FAIL_INPUT,
					  "cannot colour by \"%s\": it must be speed, velocity, angular_velocity, size, force, "
					  "height, id, shape or material",
					  word);
}
