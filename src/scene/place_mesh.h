/* place_mesh.h: private to scene/place.c: separation of bodies with surfaces of triangles. */
#ifndef SCREE_SCENE_PLACE_MESH_H
#define SCREE_SCENE_PLACE_MESH_H

#include "shape/shapes.h"

/* Pose of a surface in the frame of another surface, in which the other one has size 1. */
typedef struct mesh_place {
	vec3 at;
	mat3 turn;
	real size;
	real gap; /* gap required between the surfaces: their halos */
} mesh_place;

/* Tests whether two closed surfaces and their interiors are safely apart; `of` is the pose of b. */
bool scree_meshes_apart(const trimesh *a, const trimesh *b, const mesh_place *of);
/* Tests whether a closed surface and a ball, in the surface's frame, are safely apart. */
bool scree_mesh_ball_apart(const trimesh *m, vec3 at, real radius);
/* Tests whether a surface, without its interior, and a triangle in the surface's frame are apart by this gap. */
bool scree_mesh_triangle_apart(const trimesh *m, const vec3 t[3], real gap);
bool scree_triangle_ball_apart(const vec3 t[3], vec3 at, real radius);

#endif
