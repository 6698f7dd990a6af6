/* sieve: sieve curves of a scene: values from a file, checks, and the distribution of sizes that follows. */
#include "scene/table_lines.h"

/* where the values of a curve are, for messages */
typedef struct curve {
	reader *r;
	const sieve_spec *s;
	const place *row; /* rows of the table; NULL: the values are in the scene */
} curve;

static place at_value(const curve *c, const char *key, int32_t k)
{
	return c->row ? c->row[k] : scree_entry(&c->s->h, key, k);
}

/* reads a table into the lists of the curve; they are not written into the resolved scene, which names the file */
static bool read_table(reader *r, sieve_spec *s, place **row)
{
	number_column column[2] = {{.of = {.name = "size", .unit = "m", .range = "> 0"}},
							   {.of = {.name = "passing", .range = "[0, 100]"}}};
	const int32_t rows = scree_read_columns(r, scree_where(&s->h, "file"), s->file, 2, column, row);
	if (rows < 0) return false;
	s->size = (spec_list){.item = column[0].value, .count = rows};
	s->passing = (spec_list){.item = column[1].value, .count = rows};
	return true;
}

static bool check_curve(const curve *c)
{
	const sieve_spec *s = c->s;
	const real *size = s->size.item, *passing = s->passing.item;
	const int32_t last = s->size.count - 1;
	report *to = &c->r->r;
	const place whole = scree_where(&s->h, c->row ? "file" : "size")->at;
	if (s->passing.count != s->size.count)
		return scree_report(to, scree_where(&s->h, "passing")->at, NULL, "passing: %d values for %d sieves",
							s->passing.count, s->size.count);
	const int32_t most = SIEVE_CLASSES + (passing[0] == 0); /* grains that pass the finest sieve form a class */
	if (last < 1 || last >= most)
		return scree_report(to, whole, NULL, "sieve: %d sieves; at least 2 and at most %d are expected", last + 1,
							most);
	for (int32_t k = 1; k <= last; ++k) {
		if (size[k - 1] >= size[k])
			return scree_report(to, at_value(c, "size", k), "begin with the smallest sieve",
								"size: %g m is not above the sieve before, %g m", size[k], size[k - 1]);
		if (passing[k - 1] > passing[k])
			return scree_report(to, at_value(c, "passing", k), NULL, "passing: %g is below the value before, %g",
								passing[k], passing[k - 1]);
	}
	if (passing[last] != 1 && passing[last] != 100)
		return scree_report(to, at_value(c, "passing", last), "put the largest size of all after it",
							"passing: the last value must be 1 or 100 %%, not %g: the curve does not say how large the "
							"coarsest bodies are",
							passing[last]);
	return true;
}

void scree_check_sieve(reader *r, sieve_spec *s)
{
	curve c = {r, s, NULL};
	place *row = NULL;
	const bool given = s->passing.item != NULL;
	if (!s->h.where || s->h.where->type != NODE_MAP) return;
	if (s->file && given)
		REFUSE_KEY(r, &s->h, "passing", "remove it",
				   "sieve: 'passing' belongs to 'size': the file "
				   "has a column of this name");
	if (s->size.item && !given && !scree_excused(&s->h))
		REFUSE(r, s->h.where, NULL, "sieve: the key 'passing' is missing");
	if (r->r.total || r->plan_only) return;
	if (s->file && !read_table(r, s, &row)) return;
	c.row = row;
	check_curve(&c);
}

spread scree_build_sieve(const reader *r, const sieve_spec *s, real scale)
{
	const int32_t sieves = s->size.count;
	const real *given = s->size.item, *passing = s->passing.item;
	real size[SIEVE_CLASSES + 1];
	for (int32_t k = 0; k < sieves; ++k) size[k] = scale * given[k];
	return scree_sieve(sieves, size, passing, s->interpolation == 0, s->by == 1 ? 0 : r->flat ? 2 : 3);
}

static void note_curve(reader *r, const char *whose, const sieve_spec *s)
{
	const real *size = s->size.item, *passing = s->passing.item;
	if (!s->h.where || !(passing[0] > 0)) return;
	scree_writing_add(&r->notes,
					  "note: %s: %.4g %% of the %s pass the finest sieve of %.4g m; these bodies have this size\n",
					  whose, 100 * passing[0] / passing[s->passing.count - 1], s->by == 1 ? "bodies" : "mass", size[0]);
}

void scree_note_sieves(reader *r, const char *whose, const fill_spec *f)
{
	const mix_spec *m = f->mix.item;
	note_curve(r, whose, &f->size.sieve);
	for (int32_t k = 0; k < f->mix.count; ++k) note_curve(r, whose, &m[k].size.sieve);
}
