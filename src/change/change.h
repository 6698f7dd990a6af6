/* change.h: consequences of changes to a world by the caller between two steps (world.h: scree_world_changed,
 * scree_world_respond, scree_world_set_step). */
#ifndef SCREE_CHANGE_CHANGE_H
#define SCREE_CHANGE_CHANGE_H

#include "base/fail.h"
#include "base/real.h"
#include "model/declared.h"

struct response;

/* evaluate.c: evaluates the present contacts by the law, and keeps accounts. ahead: s, time by which their springs are
 * ahead, as after the law; less if they are earlier */
void scree_contacts_evaluate(const model *m, state *s, work *w, real ahead);
/* response.c: another response between two steps. _change: prepares the world for it, with springs at the time of the
 * state; between: no step is made by it; came: the response before; false with a message. _evaluate: forces of
 * contacts, which have been found, by the new response, or by implicit steps after any change. */
bool scree_response_change(scree_world *w, const new_response *to, bool between, const struct response **came,
						   fail *why);
void scree_response_evaluate(const model *m, state *s, work *w, const struct response *came);
/* step_size.c: from here on, time continues in steps of another length than that of the model. */
void scree_time_restep(const model *m, state *s);

#endif
