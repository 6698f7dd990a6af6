/* overlap.h: the volume that two convex bodies, or a body and a wall, have in common, and what pushes them apart when
 * energy is a function of it (docs/theory/volume.md); private to src/narrow and its tests.
 *
 * A solid is a convex polyhedron as loops of vertices. Every vertex is one object with one height over a plane that
 * cuts, so that a cut solid is closed whatever rounding does: faces that coincide need no rule of their own. All room
 * is of fixed size and lies on the stack; only what is used is touched. */
#ifndef SCREE_NARROW_SOLID_OVERLAP_H
#define SCREE_NARROW_SOLID_OVERLAP_H

#include "narrow/narrow.h"
#include "narrow/pressure.h"

enum {
	OVERLAP_FACES = 250,   /* most faces of a shape */
	OVERLAP_CORNERS = 250, /* most corners of a facet of a wall */
	/* Euler: at most 2F - 4 vertices and 6F - 12 corners, where three or more edges meet in each vertex; the rest is
	 * room for caps that rounding leaves in pieces */
	SOLID_FACES = 2 * OVERLAP_FACES + 64,
	SOLID_VERTICES = 2 * SOLID_FACES,
	SOLID_CORNERS = 6 * SOLID_FACES
};

typedef struct solid {
	int32_t vertices, faces, corners;
	vec3 vertex[SOLID_VERTICES];
	uint16_t corner[SOLID_CORNERS]; /* vertices of the faces, counter-clockwise seen from outside */
	int32_t first[SOLID_FACES + 1]; /* face f has corners first[f] .. first[f+1]-1 */
	vec3 normal[SOLID_FACES];		/* outward unit */
	bool second[SOLID_FACES];		/* made by a cut: of the second body, or of the wall */
} solid;

typedef struct cutting {
	solid part[2];
	int32_t now; /* the part that holds what is left */
	real slack;	 /* heights up to this are not outside */
	real height[SOLID_VERTICES];
	uint16_t to[SOLID_VERTICES];						   /* new row of a vertex that stays */
	uint16_t inner[SOLID_VERTICES], outer[SOLID_VERTICES]; /* ends of the edges that the plane crosses */
	uint16_t next[SOLID_VERTICES];						   /* along the cap, from crossing to crossing */
	int32_t crossings, kept;
} cutting;

/* The whole body in its own frame; slack: distances that mean nothing. */
void scree_cut_start(cutting *c, const shape *s, real size, real slack);
/* Keeps what has n.p <= off; false when nothing is left. */
bool scree_cut(cutting *c, vec3 n, real off);
/* The same where heights are known, by which some, but not all vertices stay; n: the normal of the new faces. */
void scree_cut_heights(cutting *c, vec3 n, int32_t kept);

/* Of which function of the overlap the energy of a contact is: of its volume alone, or of its volume and thickness. */
typedef enum overlap_energy { ENERGY_OF_VOLUME, ENERGY_OF_THICKNESS } overlap_energy;

enum { MONOMIALS = 20 }; /* of x, y, z up to the third degree, in the order of overlap_thickness.c */

/* four sums side by side: one for each point of a triangle, or one for each component of a normal */
typedef real lanes __attribute__((vector_size(4 * sizeof(real)), aligned(2 * sizeof(real))));

/* Sums over the faces of a region that may consist of several solids. `push` is the sum of area times normal over the
 * second body's faces. */
typedef struct overlap {
	overlap_energy of;
	vec3 from, push;
	real widest; /* area of the widest face */
	/* of volumes, all points taken from `from`: with m the first moment of the area and n the normal of a face, column
	 * k of `first` is the sum of n_k m over the first body's faces, of `second` over the others */
	mat3 first, second;
	/* of thickness: points in these axes; sums over all faces of the normal's z times the integrals of z, xz, yz, zz,
	 * xxz, xyz, xzz, yyz, yzz, zzz; sums over the second body's faces of the normal's components times the integrals of
	 * the monomials */
	mat3 axes;
	lanes inner[10], border[MONOMIALS];
} overlap;

/* along: roughly the direction across which the region is thin; `from`: a point of it that lies low along it; first: a
 * solid of it */
overlap scree_overlap_start(overlap_energy of, const solid *first, vec3 from, vec3 along);
void scree_overlap_begin(overlap *o, overlap_energy of, const solid *first, vec3 from,
						 vec3 along); /* the same, in place */
void scree_overlap_add(overlap *o, const solid *part);
/* the same of energies of thickness */
void scree_thickness_add(overlap *o, const solid *part);

/* What two bodies do to each other: elastic energy E* weight depth^2/2, along normal the force E* weight depth through
 * `at`, and about the normal the couple pitch times the force. */
typedef struct overlap_contact {
	real depth, weight, pitch;
	real arm; /* as patch.arm; of thickness. Of volumes 0: scree_overlap_press */
	vec3 normal, at;
	vec3 wide[2]; /* of thickness: along the axes of the contact, root mean square distances from `at` */
	vec3 hold;	  /* of thickness: the centre of the area of the borders */
	bool flat;	  /* one face takes nearly all of the push */
} overlap_contact;

/* False without overlap. smaller: volume of the smaller body; otherwise: a direction to name where nothing pushes and
 * nothing turns. */
bool scree_overlap_contact(const overlap *o, real smaller, vec3 otherwise, overlap_contact *c);

/* Over E*: an energy, m^3, force and moment about the origin. Of several places all are sums. */
typedef struct overlap_effect {
	real energy, nothing; /* nothing: a force that is none, times 1e13 */
	vec3 push, moment;
	vec3 middle;  /* times energy: a point whose height along the normal the contact's is to have */
	vec3 hold;	  /* times energy: the centre of the area of the borders */
	real arm;	  /* times energy */
	vec3 wide[2]; /* of the last place */
	vec3 areas;	  /* sum of the borders' areas times normals */
	real widest;
} overlap_effect;

/* false without overlap */
bool scree_thickness_effect(const overlap *o, overlap_effect *e);
enum { SPREAD_POINTS = 5 };
/* Five points of the same force whose spread about `at` is that of the contact. The law sets them farther apart
 * (tilt_part). The first one is `at`. */
void scree_overlap_points(const overlap_contact *c, vec3 *point);
/* a contact in the body's frame as a touch: of volumes one point, of thickness five */
void scree_overlap_touch(const overlap_contact *c, overlap_energy of, const mat3 *turn, int32_t surface,
						 touch_list *out);
void scree_overlap_screw(const overlap_effect *e, vec3 otherwise, overlap_contact *c);

/* A body's overlap with one of several surfaces of a wall that share stiffness (docs/theory/walls.md, "Folds"). */
typedef struct overlap_member {
	overlap sum;
	real height; /* of sum.from over the surface's plane */
	vec3 along;	 /* as `otherwise` of scree_overlap_contact */
	int32_t surface;
	real arm; /* of volume */
	bool behind;
	/* what is found: */
	overlap_contact contact;
	bool any; /* there is an overlap */
} overlap_member;

/* What one member is to another. */
typedef struct overlap_bond {
	real part;	/* of the other's overlap that counts beside its own */
	bool apart; /* the other's points are taken at their heights over the other's own plane */
} overlap_bond;

/* An edge of a facet on a ridge. */
typedef struct overlap_ridge {
	int32_t facet, edge;
} overlap_ridge;

struct overlap_view;
/* Room that grows; bond: [members * members] by rows, each member to itself with part 1. */
typedef struct overlap_room {
	int32_t members, member_capacity, bond_capacity, view_capacity, shared_capacity, effect_capacity, ridge_capacity;
	overlap_member *member;
	overlap_bond *bond;
	struct overlap_view *view;
	overlap_effect *effect;
	real *shared;
	overlap_ridge *ridge; /* of the wall */
} overlap_room;

/* Finds the contacts of all members. */
void scree_overlap_join(overlap_room *r, real smaller);
void scree_overlap_room_free(overlap_room *r);

/* Where the second body's faces press, seen along n: evenly, since the force is the same for each piece of the area. Of
 * volumes. */
void scree_overlap_press(const solid *part, vec3 n, pressure *to);

/* As the functions of narrow.h, with one point, as overlap_contact has it. Of volumes its overlap is volume/area, its
 * weight the length area^2/V0, V0 the volume of the smaller body (with walls: of the body). */
void scree_overlap_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_overlap_convex_wall(const placed *body, const walls *s, int32_t wall, int32_t facets, const int32_t *facet,
							   touch_list *out);
/* Of thickness (docs/theory/overlap.md): flat, the overlap is that of the faces, and the weight grows with the root of
 * their area. */
void scree_thickness_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_thickness_convex_wall(const placed *body, const walls *s, int32_t wall, int32_t facets, const int32_t *facet,
								 touch_list *out);
/* cylinders and cones, either side; in the wall's frame */
void scree_thickness_round(const placed *body, const wall *w, touch_list *out);
const char *scree_thickness_refuses(const walls *s, int32_t wall);
const char *scree_overlap_refuses(const walls *s, int32_t wall);

#endif
