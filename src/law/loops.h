/* loops.h: one loop each for the values of law, partner and extra, made from one inline function. */
#ifndef SCREE_LAW_LOOPS_H
#define SCREE_LAW_LOOPS_H

#define LOOP(name, each, law, row, with, extra)                                                                        \
	static real name(const job *j, int64_t from, int64_t count, const int32_t *listed, const law_constants *of)        \
	{                                                                                                                  \
		return each(j, from, count, listed, of, contact_constants_##law, normal_##law, row, with, extra);              \
	}
#define LOOPS(each, law, row, name, with)                                                                              \
	LOOP(each##_##law##_##name, each, law, row, with, EXTRA_NONE)                                                      \
	LOOP(each##_##law##_##name##_turning, each, law, row, with, EXTRA_TURNS)                                           \
	LOOP(each##_##law##_##name##_sticking, each, law, row, with, EXTRA_STICKS)
/* without cohesion, which the law refuses */
#define DRY_LOOPS(each, law, row, name, with)                                                                          \
	LOOP(each##_##law##_##name, each, law, row, with, EXTRA_NONE)                                                      \
	LOOP(each##_##law##_##name##_turning, each, law, row, with, EXTRA_TURNS)
#define DRY_CELL(each, law, name)                                                                                      \
	{                                                                                                                  \
		each##_##law##_##name, each##_##law##_##name##_turning, each##_##law##_##name##_turning                        \
	}
#define CELL(each, law, name)                                                                                          \
	{                                                                                                                  \
		each##_##law##_##name, each##_##law##_##name##_turning, each##_##law##_##name##_sticking                       \
	}

#endif
