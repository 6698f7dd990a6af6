/* stages.h: stages of an experiment; private to src/library. */
#ifndef SCREE_LIBRARY_STAGES_H
#define SCREE_LIBRARY_STAGES_H

#include "library/internal.h"
#include "scene/scene.h"

#include <stdio.h>

/* The scene of the simulation with these sets, to be read again for its plan. */
scene_input scree_sim_scene(const scree_sim *s, int sets, const char *const *set);
/* The stages of a simulation that was restored, from the scene in its snapshot. */
scree_code scree_sim_read_stages(scree_sim *s);
/* Before steps: begins the next stage if one is over. */
scree_code scree_sim_begin_stage(scree_sim *s);
/* After steps: finds whether the stage is over. SCREE_GUARD: its time limit stops the run. */
scree_code scree_sim_end_stage(scree_sim *s);
/* Called before the steps of a run that begins: the same for a time limit that has passed. */
scree_code scree_sim_end_late(scree_sim *s);
/* Whether a stage has ended with this step and the next one has not begun. */
bool scree_sim_is_over(const scree_sim *s);
/* The ends of stages, by --set. A stage that has ended continues if it is given another end that is still to come. */
void scree_sim_take_stages(scree_sim *s, const stage_rule *rule, int32_t count);
/* Number of steps up to the next test of the stage's end, at most this number. */
int64_t scree_sim_stage_steps(const scree_sim *s, int64_t most);
/* time.c: the next step after which the demand of contacts on the time step is tested. A step that the run has chosen
 * follows it, more often while bodies come into contact. */
int64_t scree_sim_next_watch(const scree_sim *s);
/* Number of steps up to the next at which the run may change its step, at most this number. */
int64_t scree_sim_watch_steps(const scree_sim *s, int64_t most);
/* Notes in the record of the run that it has shortened its step. */
void scree_sim_record_step(scree_sim *s, double before);
/* Notes a change by --set in the record of the run. */
void scree_sim_record_set(scree_sim *s, const char *set);
/* a line per stage */
void scree_sim_print_stages(FILE *to, const scree_sim *s);
/* Applies the changes of a scene, by --set or of a stage, to a world that has it already in its model. */
scree_code scree_sim_apply_change(scree_sim *s, const scene_change *change);

#endif
