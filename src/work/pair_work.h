/* pair_work.h: derived data of the pairs of one kind, by slot or contact row of its list (state/pairs.h). */
#ifndef SCREE_WORK_PAIR_WORK_H
#define SCREE_WORK_PAIR_WORK_H

#include "kernel/form.h"
#include "model/declared.h"

/* Choice of the narrow phase for two touching polyhedra, valid within a displacement (narrow/solid/convex_keep.c). */
typedef struct pair_kept {
	float lead;				 /* m; 0: empty */
	float apart[3], turn[9]; /* pose of the second body in the frame of the first when chosen; apart in m */
	int16_t face;
	uint8_t held;  /* number of uses so far (saturates) */
	int64_t edges; /* 0: none */
} pair_kept;

/* slot_cache.waited: `kept` is not empty */
#define PAIR_IS_KEPT 255

/* Caches of slots. These caches speed up searches and the narrow phase, and never affect results. */
typedef struct slot_cache {
	int64_t capacity;	/* number of slots; unused entries are zero, that is, empty */
	real *clear;		/* no contact while the sum of both displacements since the search is less than this, in m */
	int32_t *axis;		/* last separating axis or axis of least penetration, coded by the narrow phase */
	pair_kept *kept;	/* only for polyhedra; NULL until used */
	uint8_t *waited;	/* allocated together with `kept`: number of searches that kept nothing, or PAIR_IS_KEPT */
	overlap_form *form; /* only for polyhedra with many faces; NULL if not used */
} slot_cache;

/* Action of a contact on a. The opposite force acts on b, with a torque such that the sum about any point is zero. */
typedef struct contact_force {
	vec3 force, torque; /* force in N and torque in N m on a, about its centre */
	real normal;		/* N, >= 0 */
} contact_force;

/* torque on b about its centre (for a wall, about its position); apart: vector from that point to the centre of a */
SCREE_FN vec3 torque_on_b(const contact_force *c, vec3 apart)
{
	return v3_neg(v3_add(c->torque, v3_cross(apart, c->force)));
}

/* Optional columns of contact_work for the contacts of a kind. */
enum {
	DERIVES_GEOMETRY = 1, /* for all pairs except two spheres (kernel/sphere_contact.h) */
	DERIVES_FORCE = 2,	  /* if the force cannot be computed from the state */
	DERIVES_RADII = 4,	  /* radii at the contact, if they differ from the radii of the bodies */
	DERIVES_SHARES = 8,	  /* if several contacts of one pair share the mass of the pair */
	DERIVES_NOW = 32,	  /* one-point contacts that implicit steps find ahead of the present poses */
	DERIVES_PARTS = 16 /* if contacts of a body with surfaces of a wall share stiffness, or contacts of capsules fade */
};

/* Derived data of contact rows, valid where they touch; written in each step, and not moved with rows. */
typedef struct contact_work {
	/* DERIVES_GEOMETRY */
	real *nx, *ny, *nz; /* unit normal, from b to a (narrow)  */
	real *px, *py, *pz; /* contact point (of a patch: deepest) from the centre of a, world axes, in m (narrow) */
	real *depth;		/* largest overlap, > 0, in m (narrow)  */
	real *arm; /* for a patch: mean distance from the centre of pressure, weighted with the pressure, in m (narrow)  */
	int32_t *points; /* number of points of the patch, unused in kinds with one point (narrow) */
	uint64_t *first; /* first of these points: pool << 32 | its row in that pool of contact_points (narrow) */
	/* DERIVES_NOW */
	real *ux, *uy, *uz; /* unit normal at the present poses, from b to a (narrow)  */
	real *qx, *qy, *qz; /* contact point at the present poses, relative to the centre of a, in m (narrow)  */
	/* DERIVES_RADII */
	real *ra, *rb; /* radii of balls of clumps, in m; on a wall, rb equals ra (narrow)  */
	/* DERIVES_SHARES */
	real *firm;	 /* stiffness of the normal spring, in a unit common to all contacts of the pair (law) */
	real *share; /* fraction of the reduced mass that its dashpots damp; 1 for a single contact (law) */
	/* DERIVES_PARTS */
	real *part; /* fraction of the stiffness or force that the contact would have if it were the only one (narrow) */
	/* this member is not in the table */
	contact_force *force; /* NULL without DERIVES_FORCE (law) */
	int64_t capacity;	  /* rows */
	uint32_t derives;
} contact_work;

typedef struct pair_work {
	slot_cache cache;
	contact_work contact;
} pair_work;

/* Makes room for this number of slots; new ones are empty. */
void scree_slot_cache_room(slot_cache *c, int64_t slots);
/* Also makes room for `kept` or `form`. */
void scree_slot_cache_keep(slot_cache *c);
void scree_slot_cache_forms(slot_cache *c);
void scree_slot_cache_clear(slot_cache *c);
void scree_slot_cache_free(slot_cache *c);
/* Sets the columns of contacts and makes room for this number of rows. Existing rows keep their data; data of omitted
 * columns are lost, and new columns are zero. */
void scree_contact_work_room(contact_work *c, uint32_t derives, int64_t rows);

/* Tests whether a one-point contact's energy depends only on its overlap, so that geometry cannot create energy. */
SCREE_FN bool contact_work_plain(const contact_work *c)
{
	return !(c->derives & (DERIVES_RADII | DERIVES_SHARES | DERIVES_PARTS));
}
/* Does the work of scree_pair_list_widen and moves the derived data along with their rows. */
void scree_contacts_widen(contact_work *c, pair_list *l, const int32_t *room);
void scree_pair_work_free(pair_work *w);
/* For rules of division (ranks/together/domain.h): one row as bytes, without points of patches, which threads own. */
size_t scree_contact_work_packed(const contact_work *c);
void scree_contact_work_pack(const contact_work *c, int64_t k, char *to);
void scree_contact_work_unpack(contact_work *c, int64_t k, const char *from);

/* fraction of the reduced mass that the dashpots of contact row k damp */
SCREE_FN real contact_share(const contact_work *c, int64_t k) { return c->share ? c->share[k] : 1; }

/* fraction of the stiffness that contact row k would have if it were the only one */
SCREE_FN real contact_part(const contact_work *c, int64_t k) { return c->part ? c->part[k] : 1; }

#endif
