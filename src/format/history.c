#include "format/history.h"

#include "base/maths.h"
#include "base/memory.h"
#include "state/pairs.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

/* The columns, each with its name, unit, meaning, and value in scree_history_row. */
#define HISTORY(V)                                                                                                     \
	V("time", "s", "simulated time", w->state.time)                                                                    \
	V("step", "", "number of the step", (double)w->state.step)                                                         \
	V("kinetic", "J", "kinetic energy", e.kinetic)                                                                     \
	V("potential", "J", "potential energy of gravity", e.potential)                                                    \
	V("elastic", "J", "energy stored in contacts", e.elastic)                                                          \
	V("lost_normal", "J", "dissipated by normal damping since the start", e.lost_normal)                               \
	V("lost_friction", "J", "dissipated by friction", e.lost_friction)                                                 \
	V("lost_rolling", "J", "dissipated by rolling resistance", e.lost_rolling)                                         \
	V("wall_work", "J", "work done by moving walls, or by the borders of a cell that shears or changes size",          \
	  e.wall_work)                                                                                                     \
	V("made", "J", "energy gained (+) or lost (-) by changes of contact geometry", e.made)                             \
	V("brought", "J",                                                                                                  \
	  "energy of added bodies, less that of removed ones, plus the energy stored in contacts at the start", e.brought) \
	V("residual", "J", "energy gained (+) or lost (-) by the time integration", e.residual)                            \
	V("bodies", "", "number of bodies", (double)scree_world_bodies(w))                                                 \
	V("contacts", "", "number of contacts", (double)w->work.touching)                                                  \
	V("max_overlap", "",                                                                                               \
	  "greatest overlap divided by the diameter of the smaller body; for two bodies, by their thickness if that is "   \
	  "less",                                                                                                          \
	  w->work.greatest_overlap_part)                                                                                   \
	V("max_speed", "m/s", "greatest speed", w->work.greatest_speed)                                                    \
	V("contacts_face", "", "contacts of two polyhedra along the normal of a face", (double)types.face)                 \
	V("contacts_edge", "", "contacts of two polyhedra along the normal of two edges", (double)types.edge)              \
	V("bonds", "", "number of bonds, in scenes with bonds", (double)scree_world_bonds(&w->state, &w->work))            \
	V("bonds_broken", "", "bonds that broke since the start", (double)w->state.broken)                                 \
	V("thermal", "J", "heat of bodies, from 0 K, in scenes with heat", heat.thermal)                                   \
	V("heat_walls", "J", "heat received by bodies from walls since the start", heat.walls)                             \
	V("heat_friction", "J", "heat received by bodies from friction since the start", heat.friction)                    \
	V("heat_brought", "J", "heat of added bodies, less that of removed ones", heat.brought)                            \
	V("collisions", "", "collisions in the last step, with an impulse-based run.response", (double)w->work.collisions) \
	V("collisions_total", "", "collisions since the start", (double)w->state.impulse.collisions)                       \
	V("lost_method", "J",                                                                                              \
	  "energy lost to the time steps of run.response: implicit or hard, beyond the losses of the contact laws",        \
	  e.lost_method)                                                                                                   \
	V("sweeps_total", "", "sweeps over all contacts since the start, with run.response: implicit or hard",             \
	  (double)w->state.impulse.sweeps)                                                                                 \
	V("unsolved", "",                                                                                                  \
	  "fraction of all impulses since the start that further sweeps would have changed, with run.response: implicit "  \
	  "or hard",                                                                                                       \
	  unsolved_part(&w->state.impulse))                                                                                \
	V("stage", "", "number of the stage, from 1, in scenes with stages", (double)w->state.stage.now + 1)               \
	V("stress_xx", "Pa", "stress in the periodic cell, compression positive", stress[0])                               \
	V("stress_yy", "Pa", "stress in the periodic cell, compression positive", stress[1])                               \
	V("stress_zz", "Pa", "stress in the periodic cell, compression positive", stress[2])                               \
	V("stress_xy", "Pa", "stress in the periodic cell, compression positive", stress[3])                               \
	V("stress_xz", "Pa", "stress in the periodic cell, compression positive", stress[4])                               \
	V("stress_yz", "Pa", "stress in the periodic cell, compression positive", stress[5])                               \
	V("cell_x", "m", "size of the periodic cell", size.x)                                                              \
	V("cell_y", "m", "size of the periodic cell", size.y)                                                              \
	V("cell_z", "m", "size of the periodic cell", size.z)                                                              \
	V("strain_x", "", "logarithm of this size over that at the start, negative in compression",                        \
	  scree_log(size.x / was.x))                                                                                       \
	V("strain_y", "", "logarithm of this size over that at the start, negative in compression",                        \
	  scree_log(size.y / was.y))                                                                                       \
	V("strain_z", "", "logarithm of this size over that at the start, negative in compression",                        \
	  scree_log(size.z / was.z))                                                                                       \
	V("void_ratio", "", "volume of the cell outside bodies divided by the volume of the bodies", 1 / solid - 1)
#define COLUMN(name, unit, help, value) {name, unit, help},
#define NUMBER(name, unit, help, value) value,
const csv_column scree_history_values[] = {HISTORY(COLUMN)};
enum { VALUES = sizeof scree_history_values / sizeof *scree_history_values, CELLS = 7, STRESSES = 6 };
const int scree_history_value_count = VALUES;

struct history {
	csv *file;
	int count, value[VALUES];
	int32_t more; /* further columns */
};

static bool no_value(const char *name, fail *why)
{
	char list[1024] = "";
	for (int v = 0; v < VALUES; ++v)
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", v ? ", " : "", scree_history_values[v].name);
	return scree_fail(why, FAIL_INPUT, "output.history.values: there is no value '%s'; there are %s", name, list);
}

/* The quantity that value v requires and this world lacks, or NULL. solves: whether the run has implicit steps */
static const char *lacks(const scree_world *w, int v, bool solves)
{
	const struct {
		int values;
		bool has;
		const char *what;
	} last[] = {
		{CELLS + STRESSES, w->model.period.on, "world.periodic"}, /* the last values; below, the values before them */
		{1, w->state.stage.count > 0, "stages"},
		{3, solves, "run.response: implicit or hard"},
		{2, w->model.solver != NULL, "an impulse-based run.response"},
		{4, w->model.heat, "a material with conductivity"},
		{2, w->state.pair[PAIR_SPHERE_SPHERE].remembers & REMEMBERS_BONDS, "contacts with a bond"}};
	for (size_t k = 0; k < sizeof last / sizeof *last; ++k)
		if ((v += last[k].values) >= VALUES) return last[k].has ? NULL : last[k].what;
	return NULL;
}

static bool choose(history *h, const history_plan *plan, const scree_world *w, bool solves, fail *why)
{
	h->count = 0;
	if (!plan->values) {
		for (int v = 0; v < VALUES; ++v)
			if (!lacks(w, v, solves) && (v < VALUES - CELLS || w->model.period.deforms)) h->value[h->count++] = v;
		return true;
	}
	h->value[h->count++] = 0; /* time is always the first value */
	for (int32_t k = 0; k < plan->values; ++k) {
		int v = 0;
		while (v < VALUES && strcmp(scree_history_values[v].name, plan->value[k]) != 0) ++v;
		if (v == VALUES) return no_value(plan->value[k], why);
		const char *needs = lacks(w, v, solves);
		if (needs) return scree_fail(why, FAIL_INPUT, "output.history.values: %s needs %s", plan->value[k], needs);
		if (v && h->count < VALUES) h->value[h->count++] = v;
	}
	return true;
}

static char *header_of(const history *h, history_more more)
{
	csv_column *column = scree_alloc((size_t)(h->count + more.count), sizeof *column);
	for (int k = 0; k < h->count; ++k) column[k] = scree_history_values[h->value[k]];
	for (int32_t k = 0; k < more.count; ++k) column[h->count + k] = more.column[k];
	char *header = scree_csv_header(column, h->count + more.count);
	scree_free(column);
	return header;
}

static bool file_has_header(const history *h, const char *path, history_more more)
{
	char *header = header_of(h, more);
	const bool has = scree_csv_begins(path, header);
	scree_free(header);
	return has;
}

/* A file from an earlier part of the run keeps its columns, whether or not that part had implicit steps. */
static bool choose_header(history *h, const char *path, const history_plan *plan, history_more more,
						  const scree_world *w, const csv_mark *mark, fail *why)
{
	fail unused;
	for (int k = 0; mark->end > 0 && k < 2; ++k)
		if (choose(h, plan, w, !k, &unused) && file_has_header(h, path, more)) return true;
	return choose(h, plan, w, plan->solves || w->model.implicit || w->state.impulse.sweeps > 0, why);
}

history *scree_history_open(const char *path, const history_plan *plan, history_more more, const scree_world *w,
							const csv_mark *mark, fail *why)
{
	history *h = scree_alloc(1, sizeof *h);
	h->more = more.count;
	if (choose_header(h, path, plan, more, w, mark, why)) {
		char *header = header_of(h, more);
		h->file = scree_csv_open(path, header, mark, why);
		scree_free(header);
		if (h->file) return h;
	}
	scree_free(h);
	return NULL;
}

static double unsolved_part(const impulses *o) { return o->solved > 0 ? o->unsolved / o->solved : 0; }

bool scree_history_row(history *h, const real *more, const scree_world *w, fail *why)
{
	contact_types types = scree_world_contact_types(&w->model, &w->state, &w->work);
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	real stress[STRESSES] = {0}, solid = 1;
	if (w->model.period.on) scree_world_stress(&w->model, &w->state, &w->work, stress);
	if (w->model.period.on) solid = scree_world_solid_fraction(&w->model, &w->state, &w->work);
	const heat_row heat = scree_world_heat(&w->model, &w->state, &w->work);
	const vec3 size = w->state.images.size, was = w->model.period.size;
	const double value[VALUES] = {HISTORY(NUMBER)};
	if (!h) return true;
	for (int k = 0; k < h->count; ++k) scree_csv_print(h->file, "%s%.15g", k ? "," : "", value[h->value[k]]);
	for (int32_t k = 0; k < h->more; ++k) scree_csv_value(h->file, more[k]);
	scree_csv_print(h->file, "\n");
	return scree_csv_commit(h->file, why);
}

csv *scree_history_file(const history *h) { return h ? h->file : NULL; }

bool scree_history_close(history *h, fail *why)
{
	if (!h) return true;
	bool ok = scree_csv_close(h->file, why);
	scree_free(h);
	return ok;
}
