/* one: a world in a single process, which owns all bodies; and functions based on the table, for any row. */
#include "domain/domain.h"

#include "base/memory.h"

#include <string.h>

static void most(void *at, int32_t count, real *x) { (void)at, (void)count, (void)x; }

static void add(void *at, int32_t count, fixed *x) { (void)at, (void)count, (void)x; }

static void *gather(void *at, int64_t *count, size_t size, const void *rows)
{
	(void)at;
	return scree_copy(rows, (size_t)*count, size);
}

static bool owns(void *at, vec3 position)
{
	(void)at, (void)position;
	return true;
}

const domain_row scree_domain_one = {
	.name = "one", .help = "a single process", .most = most, .add = add, .gather = gather, .owns = owns};

const domain scree_domain_alone = {.by = &scree_domain_one, .first = true};

void scree_domain_most(const domain *d, int32_t count, real *x) { d->by->most(d->at, count, x); }

void scree_domain_least(const domain *d, int32_t count, real *x)
{
	for (int32_t k = 0; k < count; ++k) x[k] = -x[k];
	d->by->most(d->at, count, x);
	for (int32_t k = 0; k < count; ++k) x[k] = -x[k];
}

bool scree_domain_any(const domain *d, bool here)
{
	real x = here;
	d->by->most(d->at, 1, &x);
	return x > 0;
}

int64_t scree_domain_count(const domain *d, int64_t here)
{
	fixed sum = {.quanta = here};
	d->by->add(d->at, 1, &sum);
	return (int64_t)sum.quanta;
}

bool scree_domain_agree(const domain *d, bool here, fail *why)
{
	real least[2] = {here ? INFINITY : (real)why->code, here ? INFINITY : (real)-why->error};
	scree_domain_least(d, 2, least);
	if (!(least[0] < INFINITY)) return true;
	int64_t length = !here && (real)why->code == least[0] && *why->text ? (int64_t)strlen(why->text) + 1 : 0;
	char *sentences = d->by->gather(d->at, &length, 1, why->text);
	SCREE_ASSERT(length > 0);
	scree_fail(why, (fail_code)least[0], "%s", sentences);
	why->error = (int)-least[1];
	scree_free(sentences);
	return false;
}

bool scree_suspect_before(const suspect *x, const suspect *y)
{
	if (x->extent != y->extent) return x->extent > y->extent;
	return x->body != y->body ? x->body < y->body : x->other < y->other;
}

bool scree_domain_names(const domain *d, const suspect *here)
{
	bool first = true;
	int64_t count = 1;
	suspect *all = d->by->gather(d->at, &count, sizeof *all, here);
	for (int64_t k = 0; k < count; ++k) first = first && !scree_suspect_before(all + k, here);
	scree_free(all);
	return first;
}
