/* functions.h: public functions that enter a simulation, and the inner functions that do the work. internal.h turns the
 * table into declarations and handle.c into definitions, after defining CODE, PLAIN, FOUND, VALUE and MEMBER.
 *
 * CODE(name, inside, parameters, given, arguments): an attempt (call.c), which returns a code. given: tests whether the
 * required pointers are given, and sets the results in case of failure. PLAIN(reads, ...) is not an attempt; reads:
 * whether a force function may also call it. FOUND(type, none, ...) is an attempt that returns a value, or `none` if it
 * fails. VALUE(type, none, reads, ...) is not an attempt, and returns `none` if it cannot enter the simulation; MEMBER
 * returns a value that exists already. */
#define NUMBER(name, inside)	  VALUE(double, NAN, true, name, inside, (const scree_sim *handle), (e.s))
#define COUNT(type, name, inside) VALUE(type, -1, true, name, inside, (const scree_sim *handle), (e.s))
#define TEXT(name, inside)		  FOUND(const char *, "", name, inside, (scree_sim * handle), (e.s))
#define NO_PROBLEMS(problems)	  (!(problems) || (*(problems) = NULL, true))

/* texts, files */
MEMBER(const char *, NULL, scree_sim_title, e.s->extra.title)
MEMBER(const char *, "", scree_sim_resolved, e.s->extra.resolved)
TEXT(scree_sim_notes, scree_in_notes)
FOUND(const char *, "", scree_sim_notes_until, scree_in_notes_until, (scree_sim * handle, double until), (e.s, until))
TEXT(scree_sim_summary, scree_in_summary)
TEXT(scree_sim_warnings, scree_in_warnings)
TEXT(scree_sim_closing, scree_in_closing)
TEXT(scree_sim_servos, scree_in_servos)
CODE(scree_sim_check, scree_in_check, (scree_sim * handle, const char **text), text && (*text = ""), (e.s, text))
CODE(scree_sim_bench, scree_in_bench, (scree_sim * handle, int64_t steps, int unsorted, const char **text),
	 text && (*text = ""), (e.s, steps, unsorted, text))
CODE(scree_sim_save, scree_in_save, (scree_sim * handle, const char *path), path, (e.s, path))
CODE(scree_sim_render, scree_in_render, (scree_sim * handle, const char *png, int sets, const char *const *set), png,
	 (e.s, png, sets, set))
CODE(scree_sim_export, scree_in_export, (scree_sim * handle, const char *path), path, (e.s, path))

/* time */
CODE(scree_sim_step, scree_in_step, (scree_sim * handle, int64_t steps), true, (e.s, steps))
CODE(scree_sim_run_until, scree_in_run_until, (scree_sim * handle, double time), true, (e.s, time))
VALUE(int64_t, -1, true, scree_sim_steps_until, scree_in_steps_until, (const scree_sim *handle, double time),
	  (e.s, time))
MEMBER(double, NAN, scree_sim_time, e.s->w->state.time)
VALUE(double, NAN, true, scree_sim_time_of, scree_in_time_of, (const scree_sim *handle, int64_t step), (e.s, step))
MEMBER(int64_t, -1, scree_sim_steps, e.s->w->state.step)
MEMBER(double, NAN, scree_sim_step_length, e.s->w->model.dt)
MEMBER(double, NAN, scree_sim_safe_step, scree_world_known_step(&e.s->w->model))
CODE(scree_sim_set_step_length, scree_in_set_step_length, (scree_sim * handle, double seconds), true, (e.s, seconds))
CODE(scree_sim_use_machine, scree_in_use_machine, (scree_sim * handle, const char *machine), true, (e.s, machine))
NUMBER(scree_sim_until, scree_in_until)
CODE(scree_sim_change_plan, scree_in_change_plan,
	 (scree_sim * handle, int sets, const char *const *set, scree_problems **problems),
	 (set || sets < 1) && NO_PROBLEMS(problems), (e.s, sets, set, problems))
NUMBER(scree_sim_seconds, scree_in_seconds)
COUNT(int, scree_sim_stages, scree_in_stages)
MEMBER(int, -1, scree_sim_stage, e.s->w->state.stage.count ? e.s->w->state.stage.now : -1)
MEMBER(int, 0, scree_sim_is_late, e.s->late)
MEMBER(int, 0, scree_sim_on_device, e.s->w->work.device != NULL)
MEMBER(const char *, "cpu", scree_sim_machine, e.s->machine ? e.s->machine : "cpu")
VALUE(const char *, NULL, true, scree_sim_stage_name, scree_in_stage_name, (const scree_sim *handle, int stage),
	  (e.s, stage))
CODE(scree_sim_progress, scree_in_progress, (scree_sim * handle, scree_progress_row *out), out, (e.s, out))

/* bodies */
COUNT(int, scree_sim_arrays, scree_in_arrays)
CODE(scree_sim_array_at, scree_in_array_at, (scree_sim * handle, int column, scree_array *out), out, (e.s, column, out))
CODE(scree_sim_array, scree_in_array, (scree_sim * handle, const char *name, scree_array *out), out, (e.s, name, out))
VALUE(uint64_t, 0, true, scree_sim_epoch, scree_in_epoch, (const scree_sim *handle), (e.s))
CODE(scree_sim_changing, scree_in_changing, (scree_sim * handle), true, (e.s))
CODE(scree_sim_changed, scree_in_changed, (scree_sim * handle, int what), true, (e.s, what))
COUNT(int64_t, scree_sim_bodies, scree_in_bodies)
FOUND(int64_t, -1, scree_sim_row, scree_in_row, (scree_sim * handle, uint64_t id), (e.s, id))
VALUE(const char *, NULL, true, scree_sim_shape_name, scree_in_shape_name, (const scree_sim *handle, int k), (e.s, k))
CODE(scree_sim_add, scree_in_add, (scree_sim * handle, int64_t count, const scree_body *body, uint64_t *first_id), true,
	 (e.s, count, body, first_id))
CODE(scree_sim_remove, scree_in_remove, (scree_sim * handle, int64_t count, const uint64_t *id), true, (e.s, count, id))
CODE(scree_sim_place, scree_in_place,
	 (scree_sim * handle, uint64_t id, const double position[3], const double orientation[4], const double velocity[3],
	  const double angular_velocity[3]),
	 true, (e.s, id, position, orientation, velocity, angular_velocity))

/* contacts, forces, walls */
FOUND(int, 0, scree_sim_next_contact, scree_in_next_contact, (scree_sim * handle, scree_cursor *at, scree_contact *out),
	  (e.s, at, out))
CODE(scree_sim_on_force, scree_in_on_force, (scree_sim * handle, scree_force_fn *force, void *context), true,
	 (e.s, force, context))
CODE(scree_sim_set_force, scree_in_set_force,
	 (scree_sim * handle, uint64_t id, const double force[3], const double torque[3]), true, (e.s, id, force, torque))
COUNT(int, scree_sim_walls, scree_in_walls)
VALUE(int, -1, true, scree_sim_find_wall, scree_in_find_wall, (const scree_sim *handle, const char *name), (e.s, name))
CODE(scree_sim_wall, scree_in_wall, (scree_sim * handle, int wall, scree_wall *out), true, (e.s, wall, out))
CODE(scree_sim_move_wall, scree_in_move_wall,
	 (scree_sim * handle, int wall, const double velocity[3], const double angular_velocity[3]), true,
	 (e.s, wall, velocity, angular_velocity))
CODE(scree_sim_wall_forces, scree_in_wall_forces, (scree_sim * handle, double *force), force, (e.s, force))

/* gravity, materials, the cell */
CODE(scree_sim_set_gravity, scree_in_set_gravity, (scree_sim * handle, const double g[3]), g, (e.s, g))
VALUE(const char *, NULL, true, scree_sim_material_name, scree_in_material_name, (const scree_sim *handle, int k),
	  (e.s, k))
PLAIN(true, scree_sim_material, scree_in_material,
	  (scree_sim * handle, const char *material, const char *property, double *value), value,
	  (e.s, material, property, value))
CODE(scree_sim_set_material, scree_in_set_material,
	 (scree_sim * handle, const char *material, const char *property, double value), true,
	 (e.s, material, property, value))
PLAIN(true, scree_sim_contact_rule, scree_in_contact_rule,
	  (scree_sim * handle, const char *a, const char *b, const char *property, double *value), value,
	  (e.s, a, b, property, value))
CODE(scree_sim_set_contact_rule, scree_in_set_contact_rule,
	 (scree_sim * handle, const char *a, const char *b, const char *property, double value), true,
	 (e.s, a, b, property, value))
CODE(scree_sim_cell, scree_in_cell, (scree_sim * handle, scree_cell *out), out, (e.s, out))
CODE(scree_sim_set_cell, scree_in_set_cell, (scree_sim * handle, const scree_cell *to), true, (e.s, to))

/* energies, the whole state, measures */
CODE(scree_sim_ledger, scree_in_ledger, (scree_sim * handle, scree_ledger *out), out, (e.s, out))
CODE(scree_sim_guards, scree_in_guards, (scree_sim * handle, scree_guards *out), out, (e.s, out))
CODE(scree_sim_stress, scree_in_stress, (scree_sim * handle, double stress[6]), stress, (e.s, stress))
FOUND(uint64_t, 0, scree_sim_hash, scree_in_hash, (scree_sim * handle), (e.s))
CODE(scree_sim_measure, scree_in_measure, (scree_sim * handle, struct scree_measures *out), out, (e.s, out))

/* outputs, ranks */
CODE(scree_sim_outputs_open, scree_in_outputs_open, (scree_sim * handle, const scree_outputs_options *options), true,
	 (e.s, options))
VALUE(int64_t, -1, false, scree_sim_outputs_next, scree_in_outputs_next, (const scree_sim *handle, int64_t most),
	  (e.s, most))
CODE(scree_sim_outputs_write, scree_in_outputs_write, (scree_sim * handle), true, (e.s))
CODE(scree_sim_outputs_finish, scree_in_outputs_finish, (scree_sim * handle), true, (e.s))
PLAIN(false, scree_sim_outputs_close, scree_in_outputs_close, (scree_sim * handle), true, (e.s))
PLAIN(false, scree_sim_outputs, scree_in_outputs, (scree_sim * handle, scree_outputs *out), out, (e.s, out))
CODE(scree_sim_outputs_files, scree_in_outputs_files, (scree_sim * handle, int64_t *count, const scree_file **file),
	 count &&file && (*count = 0, *file = NULL, true), (e.s, count, file))
CODE(scree_ranks_divide, scree_in_ranks_divide, (scree_sim * handle, const char *partition), true, (e.s, partition))

#undef NUMBER
#undef COUNT
#undef TEXT
#undef NO_PROBLEMS
#undef CODE
#undef PLAIN
#undef FOUND
#undef VALUE
#undef MEMBER
