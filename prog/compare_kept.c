/* compare_kept: reads and writes a file with the finished runs of a comparison (--resume FILE), so that an interrupted
 * comparison can continue with the remaining runs. The file consists of lines of text; numbers are hexadecimal, so that
 * they are read back exactly. */
#include "compare.h"
#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEPT = 1 << 28 }; /* largest size of the file, in bytes */

static const char *const first_line = "scree compare 1";

static bool has_ended(const piece *p) { return p->fate == DONE || p->fate == GUARDED; }

/* FNV-1a (Fowler, Noll, Vo) */
static uint64_t mixed(uint64_t hash, const void *bytes, size_t count)
{
	for (const unsigned char *p = bytes, *end = p + count; p < end; ++p) hash = (hash ^ *p) * 1099511628211u;
	return hash;
}

uint64_t scene_of(scree_sim *s)
{
	const char *const text = scree_sim_resolved(s) ? scree_sim_resolved(s) : "", *const version = scree_version();
	const uint64_t start = scree_sim_hash(s);
	const double step = scree_sim_step_length(s);
	uint64_t hash = mixed(14695981039346656037u, text, strlen(text));
	hash = mixed(hash, version, strlen(version));
	hash = mixed(hash, &start, sizeof start);
	return mixed(hash, &step, sizeof step);
}

/* ------------------------------------------------------------------ write */

/* writes a text as one line */
static void put_text(FILE *to, const char *key, const char *text)
{
	fprintf(to, "%s ", key);
	for (const char *p = text ? text : ""; *p; ++p)
		if (*p == '\n' || *p == '\\')
			fputs(*p == '\n' ? "\\n" : "\\\\", to);
		else
			fputc(*p, to);
	fputc('\n', to);
}

static void put_means(FILE *to, const mean *m, int count)
{
	for (int k = 0; k < count; ++k) fprintf(to, "mean %a %a %d\n", m[k].sum, m[k].squares, m[k].count);
}

static void put_run(FILE *to, const comparison *c, const piece *p, int walls)
{
	fprintf(to, "run %s %d %016" PRIx64 "\n", p->response, p->repeat, p->scene);
	fprintf(to, "end %d %d %d %a %a %a %a %a %d\n", (int)p->fate, p->code, (int)c->has_weight, p->time, p->energy,
			p->energy_limit, p->cpu, p->wall_clock, walls);
	put_means(to, p->value, VALUES);
	put_means(to, p->wall, walls);
	put_text(to, "sentence", p->sentence);
	put_text(to, "warnings", p->warnings);
}

/* The old file is replaced once the new file is complete. */
int write_kept(const comparison *c, const char *path)
{
	text_output o;
	if (!begin_output(&o)) return say_no_memory();
	fprintf(o.to, "%s\n", first_line);
	int runs = 0;
	for (int k = 0; k < c->pieces; ++k)
		if (has_ended(c->piece + k)) put_run(o.to, c, c->piece + k, c->walls), ++runs;
	for (int k = 0; k < c->kepts && runs < MOST_RUNS; ++k)
		if (!c->kept[k].taken) put_run(o.to, c, &c->kept[k].run, c->kept[k].walls), ++runs;
	return end_output(&o, path);
}

/* ------------------------------------------------------------------ read */

/* The remaining lines. Reading stops at an incomplete line, or at a line with a zero byte. */
typedef struct lines {
	char *at;
	const char *end;
} lines;

static char *take_line(lines *from)
{
	bool whole;
	char *line = next_line(&from->at, from->end, &whole);
	return line && whole && line + strlen(line) + 1 == from->at ? line : NULL;
}

/* The words of a line; all of them must be read. */
typedef struct words {
	char *at; /* NULL after an invalid word */
} words;

/* The next word, without blanks, or NULL if there is none. */
static char *take_word(words *w)
{
	if (!w->at || !*w->at) return w->at = NULL;
	char *word = w->at;
	const size_t length = strcspn(word, " ");
	w->at = word + length;
	if (*w->at) *w->at++ = 0;
	return length ? word : (w->at = NULL);
}

static bool take_key(words *w, const char *key)
{
	const char *word = take_word(w);
	return word && !strcmp(word, key);
}

static double take_number(words *w)
{
	char *word = take_word(w), *end = NULL;
	const double value = word ? strtod(word, &end) : NAN;
	if (word && *end) w->at = NULL;
	return value;
}

static int take_count(words *w, long least, long most)
{
	char *word = take_word(w), *end = NULL;
	const long value = word ? strtol(word, &end, 10) : 0;
	if (word && (*end || value < least || value > most)) w->at = NULL;
	return w->at ? (int)value : 0;
}

static uint64_t take_hash(words *w)
{
	char *word = take_word(w), *end = NULL;
	const unsigned long long value = word ? strtoull(word, &end, 16) : 0;
	if (word && *end) w->at = NULL;
	return value;
}

/* Tests whether all words of the line were read and valid. */
static bool is_used_up(const words *w) { return w->at && !*w->at; }

static bool get_means(lines *from, mean *m, int count)
{
	for (int k = 0; k < count; ++k) {
		words w = {take_line(from)};
		if (!take_key(&w, "mean")) return false;
		m[k].sum = take_number(&w);
		m[k].squares = take_number(&w);
		m[k].count = take_count(&w, 0, INT32_MAX);
		if (!is_used_up(&w)) return false;
	}
	return true;
}

/* Returns the text of a line that begins with this key, unescaped in place, or NULL if the line does not. */
static char *get_text(lines *from, const char *key)
{
	char *line = take_line(from), *to = line;
	const size_t length = strlen(key);
	if (!line || strncmp(line, key, length) != 0 || line[length] != ' ') return NULL;
	for (const char *p = line + length + 1; *p; ++p) {
		const bool escaped = *p == '\\';
		if (escaped && !*++p) return NULL; /* nothing follows the escape */
		*to++ = escaped && *p == 'n' ? '\n' : *p;
	}
	*to = 0;
	return line;
}

static bool get_head(lines *from, piece *p)
{
	words w = {take_line(from)};
	if (!take_key(&w, "run")) return false;
	const char *name = take_word(&w);
	if (!name || strlen(name) >= sizeof p->name) return false;
	snprintf(p->name, sizeof p->name, "%s", name);
	p->response = p->name;
	p->repeat = take_count(&w, 0, MOST_REPEATS);
	p->scene = take_hash(&w);
	return is_used_up(&w);
}

static bool get_end(lines *from, comparison *c, kept_run *o)
{
	piece *p = &o->run;
	words w = {take_line(from)};
	if (!take_key(&w, "end")) return false;
	p->fate = (fate)take_count(&w, DONE, GUARDED);
	p->code = take_count(&w, 0, 255);
	c->has_weight = take_count(&w, 0, 1);
	p->time = take_number(&w);
	p->energy = take_number(&w);
	p->energy_limit = take_number(&w);
	p->cpu = take_number(&w);
	p->wall_clock = take_number(&w);
	/* each wall has its own line, so a count larger than the number of bytes is wrong */
	o->walls = take_count(&w, 0, from->end - from->at);
	return is_used_up(&w);
}

static bool get_run(lines *from, comparison *c, kept_run *o)
{
	piece *p = &o->run;
	if (!get_head(from, p) || !get_end(from, c, o)) return false;
	p->wall = room((size_t)o->walls, sizeof *p->wall);
	if (!get_means(from, p->value, VALUES) || !get_means(from, p->wall, o->walls)) return false;
	const char *sentence = get_text(from, "sentence"), *warnings = get_text(from, "warnings");
	if (!sentence || !warnings) return false;
	snprintf(p->sentence, sizeof p->sentence, "%s", sentence);
	p->warnings = strcpy(room(strlen(warnings) + 1, 1), warnings);
	return true;
}

bool parse_kept(comparison *c, char *text, size_t length)
{
	lines from = {text, text + length};
	const char *head = take_line(&from);
	bool good = head && !strcmp(head, first_line);
	while (good && from.at < from.end) good = c->kepts < MOST_RUNS && get_run(&from, c, c->kept + c->kepts++);
	return good;
}

int read_kept(comparison *c, const char *path)
{
	char *text;
	size_t length;
	const int code = read_input(path, MOST_KEPT, &text, &length);
	const bool good = !text || parse_kept(c, text, length);
	free_input(text);
	if (good) return code;
	return say_error_of(BAD_INPUT, "%s: not a file of a comparison, or written by another version; remove it", path);
}

/* ------------------------------------------------------------------ take */

bool take_kept(comparison *c, piece *p)
{
	for (int k = 0; k < c->kepts; ++k) {
		kept_run *o = c->kept + k;
		if (o->taken || o->run.repeat != p->repeat || strcmp(o->run.response, p->response) != 0) continue;
		if (o->run.scene != p->scene || o->walls != c->walls) continue;
		const piece had = *p;
		*p = o->run;
		memcpy(p->name, had.name, sizeof had.name);
		p->response = had.response, p->problems = had.problems;
		return o->taken = true;
	}
	return false;
}

void free_kept(comparison *c)
{
	for (int k = 0; k < c->kepts; ++k) {
		if (c->kept[k].taken) continue;
		free(c->kept[k].run.warnings);
		free(c->kept[k].run.wall);
	}
	c->kepts = 0;
}
