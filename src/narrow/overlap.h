/* overlap.h: the volume that two convex bodies, or a body and a wall, have in common, and what pushes them apart when
 * energy is a function of it (docs/theory/volume.md); private to src/narrow and its tests.
 *
 * A solid is a convex polyhedron as loops of vertices. Every vertex is one object with one height over a plane that
 * cuts, so that a cut solid is closed whatever rounding does: faces that coincide need no rule of their own. All room
 * is of fixed size and lies on the stack; only what is used is touched. */
#ifndef SCREE_NARROW_OVERLAP_H
#define SCREE_NARROW_OVERLAP_H

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

/* Sums over the faces of a region, all points taken from `from`. With A the area, m the first moment of the area and n
 * the normal of a face: column k of `first` is the sum of n_k m over the first body's faces, of `second` over the
 * others; push is the sum of A n over the others. */
typedef struct overlap {
	vec3 from, push;
	mat3 first, second;
	real widest; /* area of the widest face */
} overlap;

SCREE_FN overlap overlap_from(vec3 from)
{
	overlap o = {.from = from};
	return o;
}
void scree_overlap_add(overlap *o, const solid *part);

/* What two bodies do to each other: the force W'(V) area along normal, through `at`, and about the normal the couple
 * pitch times the force. */
typedef struct overlap_contact {
	real volume, area, pitch;
	vec3 normal, at;
	bool flat; /* one face takes nearly all of the push */
} overlap_contact;

/* False without volume. otherwise: a direction to name where nothing pushes and nothing turns. */
bool scree_overlap_contact(const overlap *o, vec3 otherwise, overlap_contact *c);

/* Where the second body's faces press, seen along n: evenly, since the force is the same for each piece of the area. */
void scree_overlap_press(const solid *part, vec3 n, pressure *to);

/* As the functions of narrow.h, with one point: its overlap is volume/area, its weight the length area^2/V0, V0 the
 * volume of the smaller body (with walls: of the body), so that V^2/V0 = weight overlap^2. */
void scree_overlap_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_overlap_convex_wall(const placed *body, const walls *s, int32_t wall, int32_t facets, const int32_t *facet,
							   touch_list *out);
const char *scree_overlap_refuses(const walls *s, int32_t wall);

#endif
