/* margin.h: by how much the boxes of bodies are enlarged before a search for pairs (broad/skin.c). */
#ifndef SCREE_KERNEL_MARGIN_H
#define SCREE_KERNEL_MARGIN_H

#include "kernel/motion.h"

/* Numbers that are the same for all bodies, in m. */
typedef struct margin_rule {
	real least, greatest; /* least margin, and greatest one for fast bodies; 0 if these are not distinguished */
	real usual;			  /* mean margin for fast bodies that must not be exceeded */
	real most;			  /* limit in periodic worlds, so that two bodies meet through at most one image */
	real steps;			  /* number of steps for which margins should last */
	real dt;
} margin_rule;

/* Bound on the displacement of a body in a step at its present velocity and spin, in m. */
SCREE_FN real way_at_speed(vec3 velocity, vec3 spin, real swing, real dt)
{
	return dt * (v3_norm(velocity) + swing * v3_norm(spin));
}

/* Margin for a body with this displacement in a step, before all margins are reduced. */
SCREE_FN real margin_wanted(real way, real steps, real greatest) { return real_min(steps * way, greatest); }

/* Factor for all margins with this sum. If many bodies are fast, margins last for fewer steps. */
SCREE_FN real margins_part(real sum, real usual, real bodies)
{
	return sum > usual * bodies ? usual * bodies / sum : 1;
}

/* Largest rounding error of a body's box, in m: the narrow phase computes surfaces with different expressions. */
SCREE_FN real box_rounding(real radius, vec3 at)
{
	return (real)1e-12 * radius + (real)1e-15 * (real_abs(at.x) + real_abs(at.y) + real_abs(at.z));
}

#endif
