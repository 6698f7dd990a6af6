/* lanes.h: eight numbers side by side, where the machine has vectors of that width. Copies only: no bit depends on it.
 */
#ifndef SCREE_BASE_LANES_H
#define SCREE_BASE_LANES_H

#include <stdint.h>

#if defined __AVX512F__ && (defined __clang__ || __GNUC__ >= 12)
#define SCREE_LANES 8

typedef uint64_t lanes __attribute__((vector_size(64), may_alias, aligned(64)));
typedef uint64_t lanes_anywhere __attribute__((vector_size(64), may_alias, aligned(8)));

#define SCREE_PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/* number j of row i becomes number i of row j */
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
#endif

#endif
