/* held.h: held bodies that meet partners without contacts: other held bodies, and walls at rest or with a prescribed
 * motion. Neither gives way, so no force could be correct. */
#ifndef SCREE_WORLD_HELD_H
#define SCREE_WORLD_HELD_H

#include "model/declared.h"
#include "ranks/together/domain.h"
#include "wall/wall_state.h"

/* A held body, with the largest ball about its centre that is inside it. */
typedef struct held_row {
	uint64_t id;
	vec3 at, velocity;
	real radius; /* m */
	int32_t material;
} held_row;

typedef struct held_meeting {
	uint64_t id, other; /* ids of held bodies; other: 0 for a wall */
	int32_t wall;
	real speed; /* m/s: speed of approach */
} held_meeting;

/* The held bodies of all parts of the world; free with scree_free. */
held_row *scree_held_rows(const model *m, const state *s, const domain *d, int64_t *count);
/* Tests whether a held body touches another one, or such a wall, and approaches it; finds the one with the lowest id.
 * Sorts the rows. pose: poses and velocities of walls, possibly of another time. */
bool scree_held_meet(const model *m, const wall_state *pose, int64_t count, held_row *row, held_meeting *out);

#endif
