/* verbs.h: the work of the public functions, with all their arguments in a request. */
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

/* Returns an exit code, and may fail (base/fail.h). */
typedef int verb_fn(const request *q);
verb_fn scree_verb_run;

#endif
