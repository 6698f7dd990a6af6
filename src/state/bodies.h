/* bodies.h: the bodies, as a structure of arrays. SI units; vectors in the world's frame unless stated otherwise. A
 * word in parentheses names the stage that writes the array: pairs, rows (broad/), drift, kick (motion/), sum, or
 * birth. */
#ifndef SCREE_STATE_BODIES_H
#define SCREE_STATE_BODIES_H

#include "base/field.h"
#include "base/real.h"
#include "model/periods.h"

enum {
	BODY_HELD = 1,	/* does not respond to forces: its velocity is prescribed (a fixed or driven body) */
	BODY_LOCKED = 2 /* for new bodies: does not rotate, as if its moments of inertia were infinite */
};

enum { BODY_EXTRAS = 24 }; /* maximum number of optional arrays */

typedef struct bodies {
	/* Rows 0 .. owned-1 are bodies of this process, which it moves, sums, saves and hashes; rows owned .. count-1 are
	 * ghosts: copies of bodies of other processes, to find contacts (ranks/together/domain.h). */
	int32_t count, owned;
	int32_t capacity;
	bool at_points;			  /* derived: a contact is counted only in the part of the world that contains its point */
	bool in_cell;			  /* derived: the world is periodic; otherwise no periods are crossed */
	bool way_by_pose;		  /* derived: `way` of ghosts is computed from their poses (world/bodies.c) */
	uint64_t epoch;			  /* derived: increases when rows move, are added or removed, or arrays are reallocated */
	field_table asked;		  /* table of the optional arrays, set by scree_bodies_ask */
	real *extra[BODY_EXTRAS]; /* the optional arrays; each is written by the stage that requested it */
	uint64_t *id;			  /* assigned once and never reused (birth) */
	real *x, *y, *z;		  /* position of the centre of mass, in m (drift) */
	real *qw, *qx, *qy, *qz;  /* orientation: from the shape's principal frame to the world (drift) */
	real *vx, *vy, *vz;		  /* velocity at the full step, predicted while laws run, in m/s (kick)  */
	real *wx, *wy, *wz;		  /* angular velocity at the full step, also predicted, in 1/s (kick) */
	real *lx, *ly, *lz;		  /* angular momentum, in kg m2/s (kick)  */
	real *fx, *fy, *fz;		  /* sum of contact forces, in N; gravity is added by motion (sum)   */
	real *tx, *ty, *tz;		  /* torque about the centre of mass, in N m (sum)   */
	real *hx, *hy, *hz;		  /* velocity at the half step, in m/s (drift) */
	real *kx, *ky, *kz;		  /* angular momentum at the half step, in kg m2/s (drift) */
	real *ox, *oy, *oz;		  /* position before the drift, for two-sided walls, in m (drift) */
	real *way;				  /* bound on the displacement of any point of the body since the rebuild, in m (drift) */
	real *margin; /* margin of the body's box, in m; pairs are valid while `way` is smaller than this (pairs) */
	real *inner;  /* margin for contact rows, in m (rows) */
	real *radius; /* radius of the bounding sphere, in m; for a sphere, its own radius (birth) */
	real *round;  /* radius of the sphere with the body's volume, for the laws, in m (birth) */
	real *size;	  /* scale of the shape, in m (birth) */
	real *mass, *inv_mass;			   /* mass in kg, and its inverse in 1/kg (birth) */
	real *ix, *iy, *iz;				   /* principal moments of inertia, in kg m2 (birth) */
	int32_t *shape, *material, *flags; /* row of shapes, row of materials, BODY_* (birth) */
	int32_t *cell_x, *cell_y, *cell_z; /* number of periods crossed (model/periods.h) (drift) */
	real *energy;					   /* kinetic and potential energy when the energy guard last recorded it, in J */
	int32_t *stirred; /* 1 if contacts have changed the energy since birth; set when the guard records `energy` */
} bodies;

extern const field scree_body_fields[];
extern const field_table scree_body_table;

/* makes room for at least `count` bodies; grows by half */
void scree_bodies_reserve(bodies *b, int32_t count);
void scree_bodies_free(bodies *b);
/* Adds these arrays, filled with zeros, to the arrays of the table; frees earlier optional arrays that are not in rows.
 * The rows are static, of KIND_F64, and `extra` holds their index. */
void scree_bodies_ask(bodies *b, field_table rows);
/* Number of arrays: those in the table plus the optional ones. */
int scree_body_rows(const bodies *b);
const field *scree_body_row(const bodies *b, int k);
/* The functions of field.h, applied to all rows. */
void scree_bodies_permute(bodies *b, const int32_t *order, void *tmp);
void scree_bodies_copy(bodies *b, int64_t to, int64_t from);
void scree_bodies_clear(bodies *b, int64_t from, int64_t to);
/* owned rows in ascending order of ids, free with scree_free; the storage order depends on the last search */
int32_t *scree_bodies_by_id(const bodies *b);
/* a copy of all arrays in that order; free with scree_bodies_free */
bodies scree_bodies_sorted(const bodies *b);

/* The next three functions are for rules of division (ranks/together/domain.h). Bytes per row sent to another process
 * on this occasion: the fields shared then or more often (base/field.h). */
size_t scree_bodies_packed(const bodies *b, share when);
/* Packs rows row[0] .. row[count-1] one after another, each with this number of bytes. */
void scree_bodies_pack(const bodies *b, share when, int64_t count, const int32_t *row, void *to);
/* Unpacks into rows from .. from+count-1; fields that are not shared keep their values. */
void scree_bodies_unpack(bodies *b, share when, int64_t from, int64_t count, const void *packed);

extern const field_table scree_heat_table;
/* temperatures in K; NULL in a world without heat */
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

/* Tests whether this process counts the contact of bodies i and j. Both owners compute it, with the same bits; the
 * owner of the lower id enters it in the ledger, the counts, the hash and the files. */
SCREE_FN bool bodies_counted(const bodies *b, int32_t i, int32_t j)
{
	if (b->owned == b->count || b->at_points) return true;
	return (b->id[i] < b->id[j] ? i : j) < b->owned;
}

/* If one of two bodies is a ghost, its row plus 1; 0 if both bodies belong to this part of the world. */
SCREE_FN int32_t bodies_ghost(const bodies *b, int32_t i, int32_t j)
{
	return i >= b->owned ? i + 1 : j >= b->owned ? j + 1 : 0;
}

#endif
