/* notes_servos: properties of servos that the scene does not give. */
#include "report/notes.h"

#include "base/shown.h"

#include <stdio.h>

void scree_notes_print_servos(FILE *to, const scree_world *w)
{
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		const wall *o = w->model.wall.row + k;
		if (o->motion.type == MOTION_TORQUE)
			scree_print(to, "servo %s: %.4g N m, moment of inertia %.3g kg m2, max_angular_velocity %.3g rad/s\n",
						o->name, o->motion.servo.force, o->servo.mass, o->servo.max_speed);
		if (o->motion.type != MOTION_SERVO) continue;
		scree_print(to, "servo %s: %.4g N, mass %.3g kg, max_speed %.3g m/s\n", o->name, o->motion.servo.force,
					o->servo.mass, o->servo.max_speed);
	}
}
