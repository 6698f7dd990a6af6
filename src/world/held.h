/* held.h: held bodies that meet what they have no contact with: other held bodies, and walls at rest or with a
 * prescribed motion. Neither gives way, so no force could be right. */
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
	uint64_t id, other; /* of held bodies; other: 0 for a wall */
	int32_t wall;
	real speed; /* m/s: with which they approach */
} held_meeting;

/* The held bodies of all parts of the world; to be freed with scree_free. */
held_row *scree_held_rows(const model *m, const state *s, const domain *d, int64_t *count);
/* Whether a held body is in touch with another one, or with such a wall, and comes closer: the one with the lowest id.
 * Sorts the rows. pose: poses and velocities of walls, which may be those of another time. */
bool scree_held_meet(const model *m, const wall_state *pose, int64_t count, held_row *row, held_meeting *out);

#endif
