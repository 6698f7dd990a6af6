/* place_mesh.h: inside of scene/place.c: separation of bodies with surfaces of triangles. */
#ifndef SCREE_SCENE_PLACE_MESH_H
#define SCREE_SCENE_PLACE_MESH_H

#include "shape/shapes.h"

/* Pose of a surface in the frame of another one, in which the latter has size 1. */
typedef struct mesh_place {
	vec3 at;
	mat3 turn;
	real size;
	real gap; /* gap required between them: their halos */
} mesh_place;

/* Whether two closed surfaces, the second one in this pose, and their interiors, are safely apart. */
bool scree_meshes_apart(const trimesh *a, const trimesh *b, const mesh_place *of);
/* Whether a closed surface and a ball, in the surface's frame, are safely apart. */
bool scree_mesh_ball_apart(const trimesh *m, vec3 at, real radius);
/* Whether a surface, without its interior, and a triangle in the surface's frame are apart by this gap. */
bool scree_mesh_triangle_apart(const trimesh *m, const vec3 t[3], real gap);
bool scree_triangle_ball_apart(const vec3 t[3], vec3 at, real radius);

#endif
