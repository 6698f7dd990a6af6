/* work: memory of an FFD solver, and the order of its contacts. */
#include "papers/iglberger2009/ffd.h"

#include "base/memory.h"
#include "solver/work.h"

static void free_work(void *own)
{
	ffd_work *o = own;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
		ffd_room *room = o->room + t;
		scree_free(o->found[t].item);
		scree_free(room->touch), scree_free(room->normal), scree_free(room->offset);
		scree_free(room->across), scree_free(room->tangent);
	}
	scree_free(o->contact), scree_free(o->sort[0]), scree_free(o->sort[1]), scree_free(o->side);
	scree_free(o->first), scree_free(o->velocity), scree_free(o->spin), scree_free(o->end);
	scree_free(o->rubbed);
	scree_free(o);
}

ffd_work *scree_ffd_work(work *w)
{
	struct solver_work *all = w->solver;
	if (!all->own) {
		all->own = scree_alloc(1, sizeof(ffd_work));
		all->free_own = free_work;
	}
	return all->own;
}

void scree_ffd_room(ffd_work *o, int64_t count)
{
	if (count <= o->capacity) return;
	const int64_t had = o->capacity;
	o->capacity = count + count / 2;
	o->contact = scree_grow(o->contact, (size_t)had, (size_t)o->capacity, sizeof *o->contact);
	scree_free(o->sort[0]), scree_free(o->sort[1]), scree_free(o->side);
	o->side = scree_alloc(2 * (size_t)o->capacity, sizeof *o->side);
	for (int k = 0; k < 2; ++k) o->sort[k] = scree_alloc((size_t)o->capacity, sizeof *o->sort[k]);
}

int scree_ffd_order(const void *a, const void *b)
{
	const ffd_contact *x = a, *y = b;
	for (int n = 0; n < 3; ++n)
		if (x->key[n] != y->key[n]) return x->key[n] < y->key[n] ? -1 : 1;
	return (x->point > y->point) - (x->point < y->point);
}
