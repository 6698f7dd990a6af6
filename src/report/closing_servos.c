/* closing_servos: loads carried by walls and cells with a servo, compared with those of the scene. */
#include "report/closing.h"

#include "base/shown.h"
#include "world/world.h"

#include <stdio.h>

/* error of a mean that is reported as a warning; part of a force below which it was never reached */
static const real WORTH_WARNING = (real)0.05, ENOUGH = (real)0.9;

static bool is_servo(const wall *o) { return o->motion.type == MOTION_SERVO || o->motion.type == MOTION_TORQUE; }
static bool turns(const wall *o) { return o->motion.type == MOTION_TORQUE; }

static const char *more_or_less(real error) { return error > 0 ? "more" : "less"; }

/* a servo whose force was never reached */
static void print_short(FILE *to, const scree_world *w, const wall *o, const servo_state *s)
{
	const char *key = turns(o) ? "max_angular_velocity" : "max_speed", *unit = turns(o) ? "rad/s" : "m/s";
	const servo_rule *r = &o->motion.servo;
	if (!(w->state.time > o->motion.from) || !s->heard) return;
	scree_print(to, "warning: servo %s did not reach its %s: at most %.3g of %.4g %s, after %.3g %s", o->name,
				turns(o) ? "torque" : "force", s->reached * r->force, r->force, turns(o) ? "N m" : "N",
				real_abs(s->way), turns(o) ? "rad" : "m");
	if (s->way >= r->high || s->way <= r->low)
		fprintf(to, "; it is at the end of its travel\n");
	else if (!s->contacts)
		fprintf(to, "; it touches nothing: raise %s (%.3g %s), run longer, or start closer to the bodies\n", key,
				o->servo.max_speed, unit);
	else
		fprintf(to, "; %s is %.3g %s\n", key, o->servo.max_speed, unit);
}

/* the mean force of a servo since it was reached, and its error */
static void print_mean(FILE *to, const wall *o, const servo_state *s)
{
	const real error = s->given / s->asked - 1, force = o->motion.servo.force;
	scree_print(to, "servo    %s: %.4g of %.4g %s on average since it was reached (%+.2g %%)\n", o->name,
				(1 + error) * force, force, turns(o) ? "N m" : "N", 100 * error);
	if (real_abs(error) <= WORTH_WARNING) return;
	scree_print(to,
				"warning: servo %s carried %.2g %% %s than was asked for: its %s (%.3g %s) or its travel "
				"may be too small for the motion of the bodies, or the run too short\n",
				o->name, 100 * real_abs(error), more_or_less(error), turns(o) ? "max_angular_velocity" : "max_speed",
				o->servo.max_speed, turns(o) ? "rad/s" : "m/s");
}

/* the mean stress of a cell along an axis with a servo */
static void print_stress(FILE *to, const scree_world *w, int32_t d)
{
	const images *now = &w->state.images;
	const real asked = v3_part(now->asked, d), goal = v3_part(scree_cell_goal(&w->model.cell, w->state.time), d);
	const char axis = "xyz"[d];
	if (!(asked > 0)) {
		if (w->state.step > 0)
			fprintf(to, "warning: the servo of the cell did not reach %.4g Pa along %c: max_rate is %.3g 1/s\n", goal,
					axis, w->model.cell.limit);
		return;
	}
	const real error = v3_part(now->given, d) / asked - 1;
	fprintf(to, "servo    cell along %c: %.4g of %.4g Pa on average since it was reached (%+.2g %%)\n", axis,
			(1 + error) * goal, goal, 100 * error);
	if (real_abs(error) > WORTH_WARNING)
		fprintf(to,
				"warning: the cell held %.2g %% %s than the stress asked for along %c: world.servo.max_rate "
				"(%.3g 1/s) may be too small for the strain rates of the other axes, or the run too short\n",
				100 * real_abs(error), more_or_less(error), axis, w->model.cell.limit);
}

void scree_closing_print_servos(FILE *to, const scree_world *w)
{
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		const wall *o = w->model.wall.row + k;
		const servo_state *s = &w->state.wall[k].servo;
		if (!is_servo(o) || o->removed) continue;
		if (s->reached < ENOUGH)
			print_short(to, w, o, s);
		else if (s->asked > 0)
			print_mean(to, o, s);
	}
	for (int32_t d = 0; d < 3; ++d)
		if (w->model.period.deforms && w->model.cell.servo[d]) print_stress(to, w, d);
}
