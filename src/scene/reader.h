/* reader.h: data and functions common to the parts of the scene reader (internal). */
#ifndef SCREE_SCENE_READER_H
#define SCREE_SCENE_READER_H

#include <stddef.h>

#include "format/mesh.h"
#include "population/population.h"
#include "scene/scene.h"
#include "scene/schema.h"
#include "scene/value.h"
#include "world/world.h"

enum {
	INCLUDE_DEPTH = 8,
	SEALED_BODIES =
		2000, /* most bodies of a scene from memory that may not touch files: fuzzing must not fill the memory */
	SEALED_GRAINS = 20 /* most shapes of one family there */
};

/* Rows of the world for a shape of the scene: one, or a family of several, which bodies take in turn. */
typedef struct shape_rows {
	int32_t first, count;
	int64_t taken; /* bodies of fills with this shape so far */
	real scale;	   /* factor from the world's unit shape to the scene's */
} shape_rows;

typedef struct import import; /* build_snapshot.h */

typedef struct reader {
	arena memory;
	report r;
	lets let;
	lets *before;		/* names of let before --set changed them; NULL: no --set */
	const char *folder; /* folder of the scene, "" or ending in '/' */
	bool sealed, plan_only;
	bool repairs;	  /* meshes of shapes are repaired where that is safe, and written next to their files */
	bool strange;	  /* there is an unknown section: references to a missing one are not reported again */
	bool flat;		  /* a world of dimension 2 */
	bool broken;	  /* an included file cannot be read: missing definitions are not reported */
	int32_t defaults; /* source of values that come from the table of keys */
	node *root;
	scene_spec spec;
	/* building */
	struct scree_world *world;
	shape_rows *shape; /* [spec.shapes.count] */
	import *import;	   /* [imports] snapshots whose bodies were added */
	int32_t imports;
	writing notes; /* notes on tables and snapshots of bodies */
} reader;

/* Functions that build a form of a wall or motion from its value. */
typedef struct maker {
	bool (*wall)(reader *r, const void *value, wall w, fail *why); /* false: with a sentence */
	bool two_sided;												   /* whether such walls may be two-sided */
	void (*motion)(const motion_spec *s, wall_motion *out);
	bool turns; /* it uses the keys `about` and `point` */
} maker;

/* reader_tree.c: the file and its includes as one tree. False: reading cannot continue. */
bool scree_reader_tree(reader *r, const char *name, const char *bytes, size_t length);
/* Reads a whole file, relative to the scene's folder, into the arena; what and at are for messages. NULL: reported. */
const char *scree_reader_file(reader *r, const node *at, const char *path, size_t most, size_t *length);
/* Checks a path given by node n and makes it relative to the scene's folder. NULL: reported. */
const char *scree_reader_path(reader *r, const node *n, const char *what);
/* reader_set.c: applies every --set NAME=VALUE to the tree */
void scree_reader_sets(reader *r, int sets, const char *const *set);
/* load.c: reads the tree into r->spec by the table of keys */
void scree_reader_load(reader *r);
/* load_values.c: reads the value of one key */
bool scree_reader_value(reader *r, const key *k, const node *n, void *to);
/* reads one quantity with a dimension and a range */
bool scree_reader_real(reader *r, const key *k, const node *n, double *out);
/* check.c: rules beyond the table: keys that exclude each other, names of pairs, corners in order */
void scree_reader_check(reader *r);
/* check_shapes.c: keys of shapes that apply to another variant */
void scree_check_shapes(reader *r);
/* check_response.c: keys of steps by forces or by impulses; removes those that do not apply */
void scree_check_response(reader *r);
/* build*.c: builds the world and the plan; reports errors like all others */
void scree_reader_build(reader *r);
void scree_build_walls(reader *r);
/* Stores mass and greatest speed of servos, which follow from the bodies, in rules and resolved scene. */
void scree_build_resolve_servos(reader *r);
/* with bodies: whether they are on the active sides of meshes */
void scree_build_check_meshes(reader *r);
void scree_build_population(reader *r);
/* in the complete world: whether sources can place their bodies */
void scree_check_sources(reader *r);
void scree_build_fills(reader *r);
/* in the complete world: whether bodies overlap at the start */
void scree_build_start(reader *r);
void scree_build_plan(const reader *r, scene *out);
/* build_mesh.c: a mesh from a file, unchanged; false: reported */
bool scree_build_mesh(reader *r, const head *h, const char *file, mesh *out);
/* Returns the row of a shape, of a family the first one; -1 with a sentence, or -2 if it was reported. */
int32_t scree_build_mesh_shape(reader *r, const char *name, const mesh_spec *spec, fail *why);
int32_t scree_build_granulate(reader *r, const char *name, const granulate_spec *spec, fail *why);
int32_t scree_build_clump(reader *r, const char *name, const clump_spec *spec, fail *why);
/* code common to fills and sources; needs the shapes */
region scree_build_region(const reader *r, const region_spec *g);
spread scree_build_spread(const reader *r, const size_spec *s, int32_t shape);
/* shapes of parts are indices of the scene's list here, not rows of the world */
int32_t scree_build_mix(const reader *r, const fill_spec *f, mix_part part[16]);
/* draw.c: code common to fills */
typedef struct body_list {
	int64_t count, capacity;
	new_body *row;
} body_list;
void scree_body_list_add(body_list *l, new_body b);
/* Draws one body of a fill, except for its position. rows: rows of the scene's shapes; a family gives its next grain.
 */
new_body scree_fill_draw(const reader *r, const fill_spec *f, const mix_part *part, int32_t parts, shape_rows *rows,
						 random_stream *s);
const char *scree_fill_name(const reader *r, const fill_spec *f, char name[64]);
/* build_snapshot.c: appends bodies of a snapshot to a list; then, when they are in the world, sets the rest of their
 * state; then, when it is prepared, histories of contacts */
bool scree_is_snapshot(const char *path);
bool scree_build_snapshot(reader *r, const fill_spec *f, body_list *out);
void scree_build_imports(reader *r);
void scree_build_histories(reader *r);
void scree_build_imports_free(reader *r);
/* table.c: appends bodies of a CSV table to a list */
bool scree_build_table(reader *r, const fill_spec *f, body_list *out);
/* place.c: bodies at random positions without overlap; reports failure */
typedef struct placer placer;
placer *scree_placer_new(const reader *r, real largest);
void scree_placer_free(placer *p);
/* notes the placed bodies, too */
bool scree_place_random(reader *r, placer *p, const fill_spec *f, random_stream *s, body_list *out);
/* volume of a body; in the plane its area */
real scree_body_volume(const reader *r, const new_body *b);
/* notes bodies from .. count-1 of the list, so that random ones will not overlap them */
void scree_placer_note(placer *p, const body_list *all, int64_t from);

/* limits.c: limits of a run; false: reported. `before`: number of existing bodies. */
bool scree_limit_memory(reader *r, place at, const char *key, real bodies);
bool scree_limit_random(reader *r, const fill_spec *f, const mix_part *part, int32_t parts, int64_t before);
/* cells of a lattice in the box around its region, and the volume of that box */
bool scree_limit_lattice(reader *r, const fill_spec *f, const region *g, real cells, real box, int64_t before);
/* limits sizes and positions of the bodies from .. count-1 */
bool scree_limit_places(reader *r, const fill_spec *f, const body_list *all, int64_t from);
/* limits steps, outputs and sources of a prepared world */
void scree_limit_run(reader *r);

/* reads "a + b" into the indices of two materials; false: reported if say is true */
bool scree_pair_of(reader *r, const node *n, int32_t pair[2]);
/* given.c */
/* node of key `name` in the section's mapping, for messages; the section itself if the key is missing */
const node *scree_where(const head *h, const char *name);
/* position in the file of entry i of the list of key `name` */
place scree_entry(const head *h, const char *name, int32_t i);
/* the first key given that is a form; NULL: none is */
const key *scree_form_given(const head *h, const section *s);
/* whether this key was given */
bool scree_given(const head *h, const section *s, const char *name);
/* Whether this missing key may be one that was misspelled and already reported. Each unknown key of a section
 * excuses one missing key, so that one mistake gives one error. */
bool scree_excused(head *h);
/* removes key `name` from the resolved scene */
void scree_forget(head *h, const section *s, const char *name);
/* resolved.c: the resolved scene as YAML, to be freed with scree_free */
char *scree_resolved(const reader *r);
/* explain.c: the tables of docs/scene.md, to be freed with scree_free */
char *scree_scene_reference(void);

#endif
