/* fixed.h: sums that do not depend on the order of their terms: 192-bit integers that count quanta of 2^-90 (8e-28) of
 * their unit (J, N, N m). Values up to 1e30 fit. Once any other value has been added, the sum is not a number. */
#ifndef SCREE_BASE_FIXED_H
#define SCREE_BASE_FIXED_H

#include "base/real.h"

__extension__ typedef __int128 int128;

typedef struct fixed {
	int128 quanta;	/* signed; without `beyond`, sufficient for sums up to 1.4e11 */
	int64_t beyond; /* multiples of 2^128 quanta; FIXED_NO_NUMBER if the sum is not a number */
} fixed;
#define FIXED_NO_NUMBER INT64_MIN

void scree_fixed_add(fixed *sum, real value);
void scree_fixed_join(fixed *sum, fixed other);
real scree_fixed_value(fixed sum); /* NaN if the sum is not a number */

SCREE_FN void fixed_add_vector(fixed sum[3], vec3 v)
{
	scree_fixed_add(sum + 0, v.x);
	scree_fixed_add(sum + 1, v.y);
	scree_fixed_add(sum + 2, v.z);
}
/* adds the symmetric part of the product of a and b, times weight: xx, yy, zz, xy, xz, yz */
SCREE_FN void fixed_add_product(fixed sum[6], real weight, vec3 a, vec3 b)
{
	scree_fixed_add(sum + 0, weight * (a.x * b.x));
	scree_fixed_add(sum + 1, weight * (a.y * b.y));
	scree_fixed_add(sum + 2, weight * (a.z * b.z));
	scree_fixed_add(sum + 3, weight * (a.x * b.y + a.y * b.x) / 2);
	scree_fixed_add(sum + 4, weight * (a.x * b.z + a.z * b.x) / 2);
	scree_fixed_add(sum + 5, weight * (a.y * b.z + a.z * b.y) / 2);
}
SCREE_FN vec3 fixed_vector(const fixed sum[3])
{
	return v3(scree_fixed_value(sum[0]), scree_fixed_value(sum[1]), scree_fixed_value(sum[2]));
}

#endif
