/* scene.h: turns a scene file into a world ready to run and the plan of the run. */
#ifndef SCREE_SCENE_SCENE_H
#define SCREE_SCENE_SCENE_H

#include "base/fail.h"
#include "base/real.h"
#include "format/plan.h"
#include "model/flow_planes.h"

#include <stddef.h>

struct response;
struct scree_world;

/* The condition that ends a stage of a run. The changes made by the stage are in the resolved scene. */
typedef enum stage_end {
	END_NEVER, /* ends with the run */
	END_AFTER,
	END_KINETIC_ENERGY,
	END_SPEED,
	END_FORCE,
	END_PRESSURE,
	END_MASS_OUT,
	END_SLIDING,
	END_STRESS,
	END_STRAIN,
	END_SERVO,
	END_UNCHANGED
} stage_end;

typedef struct stage_rule {
	char name[48];
	char changes[160]; /* changes made by the stage: "walls.lid, world.gravity" */
	stage_end end;
	real limit;					  /* END_AFTER: time in s; others: the value to compare with, in SI units */
	char wall[48];				  /* END_FORCE, END_PRESSURE */
	real area;					  /* m2, END_PRESSURE */
	int32_t along;				  /* END_STRESS, END_STRAIN: an axis, or negative for all axes */
	int32_t steady;				  /* END_UNCHANGED: number of the value in the words of the key `unchanged` */
	real hold;					  /* duration in s for which the condition must hold */
	real at_least, at_most;		  /* in s, from the start of the stage */
	int32_t response, integrator; /* rows of their tables */
	bool goes_on;				  /* at `at_most` the next stage begins; if false, the run stops */
} stage_rule;

typedef struct scene {
	char *path, *title;
	char *resolved;			   /* the resolved scene as YAML */
	char *notes;			   /* notes for the user about the scene, or empty */
	struct scree_world *world; /* with bodies placed, after scree_world_prepare */
	run_plan run;
	output_plan output;
	flow_planes flow;  /* planes of the measures; also in the model of `world` */
	stage_rule *stage; /* [stages] */
	int32_t stages;
} scene;

/* A change to a world made by a stage of its scene or by --set. */
typedef struct scene_change {
	uint32_t kinds; /* data of the world that have changed: CHANGED_.. of world/world.h */
	/* new step in s, or in shortest contact times; both 0 if unchanged, or for the default of a new response */
	real step, part;
	const struct response *response; /* the new response; NULL if unchanged */
} scene_change;

typedef struct scene_problem {
	char *file;			   /* name of the source */
	int32_t line, column;  /* counted from 1; columns count characters; 0 stands for the whole source */
	char *sentence, *cure; /* cure: a remedy, or NULL */
} scene_problem;

typedef struct scene_problems {
	int32_t count;
	scene_problem *row;
	char *text; /* as the command prints them */
} scene_problems;
void scree_scene_problems_free(scene_problems *p);

typedef struct scene_input {
	const char *name; /* path of the file; with `text`, the name in messages and the base of relative paths */
	const char *text; /* NULL to read the file */
	size_t length;
	int sets;
	const char *const *set;
	/* NULL for the scene's run.response. A different response drops keys specific to the scene's own response:
	 * run.step, run.correction, run.friction_directions and output. */
	const char *response;
	bool sealed;	/* accesses no file */
	bool repairs;	/* whether to repair meshes of shapes where safe, and write NAME.repaired.ply next to their files */
	bool plan_only; /* whether to read only the plan and the resolved scene, without a world or other files */
} scene_input;
/* Reads, checks and builds. On failure returns false and all problems, which the caller frees. */
bool scree_scene_read(const scene_input *in, scene *out, scene_problems *problems);

/* Tests whether a change "key=value" is allowed during a run. */
bool scree_scene_may_change(const char *set);
/* Changes a world from the scene of stage `from` to that of stage `to`; the scenes are read from `in` with and without
 * its `sets`. *plan: the plan of the new scene. Only the model of the world and the states of its walls are written.
 * Returns false with the problems or, if there are none, an error message; the world may then be partly changed. */
bool scree_scene_change(const scene_input *in, int32_t from, int32_t to, struct scree_world *w, scene *plan,
						scene_change *out, scene_problems *problems, fail *why);

/* Reads, checks and builds. sets: "name=value" (names of let, or dotted keys). On failure returns false, and *report
 * holds at most 20 messages ("file:line:column: error: ...", the line, a caret, the remedy), freed with scree_free. */
bool scree_scene_load(const char *path, int sets, const char *const *set, scene *out, char **report);
void scree_scene_free(scene *s);

/* Explains a key as text, freed with scree_free; NULL for an unknown key, with a suggestion in `why`. */
char *scree_scene_explain(const char *dotted, fail *why);
/* The paths of the first keys with this name, anywhere in a scene, freed with scree_free; NULL if there are none. */
char *scree_scene_keys_named(const char *name);
/* names of the keys of all sections; free `name` with scree_free */
typedef struct key_names {
	const char **name;
	int count;
} key_names;
key_names scree_scene_all_keys(void);
char *scree_scene_schema(void); /* JSON Schema (draft 2020-12) */

#endif
