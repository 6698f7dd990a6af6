/* choices: finds rows of tables by number and by name. */
#include "model/choices.h"

#include <string.h>

static const void *row_of(const choice_rows *r, size_t size, int k)
{
	return (const char *)r->first + size * (size_t)k;
}

const void *scree_choice(const choices *c, int k)
{
	if (k < c->own.count) return row_of(&c->own, c->size, k);
	return k < choice_count(c) ? row_of(c->papers, c->size, k - c->own.count) : NULL;
}

const char *scree_choice_name(const choices *c, int k)
{
	const char *const *row = scree_choice(c, k);
	return row ? row[0] : NULL;
}

const char *scree_choice_help(const choices *c, int k)
{
	const char *const *row = scree_choice(c, k);
	return row ? row[1] : NULL;
}

const void *scree_choice_find(const choices *c, const char *name)
{
	const char *word;
	for (int k = 0; (word = scree_choice_name(c, k)); ++k)
		if (!strcmp(word, name)) return scree_choice(c, k);
	return NULL;
}
