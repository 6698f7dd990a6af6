/* random.h: Philox4x32-10 (Salmon et al. 2011): random numbers as a function of (seed, stream, counter), the same on
 * every machine and for any number of threads or processes. */
#ifndef SCREE_BASE_RANDOM_H
#define SCREE_BASE_RANDOM_H

#include "base/real.h"

typedef struct random_stream {
	uint64_t seed, stream, counter; /* counter: number of blocks drawn */
	uint32_t block[4];
	int32_t left;
} random_stream;

void scree_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
random_stream scree_random_start(uint64_t seed, uint64_t stream);
uint32_t scree_random_bits(random_stream *r);
real scree_random_real(random_stream *r); /* [0, 1), 53 bits */
real scree_random_between(random_stream *r, real low, real high);
real scree_random_normal(random_stream *r);	  /* mean 0, standard deviation 1 (Box and Muller) */
quat scree_random_rotation(random_stream *r); /* uniform (Shoemake 1992) */
quat scree_random_turn(random_stream *r);	  /* rotation about z, uniform */
vec3 scree_random_direction(random_stream *r);

#endif
