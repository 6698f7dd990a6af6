/* skin.h: the surface of a body, or of facets of a wall, for contacts: positions of its corners, and names of its
 * vertices, edges and faces. It also tests whether a point is nearer to another body than all of the surface around it.
 * Private to src/narrow/surface.
 *
 * Positions are relative to the centre of body a. Directions point from the surface to the other body. */
#ifndef SCREE_NARROW_SURFACE_SKIN_H
#define SCREE_NARROW_SURFACE_SKIN_H

#include "narrow/surface/surface.h"

/* Sine up to which the surface next to a point counts as level: more nearly parallel areas touch at the corners of
 * their common area (docs/theory/halo.md). */
static const real LEVEL = (real)1 / 32;

/* Values of `across`: there is no neighbour; or the side is on the face of another facet. */
enum { SKIN_OPEN = -1, SKIN_COVERED = -2 };

typedef struct skin {
	int32_t triangles;
	const vec3 *vertex, *normal; /* in its own frame */
	const int32_t *corner, *across, *plane, *first;
	const real *bend;
	vec3 at;
	mat3 turn;
	real size, halo;
	real rough; /* m: distance of corners of facets from their planes, by the digits of a file; 0 for bodies */
	bool two_sided;
	/* for facets of a wall: rows of walls.corner per corner, and surfaces per triangle. NULL for a body, for which
	 * sides and vertices are sufficient as names */
	const int32_t *row, *surface;
	/* positions of vertices, computed on demand */
	vec3 *place;
	uint32_t *known, now;
} skin;

enum feature_kind { FEATURE_VERTEX, FEATURE_EDGE, FEATURE_FACE };
typedef struct feature {
	enum feature_kind kind;
	int32_t side; /* vertex: 3 t + its corner; edge: 3 t + its side; face: 3 t, for triangle t */
} feature;

SCREE_FN vec3 skin_place(const skin *s, int32_t vertex)
{
	if (s->known[vertex] != s->now) {
		s->known[vertex] = s->now;
		s->place[vertex] = v3_add(s->at, mat3_mul(s->turn, v3_mul(s->size, s->vertex[vertex])));
	}
	return s->place[vertex];
}
SCREE_FN vec3 skin_corner(const skin *s, int32_t side) { return skin_place(s, s->corner[side]); }
SCREE_FN vec3 skin_normal(const skin *s, int32_t t) { return mat3_mul(s->turn, s->normal[t]); }

/* Whether a side is an edge, not inside of a flat face and not on another face. An edge is represented by the lower of
 * its two directions. */
SCREE_FN bool side_is_edge(const skin *s, int32_t side) { return s->across[side] == SKIN_OPEN || s->bend[side] != 0; }
SCREE_FN int32_t side_of_edge(const skin *s, int32_t side)
{
	return s->across[side] >= 0 && s->across[side] < side ? s->across[side] : side;
}
SCREE_FN bool vertex_is_flat(const skin *s, int32_t side) { return s->first[s->corner[side]] < 0; }

/* Whether a point of this vertex or edge may be nearest to a body in direction `towards` (unit, the skin's own frame).
 * slack: sine that counts as level */
bool scree_skin_vertex_nearest(const skin *s, int32_t side, vec3 towards, real slack);
bool scree_skin_edge_nearest(const skin *s, int32_t side, vec3 towards, real slack);
/* Outward direction, the mean normal of the faces around a feature, for distances too small to define one. In the frame
 * of `at`. */
vec3 scree_skin_outward(const skin *s, feature f);
/* The open sides at an edge or a vertex, at most two; returns their number. */
int scree_skin_borders(const skin *s, feature f, int32_t side[2]);
/* Name of a feature in 32 bits; for a wall, `surface` is that of the feature. */
uint32_t scree_skin_name(const skin *s, feature f);
int32_t scree_skin_surface(const skin *s, feature f);
/* The feature of triangle t that contains its closest point to p. Points nearer than snap to an edge or a vertex are on
 * it. */
feature scree_skin_closest(const skin *s, int32_t t, vec3 p, real snap, vec3 *closest);

#endif
