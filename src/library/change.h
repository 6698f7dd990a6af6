/* change.h: checks and consequences of changes that the caller makes; private to src/library. */
#ifndef SCREE_LIBRARY_CHANGE_H
#define SCREE_LIBRARY_CHANGE_H

#include "library/internal.h"

#include "kernel/quat.h"

/* Before the caller writes to arrays. Rows that are shown stay where they are. */
void scree_sim_note_ledger(scree_sim *s);
/* Before a change: notes the ledger. After it: everything that depends on what has changed (CHANGED_..) follows. */
void scree_sim_changing_now(scree_sim *s);
scree_code scree_sim_changed_now(scree_sim *s, uint32_t what);
/* Before a change that scree_sim_is_possible tests: notes also how far the step exceeds its bounds already. */
void scree_sim_testing_now(scree_sim *s);

/* The same with another response; false with an error message. */
bool scree_sim_respond_now(scree_sim *s, const new_response *to, uint32_t what, fail *why);

/* Whether the world can run as it is, after a change that may be taken back: false with an error message. */
bool scree_sim_is_possible(scree_sim *s, fail *why);
/* the same if another step is set at once, as for scree_world_prepare */
bool scree_sim_is_possible_in_steps(scree_sim *s, real part, real step, fail *why);
/* after it was taken back */
void scree_sim_prepare_again(scree_sim *s);

/* values.c: whether its numbers can be used */
bool scree_sim_is_vector(const double v[3]);
/* the unit quaternion of w, x, y, z; false: there is none */
bool scree_sim_orientation(const double q[4], quat *out);
/* whether a body stays in the plane, in a world of dimension 2; others may be anywhere */
bool scree_sim_in_plane(const scree_sim *s, vec3 position, quat q, vec3 velocity, vec3 spin);

/* Whether the caller has copies of the orientations as they are now, and the one of a row. */
bool scree_sim_has_copies(const scree_sim *s);
quat scree_sim_copied_orientation(const scree_sim *s, int32_t row);
/* Whether all bodies have values that can be; else `wrong` is set, and no step is made. copies: also those of
 * orientations. */
scree_code scree_sim_check_rows(scree_sim *s, bool copies);

#endif
