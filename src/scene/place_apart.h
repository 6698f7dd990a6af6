/* place_apart.h: private to scene/place.c: tests whether bodies are apart from each other, and clear of the border of
 * their region and of walls, by their own shapes. The tests are safe: what they call apart, or clear, is so. */
#ifndef SCREE_SCENE_PLACE_APART_H
#define SCREE_SCENE_PLACE_APART_H

#include "model/sources.h"
#include "narrow/narrow.h"
#include "shape/shapes.h"

struct scree_world;

typedef enum apartness { APART, TOGETHER, UNSURE } apartness;

/* Each body is a polyhedron or a compound. APART: a plane separates each two parts. UNSURE: rounding
 * decides whether they touch */
apartness scree_solids_apart(const placed *a, const placed *b);

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
/* Tests whether the centre is in the region `own`, and the whole body in `open`, which has no borders
 * along periods. */
bool scree_shape_in_region(const placed *o, const region *own, const region *open);
/* Tests whether a body of this material is clear of all walls that act on it. skin: its surface; NULL: it has none */
bool scree_shape_off_walls(const struct scree_world *w, const placed *o, int32_t material, const trimesh *skin);

#endif
