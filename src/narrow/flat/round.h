/* round.h: contacts in the plane z = 0 between discs, ellipses, convex polygons, and walls (docs/theory/ellipses.md),
 * except between two polygons; also functions that write patches in the plane. Results depend only on the poses.
 * Private to src/narrow.
 *
 * Bodies are rotated only about z, and a sphere counts as a disc. In every patch the normal points to the body named
 * first (from b to a; from the wall to the body). Points are relative to that body's centre and midway between the
 * surfaces; pitch and axis are 0. When the bodies do not touch, -depth is the distance. */
#ifndef SCREE_NARROW_FLAT_ROUND_H
#define SCREE_NARROW_FLAT_ROUND_H

#include "narrow/narrow.h"
#include "shape/flat_support.h"
#include "kernel/xy.h"
#include "narrow/polygon/pair.h"

static const mat3 UPRIGHT = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* The semi-axes of a disc or an ellipse, and its rotation relative to the frame. */
oval scree_flat_oval(const placed *p, mat3 frame);

/* A signed gap and its position, in the world's axes. */
typedef struct flat_gap {
	real gap;
	xy n;	/* from b to a */
	xy arm; /* from the centre of a to the point on a's border nearest to b's border */
} flat_gap;

/* a: a disc or an ellipse; b: a disc, an ellipse or a polygon */
flat_gap scree_flat_gap(const placed *a, const placed *b);

/* Starts a patch of this depth, with no points yet; returns false if there is no contact. */
SCREE_FN bool flat_begin(patch *out, xy n, real depth)
{
	out->points = out->axis = 0;
	out->pitch = 0;
	out->normal = xy_solid(n);
	out->depth = depth;
	return depth > 0;
}

SCREE_FN void flat_point(patch *out, xy at, real deep, real weight)
{
	int32_t k = out->points++;
	out->at[k] = xy_solid(at);
	out->deep[k] = deep;
	out->weight[k] = weight;
}

/* An area and its gradient, summed over the contact regions. */
typedef struct flat_area {
	real area;
	xy push;	 /* G: the gradient of -A, the direction of the force on the body */
	real moment; /* moment of G about the body's centre */
	xy feet;	 /* sum of |G| times the point over the regions */
	real lengths;
} flat_area;

/* Adds a contact region with a gradient g that acts at this point. */
SCREE_FN void flat_area_add(flat_area *f, real area, xy g, xy at)
{
	real length = xy_norm(g);
	f->area += area;
	f->push = xy_add(f->push, g);
	f->moment += xy_cross(at, g);
	f->feet = xy_madd(f->feet, length, at);
	f->lengths += length;
}

SCREE_FN void flat_area_patch(const flat_area *f, xy otherwise, patch *out)
{
	real length = xy_norm(f->push);
	flat_begin(out, otherwise, 0);
	if (!(length > 0 && f->area > 0)) return;
	xy n = xy_mul(1 / length, f->push), mean = xy_mul(1 / f->lengths, f->feet);
	/* the point on the line of action of the force that is level with the mean point */
	real aside = f->moment / length - xy_cross(mean, n);
	out->normal = xy_solid(n);
	out->depth = f->area / length;
	flat_point(out, xy_madd(mean, -aside, xy_left(n)), out->depth, length);
}

/* Writes corners, each with a share of the contact, as points. If there are too many, neighbours are grouped; if forces
 * are linear in the overlap, a group exerts the same force and moment as its corners. */
typedef struct flat_rows {
	patch *out;
	int32_t every, held;
	real strength, force, total, most;
	xy at;
} flat_rows;

SCREE_FN flat_rows flat_rows_start(patch *out, int32_t corners)
{
	return (flat_rows){.out = out, .every = (corners + PATCH_POINTS - 1) / PATCH_POINTS};
}

SCREE_FN void flat_rows_close(flat_rows *r)
{
	/* an ungrouped corner keeps its overlap to the last bit */
	real deep = r->held == 1 ? r->most : real_min(r->force / r->strength, r->most);
	if (r->held) flat_point(r->out, xy_mul(1 / r->force, r->at), deep, r->strength);
	r->out->depth = real_max(r->out->depth, r->most);
	r->held = 0;
	r->strength = r->force = r->most = 0;
	r->at = xy_of(0, 0);
}

SCREE_FN void flat_rows_add(flat_rows *r, xy at, real deep, real strength)
{
	real force = strength * deep;
	if (!(force > 0)) return;
	r->at = xy_madd(r->at, force, at);
	r->strength += strength;
	r->total += strength;
	r->force += force;
	r->most = real_max(r->most, deep);
	if (++r->held == r->every) flat_rows_close(r);
}

/* Scales weights so that their sum is 1; overlaps whose squares underflow become 0. */
SCREE_FN void flat_rows_end(flat_rows *r)
{
	flat_rows_close(r);
	if (!r->out->points) r->out->depth = 0;
	for (int32_t k = 0; k < r->out->points; ++k) r->out->weight[k] /= r->total;
}

/* Converts a patch so that it refers to the other body, whose centre is displaced by `apart`. */
SCREE_FN void flat_swap(patch *out, xy apart)
{
	out->normal = v3(-out->normal.x, -out->normal.y, 0);
	for (int32_t k = 0; k < out->points; ++k) out->at[k] = v3_sub(out->at[k], xy_solid(apart));
}

/* The area theta - sin theta cos theta of a segment of the unit circle with the half angle theta. */
real scree_flat_segment(real sine, real cosine);

/* The segment of a disc beyond the common chord of two circles: its area, the chord's length, and the distance from the
 * chord to the circle (sagitta). The chord is 0 if the circles do not intersect. */
typedef struct flat_lens {
	real area, chord, sagitta;
} flat_lens;

/* The part of a disc that protrudes from a larger circle, with the sagitta of the disc. */
flat_lens scree_flat_lune(real radius, real around, real depth);

/* Returns the radius of a disc with the same area as an ellipse. */
real scree_flat_radius(const placed *p);

/* Adds the common area of a polygon and an oval about `centre` or, with `outside`, the polygon's area outside the oval.
 * Also adds the area's gradient, computed from the crossings of the borders: the force on the oval, or on the polygon.
 * All data are in the polygon's frame; moments are about `about`. */
void scree_flat_cut(const oval *o, xy centre, const flat_polygon *p, real size, bool outside, xy about, flat_area *sum);

/* Rotates the gradient and the points of a sum from the polygon's frame to the world. */
void scree_flat_area_turn(flat_area *sum, mat3 turn);

/* Functions for laws that use depth: the overlap is the length of the shortest translation that separates the bodies.
 * Pairs have one point with weight 1; `hint` is not used. a: disc or ellipse */
void scree_flat_depth_round_round(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_depth_round_polygon(const placed *a, const placed *b, int32_t hint, patch *out);

/* Functions for laws that use area, with energies W(A) for an overlap of area A. There is one point with weight[0] =
 * |G|, the length of the gradient of A in m, and deep[0] = depth = A/|G|. The force is therefore W'(A) weight[0] along
 * the normal, and A = weight[0] deep[0]. If A does not change with the poses (one body is inside the other), there is
 * no contact and depth is 0. For two ellipses, or an ellipse and a disc, A is the overlap of two discs with the same
 * areas as the bodies and the same depth. */
void scree_flat_area_round_round(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_area_round_polygon(const placed *a, const placed *b, int32_t hint, patch *out);

/* Contact with the half plane behind a line. point: a point on the line; the line's unit normal points to the body */
void scree_flat_depth_round_line(const placed *body, vec3 point, vec3 normal, patch *out);
void scree_flat_depth_polygon_line(const placed *body, vec3 point, vec3 normal, patch *out);
void scree_flat_area_round_line(const placed *body, vec3 point, vec3 normal, patch *out);
void scree_flat_area_polygon_line(const placed *body, vec3 point, vec3 normal, patch *out);

/* Contact with a circle around the bodies (a drum) or with a round obstacle. */
void scree_flat_depth_round_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out);
void scree_flat_depth_polygon_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out);
void scree_flat_area_round_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out);
void scree_flat_area_polygon_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out);

/* thickness.c: contact energy from the thickness of an overlap in the plane (docs/theory/overlap.md) */
enum { FLAT_MONOMIALS = 10 }; /* number of monomials of x and y up to degree 3, in the order used in thickness.c */

/* Sums over the border of an overlap, counter-clockwise, in axes in which it is thin along y. Over the region:
 * integrals of 1, x, y, xx, xy, yy. Along the second body's border: integrals of the normal times the monomials. */
typedef struct flat_sums {
	xy from, along; /* origin, and direction of the y axis */
	real inner[6], border[2][FLAT_MONOMIALS];
} flat_sums;

/* Starts the sums. from: a point at the lower end of the overlap along the unit vector `along` */
flat_sums scree_flat_sums_start(xy from, xy along);
void scree_flat_sums_ring(flat_sums *s, const flat_ring *r);

/* Effect of an energy on a body: u = U/(E* l) in m^2, force and torque divided by E* l, and a point in the middle of
 * the contact, weighted by u. All members are sums over the regions. */
typedef struct flat_energy {
	real u;
	xy push;
	real moment; /* torque about the origin */
	xy wide;	 /* root mean square distance along the contact in the most recently added region */
	xy middle;	 /* u times the middle of the contact */
} flat_energy;

/* Adds the energy of an overlap; returns false if the overlap has no area. */
bool scree_flat_energy_add(flat_energy *e, const flat_sums *s);
/* Writes a patch of three points, which share the force, in axes rotated by `turn`. Weight w and overlap d satisfy u =
 * w d^2/2 and |push| = w d. least: forces up to this limit count as zero */
void scree_flat_energy_patch(const flat_energy *e, mat3 turn, xy otherwise, real least, patch *out);

/* Gives a depth patch of a round body, or of a body at a round obstacle, the stiffness of a disc. */
SCREE_FN void flat_stiff_as_disc(patch *out)
{
	for (int32_t k = 0; k < out->points; ++k) out->weight[k] = SCREE_PI / 4;
}

/* Functions for polygons under laws that use thickness, with the same arguments as in narrow.h and round.h. */
void scree_flat_thickness_polygons(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_thickness_polygon_line(const placed *body, vec3 point, vec3 normal, patch *out);
void scree_flat_thickness_polygon_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out);

#endif
