/* lanes.h: eight numbers in one vector, on machines with vectors of that width. The functions copy, perform single IEEE
 * 754 operations, or work on integers, so that results are bitwise identical to those without vectors. */
#ifndef SCREE_BASE_LANES_H
#define SCREE_BASE_LANES_H

#include <stdint.h>

#if defined __AVX512F__ && defined __AVX512DQ__ && (defined __clang__ || __GNUC__ >= 12)
#define SCREE_LANES 8

#include <immintrin.h>

typedef uint64_t lanes __attribute__((vector_size(64), may_alias, aligned(64)));
typedef uint64_t lanes_anywhere __attribute__((vector_size(64), may_alias, aligned(8)));
typedef double lanes_real __attribute__((vector_size(64), may_alias, aligned(64)));
typedef double lanes_real_anywhere __attribute__((vector_size(64), may_alias, aligned(8)));

/* integers nearest to x, ties to even, like quanta_of in kernel/contact_quanta.h; |x| < 2^61 */
static inline __attribute__((always_inline, unused)) lanes lanes_quanta(lanes_real x)
{
	return (lanes)_mm512_cvtpd_epi64((__m512d)x);
}

/* integers as reals, rounded to nearest */
static inline __attribute__((always_inline, unused)) lanes_real lanes_reals(lanes whole)
{
	return (lanes_real)_mm512_cvtepi64_pd((__m512i)whole);
}

/* tests whether all are zero; NaN is not zero */
static inline __attribute__((always_inline, unused)) int lanes_all_zero(lanes_real x)
{
	return _mm512_cmp_pd_mask((__m512d)x, _mm512_setzero_pd(), _CMP_NEQ_UQ) == 0;
}

/* number of lanes below a limit; NaN does not count */
static inline __attribute__((always_inline, unused)) int lanes_below(lanes_real x, double limit)
{
	return __builtin_popcount(_mm512_cmp_pd_mask((__m512d)x, _mm512_set1_pd(limit), _CMP_LT_OQ));
}

static inline __attribute__((always_inline, unused)) uint64_t lanes_sum(lanes x)
{
	return (uint64_t)_mm512_reduce_add_epi64((__m512i)x);
}

#define SCREE_PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

static inline __attribute__((always_inline, unused)) void lanes_transpose(lanes r[8])
{
	lanes t[8], u[8];
	for (int k = 0; k < 8; k += 2) {
		t[k] = SCREE_PICK(r[k], r[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
		t[k + 1] = SCREE_PICK(r[k], r[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
	}
	for (int k = 0; k < 8; k += 4)
		for (int j = 0; j < 2; j++) {
			u[k + j] = SCREE_PICK(t[k + j], t[k + 2 + j], 0, 1, 8, 9, 4, 5, 12, 13);
			u[k + 2 + j] = SCREE_PICK(t[k + j], t[k + 2 + j], 2, 3, 10, 11, 6, 7, 14, 15);
		}
	for (int j = 0; j < 4; j++) {
		r[j] = SCREE_PICK(u[j], u[4 + j], 0, 1, 2, 3, 8, 9, 10, 11);
		r[4 + j] = SCREE_PICK(u[j], u[4 + j], 4, 5, 6, 7, 12, 13, 14, 15);
	}
}

/* Transposes the first four numbers of eight rows: to[j] receives number j of each row. */
static inline __attribute__((always_inline, unused)) void lanes_of_halves(lanes to[4], const double *const row[8])
{
	lanes r[4], t[4];
	for (int k = 0; k < 4; ++k)
		r[k] =
			(lanes)_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(row[k])), _mm256_loadu_pd(row[k + 4]), 1);
	for (int k = 0; k < 4; k += 2) {
		t[k] = SCREE_PICK(r[k], r[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
		t[k + 1] = SCREE_PICK(r[k], r[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
	}
	for (int j = 0; j < 2; ++j) {
		to[j] = SCREE_PICK(t[j], t[2 + j], 0, 1, 8, 9, 4, 5, 12, 13);
		to[2 + j] = SCREE_PICK(t[j], t[2 + j], 2, 3, 10, 11, 6, 7, 14, 15);
	}
}
#endif

#endif
