/* calls: the public functions. Each is an attempt with its own memory: a failure inside is returned as an exit code,
 * and memory is freed. */
#include "base/fail.h"
#include "base/memory.h"
#include "run/verbs.h"

#include <stdio.h>

typedef struct call {
	verb_fn *verb;
	const request *q;
	int code;
} call;

static void make(void *what)
{
	call *c = what;
	c->code = c->verb(c->q);
}

static int answer(verb_fn *verb, const request *q)
{
	call c = {.verb = verb, .q = q};
	fail why;
	memory_list all = {0}, *outer = scree_memory_into(&all);
	bool whole = scree_attempt(make, &c, &why);
	scree_memory_into(outer);
	scree_memory_drop(&all);
	if (whole) return c.code;
	fflush(stdout);
	fprintf(stderr, "scree: error: %s\n", why.text); /* not scree_print, which allocates memory */
	return (int)why.code;
}

int scree_run(const scree_run_options *options) { return answer(scree_verb_run, &(request){.run = options}); }

int scree_check(const char *scene, int sets, const char *const *set)
{
	return answer(scree_verb_check, &(request){.what = scene, .sets = sets, .set = set});
}

int scree_check_repair(const char *scene, int sets, const char *const *set)
{
	return answer(scree_verb_check, &(request){.what = scene, .sets = sets, .set = set, .repair = 1});
}

int scree_list(const char *table) { return answer(scree_verb_list, &(request){.what = table}); }

int scree_explain(const char *key) { return answer(scree_verb_explain, &(request){.what = key}); }

int scree_schema(void) { return answer(scree_verb_schema, &(request){0}); }

int scree_render(const char *snapshot, const char *png, int sets, const char *const *set)
{
	return answer(scree_verb_render, &(request){.what = snapshot, .to = png, .sets = sets, .set = set});
}

int scree_hash_snapshot(const char *snapshot) { return answer(scree_verb_hash, &(request){.what = snapshot}); }

int scree_export(const char *snapshot, const char *path)
{
	return answer(scree_verb_export, &(request){.what = snapshot, .to = path});
}

int scree_bench(const char *snapshot, long long steps, int threads, int unsorted)
{
	return answer(scree_verb_bench,
				  &(request){.what = snapshot, .steps = steps, .threads = threads, .unsorted = unsorted});
}

void scree_on_failure(scree_failure_fn *handler, void *context) { scree_failure_handler(handler, context); }
