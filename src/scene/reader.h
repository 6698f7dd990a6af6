/* reader.h: what the parts of the scene reader share while one scene is read (internal). */
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
	SEALED_GRAINS = 20 /* and of the shapes of one family */
};

/* What the world has of a shape of the scene: one row, or a family of several, which bodies take in turn. */
typedef struct shape_rows {
	int32_t first, count;
	int64_t taken; /* bodies of fills that have it so far */
	real scale;	   /* the world's unit shape times this is the scene's */
} shape_rows;

typedef struct import import; /* build_snapshot.h */

typedef struct reader {
	arena memory;
	report r;
	lets let;
	lets *before;		/* the names of let as they were before --set changed them; NULL: no --set */
	const char *folder; /* of the scene, "" or ending in '/' */
	bool sealed, plan_only;
	bool repairs;	  /* meshes of shapes are mended where that is safe, and written beside their files */
	bool strange;	  /* it has a section that there is not: what refers to a missing one is not reported again */
	bool flat;		  /* a world of dimension 2 */
	bool broken;	  /* a file that was to be included cannot be read: what it defines would be missed everywhere */
	int32_t defaults; /* source of values that come from the table of keys */
	node *root;
	scene_spec spec;
	/* building */
	struct scree_world *world;
	shape_rows *shape; /* [spec.shapes.count] */
	import *import;	   /* [imports] snapshots whose bodies came */
	int32_t imports;
	writing notes; /* lines about what was read: of tables and snapshots of bodies */
} reader;

/* What is built of a key that is one form among others, from what stands there. */
typedef struct maker {
	bool (*wall)(reader *r, const void *value, wall w, fail *why); /* false: with a sentence */
	bool two_sided;												   /* may such walls be? */
	void (*motion)(const motion_spec *s, wall_motion *out);
	bool turns; /* the keys about and point are its */
} maker;

/* reader_tree.c: the file and what it includes as one tree. False: nothing to go on with. */
bool scree_reader_tree(reader *r, const char *name, const char *bytes, size_t length);
/* A whole file, relative to the scene's folder, its bytes in the arena; what and at are for messages. NULL: reported.
 */
const char *scree_reader_file(reader *r, const node *at, const char *path, size_t most, size_t *length);
/* Checks a path given by node n and makes it relative to the scene's folder. NULL: reported. */
const char *scree_reader_path(reader *r, const node *n, const char *what);
/* reader_set.c: every --set NAME=VALUE into the tree */
void scree_reader_sets(reader *r, int sets, const char *const *set);
/* load.c: the tree into r->spec by the table of keys */
void scree_reader_load(reader *r);
/* load_values.c: the value of one key */
bool scree_reader_value(reader *r, const key *k, const node *n, void *to);
/* one quantity with a dimension and a range */
bool scree_reader_real(reader *r, const key *k, const node *n, double *out);
/* check.c: what the table cannot say: keys that exclude each other, names of pairs, corners in order */
void scree_reader_check(reader *r);
/* check_shapes.c: keys of shapes that belong to another choice */
void scree_check_shapes(reader *r);
/* check_response.c: what belongs to steps by forces or by impulses alone; what does not is forgotten */
void scree_check_response(reader *r);
/* build*.c: the world and the plan; messages like all others */
void scree_reader_build(reader *r);
void scree_build_shapes(reader *r);
void scree_build_materials(reader *r);
void scree_build_walls(reader *r);
/* Mass and greatest speed of servos, which follow from the bodies, into rules and resolved scene. */
void scree_build_resolve_servos(reader *r);
/* when there are bodies: are they on the sides of meshes that act? */
void scree_build_check_meshes(reader *r);
void scree_build_population(reader *r);
/* of the world as it is built: can sources place their bodies? */
void scree_check_sources(reader *r);
void scree_build_fills(reader *r);
/* of the world as it is built: do bodies overlap from the start? */
void scree_build_start(reader *r);
void scree_build_plan(const reader *r, scene *out);
/* build_mesh.c: a mesh from a file, as it stands there; false: reported */
bool scree_build_mesh(reader *r, const head *h, const char *file, mesh *out);
/* Rows of shapes, of a family the first one, or -1 with a sentence, or -2 where it was reported. */
int32_t scree_build_mesh_shape(reader *r, const char *name, const mesh_spec *spec, fail *why);
int32_t scree_build_granulate(reader *r, const char *name, const granulate_spec *spec, fail *why);
int32_t scree_build_clump(reader *r, const char *name, const clump_spec *spec, fail *why);
/* parts that fills and sources share; both need the shapes to be built */
region scree_build_region(const reader *r, const region_spec *g);
spread scree_build_spread(const reader *r, const size_spec *s, int32_t shape);
/* shapes of parts are places in the scene's list here, not rows of the world */
int32_t scree_build_mix(const reader *r, const fill_spec *f, mix_part part[16]);
/* draw.c: what fills share */
typedef struct body_list {
	int64_t count, capacity;
	new_body *row;
} body_list;
void scree_body_list_add(body_list *l, new_body b);
/* One body of a fill, all but its position. rows: of the scene's shapes; of a family the next one is taken. */
new_body scree_fill_draw(const reader *r, const fill_spec *f, const mix_part *part, int32_t parts, shape_rows *rows,
						 random_stream *s);
const char *scree_fill_name(const reader *r, const fill_spec *f, char name[64]);
/* build_snapshot.c: bodies from a snapshot of another run appended to a list; the rest of their state, once they are
 * bodies of the world; their contacts' histories, once it is prepared */
bool scree_is_snapshot(const char *path);
bool scree_build_snapshot(reader *r, const fill_spec *f, body_list *out);
void scree_build_imports(reader *r);
void scree_build_histories(reader *r);
void scree_build_imports_free(reader *r);
/* table.c: bodies from a CSV table appended to a list */
bool scree_build_table(reader *r, const fill_spec *f, body_list *out);
/* place.c: bodies at random places without overlap; reported when they do not fit */
typedef struct placer placer;
placer *scree_placer_new(const reader *r, real largest);
void scree_placer_free(placer *p);
/* the bodies placed are noted, too */
bool scree_place_random(reader *r, placer *p, const fill_spec *f, random_stream *s, body_list *out);
/* in the plane its area */
real scree_body_volume(const reader *r, const new_body *b);
/* bodies from .. count-1 of the list are there; random ones will not overlap them */
void scree_placer_note(placer *p, const body_list *all, int64_t from);

/* limits.c: what a run can hold; false: reported. `before`: bodies that are there already. */
bool scree_limit_memory(reader *r, place at, const char *key, real bodies);
bool scree_limit_random(reader *r, const fill_spec *f, const mix_part *part, int32_t parts, int64_t before);
/* cells of a lattice in the box around its region, and the volume of that box */
bool scree_limit_lattice(reader *r, const fill_spec *f, const region *g, real cells, real box, int64_t before);
/* sizes and places of the bodies from .. count-1 */
bool scree_limit_places(reader *r, const fill_spec *f, const body_list *all, int64_t from);
/* steps, outputs and sources of a world that is prepared */
void scree_limit_run(reader *r);

/* "a + b" into the places of two materials; false: reported when say is true */
bool scree_pair_of(reader *r, const node *n, int32_t pair[2]);
/* given.c */
/* node of key `name` in the section's mapping, for messages; the section itself when it is not there */
const node *scree_where(const head *h, const char *name);
/* place of entry i of the list of key `name` */
place scree_entry(const head *h, const char *name, int32_t i);
/* the first key given that is a form; NULL: none is */
const key *scree_form_given(const head *h, const section *s);
/* was this key given? */
bool scree_given(const head *h, const section *s, const char *name);
/* Is it likely that this missing key is one that was misspelled, which has been reported? Each unknown key of a section
 * excuses one missing key: one mistake gives one error. */
bool scree_excused(head *h);
/* key `name` is no part of the scene as it was understood */
void scree_forget(head *h, const section *s, const char *name);
/* resolved.c: the scene with everything worked out, as YAML, to be freed with scree_free */
char *scree_resolved(const reader *r);
/* explain.c: the tables of docs/scene.md, to be freed with scree_free */
char *scree_scene_reference(void);

#endif
