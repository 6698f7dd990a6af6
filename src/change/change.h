/* change.h: consequences of changes between two steps (world.h: scree_world_changed, _respond, _set_step). */
#ifndef SCREE_CHANGE_CHANGE_H
#define SCREE_CHANGE_CHANGE_H

#include "base/fail.h"
#include "base/real.h"
#include "model/declared.h"

struct response;

/* evaluate.c: evaluates contacts by the law, keeping accounts. ahead: time in s by which springs are moved back */
void scree_contacts_evaluate(const model *m, state *s, work *w, real ahead);
/* response.c: switches to another response between two steps. _change: prepares the world for the new response, with
 * springs at the present time; returns false with a message on failure (between: it makes no step; came: the previous
 * one). _evaluate: evaluates forces in the contacts found, with the new response, or with implicit steps after any
 * change. */
bool scree_response_change(scree_world *w, const new_response *to, bool between, const struct response **came,
						   fail *why);
void scree_response_evaluate(const model *m, state *s, work *w, const struct response *came);
/* step_size.c: records that the length of the time step changes from now on. */
void scree_time_restep(const model *m, state *s);

#endif
