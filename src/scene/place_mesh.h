/* place_mesh.h: inside of scene/place.c: bodies with surfaces of triangles that are to be placed apart. */
#ifndef SCREE_SCENE_PLACE_MESH_H
#define SCREE_SCENE_PLACE_MESH_H

#include "shape/shapes.h"

/* Where a surface is in the frame of another one, in which that one has size 1. */
typedef struct mesh_place {
	vec3 at;
	mat3 turn;
	real size;
	real gap; /* that there has to be between them: their halos */
} mesh_place;

/* Are two closed surfaces, the second one placed so, and what they hold, surely apart? */
bool scree_meshes_apart(const trimesh *a, const trimesh *b, const mesh_place *of);
/* A closed surface and a ball, in the surface's frame? */
bool scree_mesh_ball_apart(const trimesh *m, vec3 at, real radius);
/* A surface, not what it holds, and a triangle in the surface's frame, by this gap? */
bool scree_mesh_triangle_apart(const trimesh *m, const vec3 t[3], real gap);
bool scree_triangle_ball_apart(const vec3 t[3], vec3 at, real radius);

#endif
