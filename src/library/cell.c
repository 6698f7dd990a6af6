/* cell: the cell of a periodic world, and the way its size changes. */
#include "library/internal.h"

#include "base/maths.h"
#include "world/world.h"

static const char axis_name[] = "xyz";

scree_code scree_in_cell(scree_sim *s, scree_cell *out)
{
	const model *m = &s->w->model;
	const images *now = &s->w->state.images;
	const cell_rule *c = &m->cell;
	if (!m->period.on) return scree_sim_refuse(s, "only a world with periods has a cell");
	const vec3 given = scree_cell_rate(c, s->w->state.time), goal = scree_cell_goal(c, s->w->state.time);
	*out = (scree_cell){.deforms = m->period.deforms, .max_rate = c->limit, .lag = c->lag};
	put_vector(out->low, now->low);
	put_vector(out->size, now->size);
	put_vector(out->strain_rate, given);
	for (int32_t d = 0; d < 3; ++d) {
		const real size = v3_part(now->size, d);
		out->strain[d] = scree_log(size / v3_part(m->period.size, d));
		out->rate[d] = m->period.deforms ? v3_part(now->growth, d) / size : 0;
		out->servo[d] = c->servo[d];
		out->stress[d] = c->servo[d] ? v3_part(goal, d) : 0;
	}
	return SCREE_DONE;
}

static scree_code check_axis(scree_sim *s, const scree_cell *c, int d)
{
	if (c->servo[d] && !(c->stress[d] > 0))
		return scree_sim_refuse(s, "stress %g Pa along %c, expected a stress above 0, since the axis has a servo",
								c->stress[d], axis_name[d]);
	if (c->servo[d] && c->strain_rate[d] != 0)
		return scree_sim_refuse(s, "strain rate %g 1/s along %c, expected 0, since the size follows from the stress",
								c->strain_rate[d], axis_name[d]);
	if (!c->servo[d] && c->stress[d] != 0)
		return scree_sim_refuse(s, "stress %g Pa along %c, expected 0, since the axis has no servo", c->stress[d],
								axis_name[d]);
	return SCREE_DONE;
}

static scree_code check(scree_sim *s, const scree_cell *c)
{
	const double times[3] = {c->max_rate, c->lag, 0};
	if (!s->w->model.period.deforms)
		return scree_sim_refuse(s, "the size of the cell is fixed: it can change only in a scene with "
								   "world.strain_rate, strain_table or servo; strain_rate: [0, 0, 0] is enough");
	if (!scree_sim_is_vector(c->strain_rate) || !scree_sim_is_vector(c->stress) || !scree_sim_is_vector(times))
		return scree_sim_refuse(s, "a strain rate, a stress, max_rate or lag is not a number, or exceeds 1e30");
	if (c->max_rate < 0 || c->lag < 0)
		return scree_sim_refuse(s, "max_rate %g 1/s and lag %g s, expected numbers above 0, or 0 for the default",
								c->max_rate, c->lag);
	for (int d = 0; d < 3; ++d)
		if (check_axis(s, c, d)) return SCREE_BAD_INPUT;
	return SCREE_DONE;
}

/* as for a stage (scene/build_stages.c) */
scree_code scree_in_set_cell(scree_sim *s, const scree_cell *to)
{
	cell_rule *c = &s->w->model.cell;
	const cell_rule before = *c;
	if (!to) return scree_sim_refuse(s, "no cell is given");
	if (check(s, to) || scree_sim_undivided(s) || scree_sim_check_rows(s, false)) return SCREE_BAD_INPUT;
	scree_sim_testing_now(s);
	*c = (cell_rule){.rate = v3(to->strain_rate[0], to->strain_rate[1], to->strain_rate[2]),
					 .stress = v3(to->stress[0], to->stress[1], to->stress[2]),
					 .limit = to->max_rate,
					 .lag = to->lag,
					 .from = s->w->state.time};
	for (int d = 0; d < 3; ++d) c->servo[d] = to->servo[d] != 0;
	s->w->state.images.asked = s->w->state.images.given = v3(0, 0, 0);
	if (scree_sim_is_possible(s, &s->why)) return scree_sim_changed_now(s, CHANGED_MATERIALS);
	*c = before;
	scree_sim_prepare_again(s);
	return SCREE_BAD_INPUT;
}
