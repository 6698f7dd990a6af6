/* fluid.h: a fluid that bodies move through; bodies do not act on it. */
#ifndef SCREE_MODEL_FLUID_H
#define SCREE_MODEL_FLUID_H

#include "base/maths.h"

typedef enum drag_law { DRAG_STOKES, DRAG_SCHILLER_NAUMANN, DRAGS } drag_law;

typedef struct fluid {
	bool on, buoyancy;
	real density, viscosity; /* kg/m3, Pa s */
	vec3 velocity;			 /* m/s, uniform */
	int32_t drag;			 /* drag_law */
} fluid;

/* Drag on a sphere moving at `speed` relative to the fluid: force over speed and slope dF/dspeed, in N s/m. */
typedef struct drag_rate {
	real force, slope;
} drag_rate;

/* Stokes (1851): 3 pi mu d. Schiller and Naumann (1933): that times 1 + 0.15 Re^0.687, from Re = 1000 on a drag
 * coefficient of 0.44 (eqs. 7 and 8 of motion.md). */
SCREE_FN drag_rate drag_rate_of(const fluid *f, real diameter, real speed)
{
	real stokes = 3 * SCREE_PI * f->viscosity * diameter;
	if (f->drag == DRAG_STOKES) return (drag_rate){stokes, stokes};
	real reynolds = f->density * speed * diameter / f->viscosity;
	if (reynolds > 1000) {
		real force = (real)0.44 * SCREE_PI / 8 * f->density * diameter * diameter * speed;
		return (drag_rate){force, 2 * force};
	}
	real more = reynolds > 0 ? (real)0.15 * scree_pow(reynolds, (real)0.687) : 0;
	return (drag_rate){stokes * (1 + more), stokes * (1 + (real)1.687 * more)};
}

#endif
