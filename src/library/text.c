/* text: texts about the scene language, and printing. These functions do not belong to a simulation. */
#include "library/internal.h"

#include "base/shown.h"
#include "choices/choices.h"
#include "model/response.h"
#include "outputs/outputs.h"
#include "report/notes.h"
#include "scene/report.h"
#include "scree/language.h"
#include "scree/print.h"

#include <stdlib.h>
#include <string.h>

FILE *scree_text_begin(written_text *t)
{
	*t = (written_text){0};
	t->to = open_memstream(&t->bytes, &t->length);
	if (!t->to) scree_break_off(FAIL_IO, "out of memory: a text");
	return t->to;
}

char *scree_text_end(written_text *t)
{
	if (fclose(t->to) != 0) scree_break_off(FAIL_IO, "out of memory: a text");
	char *text = scree_copy_text(t->bytes);
	free(t->bytes);
	return text;
}

/* ------------------------------------------------------------------ calls without a simulation */

/* Writes a text; returns false with an error message on failure. */
typedef bool text_fn(FILE *to, const void *of, fail *why);

typedef struct writing_call {
	text_fn *write;
	const void *of;
	fail why;
	char *text;
	const char *say; /* text, or the error message in case of failure */
	char *out;		 /* in no list */
} writing_call;

static void write_text(void *what)
{
	writing_call *c = what;
	written_text t;
	const bool good = c->write(scree_text_begin(&t), c->of, &c->why);
	char *text = scree_text_end(&t);
	if (good) c->text = text; /* the text is in a memory list of this call */
}

static void copy_text(void *what)
{
	writing_call *c = what;
	c->out = scree_copy_text(c->say);
}

static scree_code give_text(text_fn *write, const void *of, char **out)
{
	if (!out) return SCREE_BAD_INPUT;
	writing_call c = {.write = write, .of = of};
	fail why;
	memory_list all = {0}, *outer = scree_memory_into(&all);
	const locale_t before = scree_locale_enter();
	if (!scree_attempt(write_text, &c, &why)) c.why = why;
	scree_memory_into(NULL);
	c.say = c.text ? c.text : c.why.text;
	scree_attempt(copy_text, &c, &why);
	scree_locale_leave(before);
	scree_memory_into(outer);
	const bool whole = c.text != NULL;
	scree_memory_drop(&all);
	*out = c.out;
	return whole && c.out ? SCREE_DONE : whole ? SCREE_FILES : scree_sim_code(&c.why);
}

void scree_text_free(char *text) { scree_free(text); }

const char *scree_near_word(const char *found, const char *(*next)(const void *what, int k), const void *what)
{
	return scree_nearest(found, next, what);
}

const char *scree_response(int k) { return k < 0 ? NULL : scree_choice_name(&scree_responses, k); }

static bool write_tables(FILE *to, const void *table, fail *why) { return scree_tables_print(to, table, why); }

scree_code scree_list(const char *table, char **text) { return give_text(write_tables, table, text); }

/* Tests whether the first part of a path is a key of a scene. */
static bool begins_with_key(const char *path)
{
	char first[64];
	fail why;
	snprintf(first, sizeof first, "%.*s", (int)strcspn(path, "."), path);
	char *text = scree_scene_explain(first, &why);
	scree_free(text);
	return text != NULL;
}

/* Lists the keys of all sections, and then the columns. */
static const char *key_or_column(const void *keys, int k)
{
	const key_names *of = keys;
	return k < of->count ? of->name[k] : scree_column_name(k - of->count);
}

/* Adds the most similar key or column of any section or table to an error message without a suggestion. */
static void propose(const char *path, fail *why)
{
	const char *dot = strrchr(path, '.'), *name = dot ? dot + 1 : path;
	if (strstr(why->text, "did you mean")) return;
	key_names all = scree_scene_all_keys();
	const char *near = scree_nearest(name, key_or_column, &all);
	char *keys = near ? scree_scene_keys_named(near) : NULL;
	if (near)
		scree_fail(why, FAIL_INPUT, "there is no key '%s' (did you mean %s%s?)", path, keys ? "" : "the column ",
				   keys ? keys : near);
	SCREE_FREE_ALL(keys, all.name);
}

/* Explains a key and columns of the same name; if only a column exists, lists keys of that name in other sections. */
static bool write_explanation(FILE *to, const void *key, fail *why)
{
	char *text = scree_scene_explain(key, why);
	if (text) fputs(text, to);
	const bool is_key = text != NULL, named = *(const char *)key;
	const bool is_column = named && scree_columns_explain(to, key, begins_with_key(key));
	if (!is_key && !is_column) propose(key, why);
	char *keys = is_key || !is_column ? NULL : scree_scene_keys_named(key);
	if (keys) fprintf(to, "Keys of this name: %s.\n", keys);
	SCREE_FREE_ALL(text, keys);
	return is_key || is_column;
}

scree_code scree_explain(const char *key, char **text) { return give_text(write_explanation, key ? key : "", text); }

static bool write_schema(FILE *to, const void *of, fail *why)
{
	(void)of, (void)why;
	char *text = scree_scene_schema();
	fputs(text, to);
	scree_free(text);
	return true;
}

scree_code scree_schema(char **text) { return give_text(write_schema, NULL, text); }

/* ------------------------------------------------------------------ safe printing for programs that print messages */

void scree_print_text(FILE *to, const char *text)
{
	if (to) scree_shown(to, text ? text : "");
}

void scree_print_word(FILE *to, const char *text)
{
	if (to) scree_shown_word(to, text ? text : "");
}
