/* compare_kept: a file of the runs of a comparison that have ended (--resume FILE), so that a comparison that was
 * interrupted continues with the others. Lines of text; numbers are hexadecimal, so that they are read back exactly. */
#include "compare.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* a text as one line */
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

static int not_written(const char *path) { return say_error_of(FILES, "%s: %s", path, strerror(errno)); }

/* The old file is replaced when the new one is complete. */
int write_kept(const comparison *c, const char *path)
{
	char new[SENTENCE];
	if (snprintf(new, sizeof new, "%s.new", path) >= (int)sizeof new) errno = ENAMETOOLONG;
	FILE *to = strlen(path) + 5 < sizeof new ? fopen(new, "w") : NULL;
	if (!to) return not_written(path);
	fprintf(to, "%s\n", first_line);
	int runs = 0;
	for (int k = 0; k < c->pieces; ++k)
		if (has_ended(c->piece + k)) put_run(to, c, c->piece + k, c->walls), ++runs;
	for (int k = 0; k < c->kepts && runs < MOST_RUNS; ++k)
		if (!c->kept[k].taken) put_run(to, c, &c->kept[k].run, c->kept[k].walls), ++runs;
	const bool good = !ferror(to);
	return fclose(to) == 0 && good && rename(new, path) == 0 ? 0 : not_written(path);
}

/* ------------------------------------------------------------------ read */

static bool get_means(FILE *from, mean *m, int count)
{
	for (int k = 0; k < count; ++k)
		if (fscanf(from, "mean %la %la %d\n", &m[k].sum, &m[k].squares, &m[k].count) != 3) return false;
	return true;
}

/* Returns the text of a line that begins with this key, to be freed; NULL: there is none. */
static char *get_text(FILE *from, const char *key)
{
	char *line = NULL, *to;
	size_t room = 0;
	const size_t skip = strlen(key) + 1;
	const ssize_t length = getline(&line, &room, from);
	if (length < (ssize_t)skip || strncmp(line, key, skip - 1) != 0) {
		free(line);
		return NULL;
	}
	to = line;
	for (const char *p = line + skip; *p && *p != '\n'; ++p) *to++ = *p != '\\' ? *p : *++p == 'n' ? '\n' : *p;
	*to = 0;
	return line;
}

static bool get_run(FILE *from, comparison *c, kept_run *o)
{
	piece *p = &o->run;
	int fate, weight;
	if (fscanf(from, "run %63s %d %" SCNx64 "\n", p->name, &p->repeat, &p->scene) != 3) return false;
	if (fscanf(from, "end %d %d %d %la %la %la %la %la %d\n", &fate, &p->code, &weight, &p->time, &p->energy,
			   &p->energy_limit, &p->cpu, &p->wall_clock, &o->walls) != 9)
		return false;
	if (o->walls < 0 || (fate != DONE && fate != GUARDED)) return false;
	p->fate = (enum fate)fate;
	p->response = p->name;
	p->wall = room((size_t)o->walls, sizeof *p->wall);
	if (!get_means(from, p->value, VALUES) || !get_means(from, p->wall, o->walls)) return false;
	char *sentence = get_text(from, "sentence");
	if (sentence) snprintf(p->sentence, sizeof p->sentence, "%s", sentence);
	free(sentence);
	p->warnings = get_text(from, "warnings");
	c->has_weight = weight;
	return sentence && p->warnings;
}

int read_kept(comparison *c, const char *path)
{
	FILE *from = fopen(path, "r");
	if (!from && errno == ENOENT) return 0;
	if (!from) return not_written(path);
	char *head = get_text(from, "scree compare");
	bool good = head && !strcmp(head, "1");
	free(head);
	for (int next; good && (next = fgetc(from)) != EOF;) {
		ungetc(next, from);
		good = c->kepts < MOST_RUNS && get_run(from, c, c->kept + c->kepts++);
	}
	fclose(from);
	if (good) return 0;
	return say_error_of(BAD_INPUT, "%s: not a file of a comparison, or of another version; remove it", path);
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
