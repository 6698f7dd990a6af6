/* resolved: writes the scene with includes and --set applied, expressions and units converted to SI numbers, and
 * defaults filled in. It is valid and yields the same world bit for bit, since numbers are written with all digits. */
#include "scene/reader.h"

static void write_section(writing *t, const section *s, const head *h, int depth);

static _Thread_local reader *reader_now; /* supplies names of materials and shapes, the dimension, and expressions */

static void indent(writing *t, int depth)
{
	for (int i = 0; i < depth; ++i) scree_writing_add(t, "  ");
}

static void write_real(writing *t, const key *k, real value)
{
	scree_writing_real(t, value);
	if (k->unit) scree_writing_add(t, " %s", k->unit);
}

static void write_reals(writing *t, const key *k, int count, const real *value)
{
	for (int i = 0; i < count; ++i) {
		scree_writing_add(t, i ? ", " : "[");
		write_real(t, k, value[i]);
	}
	scree_writing_add(t, "]");
}

static void write_vector(writing *t, const key *k, vec3 v)
{
	write_reals(t, k, reader_now->spec.world.dimension == 2 && k->kind != KEY_SPACE ? 2 : 3, (real[]){v.x, v.y, v.z});
}

static const char *material_name(int32_t i)
{
	return ((const material_spec *)reader_now->spec.materials.item)[i].h.name;
}
static const char *shape_name(int32_t i) { return ((const shape_spec *)reader_now->spec.shapes.item)[i].h.name; }

static void write_items(writing *t, const key *k, const spec_list *list)
{
	for (int32_t i = 0; i < list->count; ++i) {
		scree_writing_add(t, i ? ", " : "[");
		if (k->kind == KEY_REALS) write_real(t, k, ((const real *)list->item)[i]);
		if (k->kind == KEY_POINTS) write_vector(t, k, ((const vec3 *)list->item)[i]);
		if (k->kind == KEY_MATERIALS) scree_writing_quote(t, material_name(((const int32_t *)list->item)[i]));
		if (k->kind == KEY_WORDS) scree_writing_add(t, "%s", k->words(NULL, ((const int32_t *)list->item)[i]));
	}
	scree_writing_add(t, "]");
}

static void write_range(writing *t, const range_value *g)
{
	real row[2] = {g->low, g->high};
	for (int i = 0; i < 2; ++i) {
		scree_writing_add(t, i ? ", " : "[");
		scree_writing_real(t, row[i]);
		if (g->plain) continue;
		scree_writing_add(t, " ");
		scree_dimension_unit(t, g->of);
	}
	scree_writing_add(t, "]");
}

static void write_turn(writing *t, const turn_spec *turn)
{
	if (turn->type != ORIENT_GIVEN) {
		scree_writing_add(t, "%s", turn->type == ORIENT_RANDOM ? "random" : "aligned");
		return;
	}
	if (reader_now->spec.world.dimension == 2) {
		scree_writing_real(t, turn->angle);
		scree_writing_add(t, " rad");
		return;
	}
	write_reals(t, &(key){0}, 4, (real[]){turn->q.w, turn->q.x, turn->q.y, turn->q.z});
}

/* Writes the changes of a stage as given, but without names of let. */
static void write_scalar(writing *t, const node *n)
{
	quantity q;
	if (*n->text == '=' && scree_quantity(&reader_now->let, n, "value", &q)) {
		scree_writing_real(t, q.value);
		if (!scree_dimension_same(q.of, (dimension){0, 0, 0, 0}))
			scree_writing_add(t, " "), scree_dimension_unit(t, q.of);
	} else if (n->quoted) {
		scree_writing_quote(t, n->text);
	} else {
		scree_writing_add(t, "%s", n->text);
	}
}

static void write_node(writing *t, const node *n)
{
	if (n->type == NODE_SCALAR) {
		write_scalar(t, n);
		return;
	}
	scree_writing_add(t, n->type == NODE_MAP ? "{" : "[");
	for (const node *c = n->first; c; c = c->next) {
		if (c != n->first) scree_writing_add(t, ", ");
		if (c->key) scree_writing_quote(t, c->key), scree_writing_add(t, ": ");
		write_node(t, c);
	}
	scree_writing_add(t, n->type == NODE_MAP ? "}" : "]");
}

/* Writes the value of a key; nothing for the kinds that are read before all others. */
static void write_value(writing *t, const key *k, const void *from)
{
	const bool flat = reader_now->spec.world.dimension == 2;
	const key_kind kind = k->kind;
	const int32_t *word = from;
	const real *number = from;
	const vec3 *vector = from;
	const direction *way = from;
	const bool one = kind == KEY_REAL || (kind == KEY_BOTH && number[0] == number[1]);
	const bool is_vector = kind == KEY_SPACE || kind == KEY_VECTOR || kind == KEY_EVEN || kind == KEY_SPIN;
	if (one) write_real(t, k, *number);
	if (kind == KEY_PAIR || (kind == KEY_BOTH && !one)) write_reals(t, k, 2, number);
	if (kind == KEY_SPIN && flat) write_real(t, k, vector->z);
	if (is_vector && !(kind == KEY_SPIN && flat)) write_vector(t, k, *vector);
	if (kind == KEY_COUNT) scree_writing_add(t, "%lld", (long long)*(const int64_t *)from);
	if (kind == KEY_FLAG) scree_writing_add(t, "%s", *(const bool *)from ? "true" : "false");
	if (kind == KEY_TEXT || kind == KEY_FILE) scree_writing_quote(t, *(const char *const *)from);
	if (kind == KEY_WORD) scree_writing_add(t, "%s", k->words(NULL, *word));
	if (kind == KEY_RANGE) write_range(t, from);
	if (kind == KEY_COUNTS && !flat) scree_writing_add(t, "[%d, %d, %d]", word[0], word[1], word[2]);
	if (kind == KEY_PIXELS || (kind == KEY_COUNTS && flat)) scree_writing_add(t, "[%d, %d]", word[0], word[1]);
	if (kind == KEY_REALS || kind == KEY_POINTS || kind == KEY_WORDS || kind == KEY_MATERIALS) write_items(t, k, from);
	if (kind == KEY_DIRECTION && way->type == DIRECTION_VECTOR) write_vector(t, k, way->given);
	if (kind == KEY_DIRECTION && way->type != DIRECTION_VECTOR) scree_writing_add(t, "%c", "xyz"[way->type]);
	if (kind == KEY_ORIENTATION) write_turn(t, from);
	if (kind == KEY_MATERIAL) scree_writing_quote(t, material_name(*word));
	if (kind == KEY_SHAPE) scree_writing_quote(t, shape_name(*word));
	if (kind == KEY_CHANGES) write_node(t, *(const node *const *)from);
}

static void write_list(writing *t, const key *k, const spec_list *list, int depth)
{
	const char *item = list->item;
	bool named = k->kind == KEY_NAMED;
	for (int32_t i = 0; i < list->count; ++i, item += k->of->size) {
		const head *h = (const head *)item;
		indent(t, depth);
		if (named) {
			scree_writing_quote(t, h->name);
			scree_writing_add(t, ":\n");
		} else {
			scree_writing_add(t, "-\n");
		}
		write_section(t, k->of, h, depth + 1);
	}
}

/* Writes a key, unless its list or section is empty. */
static void write_key(writing *t, const key *k, const head *h, int depth)
{
	const void *from = (const char *)h + k->at;
	bool list = k->kind == KEY_LIST || k->kind == KEY_NAMED;
	if (k->kind == KEY_LETS || k->kind == KEY_INCLUDE || k->kind == KEY_LATER) return;
	if (list && !((const spec_list *)from)->count) return;
	indent(t, depth);
	scree_writing_add(t, "%s:", k->name);
	if (list) {
		scree_writing_add(t, "\n");
		write_list(t, k, from, depth + 1);
	} else if (k->kind == KEY_SECTION) {
		size_t before = t->length + 1;
		scree_writing_add(t, "\n");
		write_section(t, k->of, from, depth + 1);
		if (t->length == before) {
			t->length -= 1;
			scree_writing_add(t, " {}\n");
		}
	} else {
		scree_writing_add(t, " ");
		write_value(t, k, from);
		scree_writing_add(t, "\n");
	}
}

static void write_section(writing *t, const section *s, const head *h, int depth)
{
	for (int32_t i = 0; i < s->rows; ++i)
		if (h->set >> i & 1) write_key(t, &s->row[i], h, depth);
}

char *scree_resolved(reader *r)
{
	writing t = {0};
	reader_now = r;
	write_section(&t, &scree_scene_section, &r->spec.h, 0);
	reader_now = NULL;
	return scree_writing_take(&t);
}
