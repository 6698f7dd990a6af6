/* shapes.h: the table of shapes. Each shape is stored once, with unit size; bodies scale it by their own size. Shapes
 * are created once and then only read. A convex polyhedron is stored in the frame of its principal axes with its
 * centroid at the origin. Coordinates are in separate arrays, so that a support function is a simple loop. Arrays are
 * padded to a multiple of 8: arrays of vertices with copies of vertex 0, and arrays of faces with zeros. */
#ifndef SCREE_SHAPE_SHAPES_H
#define SCREE_SHAPE_SHAPES_H

#include "base/fail.h"
#include "base/real.h"
#include "shape/mesh/trimesh.h"

enum { POLYGON_CORNERS = 8192 }; /* one feature (corner or edge) of each of two polygons must fit into an int32_t */

/* Corner i and the edge from this corner to corner i+1. */
typedef struct flat_corner {
	real x, y;	 /* m, from the centroid */
	real tx, ty; /* unit tangent of the edge; the outward normal is (ty, -tx) */
	real length; /* length of the edge, in m */
} flat_corner;

typedef struct flat_polygon {
	int32_t corners; /* >= 3 */
	real radius,
		inradius; /* from the centroid: largest distance to a corner, and smallest distance to an edge's line */
	/* [-1 .. corners] counter-clockwise; corner -1 is a copy of the last corner, and corner `corners` a copy of the
	 * first, so that loops over neighbours need no test for the end of the ring */
	flat_corner *corner;
} flat_polygon;

/* Fills `out`, all zero before, from counter-clockwise corners in the user's frame, without z. moment: polar moment of
 * area about the centroid. Refuses all but convex polygons (docs/theory/polygons.md); `out` then owns no memory. */
bool scree_polygon_build(flat_polygon *out, const char *name, int32_t corners, const vec3 *point, vec3 *centre,
						 real *area, real *moment, fail *why);
void scree_polygon_free(flat_polygon *p);

/* Types of shapes. In the plane a sphere is a disc. Ellipses and polygons exist only in the plane, and the other types
 * only in 3D. The body with the lower shape type is the first body of a pair. */
typedef enum shape_type {
	SHAPE_SPHERE,
	SHAPE_CONVEX,
	SHAPE_ELLIPSE,
	SHAPE_POLYGON,
	SHAPE_SUPERQUADRIC, /* ellipsoids and boxier shapes */
	SHAPE_CAPSULE,		/* cylinders with hemispheres at both ends */
	SHAPE_COMPOUND,		/* a closed mesh as the union of convex polyhedra */
	SHAPE_CLUMP,		/* overlapping balls */
	SHAPE_SURFACE,		/* a closed mesh with a halo */
	SHAPE_TYPES
} shape_type;

/* One of several parts of a shape, in the frame of the whole shape and at size 1. */
typedef struct shape_part {
	struct shape *solid; /* a convex polyhedron, or NULL for a ball */
	vec3 at;			 /* its centre */
	mat3 turn;			 /* rotation from the part's frame */
	real radius;		 /* radius of the ball, or of the polyhedron's bounding ball */
	real thick;			 /* thickness of the body at this part (shape/thickness.h) */
} shape_part;

/* Input, in the user's frame, of a shape made of triangles or balls, which snapshots create again from this input. */
typedef struct shape_source {
	int32_t points, triangles;
	vec3 *point;	   /* vertices, or centres of balls */
	int32_t *triangle; /* [3*triangles] */
	real *radius;	   /* [points] for balls, otherwise NULL */
	bool added;		   /* for balls: whether the mass of overlaps counts once per ball */
	real covered;	   /* fraction of a mesh's volume filled by balls fitted to the mesh, otherwise 0. Not saved */
} shape_source;

typedef struct shape {
	char name[48];
	shape_type type;
	real radius;   /* radius of the bounding sphere around the centroid, at size 1 */
	real inradius; /* radius of the largest ball around the centroid inside the shape */
	real scale;	   /* size of a body divided by its size in a scene: the diameter for a sphere or disc, otherwise 1 */
	real thick;	   /* thickness at size 1 (shape/thickness.h); for several parts, the smallest thickness. Not saved */
	real volume;   /* volume at size 1; a body's volume is size^3 times this value */
	vec3 inertia;  /* principal moments for density 1 and size 1; a body's moments are density size^5 times these */
	vec3 centre;   /* centroid in the user's frame of the shape */
	quat frame; /* rotation from the principal frame to the user's frame: user point = centre + frame * stored point */
	int32_t parts;	  /* SHAPE_COMPOUND, SHAPE_CLUMP */
	shape_part *part; /* [parts] */
	trimesh mesh;	  /* SHAPE_COMPOUND, SHAPE_SURFACE: the surface, in the principal frame */
	/* SHAPE_CONVEX: the surface if bodies with a halo may touch it, otherwise NULL. SHAPE_SUPERQUADRIC, SHAPE_CAPSULE:
	 * the surface as triangles, for pictures. Not saved */
	trimesh *skin;
	real halo; /* SHAPE_SURFACE: width of the halo in m at size 1; included in `radius` */
	shape_source source;
	/* the members below are for SHAPE_CONVEX */
	int32_t vertices, padded, faces, edges,
		corners;		/* corners: number of vertices summed over faces, which is twice the number of edges */
	real *vx, *vy, *vz; /* [padded] */
	real uneven;		/* at size 1: largest distance between a corner and the plane of any of its faces. Not saved */
	real *nx, *ny, *nz, *off; /* outward unit normals n and offsets; inside means n.p <= off; padded with zeros */
	int32_t *first;			  /* [faces+1] face f has corners first[f] .. first[f+1]-1 */
	int32_t *corner;		  /* [corners] vertices of the faces, counter-clockwise seen from outside */
	int32_t *across;		  /* [corners] the face across the edge from this corner to the next corner */
	int32_t *at_first;		  /* [vertices+1] vertex v is in the faces at[at_first[v]] .. at[at_first[v+1]-1] */
	int32_t *at;			  /* [corners] in ascending order for each vertex. Neither is saved */
	int32_t *ends;			  /* [2*edges] the two vertices of an edge */
	int32_t *sides;			  /* [2*edges] the two faces of an edge; ends 0 to 1 go counter-clockwise on the first */
	flat_polygon flat;		  /* SHAPE_POLYGON; centre and frame are those of its centroid and the user's axes */
	/* SHAPE_ELLIPSE, SHAPE_SUPERQUADRIC: m, semi-axes for size 1, along x, y and z of its frame. SHAPE_CAPSULE: half of
	 * its extents; z is its axis */
	real semi_x, semi_y, semi_z;
	real power_xy, power_z; /* SHAPE_SUPERQUADRIC: exponents; 2 and 2 is an ellipsoid */
} shape;

SCREE_FN vec3 shape_vertex(const shape *s, int32_t v) { return v3(s->vx[v], s->vy[v], s->vz[v]); }
SCREE_FN vec3 shape_normal(const shape *s, int32_t f) { return v3(s->nx[f], s->ny[f], s->nz[f]); }

SCREE_FN int32_t shape_padded_faces(const shape *s) { return (s->faces + 7) & ~7; }

typedef struct shapes {
	int32_t count;
	int64_t capacity;
	shape *row;
} shapes;

/* Adds a sphere of diameter 1, so that a body's size is its diameter. */
int32_t scree_shapes_add_sphere(shapes *s, const char *name);
/* Adds a convex polyhedron from its faces (planar loops, counter-clockwise seen from outside, coplanar faces merged) in
 * the user's frame. Returns the row, or -1 with a message if the faces are not closed, not convex, or degenerate. */
int32_t scree_shapes_add_convex(shapes *s, const char *name, int32_t vertices, const vec3 *vertex, int32_t faces,
								const int32_t *first, const int32_t *corner, fail *why);
/* Adds the convex hull of points (shape/hull/hull.c). Returns the row, or -1 with a message. */
int32_t scree_shapes_add_hull(shapes *s, const char *name, int32_t points, const vec3 *point, fail *why);
/* Adds a closed mesh as the union of convex parts (shape/parts/convex_parts.h); the compound's contacts are the
 * contacts of its parts. A convex mesh becomes a polyhedron with the same faces. Returns the row, or -1 with a message
 * if the mesh is not closed, is inside out, crosses itself, or has more than COMPOUND_PARTS parts. */
enum { COMPOUND_PARTS = 256 };
int32_t scree_shapes_add_compound(shapes *s, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
								  const int32_t *triangle, fail *why);
/* Adds a closed mesh with a halo. Such bodies touch if their surfaces are closer than the sum of both halos. */
int32_t scree_shapes_add_surface(shapes *s, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
								 const int32_t *triangle, real halo, fail *why);
/* Adds overlapping balls as one rigid body. added: the mass where several balls overlap counts once per ball. */
int32_t scree_shapes_add_clump(shapes *s, const char *name, int32_t balls, const vec3 *centre, const real *radius,
							   bool added, fail *why);
/* Adds the superquadric (|x/a|^q + |y/b|^q)^(p/q) + |z/c|^p <= 1 with these semi-axes, q = power_xy and p = power_z;
 * 2 and 2: an ellipsoid. */
int32_t scree_shapes_add_superquadric(shapes *s, const char *name, vec3 semi, real power_xy, real power_z, fail *why);
/* Adds a capsule of this length from tip to tip, with its axis along z. */
int32_t scree_shapes_add_capsule(shapes *s, const char *name, real length, real diameter, fail *why);
/* Tests whether the surface of a shape is curved and given by a formula as well as by triangles. */
SCREE_FN bool shape_is_curved(const shape *s) { return s->type == SHAPE_SUPERQUADRIC || s->type == SHAPE_CAPSULE; }
/* Returns the surface of a shape as triangles, for pictures and files; NULL if the shape has balls or faces instead. */
SCREE_FN const trimesh *shape_surface(const shape *s)
{
	return shape_is_curved(s) ? s->skin : s->mesh.triangles ? &s->mesh : NULL;
}
/* Adds a box with the given full edge lengths. */
int32_t scree_shapes_add_box(shapes *s, const char *name, vec3 edge, fail *why);
/* Adds a cylinder along z with flat ends and sharp edges, as a prism with n >= 3 flats and the same volume. */
int32_t scree_shapes_add_prism(shapes *s, const char *name, real length, real diameter, int32_t n, fail *why);
/* Returns the member `uneven`, or 0 for shapes that are not polyhedra. */
real scree_shape_unevenness(const shape *s);
/* Adds a tetrahedron, octahedron, dodecahedron, or icosahedron with circumradius 1/2, or a cube with edge 1. */
int32_t scree_shapes_add_regular(shapes *s, const char *name, const char *solid, fail *why);
/* Adds a convex polygon in the plane z = 0, with counter-clockwise corners in the user's frame. The polygon's volume
 * is its area, and its moments are the polar moment of area, as it rotates about z. Returns the row, or -1 with a
 * message. */
int32_t scree_shapes_add_polygon(shapes *s, const char *name, int32_t corners, const vec3 *point, fail *why);
/* Adds a regular polygon with a side at the bottom; its size is the diameter of the circumcircle. */
int32_t scree_shapes_add_regular_polygon(shapes *s, const char *name, int32_t sides, fail *why);
/* A disc of diameter 1. For round shapes in the plane, the volume is an area, and all three components of inertia are
 * the polar second moment of area, so that a body rotates like a ball; volume and inertia are per unit of the world's
 * thickness. Returns the row, or -1 with a message. */
int32_t scree_shapes_add_disc(shapes *s, const char *name, fail *why);
int32_t scree_shapes_add_ellipse(shapes *s, const char *name, real semi_x, real semi_y, fail *why);

/* Corners of the outline in the plane, counter-clockwise, at size 1; enough of them to make round shapes look round. */
int32_t scree_shape_corners(const shape *s);
vec3 scree_shape_corner(const shape *s, int32_t k);
/* Returns the area of the widest face, at size 1; 0 for a sphere. For a compound, returns the square of the sum of the
 * square roots of the areas of faces in the widest common plane, since each part pushes independently. */
real scree_shape_widest_face(const shape *s);
/* returns the area of face f of a polyhedron, at size 1 */
real scree_shape_face_area(const shape *s, int32_t f);
/* Adds surfaces to polyhedra if any shape is a surface with a halo. */
bool scree_shapes_need_skins(shapes *s, fail *why);
int32_t scree_shapes_find(const shapes *s, const char *name); /* -1: none */
/* An exponent of 2 gives an ellipsoid; larger exponents give boxier shapes, with flatter sides and narrower edges.
 * Beyond 8 the sides are so flat that double precision does not determine the points of contact. */
#define SUPERQUADRIC_MOST_POWER ((real)8)

/* returns the largest extent along n, at size 1 */
real scree_superquadric_reach(const shape *s, vec3 n);
/* Returns a lower bound on the radii of curvature, at size 1; for an ellipsoid, the smallest radius. */
real scree_superquadric_sharpest(const shape *s);
/* Returns the outward unit normal at a point of the surface. */
vec3 scree_superquadric_normal(const shape *s, vec3 p);
/* Returns a positive multiple of the gradient of the norm that is 1 on the surface, at a point of a superquadric with
 * these semi-axes and exponents. unit: divisor applied first to the coordinates relative to the semi-axes */
vec3 scree_superquadric_slope(vec3 semi, real power_xy, real power_z, vec3 p, real unit);

/* Returns the point of a superquadric farthest along n, relative to its centre and in its axes. */
vec3 scree_superquadric_farthest(vec3 semi, real power_xy, real power_z, vec3 n);

/* Returns half the distance, at size 1, between the centres of the hemispheres, which are on the z axis. */
SCREE_FN real scree_capsule_half(const shape *s) { return s->semi_z - s->semi_x; }
/* Returns the outward unit normal at a point of the surface. */
vec3 scree_capsule_normal(const shape *s, vec3 p);

void scree_shapes_free(shapes *s);

#endif
