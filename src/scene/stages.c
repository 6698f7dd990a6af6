/* stages: the scene of each stage. The changes of a stage are merged into a copy of the previous scene's tree, which
 * shares unchanged nodes, and the result is read like a scene, so that all rules of a scene apply. */
#include "scene/reader.h"

#include "base/memory.h"
#include "model/response.h"

static node *copy_alone(reader *r, const node *n)
{
	node *to = scree_node_copy(&r->memory, n);
	to->first = to->last = NULL;
	to->count = 0;
	return to;
}

static node *copy_tree(reader *r, const node *n)
{
	node *to = copy_alone(r, n);
	for (const node *c = n->first; c; c = c->next) scree_node_append(to, copy_tree(r, c));
	return to;
}

/* a copy of the root without its stages */
static node *copy_root(reader *r, const node *root)
{
	node *to = copy_alone(r, root);
	for (const node *c = root->first; c; c = c->next)
		if (strcmp(c->key, "stages") != 0) scree_node_append(to, scree_node_copy(&r->memory, c));
	return to;
}

/* Makes the child with this key a copy of `value`. */
static void put(reader *r, node *map, const node *value)
{
	node *fresh = copy_tree(r, value), *old = (node *)scree_node_child(map, value->key);
	if (old)
		scree_node_become(old, fresh);
	else
		scree_node_append(map, fresh);
}

/* Replaces the child with this key by a separate copy that may be changed; returns NULL if there is none. */
static node *own_child(reader *r, node *map, const char *key)
{
	node *old = (node *)scree_node_child(map, key);
	if (old) scree_node_become(old, copy_tree(r, old));
	return old;
}

static void refuse_key(reader *r, const section *s, const node *n, const char *what)
{
	const key *k = scree_key(s, n->key);
	writing cure = {0};
	scree_write_changing(&cure, s, "a stage can change", "");
	for (; cure.length && strchr(".\n", cure.bytes[cure.length - 1]); --cure.length) cure.bytes[cure.length - 1] = 0;
	const char *others = scree_report_keep(&r->r, &cure);
	scree_report(&r->r, n->key_at, k && k->fixed ? k->fixed : others, "%s: '%.60s' cannot change during a run", what,
				 n->key);
}

/* Removes keys that cannot be given together with this one. */
static void drop_others(const section *s, node *map, const key *k, const node *over)
{
	for (int32_t i = 0; k->group && i < s->rows; ++i)
		if (s->row[i].group == k->group && s->row + i != k) scree_node_drop(map, s->row[i].name);
	const bool table = !strcmp(k->name, "table") && !scree_node_child(over, "pressure");
	if (s == &scree_section_servo && (table || !strcmp(k->name, "force")))
		scree_node_drop(map, "area"); /* this key can be given only with a pressure */
}

static void lay_section(reader *r, const section *s, node *base, const node *over, const char *what);
static void lay_named(reader *r, const key *k, node *base, const node *over);

/* Converts a value given instead of a section's mapping to a mapping. */
static void as_mapping(reader *r, const section *s, node *n)
{
	if (n->type == NODE_MAP || !s->shorthand) return;
	scree_node_become(n, scree_node_wrap(&r->memory, n, s->shorthand));
}

/* the mapping of a section, added if there is none */
static node *own_map(reader *r, const section *s, node *base, const node *over)
{
	node *map = (node *)scree_node_child(base, over->key);
	if (!map) scree_node_append(base, map = scree_node_new(&r->memory, NODE_MAP, over->key, over->at));
	as_mapping(r, s, map);
	map->at = over->at;
	map->key_at = over->key_at;
	return map;
}

static void lay_key(reader *r, const section *s, node *base, const node *over, const char *what)
{
	const key *k = scree_key(s, over->key), *only = k && k->of ? scree_key(k->of, k->of->shorthand) : NULL;
	if (k && (!scree_may_change(s, k) || (over->type != NODE_MAP && only && !scree_may_change(k->of, only)))) {
		refuse_key(r, s, over, what);
		return;
	}
	if (k && s == &scree_section_output && !scree_node_child(base, k->name)) {
		scree_report(&r->r, over->key_at, "write it in the scene, with active: false, and active: true in the stage",
					 "stages: there is no output.%s that could change", k->name);
		return;
	}
	if (k && s == &scree_section_measure && !scree_node_child(base, "every")) {
		scree_report(&r->r, over->key_at, "write every in the scene, with active: false, for a table that begins later",
					 "%s: it has no table that could change; its columns of the history are always written", what);
		return;
	}
	if (k) drop_others(s, base, k, over); /* unknown keys are reported when the stage is read */
	if (k && k->kind == KEY_SECTION && over->type == NODE_MAP)
		lay_section(r, k->of, own_map(r, k->of, base, over), over, over->key);
	else if (k && k->kind == KEY_NAMED && over->type == NODE_MAP)
		lay_named(r, k, own_map(r, k->of, base, over), over);
	else
		put(r, base, over);
}

/* A motion of a different form replaces the wall's motion; one of the same form changes it. The resulting motion begins
 * with the stage and has no end. */
static void begin_motion(node *base, const node *over)
{
	static const char *const times[] = {"from", "ramp", "until"};
	const section *s = &scree_section_motion;
	bool other = false;
	for (int32_t i = 0; i < s->rows; ++i)
		other |= s->row[i].make && scree_node_child(over, s->row[i].name) && !scree_node_child(base, s->row[i].name);
	for (int32_t i = 0; other && i < s->rows; ++i) scree_node_drop(base, s->row[i].name);
	for (int i = 0; i < 3; ++i) scree_node_drop(base, times[i]);
}

/* the row of run.response, or NULL if it is not in the table, which is reported when the stage is read */
static const response *response_in(const node *run)
{
	const node *n = scree_node_child(run, "response");
	if (!n) return scree_response_row(0);
	return n->type == NODE_SCALAR ? scree_response_find(n->text) : NULL;
}

/* A different response drops run.step, which applied to the previous response. */
static void begin_response(reader *r, node *base, const node *over)
{
	const node *n = scree_node_child(over, "response");
	const response *was = response_in(base), *is = response_in(over);
	const char *stays = n && was && is ? scree_response_stays(was, is) : NULL;
	if (stays)
		scree_report(&r->r, n->key_at, stays, "run: 'response' cannot change from %s to %s during a run", was->name,
					 is->name);
	if (n && was != is) scree_node_drop(base, "step");
}

static void lay_section(reader *r, const section *s, node *base, const node *over, const char *what)
{
	if (base->type != NODE_MAP || over->type != NODE_MAP) return; /* reported when the scene is read */
	if (s == &scree_section_motion) begin_motion(base, over);
	if (s == &scree_section_run) begin_response(r, base, over);
	for (const node *c = over->first; c; c = c->next) lay_key(r, s, base, c, what);
}

static const char *entry_name(const node *n)
{
	const node *name = n->key ? NULL : scree_node_child(n, "name");
	return n->key ? n->key : name && name->type == NODE_SCALAR ? name->text : "";
}

static const char *entry_names(const void *what, int i)
{
	const node *c = scree_node_item(what, i);
	return c ? entry_name(c) : NULL;
}

/* A stage can only change things that exist, except that a pair of materials without its own rule may be given one. */
static void lay_named(reader *r, const key *k, node *base, const node *over)
{
	static const node nothing = {.type = NODE_MAP};
	char what[100];
	if (base && base->type == NODE_SCALAR) return; /* reported when the scene is read */
	for (const node *c = over->first; c; c = c->next) {
		node *old = base ? base->first : NULL;
		while (old && strcmp(entry_name(old), c->key) != 0) old = old->next;
		if (!old && k->of->inherits && base && strchr(c->key, '+'))
			scree_node_append(base, old = scree_node_new(&r->memory, NODE_MAP, c->key, c->at));
		snprintf(what, sizeof what, "%s.%.60s", k->name, c->key);
		if (!old) {
			scree_report(&r->r, c->key_at, k->kind == KEY_LIST ? "an entry needs a `name` to be changed" : NULL,
						 "stages: there is no '%.60s' under %s%s", c->key, k->name,
						 scree_meant(&r->r, c->key, entry_names, base ? base : &nothing));
		} else if (c->type != NODE_MAP) {
			REFUSE(r, c, NULL, "%s: a mapping of the keys that change was expected", what);
		} else {
			old->at = c->at;
			old->key_at = c->key_at;
			lay_section(r, k->of, old, c, what);
		}
	}
}

static const section *stage_section(void) { return scree_key(&scree_scene_section, "stages")->of; }

/* With `output: {}`, which --set may give, a run writes no files, not even in its stages. */
static bool is_without_outputs(const key *k, const node *base)
{
	return k->of == &scree_section_output && base && base->type == NODE_MAP && !base->count;
}

/* the tree of a stage, made from the tree of the previous stage */
static node *lay_stage(reader *r, const node *before, const stage_spec *stage)
{
	node *root = copy_root(r, before);
	for (int32_t i = 0; i < stage_section()->rows; ++i) {
		const key *k = stage_section()->row + i, *of = scree_key(&scree_scene_section, k->name);
		const node *over = k->kind == KEY_CHANGES ? *(const node *const *)((const char *)stage + k->at) : NULL;
		if (!over) continue;
		node *base = own_child(r, root, k->name);
		if (is_without_outputs(of, base)) continue;
		if (of->kind != KEY_SECTION)
			lay_named(r, of, base, over);
		else
			lay_section(r, of->of, own_map(r, of->of, root, over), over, k->name);
	}
	return root;
}

/* reads the scene of the stage with this name; meanwhile r->root and r->spec belong to the stage */
static stage_scene read_stage(reader *r, node *root, const char *name, const scene_spec *whole)
{
	r->root = root;
	r->spec = (scene_spec){0};
	r->staged = name;
	scree_reader_load(r);
	r->spec.stages = whole->stages;
	scree_reader_check(r);
	r->staged = NULL;
	return (stage_scene){root, r->spec};
}

/* All stages are read, even after errors in earlier ones; errors at the same position are reported once. */
void scree_reader_stages(reader *r)
{
	const scene_spec whole = r->spec;
	node *root = r->root;
	const stage_spec *all = whole.stages.item;
	r->stage = scree_arena_take(&r->memory, (size_t)(whole.stages.count + 1) * sizeof *r->stage);
	r->stage[0] = (stage_scene){root, whole};
	for (int32_t k = 1; k < whole.stages.count; ++k) {
		r->r.known = r->r.count;
		node *laid = lay_stage(r, r->stage[k - 1].root, all + k);
		r->r.known = r->r.count;
		r->stage[k] = read_stage(r, laid, all[k].name, &whole);
	}
	r->r.known = 0;
	r->root = root;
	r->spec = whole;
}

enum { SEGMENTS_MOST = 16, SEGMENT_ROOM = 64 };

/* Splits "a.b.c=value" into its keys, at most as many as the array holds. */
typedef struct set_path {
	int count;
	char key[SEGMENTS_MOST][SEGMENT_ROOM];
} set_path;

static set_path path_of(const char *set)
{
	set_path out = {0};
	for (const char *p = set; *p && *p != '=' && out.count < SEGMENTS_MOST;) {
		const size_t length = strcspn(p, ".=");
		snprintf(out.key[out.count++], SEGMENT_ROOM, "%.*s", (int)length, p);
		p += length + (p[length] == '.');
	}
	return out;
}

static bool changes_all(const section *s)
{
	for (int32_t i = 0; i < s->rows; ++i)
		if (!scree_may_change(s, s->row + i) || (s->row[i].of && !changes_all(s->row[i].of)))
			return s == &scree_section_motion;
	return true;
}

/* A value given instead of a section's mapping sets one key of the section. */
static bool changes_by_value(const key *k, const char *set)
{
	const char *value = strchr(set, '=');
	const key *only = k->of && k->of->shorthand ? scree_key(k->of, k->of->shorthand) : NULL;
	return value && value[1] != '{' && only && scree_may_change(k->of, only);
}

bool scree_scene_may_change(const char *set)
{
	static const char *const plans[] = {"run.until=", "run.snapshot", "output", "stages"};
	const set_path p = path_of(set);
	const section *at = &scree_scene_section;
	const key *k = NULL;
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i)
		if (!strncmp(set, plans[i], strlen(plans[i]))) return true;
	for (int i = 0; i < p.count; ++i) {
		k = scree_key(at, p.key[i]);
		if (!k) return true; /* the reader reports an unknown key */
		if (!scree_may_change(at, k)) return false;
		at = k->of;
		if (k->kind == KEY_NAMED || k->kind == KEY_LIST) ++i;
	}
	return k && k->kind != KEY_NAMED && k->kind != KEY_LIST &&
		   (k->kind != KEY_SECTION || changes_all(k->of) || changes_by_value(k, set));
}

/* the value that a stage gives to this key, or NULL */
static const node *value_in(const reader *r, const stage_spec *stage, const set_path *p)
{
	const key *k = scree_key(stage_section(), p->key[0]);
	const node *n = k && k->kind == KEY_CHANGES ? *(const node *const *)((const char *)stage + k->at) : NULL;
	for (int i = 1; n && i < p->count; ++i) {
		const node *list = i == 1 ? scree_node_child(r->root, p->key[0]) : NULL;
		const bool number = list && list->type == NODE_LIST;
		const node *entry = number ? scree_node_item(list, atoi(p->key[i])) : NULL;
		n = scree_node_child(n, number ? entry ? entry_name(entry) : "" : p->key[i]);
	}
	return n;
}

const char *scree_stage_that_sets(const reader *r, int32_t last, const char *set)
{
	const stage_spec *all = r->spec.stages.item;
	const set_path p = path_of(set);
	for (int32_t k = last; k > 0; --k)
		if (value_in(r, all + k, &p)) return all[k].name;
	return NULL;
}
