/* literal_loop.h: the whole loop of Schinner (1999), as in Fig. 12 of the paper, for comparison: two threads and five
 * barriers per step.
 *
 * Predictor: each thread computes its half of the list of particles.
 * Bounding boxes: one axis per thread; one mutex per particle protects its list of collisions.
 * Closest features: each thread processes the collisions of its particles, without a lock.
 * Forces: each thread processes the same particles; a mutex protects the force sum of each particle.
 * Corrector: each thread computes its half of the list.
 *
 * The loop uses Gear's scheme with five values, polygons, and fixed polygons as walls. The force, which the paper does
 * not specify, is the engine's law `area`. Forces are summed in the order in which threads arrive, so two runs differ
 * in the last digits. */
#ifndef SCREE_BENCH_LITERAL_LOOP_H
#define SCREE_BENCH_LITERAL_LOOP_H

#include "literal_sweep.h"

struct scree_world;

enum { LITERAL_PHASES = 5 };
extern const char *const literal_phase_names[LITERAL_PHASES];

typedef struct literal_loop literal_loop;

/* Copies polygons, gravity and step of a world (dimension 2, law `area`, walls that are polygons, or lines that are out
 * of reach), without the history of contacts. threads: 1 or 2. */
literal_loop *literal_loop_new(const struct scree_world *w, int threads);
void literal_loop_run(literal_loop *l, int64_t steps);
/* pose (x, y, angle) of row i, counting the world's bodies and then its walls */
void literal_loop_pose(const literal_loop *l, int32_t i, double pose[3]);
int32_t literal_loop_count(const literal_loop *l); /* walls included */
const double (*literal_loop_boxes(const literal_loop *l))[4];
const literal_sweep *literal_loop_sweep(const literal_loop *l);
int64_t literal_loop_overlaps(const literal_loop *l);	   /* number of overlapping pairs in the last step */
const double *literal_loop_seconds(const literal_loop *l); /* [phases], including waits for the other thread */
void literal_loop_free(literal_loop *l);

#endif
