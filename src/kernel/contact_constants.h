/* contact_constants.h: the constants of one contact, and the normal part of its forces, for all contact laws. */
#ifndef SCREE_KERNEL_CONTACT_CONSTANTS_H
#define SCREE_KERNEL_CONTACT_CONSTANTS_H

#include "base/real.h"

/* The normal part, summed over the points of a patch. */
typedef struct normal_part {
	real force;	  /* N, >= 0: no attraction */
	real elastic; /* J */
	real power;	  /* power of the elastic part on the bodies, in W */
	real heat;	  /* W */
} normal_part;

/* Constants of a contact from materials, reduced radius and mass. Stiffnesses are proportional to scale, dampings to
 * sqrt(mass scale). The scale is 1 for the linear law and the contact radius, sqrt(radius overlap), for Hertz. */
typedef struct contact_constants {
	real stiffness, damping;
	real shear, shear_damping;
	real friction, rolling, radius, mass, zeta;
	real exponent, pulls;
	real twisting, surface;
	int32_t cohesion;
	real volume, ruptures;			 /* capillary */
	real loading, adhesion, hardens; /* plastic */
	real part;						 /* patches on walls: fraction of the stiffness, already included in the scale */
} contact_constants;

#endif
