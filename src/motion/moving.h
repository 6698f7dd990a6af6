/* moving.h: code shared by stages of src/motion: velocity Verlet, records of partners, and bodies that do not fly. */
#ifndef SCREE_MOTION_MOVING_H
#define SCREE_MOTION_MOVING_H

#include "base/real.h"
#include "model/declared.h"
#include "model/model.h"
#include "state/bodies.h"
#include "work/work.h"

SCREE_FN vec3 columns_at(const real *x, const real *y, const real *z, int64_t i) { return v3(x[i], y[i], z[i]); }
SCREE_FN void columns_put(real *x, real *y, real *z, int64_t i, vec3 v)
{
	x[i] = v.x;
	y[i] = v.y;
	z[i] = v.z;
}

/* Tests whether any body has left the domain. */
SCREE_FN bool scree_any_outside(const bodies *b, int64_t from, int64_t to, const guards *g)
{
	int out = 0;
#pragma omp simd reduction(+ : out)
	for (int64_t i = from; i < to; ++i) {
		bool in = b->x[i] >= g->low.x && b->x[i] <= g->high.x && b->y[i] >= g->low.y && b->y[i] <= g->high.y &&
				  b->z[i] >= g->low.z && b->z[i] <= g->high.z;
		out += in ? 0 : 1;
	}
	return out > 0;
}

/* forces_to_motion.c, for rows from .. to-1. _drift: returns the longest path of any point of a body in this step; path
 * lengths accumulate. _kick: returns the square of the largest speed, or NaN if any speed is NaN. */
real scree_verlet_drift(const model *m, bodies *b, int64_t from, int64_t to);
real scree_verlet_kick(const model *m, bodies *b, int64_t from, int64_t to);

/* bodies_to_records.c: makes room for a record for each body. */
void scree_records_room(state *s, work *w);
/* Packs bodies from .. to-1 into the records of these rows, or of the same rows if NULL. */
void scree_pack_records(const model *m, const bodies *all, const int32_t *of, body_record *record, int64_t from,
						int64_t to);

/* ground.c: copies bodies that do not fly to `ground`, and copies changed values back to their rows. */
void scree_ground_take(const model *m, state *s, work *w);
void scree_ground_put(state *s, work *w);
/* Copies the values that other stages and guards read from `ground` to the rows of bodies from .. to-1 of `ground`,
 * after the drift and after the kick. Other stages and guards do not read rotations of balls, and they read the
 * predicted velocities of balls from records. before: also copies positions before the drift */
void scree_ground_show_poses(state *s, const flights *f, bool before, int64_t from, int64_t to);
void scree_ground_show_velocities(state *s, const flights *f, int64_t from, int64_t to);
/* Copies the period counts of row k of `ground` if its body has crossed a border of the cell. */
void scree_ground_show_cell(state *s, const flights *f, int64_t k);

#endif
