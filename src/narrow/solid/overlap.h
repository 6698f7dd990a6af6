/* overlap.h: the common volume of two convex bodies, or of a body and a wall, and the forces for an energy that depends
 * on this volume (docs/theory/volume.md). Private to src/narrow and its tests.
 *
 * A solid is a convex polyhedron represented by loops of vertices. Every vertex is stored only once, with one height
 * above a cutting plane. A cut solid is therefore closed despite rounding, and coincident faces are no special case.
 * All memory has fixed size and is on the stack; only the used part is touched. */
#ifndef SCREE_NARROW_SOLID_OVERLAP_H
#define SCREE_NARROW_SOLID_OVERLAP_H

#include "kernel/overlap_faces.h"
#include "kernel/overlap_join.h"
#include "narrow/narrow.h"
#include "narrow/touch_list.h"

enum {
	OVERLAP_FACES = 250,   /* maximum number of faces of a shape */
	OVERLAP_CORNERS = 250, /* maximum number of corners of a facet of a wall */
	/* by Euler's formula, at most 2F - 4 vertices and 6F - 12 corners if at least three edges meet at each vertex; the
	 * excess is room for caps split by rounding */
	SOLID_FACES = 2 * OVERLAP_FACES + 64,
	SOLID_VERTICES = 2 * SOLID_FACES,
	SOLID_CORNERS = 6 * SOLID_FACES
};

typedef struct solid {
	int32_t vertices, faces, corners;
	vec3 vertex[SOLID_VERTICES];
	uint16_t corner[SOLID_CORNERS]; /* vertices of the faces, counter-clockwise as seen from outside */
	int32_t first[SOLID_FACES + 1]; /* face f has corners first[f] .. first[f+1]-1 */
	vec3 normal[SOLID_FACES];		/* outward unit */
	bool second[SOLID_FACES];		/* created by a cut: a face of the second body or of the wall */
} solid;

SCREE_FN vec3 solid_lowest(const solid *p, vec3 along)
{
	int32_t best = 0;
	for (int32_t v = 1; v < p->vertices; ++v)
		if (v3_dot(along, p->vertex[v]) < v3_dot(along, p->vertex[best])) best = v;
	return p->vertex[best];
}

typedef struct cutting {
	solid part[2];
	int32_t now; /* which of the two solids is current */
	real slack;	 /* heights up to this count as inside */
	real height[SOLID_VERTICES];
	uint16_t to[SOLID_VERTICES];						   /* new row of a kept vertex */
	uint16_t inner[SOLID_VERTICES], outer[SOLID_VERTICES]; /* ends of the edges that the plane crosses */
	uint16_t next[SOLID_VERTICES];						   /* next crossing along the cap */
	int32_t crossings, kept;
} cutting;

/* Initializes a solid with the whole body in the body's frame. slack: distances up to this are rounding error */
void scree_cut_start(cutting *c, const shape *s, real size, real slack);
/* Keeps the part with n.p <= off; returns false if nothing remains. */
bool scree_cut(cutting *c, vec3 n, real off);
/* Cuts a solid at known heights, for which some but not all vertices are kept. n: the normal of the new faces */
void scree_cut_heights(cutting *c, vec3 n, int32_t kept);

/* The measure of an overlap that determines the energy of a contact: only volume, or volume and thickness. */
typedef enum overlap_energy { ENERGY_OF_VOLUME, ENERGY_OF_THICKNESS } overlap_energy;

/* The region may consist of several solids. `push`: area times normal, summed over the second body's faces. */
typedef struct overlap {
	overlap_energy of;
	vec3 from, push;
	real widest; /* area of the largest face */
	/* for energies of volume; all points are relative to `from`. m is the first moment of a face's area, and n the
	 * face's normal. Column k of `first` is the sum of n_k m over the first body's faces; `second` is the same for the
	 * other faces */
	mat3 first, second;
	/* for energies of thickness, in these axes: sums over all faces (kernel/overlap_faces.h), and over the second
	 * body's faces those of n times the integrals of the monomials */
	mat3 axes;
	region_moments inner;
	triple border[MONOMIALS];
} overlap;

/* along: approximate direction in which the region is thin; from: a point at its lower end; first: a solid of it */
overlap scree_overlap_start(overlap_energy of, const solid *first, vec3 from, vec3 along);
void scree_overlap_begin(overlap *o, overlap_energy of, const solid *first, vec3 from,
						 vec3 along); /* like scree_overlap_start, but in place */
void scree_overlap_add(overlap *o, const solid *part);
/* Adds a solid to the sums for energies of thickness. */
void scree_thickness_add(overlap *o, const solid *part);

/* Computes the contact; returns false if there is no overlap. smaller: volume of the smaller body; otherwise: normal to
 * use if there is neither force nor torque */
bool scree_overlap_contact(const overlap *o, real smaller, vec3 otherwise, overlap_contact *c);

void scree_thickness_region(const overlap *o, overlap_region *r);
/* Energies of volume (overlap.c): the volume of an overlap, and its effect. scale: pressure divided by E*; for one
 * region, its volume divided by the body's volume */
real scree_overlap_volume(const overlap *o);
void scree_volume_effect(const overlap *o, real volume, real scale, overlap_effect *e);
/* Finds the common region of two bodies, in the first body's frame. Returns false if there is none; `out` then holds
 * the result. hint: the pair's hint, replaced by the axis of the result; known: NULL, or the thread's cache; kept:
 * NULL, or the form kept for the pair; otherwise: as in scree_overlap_screw */
bool scree_overlap_region(const placed *a, const placed *b, int32_t *hint, struct known_cuts *known,
						  struct overlap_form *kept, overlap *sum, vec3 *otherwise, patch *out);

/* Computes the effect of an overlap; returns false if there is none. */
bool scree_thickness_effect(const overlap *o, overlap_effect *e);
enum { SPREAD_POINTS = 5 };
/* Writes a contact in the body's frame as a patch or a wall contact: with one point for volume or five points for
 * thickness. */
void scree_overlap_patch(const overlap_contact *c, overlap_energy of, const mat3 *turn, patch *out);
void scree_overlap_touch(const overlap_contact *c, overlap_energy of, const mat3 *turn, int32_t surface,
						 touch_list *out);
void scree_overlap_screw(const overlap_effect *e, vec3 otherwise, overlap_contact *c);

/* A body's overlap with one of several surfaces of a wall that share stiffness (docs/theory/walls.md, "Folds"). */
typedef struct member_overlap {
	overlap_member at;
	overlap sum;
	real arm; /* for volume only */
	/* outputs of scree_overlap_join */
	overlap_contact contact;
	bool any; /* the member has an overlap */
} member_overlap;

/* Arrays that grow. bond: [members * members] in rows; the bond of each member to itself has `part` 1 */
typedef struct overlap_room {
	int32_t members, member_capacity, bond_capacity, view_capacity, shared_capacity, effect_capacity;
	member_overlap *member;
	overlap_bond *bond;
	overlap_view *view;
	overlap_effect *effect;
	real *shared;
	int32_t ridges, ridge_capacity;
	struct overlap_ridge *ridge; /* ridges of the wall (kernel/facet_overlap.h) */
} overlap_room;

/* Computes the contacts of all members. */
void scree_overlap_join(overlap_room *r, real smaller);
void scree_overlap_room_free(overlap_room *r);

/* Adds the pressure of the second body's faces, projected along n, for volume. It is uniform. */
void scree_overlap_press(const solid *part, vec3 n, pressure *to);

/* The functions of narrow.h for volume, with one point, as in overlap_contact. The overlap is volume/area, and the
 * weight is the length area^2/V0, where V0 is the volume of the smaller body or, at walls, of the body. */
void scree_overlap_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_overlap_convex_wall(const placed *body, const near_wall *to, touch_list *out);
/* The functions of narrow.h for thickness (docs/theory/overlap.md). For flat faces, the overlap equals the overlap of
 * the faces, and the weight is proportional to the square root of their area. */
void scree_thickness_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_thickness_convex_wall(const placed *body, const near_wall *to, touch_list *out);
/* Contact with a cylinder or a cone, inside or outside, in the wall's frame. */
void scree_thickness_round(const placed *body, const wall *w, touch_list *out);
const char *scree_thickness_refuses(const walls *s, int32_t wall);
const char *scree_overlap_refuses(const walls *s, int32_t wall);

#endif
