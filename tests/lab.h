/* lab.h: small worlds for the tests of physics. */
#ifndef SCREE_TESTS_LAB_H
#define SCREE_TESTS_LAB_H

#include "world.h"

/* An empty world with one material (density 2500, young 1e7, poisson 0.25) and this rule, gravity off. Row 0 of shapes
 * is a sphere of diameter 1, row 1 a cube of edge 1. */
scree_world *lab_world(contact_rule rule);
contact_rule lab_linear(real stiffness, real restitution, real friction);
contact_rule lab_hertz(real restitution, real friction);
/* one body at rest; returns its id */
uint64_t lab_add(scree_world *w, int32_t shape, real size, vec3 at);
uint64_t lab_add_moving(scree_world *w, int32_t shape, real size, vec3 at, quat turn, vec3 velocity, vec3 spin);
int32_t lab_plane(scree_world *w, vec3 point, vec3 normal);
/* space repeats along these axes ("xz", say) with this cell; then shear may be set in w->period, before bodies */
void lab_periods(scree_world *w, const char *axes, vec3 low, vec3 size);
int32_t lab_row(const scree_world *w, uint64_t id);
/* fails the test with the sentence when it cannot */
void lab_prepare(scree_world *w, real step);
void lab_steps(scree_world *w, int64_t steps);

#endif
