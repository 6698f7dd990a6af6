/* beam.h: rows, pairs and blocks of bonded spheres, and results that every response must reproduce. */
#ifndef SCREE_TESTS_BEAM_H
#define SCREE_TESTS_BEAM_H

#include "kernel/bond.h"
#include "world/world.h"

enum { BEAM_BONDS = 8 };
static const real BEAM_R = 1e-3, BEAM_TENSION = 2e5, BEAM_SHEAR = 1.5e5;
static const real BEAM_LENGTH = 2.002e-3; /* length of a bond; the spheres do not touch, so only bonds exert forces */

/* Force and torque on the last body, ramped up to their full values by time `ramp`, and drag on all bodies. */
typedef struct beam_load {
	vec3 force, torque;
	real ramp, drag, turning_drag, now;
	uint64_t id;
} beam_load;

contact_rule beam_rule(real damping);
bond_form beam_form(void); /* the bond between two spheres */
/* An empty world without the energy guard; steps may have any length, except with the response `forces`. */
scree_world *beam_world(contact_rule rule, const char *response);
/* A row of spheres along x, the first of which is held. step: as a multiple of the default step */
scree_world *beam_new(contact_rule rule, const char *response, int32_t bonds, beam_load *with, real step);
int32_t beam_end(const scree_world *w, const beam_load *o); /* index of the last body */
int64_t beam_bonds(const scree_world *w);
int64_t beam_broken(const scree_world *w);
/* critical drag for the slowest oscillation of a beam with this stiffness at its tip */
void beam_set_drag(const scree_world *w, beam_load *o, real stiffness, int32_t bonds);
/* compliance at the tip of a cantilever according to Timoshenko's theory, in m/N */
real beam_timoshenko(int32_t bonds);

/* Each of these functions makes `steps` steps, after which the beam is at rest, and compares the position of its tip
 * with the closed form. */
void beam_bends(const char *response, real step, int64_t steps);
void beam_is_stretched_and_twisted(const char *response, int64_t steps);
void beam_of_discs_bends(const char *response, int64_t steps);
/* Loads rise to the strength of a bond over this number of steps. The bond must break when the load reaches its
 * strength, within this relative tolerance. */
void beam_breaks_at_its_strength(const char *response, int64_t steps, real tolerance);

/* Adds two spheres that rotate about each other at this rate, and spin about the line between them at a third of this
 * rate. */
void beam_add_rotating_pair(scree_world *w, real rate);
/* Adds a sheared block of 64 spheres that falls onto a floor. */
void beam_add_block(scree_world *w);

#endif
