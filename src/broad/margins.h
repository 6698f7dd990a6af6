/* margins.h: how far a body is expected to go (skin.c, pairs_to_rows.c). */
#ifndef SCREE_BROAD_MARGINS_H
#define SCREE_BROAD_MARGINS_H

#include "kernel/motion.h"
#include "state/bodies.h"

/* steps between two searches that are aimed at */
static const real MARGIN_STEPS = 200;

/* m: its way in a step if it goes on as it does */
SCREE_FN real way_ahead(const bodies *b, int64_t i, real dt)
{
	vec3 v = v3(b->vx[i], b->vy[i], b->vz[i]), w = v3(b->wx[i], b->wy[i], b->wz[i]);
	return dt * (v3_norm(v) + swing_of(b->radius[i], b->round[i]) * v3_norm(w));
}

#endif
