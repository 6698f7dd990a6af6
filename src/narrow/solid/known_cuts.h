/* known_cuts.h: a polyhedron cut by planes, as overlap.h does it, where the same cuts were seen before; private to
 * src/narrow and its tests.
 *
 * Which corners and faces a cut solid has follows from those of the solid and from which of its vertices the plane
 * leaves: from whole numbers alone. So what scree_cut finds is kept as a tree: a *form* is the corners and faces of a
 * solid, and a *known cut* leads from one form to another when these vertices stay. What remains to be computed are
 * heights over the plane and the places where it crosses edges, by the same operations in the same order: a cache, the
 * bits are those of scree_cut. Nothing is proved of motions, and no pair remembers anything. */
#ifndef SCREE_NARROW_SOLID_KNOWN_CUTS_H
#define SCREE_NARROW_SOLID_KNOWN_CUTS_H

#include "narrow/solid/overlap.h"

enum {
	FORM_VERTICES = 32,
	FORM_FACES = 32,
	FORM_CORNERS = 96,
	FORM_CUTS = 8
}; /* solids with more are cut by scree_cut */

typedef struct cut_form {
	uint16_t way[FORM_CUTS]; /* rows of the known cuts that lead to it from a whole body */
	uint8_t cuts, vertices, faces, corners;
	uint8_t first[FORM_FACES + 1]; /* as in `solid` */
	uint8_t plane[FORM_FACES];	   /* face of the body; behind these the planes that cut, in their order */
	uint8_t corner[FORM_CORNERS];  /* as in `solid` */
} __attribute__((aligned(64))) cut_form;

/* What a thread has seen. */
typedef struct known_cuts known_cuts;
known_cuts *scree_known_cuts(void);
void scree_known_cuts_free(known_cuts *k); /* NULL is fine */

/* A solid whose form is known. Numbers of vertices lie side by side. */
typedef struct formed {
	const cut_form *form, *guess;
	int32_t vertices, body_faces, cuts;
	real slack;
	real x[FORM_VERTICES], y[FORM_VERTICES], z[FORM_VERTICES];
	vec3 normal[2 * FORM_FACES]; /* of planes: see cut_form */
} formed;

typedef enum cut_result { CUT_LEFT, CUT_NOTHING_LEFT, CUT_TOO_LARGE } cut_result;

/* As scree_cut_start; false: too many vertices or faces. hint: what scree_formed_hint said of this pair the last time,
 * or anything: the search begins with the cuts that led there. */
bool scree_formed_start(known_cuts *k, formed *s, const shape *of, real size, real slack, int32_t hint);
int32_t scree_formed_hint(const known_cuts *k, const formed *s); /* > 0 */
/* Memory is asked for what a pair with this hint will need: first the form, later the cuts that led to it. */
void scree_known_form_soon(const known_cuts *k, int32_t hint);
void scree_known_cuts_soon(const known_cuts *k, int32_t hint);
/* As scree_cut. */
cut_result scree_formed_cut(known_cuts *k, formed *s, vec3 n, real off);
/* the same as scree_cut has it */
void scree_formed_solid(const formed *s, solid *out);

/* scree_overlap_convex_convex and scree_thickness_convex_convex with what is known. hint: the axis that the last call
 * gave, in which a form lies (axis_of_form of kernel/patch.h) */
void scree_overlap_known(const placed *a, const placed *b, int32_t hint, known_cuts *known, patch *out);
void scree_thickness_known(const placed *a, const placed *b, int32_t hint, known_cuts *known, patch *out);

/* for tests: how many forms are known, and how often one had to be made */
int64_t scree_known_forms(const known_cuts *k);
int64_t scree_forms_made(const known_cuts *k);

#endif
