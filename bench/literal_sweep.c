#define _POSIX_C_SOURCE 200809L
#include "literal_sweep.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct end {
	double value;
	int32_t box;
	bool upper;
	struct end *before, *after;
} end;

typedef literal_collision collision;

typedef struct particle {
	pthread_mutex_t lock;
	collision *first;
} particle;

struct literal_sweep {
	int32_t count;
	int threads;
	const double (*box)[4];
	particle *particle;
	end *ends[2],
		*first[2]; /* [2 count]: alternately the lower and the upper end of each box; the lowest end in the list */
	int64_t exchanges[2];
	pthread_t second;
	pthread_barrier_t begin, done;
	bool stop;
};

/* ------------------------------------------------------------------ collisions */

static collision **find(particle *p, int32_t with)
{
	collision **at = &p->first;
	while (*at && (*at)->with != with) at = &(*at)->next;
	return at;
}

static void add(literal_sweep *s, int32_t i, int32_t j)
{
	particle *p = s->particle + (i < j ? i : j);
	int32_t with = i < j ? j : i;
	pthread_mutex_lock(&p->lock);
	if (!*find(p, with)) {
		collision *c = malloc(sizeof *c);
		if (!c) abort();
		*c = (collision){.with = with, .next = p->first};
		p->first = c;
	}
	pthread_mutex_unlock(&p->lock);
}

static void take(literal_sweep *s, int32_t i, int32_t j)
{
	particle *p = s->particle + (i < j ? i : j);
	pthread_mutex_lock(&p->lock);
	collision **at = find(p, i < j ? j : i), *gone = *at;
	if (gone) *at = gone->next;
	pthread_mutex_unlock(&p->lock);
	free(gone);
}

/* ------------------------------------------------------------------ one axis */

static bool meet(const literal_sweep *s, int d, int32_t i, int32_t j)
{
	const double *p = s->box[i], *q = s->box[j];
	return p[d] <= q[d + 2] && q[d] <= p[d + 2];
}

static bool is_before(const end *x, const end *y)
{
	if (x->value != y->value) return x->value < y->value;
	return x->upper != y->upper ? y->upper : x->box < y->box;
}

static void exchange(literal_sweep *s, int d, const end *x, const end *y)
{
	if (x->upper == y->upper) return;
	if (x->upper)
		take(s, x->box, y->box);
	else if (meet(s, 1 - d, x->box, y->box))
		add(s, x->box, y->box);
}

/* moves x from its position to the position after `place`, or to the front */
static void put_behind(literal_sweep *s, int d, end *x, end *place)
{
	x->before->after = x->after;
	if (x->after) x->after->before = x->before;
	x->before = place;
	x->after = place ? place->after : s->first[d];
	if (x->after) x->after->before = x;
	*(place ? &place->after : s->first + d) = x;
}

static void sort_axis(literal_sweep *s, int d)
{
	int64_t exchanges = 0;
	for (int64_t k = 0; k < 2 * (int64_t)s->count; ++k) {
		end *e = s->ends[d] + k;
		e->value = s->box[e->box][e->upper ? d + 2 : d];
	}
	for (end *x = s->first[d]; x;) {
		end *next = x->after, *place = x->before;
		for (; place && is_before(x, place); place = place->before, ++exchanges) exchange(s, d, x, place);
		if (place != x->before) put_behind(s, d, x, place);
		x = next;
	}
	s->exchanges[d] += exchanges;
}

static void *second_axis(void *what)
{
	literal_sweep *s = what;
	for (;;) {
		pthread_barrier_wait(&s->begin); /* waits until all boxes have their positions for this step */
		if (s->stop) return NULL;
		sort_axis(s, 1);
		pthread_barrier_wait(&s->done);
	}
}

void literal_sweep_update(literal_sweep *s, const double (*box)[4])
{
	s->box = box;
	if (s->threads == 2) pthread_barrier_wait(&s->begin);
	sort_axis(s, 0);
	if (s->threads == 2)
		pthread_barrier_wait(&s->done);
	else
		sort_axis(s, 1);
}

void literal_sweep_axis(literal_sweep *s, int axis) { sort_axis(s, axis); }

/* ------------------------------------------------------------------ functions for callers that read particles */

literal_collision *literal_sweep_first(const literal_sweep *s, int32_t i) { return s->particle[i].first; }

void literal_sweep_lock(literal_sweep *s, int32_t i)
{
	particle *p = s->particle + i;
	pthread_mutex_lock(&p->lock);
}

void literal_sweep_unlock(literal_sweep *s, int32_t i)
{
	particle *p = s->particle + i;
	pthread_mutex_unlock(&p->lock);
}

/* ------------------------------------------------------------------ the start */

static int by_place(const void *a, const void *b)
{
	const end *const *x = a, *const *y = b;
	return is_before(*x, *y) ? -1 : 1;
}

static void link_axis(literal_sweep *s, int d)
{
	int64_t ends = 2 * (int64_t)s->count;
	end **order = malloc((size_t)ends * sizeof(end *));
	s->ends[d] = calloc((size_t)ends, sizeof(end));
	if (!order || !s->ends[d]) abort();
	for (int64_t k = 0; k < ends; ++k) {
		int32_t i = (int32_t)(k / 2);
		s->ends[d][k] = (end){.value = s->box[i][k % 2 ? d + 2 : d], .box = i, .upper = k % 2};
		order[k] = s->ends[d] + k;
	}
	qsort(order, (size_t)ends, sizeof *order, by_place);
	for (int64_t k = 0; k < ends; ++k) {
		order[k]->before = k ? order[k - 1] : NULL;
		order[k]->after = k + 1 < ends ? order[k + 1] : NULL;
	}
	s->first[d] = order[0];
	free(order);
}

/* sort and sweep: the lower ends between the two ends of a box belong to boxes that overlap it along x */
static void first_collisions(literal_sweep *s)
{
	for (const end *b = s->first[0]; b; b = b->after)
		for (const end *e = b->after; !b->upper && (e->box != b->box); e = e->after)
			if (!e->upper && meet(s, 1, b->box, e->box)) add(s, b->box, e->box);
}

literal_sweep *literal_sweep_new(int32_t count, const double (*box)[4], int threads)
{
	literal_sweep *s = calloc(1, sizeof *s);
	if (!s) abort();
	s->count = count;
	s->threads = threads;
	s->box = box;
	s->particle = calloc((size_t)count, sizeof *s->particle);
	if (!s->particle) abort();
	for (int32_t i = 0; i < count; ++i) pthread_mutex_init(&s->particle[i].lock, NULL);
	for (int d = 0; d < 2; ++d) link_axis(s, d);
	first_collisions(s);
	if (threads < 2) return s;
	pthread_barrier_init(&s->begin, NULL, 2);
	pthread_barrier_init(&s->done, NULL, 2);
	if (pthread_create(&s->second, NULL, second_axis, s)) abort();
	return s;
}

/* ------------------------------------------------------------------ what is known */

int64_t literal_sweep_exchanges(const literal_sweep *s) { return s->exchanges[0] + s->exchanges[1]; }

int64_t literal_sweep_count(const literal_sweep *s)
{
	int64_t count = 0;
	for (int32_t i = 0; i < s->count; ++i)
		for (const collision *c = s->particle[i].first; c; c = c->next) ++count;
	return count;
}

int literal_sweep_has(const literal_sweep *s, int32_t i, int32_t j)
{
	const collision *c = s->particle[i < j ? i : j].first;
	while (c && c->with != (i < j ? j : i)) c = c->next;
	return c != NULL;
}

void literal_sweep_free(literal_sweep *s)
{
	if (s->threads == 2) {
		s->stop = true;
		pthread_barrier_wait(&s->begin);
		pthread_join(s->second, NULL);
		pthread_barrier_destroy(&s->begin);
		pthread_barrier_destroy(&s->done);
	}
	for (int32_t i = 0; i < s->count; ++i) {
		for (collision *c = s->particle[i].first, *next; c; c = next) {
			next = c->next;
			free(c);
		}
		pthread_mutex_destroy(&s->particle[i].lock);
	}
	for (int d = 0; d < 2; ++d) free(s->ends[d]);
	free(s->particle);
	free(s);
}
