/* literal_sweep.h: the broad phase of Schinner (1999) in the plane, as in the paper, for comparison. The broad phase
 * has one linked list of ends per axis, a small linked list of collisions at the particle with the lower number,
 * protected by this particle's mutex, and two threads, one per axis. */
#ifndef SCREE_BENCH_LITERAL_SWEEP_H
#define SCREE_BENCH_LITERAL_SWEEP_H

#include <stdint.h>

typedef struct literal_sweep literal_sweep;

/* Data of a pair with overlapping boxes, stored at the particle with the lower number, with contact data for callers
 * that read the particles themselves (literal_loop.c). Initially zero. */
typedef struct literal_collision {
	int32_t with; /* the higher number */
	struct literal_collision *next;
	int32_t hint;					 /* closest features */
	int32_t overlap;				 /* whether the particles themselves overlap */
	double spring[2], stiff, stored; /* of friction */
} literal_collision;

/* box[i] is low x, low y, high x, high y; threads is 1 or 2 */
literal_sweep *literal_sweep_new(int32_t count, const double (*box)[4], int threads);
/* Updates the order and the collisions of boxes that have moved. The threads of both axes wait for each other at the
 * start and at the end. */
void literal_sweep_update(literal_sweep *s, const double (*box)[4]);
/* For callers with their own threads, after boxes have moved: updates one axis, 0 or 1, in the calling thread. The
 * other axis is updated by another thread, or later by the same thread. */
void literal_sweep_axis(literal_sweep *s, int axis);
literal_collision *literal_sweep_first(const literal_sweep *s, int32_t i); /* of particle i */
/* the mutex of particle i */
void literal_sweep_lock(literal_sweep *s, int32_t i);
void literal_sweep_unlock(literal_sweep *s, int32_t i);
int64_t literal_sweep_exchanges(const literal_sweep *s); /* so far */
int64_t literal_sweep_count(const literal_sweep *s);	 /* number of pairs */
int literal_sweep_has(const literal_sweep *s, int32_t i, int32_t j);
void literal_sweep_free(literal_sweep *s);

#endif
