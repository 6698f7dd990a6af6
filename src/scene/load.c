/* load: reads the tree into plain data (spec.h) according to the table of keys (schema.h). One function reads any
 * section: it walks the keys of the mapping, finds their rows in the table, and fills missing keys from the defaults,
 * which are text and are read in the same way. It does not stop at an error, so that all errors are reported at
 * once. */
#include "scene/reader.h"

static void load_section(reader *r, const section *s, const node *n, const char *what, head *out);

static bool bad_rows(reader *r, const section *s, const node *n, const char *what)
{
	writing names = {0};
	int32_t columns = 0;
	for (; s->columns[columns]; ++columns) scree_writing_add(&names, "%s%s", columns ? ", " : "", s->columns[columns]);
	const node *bad = n->count ? NULL : n;
	for (const node *row = n->first; row && !bad; row = row->next)
		if (row->type != NODE_LIST || row->count != columns) bad = row;
	const char *all = scree_report_keep(&r->r, &names);
	if (bad) REFUSE(r, bad, s->example, "%s: rows of %d values were expected: %s", what, columns, all);
	return bad;
}

/* Converts a list of rows, each with one value per column, to a mapping from columns to lists of values. */
static const node *columns_of(reader *r, const section *s, const node *n, const char *what)
{
	if (bad_rows(r, s, n, what)) return NULL;
	node *map = scree_node_new(&r->memory, NODE_MAP, n->key, n->at);
	map->key_at = n->key_at;
	for (int32_t k = 0; s->columns[k]; ++k) {
		node *list = scree_node_new(&r->memory, NODE_LIST, s->columns[k], n->at);
		scree_node_append(map, list);
		for (const node *row = n->first; row; row = row->next)
			scree_node_append(list, scree_node_copy(&r->memory, scree_node_item(row, k)));
	}
	return map;
}

/* A list of rows becomes columns, and a scalar or another list becomes the value of the section's shorthand key. */
static const node *as_map(reader *r, const section *s, const node *n, const char *what)
{
	if (n->type == NODE_MAP) return n;
	if (s->columns && n->type == NODE_LIST) return columns_of(r, s, n, what);
	if (!s->shorthand || scree_node_empty(n))
		return scree_null(REFUSE(r, n, s->example, "%s: a %smapping of keys was expected, not %s", what,
								 s->shorthand ? "value or a "
								 : s->columns ? "list or a "
											  : "",
								 scree_node_found(n)));
	return scree_node_wrap(&r->memory, n, s->shorthand);
}

static bool good_name(reader *r, const key *k, const node *n)
{
	size_t length = strlen(n->key);
	bool ok = length > 0 && length <= 40;
	for (const char *p = n->key; *p; ++p)
		ok &= (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || *p == '_' ||
			  *p == '-' || *p == '.';
	if (!ok)
		scree_report(&r->r, n->key_at, "letters, digits, _ - and ., at most 40", "%s: '%.60s' is not a valid name",
					 k->name, n->key);
	return ok;
}

/* Loads `default` and then the other entries, which start as copies of it, so that they may omit its keys. */
static void load_heirs(reader *r, const key *k, const node *n, spec_list *out)
{
	static const node empty = {.type = NODE_MAP};
	const node *base = scree_node_child(n, "default");
	out->item = scree_arena_take(&r->memory, (size_t)(n->count + 1) * k->of->size);
	head *first = out->item;
	load_section(r, k->of, base ? base : &empty, "default", first);
	first->name = "default";
	out->count = 1;
	for (const node *c = n->first; c; c = c->next) {
		if (c == base) continue;
		head *h = (head *)((char *)out->item + (size_t)out->count++ * k->of->size);
		memcpy(h, first, k->of->size);
		h->given = 0;
		h->strangers = 0;
		h->name = c->key;
		load_section(r, k->of, c, c->key, h);
	}
}

/* the entries of a list, or of a mapping by name */
static void load_entries(reader *r, const key *k, const node *n, spec_list *out)
{
	const bool named = k->kind == KEY_NAMED;
	if (n->type != (named ? NODE_MAP : NODE_LIST)) {
		REFUSE(r, n, named ? NULL : "write a - before each entry", "%s: a %s was expected, not %s", k->name,
			   named ? "mapping of names" : "list", scree_node_found(n));
		return;
	}
	if (n->count > k->of->most) {
		REFUSE(r, n, NULL, "%s: %d entries; at most %d are allowed", k->name, n->count, k->of->most);
		return;
	}
	if (k->of->inherits) {
		load_heirs(r, k, n, out);
		return;
	}
	out->item = scree_arena_take(&r->memory, (size_t)n->count * k->of->size);
	for (const node *c = n->first; c; c = c->next) {
		head *h = (head *)((char *)out->item + (size_t)out->count++ * k->of->size);
		if (named) good_name(r, k, c);
		load_section(r, k->of, c, named ? c->key : k->name, h);
		if (named) h->name = c->key;
	}
}

/* tests whether the key exists only in worlds of the other dimension */
static bool is_foreign(const reader *r, const key *k) { return k->only && (k->only == 2) != r->flat; }

static void load_key(reader *r, const key *k, const node *n, head *out)
{
	void *to = (char *)out + k->at;
	switch (k->kind) {
	case KEY_SECTION:
		memset(to, 0, k->of->size); /* a pair's own mapping replaces the one copied from `default` */
		load_section(r, k->of, n, k->name, to);
		break;
	case KEY_LIST:
	case KEY_NAMED:
		load_entries(r, k, n, to);
		break;
	case KEY_CHANGES:
		*(const node **)to = n->type == NODE_MAP ? n : NULL;
		/* fallthrough */
	case KEY_LETS:
		if (n->type != NODE_MAP)
			REFUSE(r, n, NULL, "%s: a mapping of %s was expected, not %s", k->name,
				   k->kind == KEY_LETS ? "names" : "the keys that change", scree_node_found(n));
		break;
	case KEY_INCLUDE:
		REFUSE(r, n, NULL, "include: cannot be set");
		break;
	case KEY_LATER:
		scree_report(&r->r, scree_named_at(n), "remove it", "%s: %s are not part of this version of scree", k->name,
					 k->help);
		break;
	default:
		scree_reader_value(r, k, n, to);
	}
}

/* Returns a default of the table as a node. Lists and mappings are parsed. */
static const node *standard(reader *r, const key *k)
{
	const char *text = r->flat && k->flat ? k->flat : k->standard;
	if (*text == '[' || *text == '{') return scree_tree_parse(&r->r, r->defaults, text, strlen(text), 0);
	node *n = scree_arena_take(&r->memory, sizeof *n);
	n->type = NODE_SCALAR;
	n->text = text;
	n->quoted = !*text;
	n->at = (place){r->defaults, 1, 1, 1};
	return n;
}

typedef struct key_list {
	const reader *r;
	const section *of;
} key_list;

/* names of the keys that this version accepts in worlds of this dimension */
static const char *key_here(const void *what, int i)
{
	const key_list *l = what;
	for (int32_t k = 0; k < l->of->rows; ++k) {
		const key *row = &l->of->row[k];
		if (row->kind != KEY_LATER && !is_foreign(l->r, row) && !i--) return row->name;
	}
	return NULL;
}

/* Reports a key of a subsection, and shows how to write it there. Returns false if no subsection has the key. */
static bool belongs_below(reader *r, const section *s, const node *c, const char *what)
{
	writing cure = {0};
	for (int32_t i = 0; i < s->rows; ++i) {
		const key *in = &s->row[i];
		if (in->kind != KEY_SECTION || is_foreign(r, in) || !scree_key(in->of, c->key)) continue;
		const bool brief = c->type == NODE_SCALAR && strlen(c->text) <= 40;
		scree_writing_add(&cure, "%s%s: {%s: %s}", cure.length ? ", or " : "write ", in->name, c->key,
						  brief ? c->text : "..");
		scree_writing_add(&cure, " (%s)", in->help);
	}
	const char *write = scree_report_keep(&r->r, &cure);
	if (write)
		scree_report(&r->r, c->key_at, write, "%s: there is no key '%.60s' here, but one level below", what, c->key);
	return write;
}

static void unknown_key(reader *r, const section *s, const node *c, const char *what)
{
	bool former;
	const char *other = scree_elsewhere(s->name, c->key, &former);
	if (other) {
		scree_report(&r->r, c->key_at, other,
					 former ? "%s: '%s' is a key of earlier versions" : "%s: there is no key '%s'", what, c->key);
		return;
	}
	if (belongs_below(r, s, c, what)) return;
	const char *near = scree_nearest(c->key, key_here, &(key_list){r, s});
	if (near) {
		scree_report(&r->r, c->key_at, NULL, "%s: there is no key '%.60s' (did you mean %s?)", what, c->key, near);
		return;
	}
	writing cure = {0};
	scree_writing_words(&cure, "known keys: ", key_here, &(key_list){r, s});
	scree_report(&r->r, c->key_at, scree_report_keep(&r->r, &cure), "%s: there is no key '%.60s'", what, c->key);
}

/* Checks groups: at most one key of a group may be given, and exactly one where it is needed. */
static void check_groups(reader *r, const section *s, const node *map, const char *what, head *out)
{
	for (int32_t group = 1; group <= 3; ++group) {
		const char *first = NULL;
		writing all = {0};
		for (int32_t i = 0; i < s->rows; ++i) {
			const key *k = &s->row[i];
			if (k->group != group) continue;
			if (k->kind != KEY_LATER && !is_foreign(r, k))
				scree_writing_add(&all, "%s%s", all.length ? ", " : "", k->name);
			if (!(out->given >> i & 1)) continue;
			if (first)
				scree_report(&r->r, scree_node_child(map, k->name)->key_at, "remove one of the two",
							 "%s: '%s' and '%s' cannot be used together", what, first, k->name);
			first = k->name;
		}
		if (!first && s->needs >> group & 1 && !scree_excused(out))
			scree_report(&r->r, scree_named_at(map), NULL, "%s: one of these keys is missing: %s", what, all.bytes);
		scree_free(scree_writing_take(&all));
	}
}

static void fill_in(reader *r, const section *s, const node *map, const char *what, head *out)
{
	for (int32_t i = 0; i < s->rows; ++i) {
		const key *k = &s->row[i];
		if (out->set >> i & 1) continue;
		if (k->required && !scree_excused(out)) {
			place at = map == r->root ? map->at : scree_named_at(map);
			scree_report(&r->r, at, NULL, "%s: the key '%s' is missing (%s%s%s)", what, k->name, k->help,
						 k->unit ? ", in " : "", k->unit ? k->unit : "");
		}
		if (!k->standard || is_foreign(r, k)) continue;
		load_key(r, k, standard(r, k), out);
		out->set |= 1ull << i;
	}
}

static void foreign_key(reader *r, const key *k, const node *n, const char *what)
{
	char cure[80];
	snprintf(cure, sizeof cure, "write %s", k->instead ? k->instead : "");
	scree_report(&r->r, n->key_at, k->instead ? cure : "remove it",
				 "%s: '%s' is available only in worlds of dimension %d; this one has world.dimension: %d", what,
				 k->name, k->only, r->flat ? 2 : 3);
}

static void load_section(reader *r, const section *s, const node *n, const char *what, head *out)
{
	const node *map = as_map(r, s, n, what);
	out->of = s;
	out->where = n;
	if (!map) return;
	out->where = map;
	for (const node *c = map->first; c; c = c->next) {
		const key *row = scree_key(s, c->key);
		const uint64_t bit = row ? 1ull << (row - s->row) : 0;
		if (!row) {
			if (!strcmp(c->key, "<<")) continue;
			unknown_key(r, s, c, what);
			out->strangers += 1;
			continue;
		}
		if (out->given & bit) continue; /* duplicates have already been reported */
		out->given |= bit;
		if (is_foreign(r, row)) {
			foreign_key(r, row, c, what);
			continue;
		}
		out->set |= bit;
		/* messages about a value given instead of a mapping use the mapping's name */
		key k = *row;
		if (map != n && s->shorthand) k.name = what;
		load_key(r, &k, c, out);
	}
	check_groups(r, s, map, what, out);
	fill_in(r, s, map, what, out);
}

/* The value of `dimension`, even under a misspelled key (reported elsewhere), so that the scene is read correctly. */
static const node *find_dimension(const reader *r)
{
	const node *given = scree_node_child(scree_node_child(r->root, "world"), "dimension");
	for (const node *w = given ? NULL : r->root->first; w; w = w->next) {
		bool known = scree_key(&scree_scene_section, w->key), world = !strcmp(w->key, "world");
		if (w->type != NODE_MAP || (known && !world)) continue;
		for (const node *d = w->first; d; d = d->next) {
			bool strange = world ? !scree_key(&scree_section_world, d->key) : !strcmp(d->key, "dimension");
			if (strange && d->type == NODE_SCALAR && !strcmp(d->text, "2")) given = d;
		}
	}
	return given;
}

void scree_reader_load(reader *r)
{
	static const node nothing = {.type = NODE_MAP};
	const node *let = scree_node_child(r->root, "let");
	scree_lets_open(&r->let, &r->r, let ? let : &nothing);
	for (const node *c = r->root->first; c; c = c->next) r->strange |= !scree_key(&scree_scene_section, c->key);
	r->let.lost = !let && r->strange;
	scree_lets_check(&r->let, r->before);
	const node *dimension = find_dimension(r);
	r->flat = dimension && dimension->type == NODE_SCALAR && !strcmp(dimension->text, "2");
	scree_reader_motion_files(r);
	load_section(r, &scree_scene_section, r->root, "scene", &r->spec.h);
	if (dimension && !r->flat && r->spec.world.dimension == 2)
		REFUSE(r, dimension, "write 2", "dimension: a plain 2 or 3 was expected, not %.60s", dimension->text);
}
