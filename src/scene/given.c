/* given: queries for the keys given in a section. */
#include "scene/reader.h"

const node *scree_where(const head *h, const char *name)
{
	const node *n = scree_node_child(h->where, name);
	return n ? n : h->where;
}

static uint64_t bit_of(const head *h, const char *name)
{
	const key *k = scree_key(h->of, name);
	return k ? 1ull << (k - h->of->row) : 0;
}

bool scree_given(const head *h, const char *name) { return h->given & bit_of(h, name); }

bool scree_excused(head *h)
{
	bool excused = h->strangers > 0;
	h->strangers -= excused;
	return excused;
}

const key *scree_form_given(const head *h)
{
	for (int32_t i = 0; h->of && i < h->of->rows; ++i)
		if (h->of->row[i].make && h->given >> i & 1) return &h->of->row[i];
	return NULL;
}

void scree_forget(head *h, const char *name) { h->set &= ~bit_of(h, name); }

void scree_resolve(head *h, const char *name) { h->set |= bit_of(h, name); }

place scree_named_at(const node *n) { return n->key ? n->key_at : n->at; }

place scree_key_at(const head *h, const char *name) { return scree_named_at(scree_where(h, name)); }

place scree_entry(const head *h, const char *name, int32_t i)
{
	const node *n = scree_where(h, name), *entry = n->type == NODE_LIST ? scree_node_item(n, i) : NULL;
	return entry ? entry->at : n->at;
}
