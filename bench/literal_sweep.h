/* literal_sweep.h: the broad phase of Schinner (1999) as the paper has it, to compare with: linked lists of ends, one a
 * axis; a small linked list of collisions at the particle of the lower number, behind that particle's mutex; two
 * threads, one an axis. In the plane. */
#ifndef SCREE_BENCH_LITERAL_SWEEP_H
#define SCREE_BENCH_LITERAL_SWEEP_H

#include <stdint.h>

typedef struct literal_sweep literal_sweep;

/* box[i]: low x, low y, high x, high y; threads: 1 or 2 */
literal_sweep *literal_sweep_new(int32_t count, const double (*box)[4], int threads);
/* Boxes have moved: their order and the collisions follow. Both axes wait for each other at its beginning and end. */
void literal_sweep_update(literal_sweep *s, const double (*box)[4]);
int64_t literal_sweep_exchanges(const literal_sweep *s); /* so far */
int64_t literal_sweep_count(const literal_sweep *s);	 /* of pairs */
int literal_sweep_has(const literal_sweep *s, int32_t i, int32_t j);
void literal_sweep_free(literal_sweep *s);

#endif
