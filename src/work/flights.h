/* flights.h: bodies that cannot touch anything for some time. Most bodies of a gas have no contact row: only gravity
 * acts on them, and they fly. The steps of these bodies are postponed and made together, in cache, before anything
 * reads the bodies (broad/pairs_to_flights.c, motion/flights.c). Operations and their order stay the same, so results
 * are bit-identical. */
#ifndef SCREE_WORK_FLIGHTS_H
#define SCREE_WORK_FLIGHTS_H

#include "state/bodies.h"

enum { FLIGHT_WORD = 64 }; /* bodies per word */

typedef struct flight_pair {
	int64_t slot;
	int32_t kind;
} flight_pair;

typedef struct flights {
	int64_t until; /* bodies are read after this step */
	uint64_t *fly; /* [words] one bit per body: it has no contact row, and may fly */
	int64_t words;
	/* While `any` fly: the bodies that do not fly, stored contiguously; their own rows hold only poses, velocities and
	 * `way` */
	bodies ground;
	bool balls;		   /* whether all bodies are balls */
	int32_t *of;	   /* [ground.owned] rows of these bodies */
	int32_t *before;   /* [words] number of grounded bodies in earlier words */
	flight_pair *near; /* pairs that fly past each other, but would meet if one of the two did not fly */
	int64_t near_count, near_capacity;
	bool chosen; /* whether some bodies may fly for `left` more steps */
	bool any;	 /* whether some bodies fly, having postponed this number of drifts and kicks */
	int64_t drifts, kicks;
	int64_t left;
	int64_t steps; /* number of steps in the whole flight */
	int64_t last;  /* value of `left` at which the displacement of a flying body may begin to exceed its margin */
	real step;	   /* bound on the displacement of any flying body in a step, in m */
} flights;

SCREE_FN bool body_flies(const flights *f, int64_t i) { return f->fly[i / FLIGHT_WORD] >> i % FLIGHT_WORD & 1; }

/* Position in `ground` of body i, which does not fly. */
SCREE_FN int64_t ground_of(const flights *f, int64_t i)
{
	const uint64_t earlier = (UINT64_C(1) << i % FLIGHT_WORD) - 1;
	return f->before[i / FLIGHT_WORD] + __builtin_popcountll(~f->fly[i / FLIGHT_WORD] & earlier);
}

/* the first body from `from` on that flies (or does not fly); `end` if there is none */
SCREE_FN int64_t next_that(const flights *f, bool fly, int64_t from, int64_t end)
{
	while (from < end) {
		uint64_t left = (fly ? f->fly[from / FLIGHT_WORD] : ~f->fly[from / FLIGHT_WORD]) >> from % FLIGHT_WORD;
		if (left) return from + __builtin_ctzll(left) < end ? from + __builtin_ctzll(left) : end;
		from += FLIGHT_WORD - from % FLIGHT_WORD;
	}
	return end;
}

/* Lists the rows from .. to-1 of bodies that do not fly; returns their number. */
SCREE_FN int64_t rows_grounded(const flights *f, int64_t from, int64_t to, int32_t *of)
{
	int64_t count = 0;
	for (int64_t i = next_that(f, false, from, to); i < to; i = next_that(f, false, i + 1, to))
		of[count++] = (int32_t)i;
	return count;
}

#endif
