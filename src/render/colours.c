/* colours: converts a field of the bodies to colours and makes the legend's labels. Numbers get their colours from a
 * map (maps.c); names (shape, material) have their own colours (plan/colour_names.h). Uses the given range, if any, or
 * the range of the run (scales.c). Without a run, the range ends at the value that one body in 200 exceeds; otherwise
 * one fast body could make all others appear at rest. */
#include "base/fixed.h"
#include "base/memory.h"
#include "base/sort.h"
#include "format/colour_names.h"
#include "render/picture.h"
#include "render/render.h"
#include "state/bonds.h"

#include <math.h>

/* Quantities without a scale; the other quantities are in enum picture_scale. */
enum { BY_ID = SCALES, BY_SHAPE, BY_MATERIAL };

static const struct {
	const char *word, *name, *unit;
	int by;
	picture_map map; /* by default */
	bool whole;		 /* a range taken from data begins at the smallest value instead of at zero */
	bool contacts;	 /* computed from the contacts */
} rows[] = {
	{"speed", "speed", "m/s", SCALE_SPEED, MAP_YLORRD, .whole = false},
	{"velocity", "speed", "m/s", SCALE_SPEED, MAP_YLORRD, .whole = false},
	{"angular_velocity", "angular velocity", "rad/s", SCALE_SPIN, MAP_YLORRD, .whole = false},
	{"size", "size", "m", SCALE_SIZE, MAP_VIRIDIS, .whole = true},
	{"force", "contact force", "N", SCALE_FORCE, MAP_YLORRD, .whole = false},
	{"height", "height", "m", SCALE_HEIGHT, MAP_VIRIDIS, .whole = true},
	{"coordination", "contacts", "", SCALE_COORDINATION, MAP_YLGNBU, .contacts = true},
	{"bonds", "bonds", "", SCALE_BONDS, MAP_YLGNBU, .contacts = true},
	{"pressure", "pressure", "Pa", SCALE_PRESSURE, MAP_YLORRD, .contacts = true},
	{"shear_stress", "shear stress", "Pa", SCALE_SHEAR_STRESS, MAP_YLORRD, .contacts = true},
	{"temperature", "temperature", "K", SCALE_TEMPERATURE, MAP_YLORRD, .whole = true},
	{"id", "id", "", BY_ID, MAP_AUTO, .whole = false},
	{"shape", "shape", "", BY_SHAPE, MAP_AUTO, .whole = false},
	{"material", "material", "", BY_MATERIAL, MAP_AUTO, .whole = false},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* ---- stresses of bodies ---- */

/* Number of contacts and bonds of a body, and sums of force times arm: xx, yy, zz, xy, xz, yz, N m. The sums do not
 * depend on the order of contacts. */
typedef struct load {
	int32_t contacts, bonds;
	fixed moment[6];
} load;

static void add_end(load *l, vec3 force, vec3 arm, bool bonded)
{
	l->contacts += 1;
	l->bonds += bonded;
	fixed_add_product(l->moment, -1, force, arm);
}

static void add_contact(const scree_world *w, int kind, int64_t row, load *of)
{
	const pair_list *l = &w->state.pair[kind];
	const contact_look look = scree_contact_look(&w->model, &w->state, &w->work, kind, row);
	add_end(of + l->ca[row], look.force.force, look.at, is_bonded(l, row));
	if (pair_on_wall(kind)) return;
	const vec3 a = body_position(&w->state.body, l->ca[row]), b = body_position(&w->state.body, l->cb[row]);
	vec3 apart = v3_sub(a, b);
	if (w->model.period.on)
		apart = v3_sub(apart, w->state.images.shift[scree_world_image(&w->model, &w->state, kind, l->slot[row])]);
	add_end(of + l->cb[row], v3_neg(look.force.force), v3_add(apart, look.at), is_bonded(l, row));
}

static load *loads_of(const scree_world *w)
{
	load *of = scree_alloc((size_t)w->state.body.count, sizeof *of);
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		for (contact_walk c = contact_first(&w->state.pair[kind]); contact_more(&w->state.pair[kind], &c); ++c.row)
			add_contact(w, kind, c.row, of);
	return of;
}

/* Mean normal stress, positive in compression, or the second invariant of the stress deviator, as a stress */
static real stress_of(const scree_world *w, int32_t i, const load *l, bool shear)
{
	const bodies *b = &w->state.body;
	const real volume = b->mass[i] / w->model.material.row[b->material[i]].density;
	const int axes = w->model.flat ? 2 : 3;
	real s[6], mean = 0, sum = 0;
	for (int k = 0; k < 6; ++k) s[k] = scree_fixed_value(l->moment[k]) / volume;
	for (int k = 0; k < axes; ++k) mean += s[k] / axes;
	if (!shear) return mean;
	for (int k = 0; k < axes; ++k) sum += (s[k] - mean) * (s[k] - mean) / 2;
	for (int k = 3; k < (axes == 2 ? 4 : 6); ++k) sum += s[k] * s[k];
	return sqrt(sum);
}

/* ---- numbers ---- */

static real value_of(const scree_world *w, int32_t i, int by, vec3 up, const load *l)
{
	const bodies *b = &w->state.body;
	switch (by) {
	case SCALE_SPEED:
		return v3_norm(body_velocity(b, i));
	case SCALE_SPIN:
		return v3_norm(body_angular_velocity(b, i));
	case SCALE_SIZE:
		return b->size[i] / w->model.shape.row[b->shape[i]].scale;
	case SCALE_FORCE:
		return v3_norm(v3(b->fx[i], b->fy[i], b->fz[i]));
	case SCALE_HEIGHT:
		return v3_dot(up, body_position(b, i));
	case SCALE_COORDINATION:
		return l[i].contacts;
	case SCALE_BONDS:
		return l[i].bonds;
	case SCALE_PRESSURE:
		return stress_of(w, i, l + i, false);
	case SCALE_SHEAR_STRESS:
		return stress_of(w, i, l + i, true);
	case SCALE_TEMPERATURE:
		return body_temperatures(b)[i];
	default:
		return 0;
	}
}

/* Range of the data, from zero for magnitudes, or from the least value for sizes, heights and negative data */
static void range_of_data(const real *value, int32_t count, bool whole, legend *bar)
{
	real *sorted = scree_copy(value, (size_t)count, sizeof *value);
	int32_t n = 0;
	for (int32_t i = 0; i < count; ++i)
		if (isfinite(sorted[i])) sorted[n++] = sorted[i];
	scree_sort_by(sorted, n, sizeof *sorted, scree_sort_rising);
	bar->low = n && (whole || sorted[n / 200] < 0) ? sorted[whole ? 0 : n / 200] : 0;
	bar->high = n ? sorted[whole ? n - 1 : n - 1 - n / 200] : 1;
	if (n && sorted[n - 1] > bar->high) bar->over = true;
	if (n && sorted[0] < bar->low) bar->under = true;
	if (!(bar->high > bar->low)) {
		real width = bar->low != 0 ? 0.1 * real_abs(bar->low) : 1;
		bar->low = whole ? bar->low - width : bar->low;
		bar->high = whole ? bar->high + width : bar->low + width;
	}
	scree_free(sorted);
}

/* The legend for this range; it marks values that exceed the range by more than rounding errors. */
static legend within(legend bar, const real range[2], const real *value, int32_t count)
{
	bar.low = range[0];
	bar.high = range[1];
	const real slack = 1e-9 * (bar.high - bar.low);
	for (int32_t i = 0; i < count; ++i) {
		bar.over = bar.over || value[i] > bar.high + slack;
		bar.under = bar.under || value[i] < bar.low - slack;
	}
	return bar;
}

static void paint_numbers(const scree_world *w, const image_plan *plan, int row, vec3 up, vec3 *colour, legend *bar)
{
	const int32_t count = w->state.body.count;
	load *of = rows[row].contacts ? loads_of(w) : NULL;
	real *value = scree_alloc((size_t)count, sizeof *value);
	bar->map = plan->map == MAP_AUTO ? rows[row].map : plan->map;
	for (int32_t i = 0; i < count; ++i) value[i] = value_of(w, i, rows[row].by, up, of);
	const real *range = plan->has_range ? plan->range : plan->scales.range[rows[row].by];
	if (plan->has_range || plan->scales.on)
		*bar = within(*bar, range, value, count);
	else
		range_of_data(value, count, rows[row].whole, bar);
	for (int32_t i = 0; i < count; ++i) {
		real t = (value[i] - bar->low) / (bar->high - bar->low);
		colour[i] = isfinite(t) ? scree_colour_map(bar->map, t) : v3(1, 0, 0.6);
	}
	SCREE_FREE_ALL(value, of);
}

/* ---- names ---- */

const vec3 *scree_colour_of_wall(const image_plan *plan, const char *name)
{
	for (int32_t k = 0; k < plan->colours; ++k) {
		const size_t length = strlen(plan->colour[k].name);
		if (strncmp(plan->colour[k].name, name, length) == 0 && (name[length] == 0 || name[length] == '.'))
			return &plan->colour[k].srgb;
	}
	return NULL;
}

/* In sRGB: the picture's colour for this name, the colour that the name denotes, or one of eight colours. */
static vec3 colour_of_name(const image_plan *plan, const char *name, int64_t row)
{
	vec3 srgb;
	for (int32_t k = 0; name && k < plan->colours; ++k)
		if (!strcmp(plan->colour[k].name, name)) return plan->colour[k].srgb;
	return name && plan_colour(name, &srgb) ? srgb : scree_palette(row);
}

static void paint_names(const scree_world *w, const image_plan *plan, int by, vec3 *colour, legend *bar)
{
	const bodies *b = &w->state.body;
	const int32_t *of = by == BY_SHAPE ? b->shape : b->material;
	const int32_t count = by == BY_SHAPE ? w->model.shape.count : w->model.material.count;
	vec3 *own = scree_alloc((size_t)count, sizeof *own);
	bool *used = scree_alloc((size_t)count, sizeof *used);
	for (int32_t k = 0; k < count; ++k)
		own[k] = colour_of_name(plan, by == BY_SHAPE ? w->model.shape.row[k].name : w->model.material.row[k].name, k);
	for (int32_t i = 0; i < b->count; ++i) {
		colour[i] = scree_linear(own[of[i]]);
		used[of[i]] = true;
	}
	const int32_t room = (int32_t)(sizeof bar->label / sizeof bar->label[0]);
	for (int32_t k = 0; k < count; ++k) {
		if (!used[k]) continue;
		if (bar->names == room) {
			++bar->unnamed;
			continue;
		}
		bar->label[bar->names] = by == BY_SHAPE ? w->model.shape.row[k].name : w->model.material.row[k].name;
		bar->swatch[bar->names++] = own[k];
	}
	SCREE_FREE_ALL(own, used);
}

static void paint_ids(const scree_world *w, vec3 *colour)
{
	for (int32_t i = 0; i < w->state.body.count; ++i)
		colour[i] = scree_linear(scree_palette((int64_t)(w->state.body.id[i] % SCREE_PALETTE)));
}

static int row_of(const image_plan *plan)
{
	const char *word = plan->color[0] ? plan->color : "speed";
	int k = 0;
	while (k < ROWS && strcmp(rows[k].word, word) != 0) ++k;
	return k;
}

bool scree_render_needs_contacts(const image_plan *plan)
{
	const int row = row_of(plan);
	return plan->forces || (row < ROWS && rows[row].contacts);
}

bool scree_colours(const scree_world *w, const image_plan *plan, vec3 up, vec3 *colour, legend *bar, fail *why)
{
	const int k = row_of(plan);
	if (k == ROWS)
		return scree_fail(why, FAIL_INPUT,
						  "cannot colour by \"%s\": it must be speed, velocity, angular_velocity, size, force, height, "
						  "coordination, bonds, pressure, shear_stress, temperature, id, shape or material",
						  plan->color);
	if (rows[k].by == SCALE_TEMPERATURE && !body_temperatures(&w->state.body))
		return scree_fail(why, FAIL_INPUT, "cannot colour by temperature: no material has a conductivity");
	if (rows[k].by == SCALE_BONDS && !(w->state.pair[PAIR_SPHERE_SPHERE].remembers & REMEMBERS_BONDS))
		return scree_fail(why, FAIL_INPUT, "cannot colour by bonds: no contact has a bond");
	bar->name = rows[k].name;
	bar->unit = rows[k].unit;
	bar->categories = rows[k].by >= BY_ID;
	if (rows[k].by == BY_ID)
		paint_ids(w, colour);
	else if (bar->categories)
		paint_names(w, plan, rows[k].by, colour, bar);
	else
		paint_numbers(w, plan, k, up, colour, bar);
	return true;
}
