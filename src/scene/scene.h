/* scene.h: what a scene file becomes: a world ready to run and the plan of the run. */
#ifndef SCREE_SCENE_SCENE_H
#define SCREE_SCENE_SCENE_H

#include "base/fail.h"
#include "base/real.h"
#include "plan/plan.h"

#include <stddef.h>

struct scree_world;

typedef struct scene {
	char *path, *title;
	char *resolved;			   /* the scene with all defaults, sets and expressions worked out, as YAML */
	char *notes;			   /* lines for the user about what was read, or empty */
	struct scree_world *world; /* bodies placed, scree_world_prepare done */
	run_plan run;
	output_plan output;
} scene;

/* Reads, checks and builds. sets: "name=value" (names of let, or dotted keys). On failure *report holds all messages
 * ("file:line:column: error: ...", the line, a caret, the cure; at most 20), to be freed with scree_free, and false
 * returns. */
bool scree_scene_load(const char *path, int sets, const char *const *set, scene *out, char **report);
/* The same; meshes of shapes that are not as they must be are mended where that is safe, and written beside their files
 * as NAME.repaired.ply, which is told on standard output. */
bool scree_scene_repair(const char *path, int sets, const char *const *set, scene *out, char **report);
/* The same from memory (fuzzing, tests); never touches files when `sealed`. */
bool scree_scene_parse(const char *name, const char *text, size_t length, int sets, const char *const *set, bool sealed,
					   scene *out, char **report);
void scree_scene_free(scene *s);
/* The plan alone, checked, and the resolved scene, without building a world or touching other files: what a resumed run
 * asks its snapshot's resolved scene. */
bool scree_scene_plan(const char *name, const char *text, size_t length, int sets, const char *const *set, scene *out,
					  char **report);

/* What the table of keys can tell, as text to be freed with scree_free; NULL when there is no such key, with a
 * suggestion in why. */
char *scree_scene_explain(const char *dotted, fail *why);
char *scree_scene_schema(void); /* JSON Schema (draft 2020-12) */

#endif
