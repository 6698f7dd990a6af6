/* verbs.h: what the public functions do, each with all that it was given. */
#ifndef SCREE_RUN_VERBS_H
#define SCREE_RUN_VERBS_H

#include "scree/scree.h"

typedef struct request {
	const char *what, *to; /* scene, snapshot, table or key; the file to write */
	int sets;
	const char *const *set;
	long long steps;
	int threads, unsorted, repair;
	const scree_run_options *run;
} request;

/* They return exit codes, and may break off (base/fail.h). */
typedef int verb_fn(const request *q);
verb_fn scree_verb_run, scree_verb_check, scree_verb_list, scree_verb_explain, scree_verb_schema, scree_verb_render;
verb_fn scree_verb_hash, scree_verb_export, scree_verb_bench;

#endif
