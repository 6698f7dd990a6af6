/* shapes.h: the table of shapes. Each is stored once, of unit size; bodies scale it by their own size.
 *
 * A convex polyhedron is stored in the frame of its principal axes with its centroid at the origin. Its numbers are in
 * separate arrays so that a support function is one straight loop. Arrays are padded up to a multiple of 8: those of
 * vertices with copies of vertex 0, those of faces with zeros. Shapes are made once and then only read. */
#ifndef SCREE_SHAPE_SHAPES_H
#define SCREE_SHAPE_SHAPES_H

#include "base/fail.h"
#include "base/real.h"
#include "shape/mesh/trimesh.h"

/* Largest number of corners: a feature (corner or edge) of each of two polygons fits into one int32_t of a cache. */
enum { POLYGON_CORNERS = 8192 };

/* Corner i and the edge from it to corner i+1. */
typedef struct flat_corner {
	real x, y;	 /* m, from the centroid */
	real tx, ty; /* unit tangent of the edge; its outward normal is (ty, -tx) */
	real length; /* m, length of the edge */
} flat_corner;

typedef struct flat_polygon {
	int32_t corners;	   /* >= 3 */
	real radius, inradius; /* from the centroid: largest distance of a corner, least distance of an edge's line */
	/* [-1 .. corners] counter-clockwise; corner -1 is a copy of the last one and corner `corners` of the first one,
	 * so that loops over neighbours need no test for the end of the ring */
	flat_corner *corner;
} flat_polygon;

/* Fills `out` (all zero before) from corners in the user's frame, counter-clockwise; z is ignored. moment: the second
 * polar moment of the area about the centroid; name: for messages. False with a message if the corners are no convex
 * polygon (docs/theory/polygons.md); out then owns no memory. */
bool scree_polygon_build(flat_polygon *out, const char *name, int32_t corners, const vec3 *point, vec3 *centre,
						 real *area, real *moment, fail *why);
void scree_polygon_free(flat_polygon *p);

/* Types of shapes. In the plane a sphere is a disc; ellipses and polygons exist only there, and the other types only in
 * space. The body with the lower type is the first of a pair. */
typedef enum shape_type {
	SHAPE_SPHERE,
	SHAPE_CONVEX,
	SHAPE_ELLIPSE,
	SHAPE_POLYGON,
	SHAPE_SUPERQUADRIC, /* ellipsoids and their boxier relatives */
	SHAPE_CAPSULE,		/* cylinders with hemispheres at both ends */
	SHAPE_COMPOUND,		/* a closed mesh as the union of convex polyhedra */
	SHAPE_CLUMP,		/* overlapping balls */
	SHAPE_SURFACE,		/* a closed mesh with a halo */
	SHAPE_TYPES
} shape_type;

/* One of several parts of a shape, in the frame of the whole, for size 1. */
typedef struct shape_part {
	struct shape *solid; /* a convex polyhedron; NULL: a ball */
	vec3 at;			 /* its centre */
	mat3 turn;			 /* rotation from its own frame */
	real radius;		 /* radius of the ball, or of the bounding ball of the polyhedron */
	real thick;			 /* thickness of the body at this part (shape/thickness.h) */
} shape_part;

/* Input of a shape of triangles or balls, in the user's frame. A snapshot makes the shape again from it. */
typedef struct shape_source {
	int32_t points, triangles;
	vec3 *point;	   /* vertices, or centres of balls */
	int32_t *triangle; /* [3*triangles] */
	real *radius;	   /* [points] for balls, else NULL */
	bool added;		   /* for balls: the mass where several balls overlap counts once per ball */
	real covered;	   /* balls fitted to a mesh: fraction of its volume that they fill; 0: not fitted. Not saved */
} shape_source;

typedef struct shape {
	char name[48];
	shape_type type;
	real radius;	  /* bounding sphere about the centroid, for size 1 */
	real inradius;	  /* radius of the largest ball about the centroid inside the shape */
	real scale;		  /* size of a body divided by its size in a scene: the diameter for a sphere or disc, else 1 */
	real thick;		  /* thickness for size 1 (shape/thickness.h); for several parts that of the thinnest. Not saved */
	real volume;	  /* for size 1: a body's is size^3 times this */
	vec3 inertia;	  /* principal moments for density 1 and size 1: a body's are density size^5 times these */
	vec3 centre;	  /* centroid in the user's frame of the shape */
	quat frame;		  /* principal frame to the user's frame: user point = centre + frame * stored point */
	int32_t parts;	  /* SHAPE_COMPOUND, SHAPE_CLUMP */
	shape_part *part; /* [parts] */
	trimesh mesh;	  /* SHAPE_COMPOUND, SHAPE_SURFACE: the surface, in the principal frame */
	/* SHAPE_CONVEX: its surface, if bodies with a halo may meet it; else NULL. SHAPE_SUPERQUADRIC, SHAPE_CAPSULE: the
	 * surface as triangles, for pictures. Not saved */
	trimesh *skin;
	real halo; /* SHAPE_SURFACE: m, for size 1, width of its halo; included in radius */
	shape_source source;
	/* the members below are for SHAPE_CONVEX */
	int32_t vertices, padded, faces, edges, corners; /* corners: vertices summed over faces = 2 edges */
	real *vx, *vy, *vz;								 /* [padded] */
	real uneven; /* for size 1: largest distance of a corner from the plane of one of its faces. Not saved */
	real *nx, *ny, *nz, *off; /* outward unit normals n and offsets: inside is n.p <= off; padded with zeros */
	int32_t *first;			  /* [faces+1] face f has corners first[f] .. first[f+1]-1 */
	int32_t *corner;		  /* [corners] vertices of the faces, counter-clockwise seen from outside */
	int32_t *across;		  /* [corners] the face across the edge from this corner to the next one */
	int32_t *at_first;		  /* [vertices+1] vertex v is in the faces at[at_first[v]] .. at[at_first[v+1]-1] */
	int32_t *at;			  /* [corners] ascending for each vertex. Neither is saved */
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

/* A sphere of diameter 1 (size is then the diameter). */
int32_t scree_shapes_add_sphere(shapes *s, const char *name);
/* Adds a convex polyhedron from its faces (planar loops, counter-clockwise seen from outside, coplanar faces already
 * merged), in the user's frame. Computes volume, centroid, inertia and all other data (docs/theory/shapes.md). Returns
 * its row, or -1 with a message: not closed, not convex, degenerate. */
int32_t scree_shapes_add_convex(shapes *s, const char *name, int32_t vertices, const vec3 *vertex, int32_t faces,
								const int32_t *first, const int32_t *corner, fail *why);
/* The convex hull of points, by qhull (src/shape/hull/hull.c). Returns its row, or -1 with a message. */
int32_t scree_shapes_add_hull(shapes *s, const char *name, int32_t points, const vec3 *point, fail *why);
/* Adds a closed mesh as the union of convex parts (shape/parts/convex_parts.h); its contacts are those of its parts. A
 * convex mesh becomes the polyhedron of its faces. Returns its row, or -1 with a message: not closed, inside out,
 * crossing itself, more than COMPOUND_PARTS parts. */
enum { COMPOUND_PARTS = 256 };
int32_t scree_shapes_add_compound(shapes *s, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
								  const int32_t *triangle, fail *why);
/* Adds a closed mesh with a halo. Two bodies touch if the distance of their surfaces is less than the sum of both
 * halos. */
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
/* Tests whether its surface is curved, and given by a formula in addition to its triangles. */
SCREE_FN bool shape_is_curved(const shape *s) { return s->type == SHAPE_SUPERQUADRIC || s->type == SHAPE_CAPSULE; }
/* The surface of a shape as triangles, for pictures and files; NULL: it has balls or faces instead. */
SCREE_FN const trimesh *shape_surface(const shape *s)
{
	return shape_is_curved(s) ? s->skin : s->mesh.triangles ? &s->mesh : NULL;
}
/* A box with the given full edge lengths. */
int32_t scree_shapes_add_box(shapes *s, const char *name, vec3 edge, fail *why);
/* A cylinder along z with flat ends and sharp edges, as a prism with n >= 3 flats and the cylinder's volume. */
int32_t scree_shapes_add_prism(shapes *s, const char *name, real length, real diameter, int32_t n, fail *why);
/* The member `uneven`; 0 for shapes that are not polyhedra. */
real scree_shape_unevenness(const shape *s);
/* Adds a tetrahedron, cube, octahedron, dodecahedron or icosahedron, of circumradius 1/2 (the cube: edge 1). */
int32_t scree_shapes_add_regular(shapes *s, const char *name, const char *solid, fail *why);
/* Adds a convex polygon in the plane z = 0, corners counter-clockwise in the user's frame. Its volume
 * is its area, and all three moments are the polar one of its area: it rotates about z only. Returns its row, or -1
 * with a message. */
int32_t scree_shapes_add_polygon(shapes *s, const char *name, int32_t corners, const vec3 *point, fail *why);
/* Adds a regular polygon of circumradius 1/2 with a side at the bottom; size is the diameter of its circumcircle. */
int32_t scree_shapes_add_regular_polygon(shapes *s, const char *name, int32_t sides, fail *why);
/* A disc of diameter 1. For round shapes in the plane, volume is an area, and inertia the polar second moment of area
 * in all three components, so that such a body rotates like a ball; both are per unit of the world's thickness. Returns
 * its row, or -1 with a message. */
int32_t scree_shapes_add_disc(shapes *s, const char *name, fail *why);
/* An ellipse with these semi-axes along x and y. */
int32_t scree_shapes_add_ellipse(shapes *s, const char *name, real semi_x, real semi_y, fail *why);

/* Corners of the outline of a shape of the plane, counter-clockwise, for size 1. Round shapes have enough corners to
 * look round. */
int32_t scree_shape_corners(const shape *s);
vec3 scree_shape_corner(const shape *s, int32_t k);
/* Area of the widest face, for size 1; 0 for a sphere. For a compound, that of the widest plane shared by faces of its
 * parts: the square of the sum of the roots of their areas, since each part pushes by itself. */
real scree_shape_widest_face(const shape *s);
/* area of face f of a polyhedron, for size 1 */
real scree_shape_face_area(const shape *s, int32_t f);
/* Gives polyhedra their skins if some shape is a surface with a halo. */
bool scree_shapes_need_skins(shapes *s, fail *why);
int32_t scree_shapes_find(const shapes *s, const char *name); /* -1: none */
/* Measures of superquadrics (docs/theory/smooth.md). */
/* Exponents: 2 is an ellipsoid; greater ones make it boxier, with flatter sides and narrower edges. Beyond
 * 8 the sides are so flat that doubles do not determine their point of contact. */
#define SUPERQUADRIC_MOST_POWER ((real)8)

/* largest extent along n, for size 1 */
real scree_superquadric_reach(const shape *s, vec3 n);
/* A lower bound of the radii of curvature, for size 1: the smallest radius of an ellipsoid. */
real scree_superquadric_sharpest(const shape *s);
/* The outward unit normal at a point of the surface. */
vec3 scree_superquadric_normal(const shape *s, vec3 p);
/* The gradient of the norm that is 1 on the surface, times a positive number, at a point of a superquadric with these
 * semi-axes and exponents. unit: the coordinates over the semi-axes are divided by it first */
vec3 scree_superquadric_slope(vec3 semi, real power_xy, real power_z, vec3 p, real unit);

/* The point of a superquadric that is farthest along n, from its centre; both in its axes. */
vec3 scree_superquadric_farthest(vec3 semi, real power_xy, real power_z, vec3 n);

/* Measures of capsules, cylinders with hemispheres at both ends (docs/theory/smooth.md). */
/* Half of the distance between the centres of its hemispheres, which are on the axis z; for size 1. */
SCREE_FN real scree_capsule_half(const shape *s) { return s->semi_z - s->semi_x; }
/* The outward unit normal at a point of the surface. */
vec3 scree_capsule_normal(const shape *s, vec3 p);

void scree_shapes_free(shapes *s);

#endif
