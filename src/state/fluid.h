/* fluid.h: a fluid that bodies move through; it feels nothing of them. */
#ifndef SCREE_STATE_FLUID_H
#define SCREE_STATE_FLUID_H

#include "base/real.h"

typedef enum drag_law { DRAG_STOKES, DRAG_SCHILLER_NAUMANN, DRAGS } drag_law;

typedef struct fluid {
	bool on, buoyancy;
	real density, viscosity; /* kg/m3, Pa s */
	vec3 velocity;			 /* m/s, everywhere */
	int32_t drag;			 /* drag_law */
} fluid;

#endif
