/* given: queries for the keys given in a section. */
#include "scene/reader.h"

const node *scree_where(const head *h, const char *name)
{
	const node *n = scree_node_child(h->where, name);
	return n ? n : h->where;
}

static uint64_t bit_of(const section *s, const char *name)
{
	const key *k = scree_key(s, name);
	return k ? 1ull << (k - s->row) : 0;
}

bool scree_given(const head *h, const section *s, const char *name) { return h->given & bit_of(s, name); }

bool scree_excused(head *h)
{
	bool excused = h->strangers > 0;
	h->strangers -= excused;
	return excused;
}

const key *scree_form_given(const head *h, const section *s)
{
	for (int32_t i = 0; i < s->rows; ++i)
		if (s->row[i].make && h->given >> i & 1) return &s->row[i];
	return NULL;
}

void scree_forget(head *h, const section *s, const char *name) { h->set &= ~bit_of(s, name); }

void scree_resolve(head *h, const section *s, const char *name) { h->set |= bit_of(s, name); }

place scree_named_at(const node *n) { return n->key ? n->key_at : n->at; }

place scree_key_at(const head *h, const char *name) { return scree_named_at(scree_where(h, name)); }

place scree_entry(const head *h, const char *name, int32_t i)
{
	const node *n = scree_where(h, name), *entry = n->type == NODE_LIST ? scree_node_item(n, i) : NULL;
	return entry ? entry->at : n->at;
}
