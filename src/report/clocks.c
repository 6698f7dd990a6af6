/* clocks: the duration of a contact against that of the flow, from which the response of contacts should be chosen. */
#include "report/clocks.h"

#include "population/population.h"
#include "prepare/prepare.h"

/* least number of implicit steps in the time in which a body moves by its size */
static const real STEPS_OF_FLOW = 10;

/* m: diameter of the smallest body, of those that sources will make, too; 0: there are none */
static real smallest_diameter(const scree_world *w)
{
	real least = INFINITY;
	for (int32_t i = 0; i < w->state.body.owned; ++i)
		if (w->state.body.inv_mass[i] > 0) least = real_min(least, 2 * w->state.body.round[i]);
	for (int32_t k = 0; k < w->model.population.sources; ++k)
		least = real_min(least, 2 * scree_source_smallest(&w->model, w->model.population.source + k));
	return least < INFINITY ? least : 0;
}

/* m/s: the greatest of all walls that move for a tenth of the run or more; a gate that opens is no flow */
static real wall_speed(const model *m, real until)
{
	real most = 0;
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		real moves = 0;
		for (int32_t i = 0; i <= o->parts; ++i) {
			const wall_motion *by = wall_motion_of(o, i);
			moves += real_max(real_min(by->until, until) - real_max(by->from, 0), 0);
		}
		if (o->motion.type != MOTION_STILL && 10 * moves >= until)
			most = real_max(most, scree_wall_speed(m->wall.row + k));
	}
	return most;
}

/* s: time in which a body moves by its size: in a fall, or at the speed of bodies or walls; infinite: nothing moves */
static real flow_time(const scree_world *w, real diameter, real until)
{
	const real g = v3_norm(w->model.gravity), fall = g > 0 ? sqrt(diameter / g) : INFINITY;
	const real speed = real_max(scree_world_greatest_speed(&w->state, &w->work), wall_speed(&w->model, until));
	return speed > 0 ? real_min(fall, diameter / speed) : fall;
}

/* Proposes implicit steps if they last at least as long as a contact, and are short compared with the flow. */
static void print_advice(FILE *to, const scree_world *w, real diameter, real flow, real until)
{
	const real step = scree_implicit_step(&w->model, diameter, false);
	const real hard = scree_implicit_step(&w->model, diameter, true);
	if (step >= w->model.contact_time && STEPS_OF_FLOW * step <= flow)
		fprintf(to, ", %.0f by response: implicit, %.0f by hard; scree compare shows whether they agree", until / step,
				until / hard);
	else
		fprintf(to, "; contacts are not short compared with the flow, so that their waves and restitution matter: keep "
					"response: forces");
}

void scree_clocks_print(FILE *to, const scree_world *w, real until)
{
	const real diameter = smallest_diameter(w), flow = flow_time(w, diameter, until);
	const real step = w->model.implicit ? w->model.usual_step : w->model.dt;
	if (!(w->model.contact_time > 0 && diameter > 0 && flow < INFINITY && until > 0)) return;
	fprintf(to, "clocks: contact %.2g s, flow %.2g s, run %.3g s: %.0f steps by forces", w->model.contact_time, flow,
			until, until / step);
	print_advice(to, w, diameter, flow, until);
	fprintf(to, "\n");
}
