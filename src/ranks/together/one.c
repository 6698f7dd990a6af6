/* one: a world in a single process, which owns all bodies; also functions that use the table of any rule. */
#include "ranks/together/domain.h"

#include "base/memory.h"

#include <string.h>

static void most(void *at, int32_t count, real *x) { (void)at, (void)count, (void)x; }

static void add(void *at, int32_t count, fixed *x) { (void)at, (void)count, (void)x; }

static void both(void *at, int32_t mosts, real *most_of, int32_t sums, fixed *sum)
{
	(void)at, (void)mosts, (void)most_of, (void)sums, (void)sum;
}

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

const domain_row scree_domain_one = {.most = most, .add = add, .both = both, .gather = gather, .owns = owns};

const domain scree_domain_alone = {.by = &scree_domain_one, .first = true};

void scree_domain_most(const domain *d, int32_t count, real *x) { d->by->most(d->at, count, x); }

void scree_domain_least(const domain *d, int32_t count, real *x)
{
	for (int32_t k = 0; k < count; ++k) x[k] = -x[k];
	d->by->most(d->at, count, x);
	for (int32_t k = 0; k < count; ++k) x[k] = -x[k];
}

void scree_domain_need(const domain *d, bool right, const char *phase, const char *what)
{
	if (right || d->by == &scree_domain_one) return;
	scree_break_off(FAIL_INTERNAL, "the numbers of this or another rank, phase %s, are wrong: %s", phase, what);
}

static bool is_flag(real x) { return x == 0 || x == 1; }

static void put(domain *d, domain_term o)
{
	domain_terms *t = &d->waiting;
	SCREE_ASSERT(t->count < DOMAIN_MOST_TERMS);
	t->of[t->count++] = o;
}

void scree_domain_put_most(domain *d, int32_t count, real *x) { put(d, (domain_term){.at = x, .count = count}); }

void scree_domain_put_flag(domain *d, real *x) { put(d, (domain_term){.at = x, .count = 1, .is_flag = true}); }

void scree_domain_put_sum(domain *d, int32_t count, fixed *x)
{
	put(d, (domain_term){.at = x, .count = count, .is_sum = true});
}

typedef struct joint_numbers {
	int32_t mosts, sums;
	real *most;
	fixed *sum;
} joint_numbers;

/* Copies all numbers from their addresses or back to these addresses. */
static void copy_numbers(const domain_terms *t, joint_numbers *all, bool back)
{
	all->mosts = all->sums = 0;
	for (int32_t k = 0; k < t->count; ++k) {
		const domain_term *o = t->of + k;
		void *here = o->is_sum ? (void *)(all->sum + all->sums) : (void *)(all->most + all->mosts);
		const size_t size = (size_t)o->count * (o->is_sum ? sizeof(fixed) : sizeof(real));
		if (size) memcpy(back ? o->at : here, back ? here : o->at, size);
		*(o->is_sum ? &all->sums : &all->mosts) += o->count;
	}
}

void scree_domain_join(domain *d)
{
	domain_terms *t = &d->waiting;
	joint_numbers all = {0};
	if (d->by == &scree_domain_one || !t->count) {
		t->count = 0;
		return;
	}
	for (int32_t k = 0; k < t->count; ++k) *(t->of[k].is_sum ? &all.sums : &all.mosts) += t->of[k].count;
	all.most = scree_alloc((size_t)all.mosts, sizeof *all.most);
	all.sum = scree_alloc((size_t)all.sums, sizeof *all.sum);
	copy_numbers(t, &all, false);
	d->by->both(d->at, all.mosts, all.most, all.sums, all.sum);
	copy_numbers(t, &all, true);
	for (int32_t k = 0; k < t->count; ++k)
		scree_domain_need(d, !t->of[k].is_flag || is_flag(*(const real *)t->of[k].at), "add",
						  "a flag is neither 0 nor 1");
	t->count = 0;
	scree_free(all.most);
	scree_free(all.sum);
}

bool scree_domain_any(const domain *d, bool here)
{
	real x = here;
	d->by->most(d->at, 1, &x);
	scree_domain_need(d, is_flag(x), "greatest", "a flag is neither 0 nor 1");
	return x > 0;
}

int64_t scree_domain_count(const domain *d, int64_t here)
{
	fixed sum = {.quanta = here};
	d->by->add(d->at, 1, &sum);
	scree_domain_need(d, !sum.beyond && sum.quanta >= here && sum.quanta <= INT64_MAX, "add",
					  "impossible count over all ranks");
	return (int64_t)sum.quanta;
}

/* Another part may send wrong numbers. */
static bool is_code(real x) { return x == FAIL_INPUT || x == FAIL_GUARD || x == FAIL_IO || x == FAIL_INTERNAL; }

bool scree_domain_agree(const domain *d, bool here, fail *why)
{
	real least[2] = {here ? INFINITY : (real)why->code, here ? INFINITY : (real)-why->error};
	scree_domain_least(d, 2, least);
	if (!(least[0] < INFINITY)) return true;
	int64_t length = !here && (real)why->code == least[0] && *why->text ? (int64_t)strlen(why->text) + 1 : 0;
	char *sentences = d->by->gather(d->at, &length, 1, why->text);
	if (is_code(least[0]) && length > 0)
		scree_fail(why, (fail_code)least[0], "%.*s", (int)(length < INT32_MAX ? length : INT32_MAX), sentences);
	else
		scree_fail(why, FAIL_INTERNAL,
				   "all parts of the world have stopped without giving a reason: the numbers that one of them sent in "
				   "phase greatest or add are invalid");
	why->error = -least[1] > 0 && -least[1] < INT32_MAX ? (int)-least[1] : 0;
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
