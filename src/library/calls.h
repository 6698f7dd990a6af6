/* calls.h: the functions that the headers declare for a simulation, as scree_in_X instead of scree_sim_X, for use
 * inside of the library: here a simulation is a pointer to it, and the calling thread has entered it (handle.c).
 * Private to src/library. */
#ifndef SCREE_LIBRARY_CALLS_H
#define SCREE_LIBRARY_CALLS_H

#include "scree/outputs.h"
#include "scree/ranks.h"
#include "scree/world.h"

/* world.h */
scree_sim *scree_in_open(const scree_open_options *options, scree_problems **problems);
scree_sim *scree_in_restore(const char *path, int threads, scree_problems **problems);
scree_code scree_in_save(scree_sim *s, const char *path);
scree_code scree_in_close(scree_sim *s);
const char *scree_in_error(const scree_sim *s);
const char *scree_in_title(const scree_sim *s);
const char *scree_in_resolved(const scree_sim *s);
const char *scree_in_notes(scree_sim *s);
const char *scree_in_notes_until(scree_sim *s, double until);
const char *scree_in_summary(scree_sim *s);
scree_code scree_in_check(scree_sim *s, const char **text);
const char *scree_in_warnings(scree_sim *s);
const char *scree_in_closing(scree_sim *s);
const char *scree_in_servos(scree_sim *s);
scree_code scree_in_bench(scree_sim *s, int64_t steps, int unsorted, const char **text);
scree_code scree_in_step(scree_sim *s, int64_t steps);
scree_code scree_in_run_until(scree_sim *s, double time);
int64_t scree_in_steps_until(const scree_sim *s, double time);
double scree_in_time(const scree_sim *s);
double scree_in_time_of(const scree_sim *s, int64_t step);
int64_t scree_in_steps(const scree_sim *s);
double scree_in_step_length(const scree_sim *s);
double scree_in_safe_step(const scree_sim *s);
scree_code scree_in_set_step_length(scree_sim *s, double seconds);
double scree_in_until(const scree_sim *s);
scree_code scree_in_change_plan(scree_sim *s, int sets, const char *const *set, scree_problems **problems);
double scree_in_seconds(const scree_sim *s);
int scree_in_stages(const scree_sim *s);
int scree_in_stage(const scree_sim *s);
int scree_in_is_late(const scree_sim *s);
const char *scree_in_stage_name(const scree_sim *s, int stage);
scree_code scree_in_progress(scree_sim *s, scree_progress_row *out);
int scree_in_arrays(const scree_sim *s);
scree_code scree_in_array_at(scree_sim *s, int column, scree_array *out);
scree_code scree_in_array(scree_sim *s, const char *name, scree_array *out);
uint64_t scree_in_epoch(const scree_sim *s);
scree_code scree_in_changing(scree_sim *s);
scree_code scree_in_changed(scree_sim *s, int what);
int64_t scree_in_bodies(const scree_sim *s);
int64_t scree_in_row(scree_sim *s, uint64_t id);
const char *scree_in_shape_name(const scree_sim *s, int k);
scree_code scree_in_add(scree_sim *s, int64_t count, const scree_body *body, uint64_t *first_id);
scree_code scree_in_remove(scree_sim *s, int64_t count, const uint64_t *id);
scree_code scree_in_place(scree_sim *s, uint64_t id, const double position[3], const double orientation[4],
						  const double velocity[3], const double angular_velocity[3]);
int scree_in_next_contact(scree_sim *s, scree_cursor *at, scree_contact *out);
scree_code scree_in_on_force(scree_sim *s, scree_force_fn *force, void *context);
scree_code scree_in_set_force(scree_sim *s, uint64_t id, const double force[3], const double torque[3]);
int scree_in_walls(const scree_sim *s);
int scree_in_find_wall(const scree_sim *s, const char *name);
scree_code scree_in_wall(scree_sim *s, int wall, scree_wall *out);
scree_code scree_in_move_wall(scree_sim *s, int wall, const double velocity[3], const double angular_velocity[3]);
void scree_in_gravity(const scree_sim *s, double g[3]);
scree_code scree_in_set_gravity(scree_sim *s, const double g[3]);
const char *scree_in_material_name(const scree_sim *s, int k);
scree_code scree_in_material(scree_sim *s, const char *material, const char *property, double *value);
scree_code scree_in_set_material(scree_sim *s, const char *material, const char *property, double value);
scree_code scree_in_contact_rule(scree_sim *s, const char *a, const char *b, const char *property, double *value);
scree_code scree_in_set_contact_rule(scree_sim *s, const char *a, const char *b, const char *property, double value);
scree_code scree_in_cell(scree_sim *s, scree_cell *out);
scree_code scree_in_set_cell(scree_sim *s, const scree_cell *to);
scree_code scree_in_ledger(scree_sim *s, scree_ledger *out);
scree_code scree_in_guards(scree_sim *s, scree_guards *out);
scree_code scree_in_stress(scree_sim *s, double stress[6]);
uint64_t scree_in_hash(scree_sim *s);
scree_code scree_in_render(scree_sim *s, const char *png, int sets, const char *const *set);
scree_code scree_in_export(scree_sim *s, const char *path);

/* outputs.h */
scree_code scree_in_outputs_open(scree_sim *s, const scree_outputs_options *options);
int64_t scree_in_outputs_next(const scree_sim *s, int64_t most);
scree_code scree_in_outputs_write(scree_sim *s);
scree_code scree_in_outputs_finish(scree_sim *s);
scree_code scree_in_outputs_close(scree_sim *s);
scree_code scree_in_outputs(scree_sim *s, scree_outputs *out);
scree_code scree_in_outputs_files(scree_sim *s, int64_t *count, const scree_file **file);

/* measures.h, which files of src/measure cannot include: they have other scree_measures */
struct scree_measures;
scree_code scree_in_measure(scree_sim *s, struct scree_measures *out);
scree_code scree_in_wall_forces(scree_sim *s, double *force);

/* ranks.h */
scree_sim *scree_in_ranks_open(const scree_open_options *options, scree_problems **problems);
scree_sim *scree_in_ranks_restore(const char *path, int threads, scree_problems **problems);
scree_code scree_in_ranks_divide(scree_sim *s, const char *partition);

#endif
