/* reader.h: data and functions that the parts of the scene reader share; private to src/scene. */
#ifndef SCREE_SCENE_READER_H
#define SCREE_SCENE_READER_H

#include <math.h>
#include <stdlib.h>

#include "base/maths.h"
#include "base/memory.h"
#include "base/progress.h"
#include "choices/choices.h"
#include "format/mesh.h"
#include "model/declared.h"
#include "model/materials.h"
#include "narrow/narrow.h"
#include "population/population.h"
#include "scene/scene.h"
#include "scene/schema.h"
#include "scene/value.h"
#include "wall/walls.h"

struct cell_rule;

enum {
	INCLUDE_DEPTH = 8,
	SEALED_BODIES = 2000, /* largest number of bodies in a sealed scene, so that fuzzing does not exhaust memory */
	SEALED_GRAINS = 20	  /* size of the largest family of shapes in such a scene */
};

/* The world's rows for a shape of the scene: one row, or several for a family, assigned to bodies cyclically. */
typedef struct shape_rows {
	int32_t first, count;
	int64_t taken; /* number of fill bodies with this shape so far */
	real scale;	   /* scale factor from the world's unit shape to the scene's unit shape */
} shape_rows;

/* A snapshot whose bodies were added to the world. */
typedef struct import {
	struct scree_world *world; /* the world of the snapshot */
	const fill_spec *fill;
	int64_t first;			   /* id of the snapshot's first body in this world, minus 1; the others follow in order */
	int32_t *row;			   /* [bodies] rows in the snapshot's world, in the order of ids */
	int32_t *shape, *material; /* rows in this world, or below 0 if there are none */
	bool cells;				   /* both worlds have the same cell, so bodies keep their counts of crossed periods */
} import;

/* The scene of a stage: the tree with all changes up to this stage, and the data read from it. */
typedef struct stage_scene {
	node *root;
	scene_spec spec;
} stage_scene;

typedef struct reader {
	arena memory;
	report r;
	lets let;
	lets *before;		/* names of let before --set changed them, or NULL without a --set */
	const char *staged; /* name of the stage whose scene is being read, or NULL */
	const char *folder; /* folder of the scene, "" or ending in '/' */
	bool sealed, plan_only;
	bool repairs;	  /* whether to repair meshes of shapes where safe, and write them next to their files */
	bool strange;	  /* a section is unknown, so references to a missing section are not reported again */
	bool flat;		  /* a world of dimension 2 */
	bool broken;	  /* an included file cannot be read, so missing definitions are not reported */
	int32_t defaults; /* source number of values from the table of keys */
	node *root;
	scene_spec spec;
	stage_scene *stage; /* [spec.stages.count], at least one; the first is the scene itself */
	/* the members below are used for building */
	struct scree_world *world;
	shape_rows *shape; /* [spec.shapes.count] */
	import *import;	   /* [imports] snapshots whose bodies were added */
	int32_t imports;
	writing notes; /* notes on tables and snapshots of bodies */
} reader;

/* Functions that build a wall's form or motion from the value of its key. */
typedef struct maker {
	bool (*wall)(reader *r, const void *value, wall w,
				 fail *why); /* adds the wall; returns false with an error message */
	bool two_sided;			 /* whether walls of this form may be two-sided */
	void (*motion)(const motion_spec *s, wall_motion *out);
	bool turns;	  /* whether the motion uses the keys `about` and `point` */
	bool several; /* a list of motions */
} maker;

/* reader_tree.c: reads the file and its includes into one tree. False if reading cannot continue. */
bool scree_reader_tree(reader *r, const char *name, const char *bytes, size_t length);
/* Reads a whole file, relative to the scene's folder, into the arena. what, at: for messages. NULL: reported. */
const char *scree_reader_file(reader *r, const node *at, const char *path, size_t most, size_t *length);
/* Checks a path given by node n and makes it relative to the scene's folder. NULL: reported. */
const char *scree_reader_path(reader *r, const node *n, const char *what);
/* reader_set.c: applies every --set NAME=VALUE to the tree */
void scree_reader_sets(reader *r, int sets, const char *const *set);
/* Replaces run.response. If it changes, removes `output` and the keys of run that belong to the previous response. */
void scree_reader_response(reader *r, const char *response);
/* load.c: reads the tree into r->spec according to the table of keys */
void scree_reader_load(reader *r);
/* load_values.c: reads the value of one key */
bool scree_reader_value(reader *r, const key *k, const node *n, void *to);
/* Explains by example how to write a word of another program or earlier version in section or key `of`, or NULL. */
const char *scree_elsewhere(const char *of, const char *word, bool *former);
/* reads one quantity with a dimension and a range */
bool scree_reader_real(reader *r, const key *k, const node *n, double *out);
/* check.c: rules beyond the table: mutually exclusive keys, names of pairs, and the order of corners */
void scree_reader_check(reader *r);
/* check_run.c: checks the keys of stages, and sets the end of the run */
void scree_check_stages(reader *r);
/* stages.c: the scene of each stage, if there was no error */
void scree_reader_stages(reader *r);
/* Name of the last stage up to this one that sets the key and thus overrides a --set of the key; NULL if none does. */
const char *scree_stage_that_sets(const reader *r, int32_t last, const char *set);
/* plans.c: checks that regions, cells and values of measures fit together */
void scree_check_measures(reader *r);
/* check_run.c: checks the keys of force-based or impulse-based steps, and removes the keys that do not apply */
void scree_check_response(reader *r);
/* The solver of the scene's response, or NULL for forces and for unknown words. */
const struct response *scree_scene_solver(const run_spec *run);
/* build*.c: builds the world and the plan; errors are reported like all others */
void scree_reader_build(reader *r);
void scree_build_walls(reader *r);
/* Stores the mass and largest speed of servos, derived from the bodies, in rules and in the resolved scene. */
void scree_build_resolve_servos(reader *r);
/* checks that bodies are on the active sides of meshes; needs all bodies */
void scree_build_check_meshes(reader *r);
void scree_build_population(reader *r);
/* checks that sources can place their bodies; needs the complete world */
void scree_check_sources(reader *r);
void scree_build_fills(reader *r);
/* checks that bodies do not overlap too much at the start; needs the complete world */
void scree_build_start(reader *r);
void scree_build_plan(const reader *r, scene *out);
/* build_stages.c: sets when stages end, and writes the differences between two scenes, made by stages or by --set, into
 * a world. Returns false with an error message if the world does not allow them. */
void scree_build_stage_rules(const reader *r, scene *out);
bool scree_build_changes(reader *r, const stage_scene *was, const stage_scene *is, scree_world *w, scene_change *out,
						 fail *why);
/* Refuses stages whose changes are impossible, and returns the step, in s, that all stages allow. part: fraction of the
 * shortest contact time, or 0; chosen: the scene gives no step in s. mass: [walls], largest mass that a servo needs in
 * any stage, if the scene gives none. The world must be prepared again afterwards. */
real scree_build_rehearse(reader *r, real part, bool chosen, real *mass);
/* motions.c: checks the keys of a cell that changes size, sets its rule, and returns whether it changes */
void scree_check_cell(reader *r, const world_spec *w, const bool periodic[3]);
bool scree_build_cell(const world_spec *s, walls *all, struct cell_rule *out);
/* build_stages.c: contact rules for each pair of materials */
void scree_build_rules(reader *r, materials *m);
/* motions.c: the motions of a wall, and the servo among them, or NULL if there is none */
void scree_build_motion(walls *all, const motion_spec *m, wall *to);
const servo_spec *scree_motion_servo(const motion_spec *m);
/* whether a motion is determined by the forces on the wall */
bool scree_motion_is_driven(const motion_spec *m);
void scree_check_wall_motion(reader *r, const motion_spec *m);
/* motion_files.c: puts the rows of files into the tree as if written there */
void scree_reader_motion_files(reader *r);
/* build_walls.c: sets the default axis of a servo to the normal of its wall; false if the wall has none */
bool scree_build_servo_axis(const wall_spec *s, const walls *all, wall *w);
/* the planes at which measures count bodies */
void scree_build_flow(const reader *r, flow_planes *out);
/* build_population.c: the name of a sink: the given one, or one made from its number */
void scree_sink_name(const sink_spec *s, int32_t k, char name[48]);
/* build_solids.c: reads a mesh from a file, unchanged; returns false if an error was reported */
bool scree_build_mesh(reader *r, const head *h, const char *file, mesh *out);
/* Adds a shape and returns its first row. Returns -1 with an error message, or -2 if the error was reported. */
int32_t scree_build_mesh_shape(reader *r, const char *name, const mesh_spec *spec, fail *why);
int32_t scree_build_granulate(reader *r, const char *name, const granulate_spec *spec, fail *why);
/* whether the clump's file is a table of spheres */
bool scree_clump_is_listed(const clump_spec *spec);
int32_t scree_build_clump(reader *r, const char *name, const clump_spec *spec, fail *why);
/* code shared by fills and sources; needs the shapes */
region scree_build_region(const reader *r, const region_spec *g);
spread scree_build_spread(const reader *r, const size_spec *s, int32_t shape);
/* draw.c: reads the file of a sieve curve, and checks its values */
void scree_check_sieve(reader *r, sieve_spec *s);
/* adds a note with the fraction of the bodies of a fill or source that passes the finest sieve */
void scree_note_sieves(reader *r, const char *whose, const fill_spec *f);
/* A share of a sum, maintained by always choosing the kind that is furthest behind. */
typedef struct quota {
	real share, mean, sum; /* mean: expected contribution of one body */
} quota;
/* Distribution of a fill's bodies. Kinds with shares by mass and classes of sieve curves are not drawn at random: the
 * next body belongs to the kind furthest behind its share, so that shares are exact to about one body. */
typedef struct body_mix {
	int32_t parts;
	bool by_mass;
	mix_part part[16]; /* shapes are indices into the scene's list, not rows of the world */
	real mass[16];	   /* expected mass of a body, for each part of the mix, in kg */
	quota kind[16], class[16][SIEVE_CLASSES];
} body_mix;
void scree_build_mix(const reader *r, const fill_spec *f, body_mix *out);
/* a mix of a single shape and size */
void scree_single_mix(const reader *r, int32_t shape, int32_t material, spread size, body_mix *out);
/* Tests whether bodies are drawn in a regular order, so that they have to be shuffled on a lattice. */
bool scree_mix_is_ordered(const body_mix *m);
/* draw.c: code shared by fills */
typedef struct body_list {
	int64_t count, capacity;
	new_body *row;
} body_list;
void scree_body_list_add(body_list *l, new_body b);
/* Draws a body, but not its position. rows: rows of the scene's shapes; a family supplies its next grain. */
new_body scree_fill_draw(const reader *r, const fill_spec *f, body_mix *mix, shape_rows *rows, random_stream *s);
/* Tests whether the mass so far is nearer to the fill's mass without the last body. */
bool scree_passes_mass(const reader *r, const fill_spec *f, real mass, const new_body *last);
/* Refuses a fill whose mass is less than half of one body. */
bool scree_too_little_mass(reader *r, const fill_spec *f, const body_mix *mix);
/* The key that sets the number of bodies of a fill: count, solid_fraction or mass. */
const char *scree_fill_amount(const fill_spec *f);
/* adds random velocities to the bodies from .. on, with the temperature of fill number `fill` */
bool scree_build_heat(reader *r, const fill_spec *f, int32_t number, body_list *all, int64_t from);
const char *scree_fill_name(const reader *r, const fill_spec *f); /* for messages; lives as long as the reader */
/* build_snapshot.c: appends the bodies of a snapshot to a list; sets the rest of their state once they are in the
 * world; and restores contact histories once the world is prepared. */
bool scree_is_snapshot(const char *path);
bool scree_build_snapshot(reader *r, const fill_spec *f, body_list *out);
void scree_build_imports(reader *r);
void scree_build_histories(reader *r);
void scree_build_imports_free(reader *r);
/* table.c: appends the bodies in a CSV table to a list */
bool scree_build_table(reader *r, const fill_spec *f, body_list *out);
/* place.c: places bodies at random positions without overlap; reports a failure */
typedef struct placer placer;
placer *scree_placer_new(const reader *r, real largest);
void scree_placer_free(placer *p);
/* Also records the placed bodies in the placer. reached: if a body has no free position, receives the solid fraction of
 * the placed bodies, and nothing is reported; NULL: the failure is reported. */
bool scree_place_random(reader *r, placer *p, const fill_spec *f, random_stream *s, body_list *out, real *reached);
/* The same for a dense fill: bodies are placed while they are small, and then grow (dense.c). */
bool scree_place_dense(reader *r, const placer *p, const fill_spec *f, random_stream *s, body_list *out);
/* dense.c: fraction of their full size at which bodies are placed at random to reach this solid fraction */
real scree_dense_start(const reader *r, real solid);
/* Grows bodies that were placed at this fraction of the full sizes in the list. False if jammed, which is reported. */
bool scree_dense_grow(reader *r, const fill_spec *f, const region *g, const body_list *earlier, real solid, real part,
					  body_list *fresh);
/* volume of a body, or its area in the plane */
real scree_body_volume(const reader *r, const new_body *b);
real scree_body_mass(const reader *r, const new_body *b); /* kg */
/* records bodies from .. count-1 of the list, so that bodies placed at random later do not overlap them */
void scree_placer_note(placer *p, const body_list *all, int64_t from);

/* limits.c: limits on a run; false if an error was reported. before: number of existing bodies */
bool scree_limit_memory(reader *r, place at, const char *key, real bodies);
bool scree_limit_random(reader *r, const fill_spec *f, const body_mix *mix, int64_t before);
/* cells: number of lattice cells in the bounding box of the region; box: volume of this box */
bool scree_limit_lattice(reader *r, const fill_spec *f, const region *g, real cells, real box, int64_t before);
/* tests limits on sizes and positions of the bodies from .. count-1 */
bool scree_limit_places(reader *r, const fill_spec *f, const body_list *all, int64_t from);
/* tests limits on the steps, outputs and sources of a prepared world */
void scree_limit_run(reader *r);

/* reads "a + b" into the indices of two materials; false if an error was reported */
bool scree_pair_of(reader *r, const node *n, int32_t pair[2]);
/* schema.c: node of key `name` in the section's mapping, for messages, or the section itself if the key is missing */
const node *scree_where(const head *h, const char *name);
/* position in the file of the key, or of its value if it was set without one */
place scree_named_at(const node *n);
place scree_key_at(const head *h, const char *name);
/* position in the file of entry i of the list with key `name` */
place scree_entry(const head *h, const char *name, int32_t i);
/* the index of the entry with this name in a list of structs of this size, or -1 */
int32_t scree_entry_named(const spec_list *list, size_t stride, const char *name, size_t length);
/* loops over the entries of a list */
#define EACH(type, name, list) for (type *name = (list).item; name && name - (type *)(list).item < (list).count; ++name)
/* Report an error at a node, at the value of a key, or at the key itself, as scree_report does. */
#define REFUSE(to, n, cure, ...)			scree_report(&(to)->r, (n)->at, cure, __VA_ARGS__)
#define REFUSE_VALUE(to, h, key, cure, ...) scree_report(&(to)->r, scree_where(h, key)->at, cure, __VA_ARGS__)
#define REFUSE_KEY(to, h, key, cure, ...)	scree_report(&(to)->r, scree_key_at(h, key), cure, __VA_ARGS__)
/* the first given key that is a form of a wall or motion, or NULL */
const key *scree_form_given(const head *h);
bool scree_given(const head *h, const char *name);
/* Each unknown key of a section excuses one missing key, so that a misspelled key produces only one error. */
bool scree_excused(head *h);
/* Remove key `name` from the resolved scene, or add a key without a default that was derived from other keys. */
void scree_forget(head *h, const char *name);
void scree_resolve(head *h, const char *name);
/* Tests whether a key, or all keys that a stage may change (NULL), have the same values, including all keys below. A
 * key missing in both counts as equal. */
bool scree_same_values(const head *a, const head *b, const char *name);
/* resolved.c: the resolved scene as YAML; the caller frees it with scree_free */
char *scree_resolved(reader *r);
/* explain.c: each section of a scene once, with its path, by increasing depth; row: freed with scree_free */
typedef struct section_walk {
	struct {
		const section *of;
		char path[256];
	} * row;
	int count;
} section_walk;
section_walk scree_sections(void);
/* value, default and help of a key, in words */
void scree_write_kind(writing *t, const key *k);
void scree_write_default(writing *t, const key *k);
void scree_write_help(writing *t, const key *k);
/* a sentence on how columns may be given as rows, or nothing if they may not. mark: text put around names */
void scree_write_columns(writing *t, const section *s, const char *mark);
/* a sentence with the keys that a stage can change, or nothing if there are none. mark: text put around names */
void scree_write_changing(writing *t, const section *s, const char *before, const char *mark);

/* ------------------------------------------------------------------ place_apart.c: tests by shape
 * The tests are conservative: bodies reported as apart, or as clear of walls and of the border, always are. */

typedef enum apartness { APART, TOGETHER, UNSURE } apartness;

/* For polyhedra and compounds. APART: planes separate all pairs of parts. UNSURE: within rounding of contact. */
apartness scree_solids_apart(const placed *a, const placed *b);

/* Pose of a surface in the frame of another surface, scaled so that the latter has size 1. */
typedef struct mesh_place {
	vec3 at;
	mat3 turn;
	real size;
	real gap; /* gap required between the surfaces: their halos */
} mesh_place;

/* Tests whether two closed surfaces and their interiors are safely apart; `of` is the pose of b. */
bool scree_meshes_apart(const trimesh *a, const trimesh *b, const mesh_place *of);
/* Tests whether a closed surface and a ball, in the surface's frame, are safely apart. */
bool scree_mesh_ball_apart(const trimesh *m, vec3 at, real radius);
/* Tests whether the centre is in `own` and the whole body in `open`, which is unbounded along periodic axes. */
bool scree_shape_in_region(const placed *o, const region *own, const region *open);
/* Tests whether a body of this material is clear of all walls that act on it. skin: the body's surface, or NULL */
bool scree_shape_off_walls(const struct scree_world *w, const placed *o, int32_t material, const trimesh *skin);

/* ------------------------------------------------------------------ table_lines.c: tables (CSV) read from files */

/* A cell of a line, without blanks and quotes around it. */
typedef struct table_cell {
	const char *at;
	size_t length;
} table_cell;

typedef struct table_line {
	const char *at, *end; /* rest of the line; at is NULL after the last cell */
	char separator;		  /* ',', ';', a tab, or ' ' for any number of blanks */
} table_line;

/* Reads the next cell; false at the end of the line. With `enough`, trailing separators do not start another cell. */
bool scree_table_cell(table_line *l, bool enough, table_cell *out);
/* Copies a cell, with a decimal comma as a point if the separator makes it unambiguous. False if it does not fit. */
bool scree_table_number(char separator, const table_cell *c, char *to, size_t room);

enum {
	TABLE_NAME = 64,   /* room for the name of a column, and for its unit */
	TABLE_COLUMNS = 32 /* more than the number of names in any list */
};

/* A column that a table may have: its name, unit (NULL for plain numbers) and range (NULL for any), as for a key. */
typedef struct column_name {
	const char *name, *unit, *range;
} column_name;

typedef struct table_names {
	const void *row; /* structs that begin with a column_name */
	size_t size;
	int32_t count;
	const char *cure, *more; /* for messages about other names: a remedy or NULL, and the end of the sentence */
	bool text;				 /* units are kept as text */
} table_names;

typedef struct table_lines {
	reader *r;
	int32_t source, line;					/* number of the source, and number of the line */
	const char *start;						/* start of the line */
	table_line rest;						/* remaining text of the line */
	const char *next, *stop;				/* lines still to be read */
	char told;								/* separator named by a line "sep=;", or 0 */
	bool named;								/* the line of names has been found */
	int32_t columns, column[TABLE_COLUMNS]; /* columns of the file, and the number of each in the list of names */
	int32_t has[TABLE_COLUMNS]; /* index in the file plus 1 of each name in the list, or 0 if it is missing */
	unit unit[TABLE_COLUMNS];	/* units of columns of the file */
	char unit_name[TABLE_COLUMNS][TABLE_NAME]; /* as given, or "" */
} table_lines;

/* Opens a table with at most this number of bytes. at: the node that names the file. False: reported. */
bool scree_lines_open(reader *r, const node *at, const char *path, size_t most, table_lines *out);
/* Finds the next line that has values; the first one names the columns. Empty lines, lines with only separators, lines
 * that begin with #, and a line "sep=;" before the names are skipped. False at the end. */
bool scree_lines_next(table_lines *t);
place scree_lines_cell_at(const table_lines *t, const table_cell *c);
place scree_lines_at(const table_lines *t);
/* Reads the line of names: the columns with their units, each once. False: reported. */
bool scree_lines_names(table_lines *t, const table_names *known);
/* Reads cell n of a line that should have one cell per column. False after the last cell; `right`: whether the line has
 * no error so far; errors have been reported. cure: remedy for too many cells between commas, or NULL */
bool scree_lines_cell(table_lines *t, int32_t n, const char *cure, table_cell *out, bool *right);
/* Reads a cell of column n as a number in its unit, with the decimal sign of the table. False if it is not a number. */
bool scree_lines_value(const table_lines *t, int32_t n, const table_cell *c, double *out);
/* Tests whether a value is in the range of its column, and reports a value that is not. */
bool scree_lines_in_range(const table_lines *t, const column_name *k, const table_cell *c, double value);

typedef struct number_column {
	column_name of;
	real *value; /* [rows], in the reader's arena */
} number_column;

/* Reads all columns, each of which must exist. Returns the number of rows, at least 1, or -1 if an error was reported.
 * at: the node that names the file; rows_at: [rows] positions of the rows, for messages. */
int32_t scree_read_columns(reader *r, const node *at, const char *path, int32_t columns, number_column *column,
						   place **rows_at);

#endif
