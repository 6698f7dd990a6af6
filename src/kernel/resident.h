/* resident.h: a world of spheres and polyhedra in the memory of a device. Arrays of bodies and of contact rows are
 * columns of a block. The lists below name the columns; the host copies them to and from the arrays of the same names
 * (resident/memory.c). */
#ifndef SCREE_KERNEL_RESIDENT_H
#define SCREE_KERNEL_RESIDENT_H

#include "kernel/law_constants.h"
#include "kernel/period.h"
#include "kernel/quat.h"
#include "kernel/wall_share.h"

/* COLUMN(name, written): written if a step changes it, so that the host reads it back. */
#define RESIDENT_BODY(COLUMN)                                                                                          \
	COLUMN(x, 1)                                                                                                       \
	COLUMN(y, 1)                                                                                                       \
	COLUMN(z, 1)                                                                                                       \
	COLUMN(qw, 1)                                                                                                      \
	COLUMN(qx, 1)                                                                                                      \
	COLUMN(qy, 1)                                                                                                      \
	COLUMN(qz, 1)                                                                                                      \
	COLUMN(vx, 1)                                                                                                      \
	COLUMN(vy, 1)                                                                                                      \
	COLUMN(vz, 1)                                                                                                      \
	COLUMN(wx, 1)                                                                                                      \
	COLUMN(wy, 1)                                                                                                      \
	COLUMN(wz, 1)                                                                                                      \
	COLUMN(lx, 1)                                                                                                      \
	COLUMN(ly, 1)                                                                                                      \
	COLUMN(lz, 1)                                                                                                      \
	COLUMN(fx, 1)                                                                                                      \
	COLUMN(fy, 1)                                                                                                      \
	COLUMN(fz, 1)                                                                                                      \
	COLUMN(tx, 1)                                                                                                      \
	COLUMN(ty, 1)                                                                                                      \
	COLUMN(tz, 1)                                                                                                      \
	COLUMN(hx, 1)                                                                                                      \
	COLUMN(hy, 1)                                                                                                      \
	COLUMN(hz, 1)                                                                                                      \
	COLUMN(kx, 1)                                                                                                      \
	COLUMN(ky, 1)                                                                                                      \
	COLUMN(kz, 1)                                                                                                      \
	COLUMN(cell_x, 1)                                                                                                  \
	COLUMN(cell_y, 1)                                                                                                  \
	COLUMN(cell_z, 1)                                                                                                  \
	COLUMN(way, 1)                                                                                                     \
	COLUMN(margin, 1)                                                                                                  \
	COLUMN(inner, 1)                                                                                                   \
	COLUMN(id, 0)                                                                                                      \
	COLUMN(radius, 0)                                                                                                  \
	COLUMN(round, 0)                                                                                                   \
	COLUMN(mass, 0)                                                                                                    \
	COLUMN(inv_mass, 0)                                                                                                \
	COLUMN(ix, 0)                                                                                                      \
	COLUMN(iy, 0)                                                                                                      \
	COLUMN(iz, 0)                                                                                                      \
	COLUMN(size, 0)                                                                                                    \
	COLUMN(shape, 0)                                                                                                   \
	COLUMN(material, 0)

/* Columns of histories that only some laws need come last. */
#define RESIDENT_ROW(COLUMN)                                                                                           \
	COLUMN(ca, 0)                                                                                                      \
	COLUMN(cb, 0)                                                                                                      \
	COLUMN(touch, 1)                                                                                                   \
	COLUMN(sx, 1)                                                                                                      \
	COLUMN(sy, 1)                                                                                                      \
	COLUMN(sz, 1)                                                                                                      \
	COLUMN(stiff, 1)                                                                                                   \
	COLUMN(bent, 1)                                                                                                    \
	COLUMN(rx, 1)                                                                                                      \
	COLUMN(ry, 1)                                                                                                      \
	COLUMN(rz, 1)                                                                                                      \
	COLUMN(rolled, 1)                                                                                                  \
	COLUMN(twist, 1)                                                                                                   \
	COLUMN(twisted, 1)                                                                                                 \
	COLUMN(deepest, 1)                                                                                                 \
	COLUMN(torn, 1)                                                                                                    \
	COLUMN(spun, 1)                                                                                                    \
	COLUMN(elastic, 1)                                                                                                 \
	COLUMN(power, 1)                                                                                                   \
	COLUMN(work, 1)                                                                                                    \
	COLUMN(heat, 1)                                                                                                    \
	COLUMN(lost_normal, 1)                                                                                             \
	COLUMN(lost_friction, 1)                                                                                           \
	COLUMN(lost_rolling, 1)

#define RESIDENT_BODY_NUMBER(name, written) SPHERE_##name,
#define RESIDENT_ROW_NUMBER(name, written)	ROW_##name,
enum { RESIDENT_BODY(RESIDENT_BODY_NUMBER) RESIDENT_BODIES };
enum { RESIDENT_ROW(RESIDENT_ROW_NUMBER) RESIDENT_ROWS };
enum { SPHERE_SENT = SPHERE_lx }; /* columns before this one are sent to other parts of the world in each step */

/* A block of columns: `stride` numbers of 64 bits per column, or as many of 32 bits. The stride stays in memory, so
 * that registers are not used for positions of columns. */
typedef struct columns {
	SCREE_GLOBAL real *at;
	SCREE_GLOBAL const int64_t *stride;
} columns;

SCREE_FN columns columns_in(SCREE_GLOBAL real *at, SCREE_GLOBAL const int64_t *stride)
{
	const columns c = {at, stride};
	return c;
}
SCREE_FN SCREE_GLOBAL real *column_of(const columns *c, int column) { return c->at + column * *c->stride; }
SCREE_FN real real_in(const columns *c, int column, int64_t i) { return column_of(c, column)[i]; }
SCREE_FN void real_put(const columns *c, int column, int64_t i, real x) { column_of(c, column)[i] = x; }
SCREE_FN int32_t number_in(const columns *c, int column, int64_t i)
{
	return ((SCREE_GLOBAL const int32_t *)column_of(c, column))[i];
}
SCREE_FN void number_put(const columns *c, int column, int64_t i, int32_t x)
{
	((SCREE_GLOBAL int32_t *)column_of(c, column))[i] = x;
}
SCREE_FN vec3 vector_in(const columns *c, int first, int64_t i)
{
	return v3(real_in(c, first, i), real_in(c, first + 1, i), real_in(c, first + 2, i));
}
SCREE_FN void vector_put(const columns *c, int first, int64_t i, vec3 v)
{
	real_put(c, first, i, v.x);
	real_put(c, first + 1, i, v.y);
	real_put(c, first + 2, i, v.z);
}

/* Lists of contact rows: of two spheres, and of a sphere and a wall; in worlds with polyhedra, also of a sphere and a
 * polyhedron, of two polyhedra, and of a polyhedron and a wall. */
enum { LIST_SPHERES, LIST_ON_WALLS, RESIDENT_LISTS };
enum { LIST_SPHERE_SOLID = RESIDENT_LISTS, LIST_SOLIDS, LIST_SOLID_WALL, ALL_LISTS };
SCREE_FN bool list_on_wall(int32_t list) { return list == LIST_ON_WALLS || list == LIST_SOLID_WALL; }

/* Values of RESIDENT_SOLIDS: how the kernels of a world find contacts of polyhedra, 0 if it has none. */
#define SOLIDS_BY_DEPTH	  1
#define SOLIDS_BY_OVERLAP 2

/* Numbers that are the same for all bodies and contacts, until the host writes others. */
typedef struct resident_rule {
	real dt;
	vec3 gravity, low, high; /* low, high: the domain, infinite if it has no limits */
	real force_quantum, torque_quantum, energy_quantum;
	real reach; /* distance within which cohesive contacts with walls act, in m */
	/* limits above which a step is left to the host, or its numbers are: of a displacement in m, a squared speed in
	 * m2/s2, and an overlap relative to the smaller body */
	real way, speed2, overlap;
	real loose; /* as in patch_step */
	real part,
		deeper; /* limit on the overlap over the thickness, or 0; bound on depths of patches over their overlap */
	int64_t bodies, body_stride;
	int64_t rows[ALL_LISTS], row_stride[ALL_LISTS];
	int64_t workers; /* items that share the rows */
	int32_t lists, materials, extra, walls, groups, wides, sinks, periodic;
	real slip;		/* way of images in a step relative to each other, halved, in m */
	int32_t flows;	/* in periodic space: whether images move, so that each step has its own */
	int32_t shared; /* whether the contacts of a sphere with a wall share stiffness, so that they may gain energy */
	int32_t meetings, surfaces;
	real meet_near; /* tolerance, in m, for borders on facets of other walls */
} resident_rule;

/* The first step that is not made yet, and whether the host must make it; otherwise it needs new pairs. */
enum { STOP_STEP, STOP_BY_HOST, STOP_WORDS };

/* Periodic space in the memory of a device, in one step. */
typedef struct resident_space {
	SCREE_GLOBAL const period_rule *rule; /* 0: there are no periods */
	SCREE_GLOBAL const period_images *now;
	SCREE_GLOBAL const image *met; /* [rows of two spheres] the image of the pair */
} resident_space;

SCREE_FN image cell_in(const columns *b, int first, int64_t i)
{
	image e = {number_in(b, first, i), number_in(b, first + 1, i), number_in(b, first + 2, i)};
	return e;
}

/* A wall at its pose in one step. */
typedef struct resident_wall {
	vec3 position, velocity, spin;
	quat orientation;
	real
		way; /* bound on the way of a centre relative to the wall in the next step, in m; 0 if no centre can cross it */
	int32_t material;
	int32_t moves; /* whether it moves, so that its load is needed */
	/* if it is moved by forces (kernel/wall_share.h) */
	wall_axis along;
	real mass;
	int32_t driven, follows[PUSH_HELD]; /* follows: whether it yields to loads in a direction */
} resident_wall;

/* A group of slots (work/work.h): a body and a wall, with the rows of their contacts in ascending order of surfaces. */
typedef struct resident_group {
	int32_t list, body, wall, row, rows;
	int32_t facet, facets; /* the candidates: entries of a list of facets */
} resident_group;

/* Items for a polyhedron at a wall of facets, one for each contact, of which there are at most so many on a device, and
 * at other walls if there are tubes, one for each sum over its parts. */
enum { GROUP_CONTACTS = 16, TUBE_ITEMS = 4 };

/* The contact of a row with a wall (kernel/resident_walls.h). */
typedef struct resident_touch {
	vec3 normal, at; /* from the wall; from the centre of the body */
	real depth;		 /* -INFINITY: none */
	real share;		 /* fraction of the mass that it damps */
	int32_t wall;
} resident_touch;

SCREE_FN bool touch_is(SCREE_GLOBAL const resident_touch *t) { return t->depth > -INFINITY; }

/* A box that contains all places where a sink removes bodies: those below a plane in it. */
typedef struct resident_sink {
	vec3 low, high, normal;
	real off;
} resident_sink;

enum { WIDE_WORDS = 12 }; /* words per wide body (work/sums.h): force and torque in quanta of `fixed` */

/* Words of the load on a wall in a step: sums in quanta of `fixed` (base/fixed.h), and a count. _PUSH: the sums of
 * masses from which shares are computed (law/wall_shares.c). _BEYOND: 1 if one of them is out of range */
enum {
	LOAD_ON_WALL_FORCE,
	LOAD_ON_WALL_TORQUE = 6,
	LOAD_ON_WALL_CONTACTS = 12,
	LOAD_ON_WALL_PUSH,
	LOAD_ON_WALL_BEYOND = LOAD_ON_WALL_PUSH + 2 * PUSH_WAYS,
	LOAD_ON_WALL_WORDS
};

/* Words of a class of ended patches (energy_class in state/energy_classes.h): sums of two words, and a count. */
enum { ENDED_MADE, ENDED_LOST = 2, ENDED_PATCHES = 4, ENDED_WORDS };

/* What a step reports to the host, in words of 64 bits: sums in two words each, lower word first, and maxima as bits of
 * a number >= 0. */
enum {
	REPORT_NORMAL, /* energies in quanta */
	REPORT_FRICTION = 2,
	REPORT_ROLLING = 4,
	REPORT_HEAT = 6,
	REPORT_MADE = 8, /* only for contacts that share stiffness */
	REPORT_POWER = 10,
	REPORT_LEFT_NORMAL = 12, /* energies of contacts that ended since they were not found again, in quanta of `fixed` */
	REPORT_LEFT_MADE = 14,
	REPORT_LEFT_FRICTION = 16,
	REPORT_LEFT_ROLLING = 18,
	REPORT_IMAGES = 20, /* power of moving images, and energy of bodies that cross the cell, in quanta of `fixed` */
	REPORT_CROSSED = 22,
	REPORT_WIDE_SUMS = 24,
	REPORT_TOUCHING = REPORT_WIDE_SUMS,
	REPORT_UNBEARABLE, /* contacts whose load exceeds the range of sums */
	REPORT_SUMS,
	REPORT_MOST = REPORT_SUMS, /* largest load of a contact, in quanta */
	REPORT_OVERLAP,
	REPORT_FASTEST, /* squared speed */
	REPORT_LONGEST, /* displacement in m */
	REPORT_OVERFLOW,
	REPORT_DRIFTED, /* bodies are at the end of the step; without _DONE, the host makes the rest of it */
	REPORT_DONE,
	REPORT_WORDS
};

/* Words of an item: its sums, and what one part of a contact's computation passes to the next (patch_passed in
 * kernel/resident_patch.h). */
enum { ITEM_PASSED = REPORT_SUMS, ITEM_WORDS = ITEM_PASSED + 23 };

#endif
