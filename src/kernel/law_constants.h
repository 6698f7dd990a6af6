/* law_constants.h: constants of a law for a pair of materials. Reduced mass and radius are stored per contact. */
#ifndef SCREE_KERNEL_LAW_CONSTANTS_H
#define SCREE_KERNEL_LAW_CONSTANTS_H

#include "base/real.h"

/* Rows of the table of laws (model/law.h), one per line: the build generates the loops of the laws from these names. */
enum law_row {
	/* laws based on the depth at a point; also for spheres */
	LAW_LINEAR,
	LAW_HERTZ,
	LAW_POWER,
	LAW_PLASTIC,
	LAWS_OF_POINTS,
	/* by a measure of an overlap: for patches only */
	LAW_VOLUME = LAWS_OF_POINTS,
	LAW_AREA,
	LAW_OVERLAP,
	LAW_AREA_LITERAL, /* reproduces a paper; this is the last row, so that other builds can leave it out */
	LAWS
};

/* Additions to the normal force and friction. Each value includes all before it, so that few loops are needed. */
enum extra { EXTRA_NONE, EXTRA_TURNS, EXTRA_STICKS };

/* Tests whether the force is the gradient of an energy of the overlap (for spheres the law `overlap` is `hertz`). */
SCREE_FN bool is_energy(enum law_row law) { return law == LAW_VOLUME || law == LAW_AREA || law == LAW_OVERLAP; }

typedef struct law_constants {
	int32_t law;
	real stiffness;	  /* linear, plastic: N/m; Hertz: (4/3) E*, Pa; power: N/m^1.5; volume: E*, Pa */
	real shear;		  /* linear: N/m tangential; Hertz: 8 G*, Pa; power: N s/m; volume: 4 G*, Pa */
	real damping;	  /* damping ratio zeta for the prescribed restitution (docs/theory/laws.md);
						 power: N s/m^(1 + exponent/4)                                        */
	real friction;	  /* Coulomb                                                              */
	real rolling;	  /* rolling resistance                                                   */
	real exponent;	  /* power: four times the exponent of the overlap in the damping */
	real pulls;		  /* power: 1 if damping may cause attraction, 0 if not */
	real twisting;	  /* torsional resistance                                                 */
	int32_t cohesion; /* cohesion_kind                                                        */
	real surface;	  /* JKR, DMT: energy of one surface, J/m2; simple: J/m3; capillary: N/m   */
	real volume;	  /* capillary: volume of a bridge, in m3; `surface` is tension times cosine           */
	real ruptures;	  /* capillary: separation at which a bridge breaks, in m                       */
	real loading;	  /* plastic: stiffness of the first loading, in N/m; `stiffness` is that of unloading   */
	real adhesion;	  /* plastic: stiffness of the adhesive branch, in N/m                                   */
	real hardens;	  /* plastic: largest plastic overlap over twice the reduced radius; 0 if the stiffness of unloading
						 does not depend on the overlap                 */
} law_constants;

#endif
