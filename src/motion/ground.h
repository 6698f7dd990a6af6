/* ground.h: bodies that do not fly, while others fly. */
#ifndef SCREE_MOTION_GROUND_H
#define SCREE_MOTION_GROUND_H

#include "world/world.h"

/* Copies them to `ground`, and what has changed there back to their rows. */
void scree_ground_take(const model *m, state *s, work *w);
void scree_ground_put(state *s, work *w);
/* Copies what other stages and guards read to the rows of bodies from .. to-1 of `ground`, after the drift and after
 * the kick. They read no rotations of balls, and velocities predicted for balls from records. before: with positions
 * before the drift */
void scree_ground_show_poses(state *s, const flights *f, bool before, int64_t from, int64_t to);
void scree_ground_show_velocities(state *s, const flights *f, int64_t from, int64_t to);
/* Copies the counted periods of row k of `ground`, when its body has crossed a border of the cell. */
void scree_ground_show_cell(state *s, const flights *f, int64_t k);

#endif
