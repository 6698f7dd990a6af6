/* maths.h: elementary functions that are bitwise identical with every C library, since they use only + - * / sqrt and
 * fixed polynomials. Errors (tested against libm) are a few units in the last place for all numbers in scenes. */
#ifndef SCREE_BASE_MATHS_H
#define SCREE_BASE_MATHS_H

#include "base/real.h"

void scree_sincos(real x, real *sine, real *cosine); /* |x| up to 1e9 */
real scree_sin(real x);
real scree_cos(real x);
real scree_exp(real x);
real scree_log(real x); /* NaN below 0 */
real scree_atan2(real y, real x);
real scree_pow(real x, real y); /* x > 0, or whole y */
real scree_floor(real x);

#endif
