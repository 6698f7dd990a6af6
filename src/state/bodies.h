/* bodies.h: the particles, a structure of arrays. SI units; vectors in the world's frame unless it says otherwise.
 *
 * The last word of each comment says which stage writes the array: pairs, rows (broad/), drift,
 * kick (motion/), sum, or birth. */
#ifndef SCREE_STATE_BODIES_H
#define SCREE_STATE_BODIES_H

#include "base/field.h"
#include "base/real.h"
#include "model/periods.h"

enum {
	BODY_HELD = 1,	/* does not move by forces: velocity is kept (a fixed or driven body) */
	BODY_LOCKED = 2 /* of new bodies: does not turn; its moments of inertia are beyond measure */
};

enum { BODY_EXTRAS = 24 }; /* most arrays that can be asked for */

typedef struct bodies {
	/* Rows 0 .. owned-1 are bodies of this process, rows owned .. count-1 are ghosts: copies of bodies that another one
	 * owns, so that contacts with them can be found (domain/domain.h). What moves, adds up, saves or hashes bodies
	 * walks what is owned; what finds contacts walks all. */
	int32_t count, owned;
	int32_t capacity;
	field_table asked;				   /* rows of arrays that only some runs have, by scree_bodies_ask */
	real *extra[BODY_EXTRAS];		   /* those arrays; what is asked for is its owner's to write */
	uint64_t *id;					   /* given once, never reused                                       birth */
	real *x, *y, *z;				   /* m       position of the centre of mass                         drift */
	real *qw, *qx, *qy, *qz;		   /*         orientation: shape's principal frame to the world       drift */
	real *vx, *vy, *vz;				   /* m/s     velocity of the full step (predicted while laws run)   kick  */
	real *wx, *wy, *wz;				   /* 1/s     angular velocity of the full step, likewise            kick  */
	real *lx, *ly, *lz;				   /* kg m2/s angular momentum                                       kick  */
	real *fx, *fy, *fz;				   /* N       sum of contact forces (gravity is added by motion)     sum   */
	real *tx, *ty, *tz;				   /* N m     torque about the centre of mass                        sum   */
	real *hx, *hy, *hz;				   /* m/s     velocity at the half step                              drift */
	real *kx, *ky, *kz;				   /* kg m2/s angular momentum at the half step                      drift */
	real *ox, *oy, *oz;				   /* m       position before the drift, in worlds with walls of two sides drift */
	real *way;						   /* m       bound on the way of any of its points since the rebuild drift */
	real *margin;					   /* m       its box is swollen by: pairs hold while the way is shorter   pairs */
	real *inner;					   /* m       likewise contact rows                                  rows  */
	real *radius;					   /* m       bounding sphere; of a sphere the sphere itself         birth */
	real *round;					   /* m       radius of the sphere of the same volume, for the laws  birth */
	real *size;						   /* m       what the shape is scaled by                            birth */
	real *mass, *inv_mass;			   /* kg 1/kg                                                        birth */
	real *ix, *iy, *iz;				   /* kg m2   principal moments of inertia                           birth */
	int32_t *shape, *material, *flags; /*         row of shapes, row of materials, BODY_*                birth */
	int32_t *cell_x, *cell_y, *cell_z; /*         periods crossed (model/periods.h)                      drift */
	real *energy;					   /* J       kinetic and potential, at the last reading of the guard of energy */
	int32_t *stirred;				   /*         1: contacts have changed its energy since its birth, likewise */
} bodies;

extern const field scree_body_fields[];
extern const field_table scree_body_table;

/* room for count bodies at least; grows by half */
void scree_bodies_reserve(bodies *b, int32_t count);
void scree_bodies_free(bodies *b);
/* Arrays beside those of the table, zero, from here on; what was asked for before and is not any more is gone. Rows are
 * static, of KIND_F64, with places in `extra`. */
void scree_bodies_ask(bodies *b, field_table rows);
/* All rows, those of the table and those asked for. */
int scree_body_rows(const bodies *b);
const field *scree_body_row(const bodies *b, int k);
/* As in field.h, for all rows. */
void scree_bodies_permute(bodies *b, const int32_t *order, void *tmp);
void scree_bodies_copy(bodies *b, int64_t to, int64_t from);
void scree_bodies_clear(bodies *b, int64_t from, int64_t to);
/* rows of what is owned by rising ids (to be freed with scree_free): where they lie depends on when pairs were last
 * found */
int32_t *scree_bodies_by_id(const bodies *b);
/* a copy of the table's rows in that order, to be freed with scree_bodies_free */
bodies scree_bodies_sorted(const bodies *b);

/* What another process gets of a row at this occasion: all fields that are shared then or more often (base/field.h),
 * one after the other; in bytes. */
size_t scree_bodies_packed(const bodies *b, share when);
/* Rows row[0] .. row[count-1], each in so many bytes one behind the other. */
void scree_bodies_pack(const bodies *b, share when, int64_t count, const int32_t *row, void *to);
/* The same back, into rows from .. from+count-1; fields that are not shared stay. */
void scree_bodies_unpack(bodies *b, share when, int64_t from, int64_t count, const void *packed);

SCREE_FN vec3 body_position(const bodies *b, int32_t i) { return v3(b->x[i], b->y[i], b->z[i]); }
SCREE_FN quat body_orientation(const bodies *b, int32_t i)
{
	quat q = {b->qw[i], b->qx[i], b->qy[i], b->qz[i]};
	return q;
}
SCREE_FN vec3 body_velocity(const bodies *b, int32_t i) { return v3(b->vx[i], b->vy[i], b->vz[i]); }
SCREE_FN image body_cell(const bodies *b, int32_t i)
{
	image c = {b->cell_x[i], b->cell_y[i], b->cell_z[i]};
	return c;
}
SCREE_FN vec3 body_angular_velocity(const bodies *b, int32_t i) { return v3(b->wx[i], b->wy[i], b->wz[i]); }

/* Does this process count what bodies i and j do to each other? Both owners compute it, with the same bits; the ledger,
 * counts, hash and files have it of the owner of the lower id. */
SCREE_FN bool bodies_counted(const bodies *b, int32_t i, int32_t j)
{
	if (b->owned == b->count) return true;
	return (b->id[i] < b->id[j] ? i : j) < b->owned;
}

#endif
