/* lab.h: small worlds for physics tests. */
#ifndef SCREE_TESTS_LAB_H
#define SCREE_TESTS_LAB_H

#include "kernel/law_constants.h"
#include "model/respond.h"
#include "model/sources.h"
#include "state/contact_rows.h"
#include "world/world.h"

/* An empty world with one material (density 2500, young 1e7, poisson 0.25) and this contact rule, without gravity. Row
 * 0 of the shapes is a sphere of diameter 1, and row 1 is a cube of edge 1. */
scree_world *lab_world(contact_rule rule);
contact_rule lab_linear(real stiffness, real restitution, real friction);
contact_rule lab_hertz(real restitution, real friction);
/* adds one body at rest; returns its id */
uint64_t lab_add(scree_world *w, int32_t shape, real size, vec3 at);
uint64_t lab_add_moving(scree_world *w, int32_t shape, real size, vec3 at, quat turn, vec3 velocity, vec3 spin);
/* Creates the state rows of walls, sources and sinks that were added to the model. */
void lab_rows(scree_world *w);
int32_t lab_plane(scree_world *w, vec3 point, vec3 normal);
/* makes space periodic along these axes (such as "xz"), with this cell; shear may be set in w->period afterwards,
 * before bodies are added */
void lab_periods(scree_world *w, const char *axes, vec3 low, vec3 size);
int32_t lab_row(const scree_world *w, uint64_t id);
/* Returns whether this report refuses a scene because the scene uses an option from a paper, in a build without papers
 * (SCREE_PAPERS=OFF). Tests that run many scenes skip these scenes. */
bool lab_left_out(const char *report);
/* fails the test with the error message if the world cannot be prepared */
void lab_prepare(scree_world *w, real step);
void lab_steps(scree_world *w, int64_t steps);
/* Writes the world to a snapshot and returns the world read from it. */
scree_world *lab_resumed(const scree_world *w);
/* Prepares the world with this step, makes the steps, checks that bodies collide more than 100 times, and frees the
 * world. Returns its hash. */
uint64_t lab_hash_after(scree_world *w, real step, int64_t steps);
/* Empties the pair caches, and replaces the derived data of contacts with wrong numbers. */
void lab_lose_pairs(scree_world *w);
/* Also discards all other derived data (work/work.h): private data of stages, records, scales of sums,
 * candidate facets, flights, skins, derived data of walls, results of the last step, and reports. */
void lab_lose_work(scree_world *w);
/* sum of kinetic, potential and stored energy */
real lab_energy(const scree_world *w);
/* Runs a lossless gas with its default step, counts impacts, and returns the largest energy drift relative to the
 * initial energy. */
real lab_elastic_gas(scree_world *w, real duration, int64_t *impacts);
/* fails the test unless the world is refused with these words; frees the world */
void lab_refused(scree_world *w, real step, const char *words);
/* Makes steps until a first contact has ended, and returns the number of steps with a contact. */
int64_t lab_one_contact(scree_world *w);
/* Tests a block of this shape and size on two slopes: if the tangent of the angle is 1 % below the friction
 * coefficient, the block must stay at rest; 1 % above, it must slide down as theory predicts, within `tolerance`.
 * Expects one world without walls for each slope, and frees both worlds. */
void lab_block_on_slopes(scree_world *gentle, scree_world *steep, int32_t shape, real size, real friction,
						 real tolerance);
/* A hook of this shape (tests/part_shapes.h) hangs from another hook, which is held, and starts at this distance below
 * it: it must not fall, creep or gain energy in 20,000 steps. Frees the world. */
void lab_hook_hangs(scree_world *w, int32_t shape, real size, real below);

#endif
