/* bodies.h: the particles, a structure of arrays. SI units; vectors in the world's frame unless stated otherwise.
 *
 * The last word of each comment names the stage that writes the array: pairs, rows (broad/), drift, kick (motion/),
 * sum, or birth. */
#ifndef SCREE_STATE_BODIES_H
#define SCREE_STATE_BODIES_H

#include "base/field.h"
#include "base/real.h"
#include "model/periods.h"

enum {
	BODY_HELD = 1,	/* does not respond to forces: velocity is kept (a fixed or driven body) */
	BODY_LOCKED = 2 /* for new bodies: does not rotate; its moments of inertia are beyond measure */
};

enum { BODY_EXTRAS = 24 }; /* largest number of optional arrays */

typedef struct bodies {
	/* Rows 0 .. owned-1 are bodies of this process; rows owned .. count-1 are ghosts: copies of bodies of another
	 * process, needed to find contacts with them (ranks/together/domain.h). Code that moves, sums, saves or hashes
	 * bodies loops over the owned rows; code that finds contacts loops over all rows. */
	int32_t count, owned;
	int32_t capacity;
	bool at_points;			  /* derived: each contact is in only one part of the world, that of its point */
	bool in_cell;			  /* derived: in a periodic world; otherwise no periods are crossed */
	bool way_by_pose;		  /* derived: `way` of ghosts follows from their poses (world/bodies.c) */
	uint64_t epoch;			  /* derived: increases when rows move, are added or removed, or arrays are reallocated */
	field_table asked;		  /* table of the optional arrays, set by scree_bodies_ask */
	real *extra[BODY_EXTRAS]; /* these arrays; each is written by the stage that requested it */
	uint64_t *id;			  /* given once, never reused                                       birth */
	real *x, *y, *z;		  /* m       position of the centre of mass                         drift */
	real *qw, *qx, *qy, *qz;  /*         orientation: shape's principal frame to the world       drift */
	real *vx, *vy, *vz;		  /* m/s     velocity of the full step (predicted while laws run)   kick  */
	real *wx, *wy, *wz;		  /* 1/s     angular velocity of the full step (predicted, too)     kick */
	real *lx, *ly, *lz;		  /* kg m2/s angular momentum                                       kick  */
	real *fx, *fy, *fz;		  /* N       sum of contact forces (gravity is added by motion)     sum   */
	real *tx, *ty, *tz;		  /* N m     torque about the centre of mass                        sum   */
	real *hx, *hy, *hz;		  /* m/s     velocity at the half step                              drift */
	real *kx, *ky, *kz;		  /* kg m2/s angular momentum at the half step                      drift */
	real *ox, *oy, *oz;		  /* m       position before the drift, for walls with two sides     drift */
	real *way;				  /* m       bound on the displacement of its points since rebuild  drift */
	real *margin;			  /* m       margin of its box: pairs hold while way is shorter     pairs */
	real *inner;			  /* m       margin for contact rows                                rows */
	real *radius;			  /* m       bounding sphere; for a sphere, the sphere itself       birth */
	real *round;			  /* m       radius of the sphere of the same volume, for the laws  birth */
	real *size;				  /* m       scale of the shape                                     birth */
	real *mass, *inv_mass;	  /* kg 1/kg                                                        birth */
	real *ix, *iy, *iz;		  /* kg m2   principal moments of inertia                           birth */
	int32_t *shape, *material, *flags; /*         row of shapes, row of materials, BODY_*                birth */
	int32_t *cell_x, *cell_y, *cell_z; /*         periods crossed (model/periods.h)                      drift */
	real *energy;	  /* J       kinetic and potential energy at the last reading of the energy guard */
	int32_t *stirred; /* 1: contacts have changed its energy since its birth; set at the same readings */
} bodies;

extern const field scree_body_fields[];
extern const field_table scree_body_table;

/* makes room for at least `count` bodies; grows by half */
void scree_bodies_reserve(bodies *b, int32_t count);
void scree_bodies_free(bodies *b);
/* Adds these arrays to those of the table, filled with zeros; earlier optional arrays that are not in rows are
 * freed. Rows are static, of KIND_F64, with their index in `extra`. */
void scree_bodies_ask(bodies *b, field_table rows);
/* Number of arrays: those of the table and the optional ones. */
int scree_body_rows(const bodies *b);
const field *scree_body_row(const bodies *b, int k);
/* As in field.h, for all rows. */
void scree_bodies_permute(bodies *b, const int32_t *order, void *tmp);
void scree_bodies_copy(bodies *b, int64_t to, int64_t from);
void scree_bodies_clear(bodies *b, int64_t from, int64_t to);
/* owned rows in ascending order of ids (free with scree_free): storage order depends on the time of the last search */
int32_t *scree_bodies_by_id(const bodies *b);
/* a copy of all arrays in that order; free with scree_bodies_free */
bodies scree_bodies_sorted(const bodies *b);

/* The next three are for rules of division (ranks/together/domain.h). Bytes per row sent to another process on this
 * occasion: all fields shared on it or more often (base/field.h), one after another. */
size_t scree_bodies_packed(const bodies *b, share when);
/* Packs rows row[0] .. row[count-1], that many bytes each, one after another. */
void scree_bodies_pack(const bodies *b, share when, int64_t count, const int32_t *row, void *to);
/* Unpacks into rows from .. from+count-1; fields that are not shared keep their values. */
void scree_bodies_unpack(bodies *b, share when, int64_t from, int64_t count, const void *packed);

/* The temperature of bodies, in worlds with heat. */
extern const field_table scree_heat_table;
/* K; NULL: a world without heat */
SCREE_FN real *body_temperatures(const bodies *b) { return b->asked.row == scree_heat_table.row ? b->extra[0] : NULL; }

SCREE_FN vec3 body_position(const bodies *b, int32_t i) { return v3(b->x[i], b->y[i], b->z[i]); }
SCREE_FN quat body_orientation(const bodies *b, int32_t i)
{
	quat q = {b->qw[i], b->qx[i], b->qy[i], b->qz[i]};
	return q;
}
SCREE_FN void body_set_orientation(bodies *b, int64_t i, quat q)
{
	b->qw[i] = q.w;
	b->qx[i] = q.x;
	b->qy[i] = q.y;
	b->qz[i] = q.z;
}
SCREE_FN vec3 body_velocity(const bodies *b, int32_t i) { return v3(b->vx[i], b->vy[i], b->vz[i]); }
SCREE_FN image body_cell(const bodies *b, int32_t i)
{
	image c = {b->cell_x[i], b->cell_y[i], b->cell_z[i]};
	return c;
}
SCREE_FN vec3 body_angular_velocity(const bodies *b, int32_t i) { return v3(b->wx[i], b->wy[i], b->wz[i]); }

/* Tests whether this process counts the contact of bodies i and j. Both owners compute it, bitwise the same; the owner
 * of the lower id enters it in the ledger, counts, hash and files. */
SCREE_FN bool bodies_counted(const bodies *b, int32_t i, int32_t j)
{
	if (b->owned == b->count || b->at_points) return true;
	return (b->id[i] < b->id[j] ? i : j) < b->owned;
}

/* The row of the ghost of two bodies, plus 1; 0: both belong to this part of the world. */
SCREE_FN int32_t bodies_ghost(const bodies *b, int32_t i, int32_t j)
{
	return i >= b->owned ? i + 1 : j >= b->owned ? j + 1 : 0;
}

#endif
