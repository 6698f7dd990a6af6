/* problems: problems of a scene or of a snapshot, returned as values. Problems do not belong to a simulation. */
#include "library/internal.h"

#include <string.h>

struct scree_problems {
	memory_list memory; /* list of all blocks of the problems */
	scene_problems of;
	scree_code code;
	open_attempt made; /* their copy */
	fail why;
};

static void make(void *what) { *(scree_problems **)what = scree_alloc(1, sizeof(scree_problems)); }

static void copy(scree_problems *all, const scene_problems *from)
{
	scene_problems *to = &all->of;
	to->text = scree_copy_text(from->text);
	to->row = scree_alloc((size_t)from->count, sizeof *to->row);
	for (; to->count < from->count; ++to->count) {
		const scene_problem *p = from->row + to->count;
		to->row[to->count] = (scene_problem){scree_copy_text(p->file), p->line, p->column, scree_copy_text(p->sentence),
											 scree_copy_text(p->cure)};
	}
}

static scree_problems *copy_of(const scene_problems *from)
{
	scree_problems *p = NULL;
	fail why;
	scree_memory_into(NULL);
	if (!scree_attempt(make, &p, &why)) return NULL;
	scree_memory_into(&p->memory);
	if (setjmp(*scree_attempt_begin(&p->made, &p->why))) return scree_problems_free(p), NULL;
	copy(p, from);
	scree_attempt_end(&p->made);
	return p;
}

void scree_problems_give(const scene_problems *from, scree_problems **to)
{
	if (!to) return;
	memory_list *outer = scree_memory_now();
	*to = copy_of(from);
	if (*to) (*to)->code = SCREE_BAD_INPUT;
	scree_memory_into(outer);
}

void scree_problems_say(const char *file, const fail *why, scree_problems **to)
{
	char text[sizeof why->text + 512];
	const char *sentence = why->text;
	const size_t named = file ? strlen(file) : 0;
	if (named && !strncmp(sentence, file, named) && !strncmp(sentence + named, ": ", 2)) sentence += named + 2;
	if (strstr(why->text, "error: ")) /* lines about a scene from another rank */
		snprintf(text, sizeof text, "%s", why->text);
	else
		snprintf(text, sizeof text, "%s%s%s\n", file ? file : "", file ? ": error: " : "error: ", sentence);
	scene_problem row = {.file = (char *)file, .sentence = (char *)why->text};
	scree_problems_give(&(scene_problems){1, &row, text}, to);
	if (to && *to) (*to)->code = scree_sim_code(why);
}

scree_code scree_sim_code(const fail *why)
{
	return why->code == FAIL_INPUT || why->code == FAIL_GUARD || why->code == FAIL_IO ? (scree_code)why->code
																					  : SCREE_INTERNAL;
}

scree_code scree_problems_code(const scree_problems *p) { return p ? p->code : SCREE_FILES; }

int scree_problems_count(const scree_problems *p) { return p ? p->of.count : 0; }

scree_problem scree_problems_row(const scree_problems *p, int k)
{
	if (!p || k < 0 || k >= p->of.count) return (scree_problem){.sentence = ""};
	const scene_problem *o = p->of.row + k;
	return (scree_problem){o->file, o->line, o->column, o->sentence, o->cure};
}

const char *scree_problems_text(const scree_problems *p) { return p && p->of.text ? p->of.text : ""; }

void scree_problems_free(scree_problems *p)
{
	if (!p) return;
	scree_memory_drop(&p->memory);
	scree_free(p);
}
