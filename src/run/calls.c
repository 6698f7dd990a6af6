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
