/* gear.h: Gear's predictor and corrector for x'' = a (Gear 1971; Allen and Tildesley, Computer Simulation of Liquids).
 * A coordinate is stored as scaled derivatives q_k = dt^k/k! d^k x/dt^k. The prediction is the Taylor series, computed
 * with Pascal's triangle. The correction adds alpha_k times the error of the second derivative to each q_k. Both are
 * linear, so a caller that stores x and its velocity in other units can start with q_0 = q_1 = 0 and obtain the
 * increments. */
#ifndef SCREE_KERNEL_GEAR_H
#define SCREE_KERNEL_GEAR_H

#include "base/real.h"

enum { GEAR_MOST = 6 };

typedef struct gear_rule {
	int values; /* q_0 .. q_(values-1) */
	real alpha[GEAR_MOST];
	real limit[2]; /* springs (frequency omega, damping ratio zeta) are stable if omega dt (limit0 + limit1 zeta) < 1 */
} gear_rule;

/* alpha_0 of GEAR_n is for forces that depend on velocity, alpha_0 of GEAR_n_POSITION for others (equal for four
 * values). The limits were measured (tests/physics/gear.c). With one force evaluation per step, damping lowers them. */
SCREE_CONSTANT gear_rule GEAR_4 = {4, {1 / 6., 5 / 6., 1, 1 / 3.}, {0.8, 3.7}};
SCREE_CONSTANT gear_rule GEAR_5 = {5, {19 / 90., 3 / 4., 1, 1 / 2., 1 / 12.}, {1.1, 6.7}};
SCREE_CONSTANT gear_rule GEAR_5_POSITION = {5, {19 / 120., 3 / 4., 1, 1 / 2., 1 / 12.}, {1.1, 6.7}};
SCREE_CONSTANT gear_rule GEAR_6 = {6, {3 / 16., 251 / 360., 1, 11 / 18., 1 / 6., 1 / 60.}, {1.5, 12.3}};
SCREE_CONSTANT gear_rule GEAR_6_POSITION = {6, {3 / 20., 251 / 360., 1, 11 / 18., 1 / 6., 1 / 60.}, {1.5, 12.3}};

/* Taylor series over one step: q_k = sum over j >= k of (j over k) q_j, using only additions. */
SCREE_FN void gear_predict(int values, real *q)
{
	for (int row = 0; row < values - 1; ++row)
		for (int k = values - 2; k >= row; --k) q[k] += q[k + 1];
}

/* second: dt^2/2 times the acceleration at the predicted state */
SCREE_FN void gear_correct(int values, const real *alpha, real *q, real second)
{
	real error = second - q[2];
	for (int k = 0; k < values; ++k) q[k] += alpha[k] * error;
}

#endif
