/* broad: a search by any row of the table, and lists of pairs. */
#include "broad/broad.h"

#include "base/memory.h"
#include "broad/phases.h"

#include <string.h>

bool scree_broad_search(broad_search *s, const broad *b, const box_list *boxes, bool all, box_pairs *out)
{
	if (s->by != b) {
		scree_broad_search_free(s);
		s->by = b;
		s->memory = b->make ? b->make() : NULL;
	}
	bool news = b->find(s, boxes, all, out);
	s->count.searches += 1;
	s->count.unchanged += news ? 0 : 1;
	s->news = news;
	return news;
}

void scree_broad_search_free(broad_search *s)
{
	if (s->memory) s->by->forget(s->memory);
	s->memory = NULL;
	s->by = NULL;
}

void scree_box_pairs_add(box_pairs *p, int32_t a, int32_t b)
{
	if (p->count == p->capacity) {
		int64_t capacity = p->capacity + p->capacity / 2 + 256;
		p->pair = scree_grow(p->pair, (size_t)p->count, (size_t)capacity, sizeof *p->pair);
		p->capacity = capacity;
	}
	p->pair[p->count][0] = a;
	p->pair[p->count++][1] = b;
}

void scree_box_pairs_free(box_pairs *p)
{
	scree_free(p->pair);
	memset(p, 0, sizeof *p);
}
