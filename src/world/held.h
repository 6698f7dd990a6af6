/* held.h: held bodies that collide with partners without forming contacts: with other held bodies, and with walls at
 * rest or in prescribed motion. Neither partner can give way, so no force would be correct. */
#ifndef SCREE_WORLD_HELD_H
#define SCREE_WORLD_HELD_H

#include "model/declared.h"
#include "ranks/together/domain.h"
#include "wall/wall_state.h"

/* A held body, with the largest ball around its centre that fits inside it. */
typedef struct held_row {
	uint64_t id;
	vec3 at, velocity;
	real radius; /* m */
	int32_t material;
} held_row;

typedef struct held_meeting {
	uint64_t id, other; /* ids of held bodies; other is 0 for a wall */
	int32_t wall;
	real speed; /* m/s: speed of approach */
} held_meeting;

/* The held bodies in all parts of the world; free with scree_free. */
held_row *scree_held_rows(const model *m, const state *s, const domain *d, int64_t *count);
/* Tests whether a held body touches another held body, or a wall of this kind, and approaches it; finds the pair with
 * the lowest id. Sorts the rows. pose: poses and velocities of walls, possibly at another time. */
bool scree_held_meet(const model *m, const wall_state *pose, int64_t count, held_row *row, held_meeting *out);

#endif
