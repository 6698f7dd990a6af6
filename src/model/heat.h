/* heat.h: conduction of heat between two materials, derived from them by scree_world_prepare. */
#ifndef SCREE_MODEL_HEAT_H
#define SCREE_MODEL_HEAT_H

#include "base/real.h"

typedef struct heat_rule {
	real conduction; /* W/(m K): heat that flows per kelvin and metre of the contact radius; 0: none */
	real modulus;	 /* Pa: E* of the contact radius that follows from a force; 0: it is not known */
	real friction;	 /* part of the loss by friction that heats the bodies */
	real to_a;		 /* part of this that heats the first of two bodies that conduct */
} heat_rule;

#endif
