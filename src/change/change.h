/* change.h: consequences of changes to a world by the caller between two steps (world.h: scree_world_changed,
 * scree_world_respond, scree_world_set_step). */
#ifndef SCREE_CHANGE_CHANGE_H
#define SCREE_CHANGE_CHANGE_H

#include "world/world.h"

/* evaluate.c: evaluates the present contacts by the law, and keeps accounts. ahead: s, time by which their springs are
 * ahead, as after the law; less if they are earlier */
void scree_contacts_evaluate(const model *m, state *s, work *w, real ahead);
/* response.c: another response between two steps. _change: prepares the world for it, with springs at the time of the
 * state; between: it makes no step; came: the previous response; false with a message. _evaluate: computes forces of
 * the contacts found, by the new response, or by implicit steps after any change. */
bool scree_response_change(scree_world *w, const new_response *to, bool between, const response **came, fail *why);
void scree_response_evaluate(const model *m, state *s, work *w, const response *came);
/* step_size.c: from now on, time continues in steps with a length other than the model's. */
void scree_time_restep(const model *m, state *s);

#endif
