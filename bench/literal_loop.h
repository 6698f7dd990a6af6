/* literal_loop.h: the whole loop of Schinner (1999) as its Fig. 12 has it, to compare with: two threads, five barriers
 * a step.
 *
 *     predictor                  each thread its half of the list of particles
 *     bounding boxes             one axis a thread; a mutex a particle around its list of collisions
 *     closest features           the collisions of each thread's particles; no lock
 *     forces                     the same particles; the sum under the particle's mutex
 *     corrector                  each thread its half
 *
 * Gear's scheme with five values, polygons, walls that are polygons that nothing moves; the force is the engine's law
 * `area`, which the paper leaves open. Sums of forces are in the order in which threads come, so that two runs differ
 * in the last digits. */
#ifndef SCREE_BENCH_LITERAL_LOOP_H
#define SCREE_BENCH_LITERAL_LOOP_H

#include "literal_sweep.h"

struct scree_world;

enum { LITERAL_PHASES = 5 };
extern const char *const literal_phase_names[LITERAL_PHASES];

typedef struct literal_loop literal_loop;

/* Polygons, gravity and step as they are in a world (of dimension 2, law `area`, walls that are polygons or lines that
 * are out of reach), without what contacts remember. threads: 1 or 2. */
literal_loop *literal_loop_new(const struct scree_world *w, int threads);
void literal_loop_run(literal_loop *l, int64_t steps);
/* row i of the world's bodies; walls follow: x, y, angle */
void literal_loop_pose(const literal_loop *l, int32_t i, double pose[3]);
int32_t literal_loop_count(const literal_loop *l); /* walls included */
const double (*literal_loop_boxes(const literal_loop *l))[4];
const literal_sweep *literal_loop_sweep(const literal_loop *l);
int64_t literal_loop_overlaps(const literal_loop *l);	   /* pairs, in the last step */
const double *literal_loop_seconds(const literal_loop *l); /* [phases], waiting for the other thread included */
void literal_loop_free(literal_loop *l);

#endif
