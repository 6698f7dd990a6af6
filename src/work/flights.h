/* flights.h: bodies that can meet nothing for a while. Most bodies of a gas have no contact row, and only gravity acts
 * on them: they fly. Their steps are put off and made together, in cache, before anybody looks at them
 * (broad/pairs_to_flights.c, motion/flights.c). The same operations in the same order: no bit depends on it. */
#ifndef SCREE_WORK_FLIGHTS_H
#define SCREE_WORK_FLIGHTS_H

#include "base/real.h"

enum { FLIGHT_WORD = 64 }; /* bodies */

typedef struct flight_pair {
	int64_t slot;
	int32_t kind;
} flight_pair;

typedef struct flights {
	int64_t until; /* the step behind which somebody looks at bodies */
	uint64_t *fly; /* [words] a bit a body: it has no row, and may fly */
	int64_t words;
	flight_pair *near; /* that fly past each other, and would not if one of them did not fly */
	int64_t near_count, near_capacity;
	bool chosen; /* some may, for `left` steps more */
	bool any;	 /* and do: of their steps they have put off so many: */
	int64_t drifts, kicks;
	int64_t left;
	int64_t steps; /* of the whole flight */
	int64_t last;  /* of `left`: from here on the way of one of them may be longer than its margin */
	real step;	   /* m: bound on the way of any of them in a step */
} flights;

SCREE_FN bool body_flies(const flights *f, int64_t i) { return f->fly[i / FLIGHT_WORD] >> i % FLIGHT_WORD & 1; }

/* the first body from `from` on that flies or does not, or end */
SCREE_FN int64_t next_that(const flights *f, bool fly, int64_t from, int64_t end)
{
	while (from < end) {
		uint64_t left = (fly ? f->fly[from / FLIGHT_WORD] : ~f->fly[from / FLIGHT_WORD]) >> from % FLIGHT_WORD;
		if (left) return from + __builtin_ctzll(left) < end ? from + __builtin_ctzll(left) : end;
		from += FLIGHT_WORD - from % FLIGHT_WORD;
	}
	return end;
}

/* Rows of those from .. to-1 that make their steps now; returns how many. */
SCREE_FN int64_t rows_grounded(const flights *f, int64_t from, int64_t to, int32_t *of)
{
	int64_t count = 0;
	for (int64_t i = next_that(f, false, from, to); i < to; i = next_that(f, false, i + 1, to))
		of[count++] = (int32_t)i;
	return count;
}

#endif
