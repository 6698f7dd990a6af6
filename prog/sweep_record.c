/* sweep_record: data on a run that a sweep keeps between calls, and data read from the output of a run. */
#include "sweep.h"

#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int write_record(const swept *o, const char *path)
{
	text_output to;
	if (!begin_output(&to)) return say_no_memory();
	fprintf(to.to, "scree sweep 1\nscene %016" PRIx64 "\nended %d\ncode %d\nseconds %.3f\nhash %s\n", o->scene,
			o->ended, o->code, o->seconds, *o->hash ? o->hash : "-");
	return end_output(&to, path);
}

/* The word after this key on the next line, or NULL if the line has a different format. */
static char *value_of(char **at, const char *end, const char *key)
{
	bool whole;
	char *line = next_line(at, end, &whole);
	const size_t length = strlen(key);
	if (!line || !whole || line + strlen(line) + 1 != *at) return NULL;
	return !strncmp(line, key, length) && line[length] == ' ' ? line + length + 1 : NULL;
}

static bool take_long(const char *word, long least, long most, int base, long *value)
{
	char *end = NULL;
	*value = word ? strtol(word, &end, base) : 0;
	return word && end != word && !*end && *value >= least && *value <= most;
}

static bool take_hash(const char *word, char hash[SWEPT_HASH])
{
	if (!word || strlen(word) >= SWEPT_HASH) return false;
	if (!strcmp(word, "-")) word = "";
	if (word[strspn(word, "0123456789abcdef")]) return false;
	snprintf(hash, SWEPT_HASH, "%s", word);
	return true;
}

bool parse_record(swept *o, char *text, size_t length, uint64_t *scene)
{
	char *at = text, *stop = NULL;
	const char *const end = text + length, *word = value_of(&at, end, "scree sweep");
	swept read = *o;
	long ended, code;
	if (!word || strcmp(word, "1") != 0) return false;
	if (!(word = value_of(&at, end, "scene"))) return false;
	*scene = strtoull(word, &stop, 16);
	if (stop == word || *stop) return false;
	if (!take_long(value_of(&at, end, "ended"), 0, 1, 10, &ended)) return false;
	if (!take_long(value_of(&at, end, "code"), 0, 255, 10, &code)) return false;
	if (!(word = value_of(&at, end, "seconds"))) return false;
	read.seconds = strtod(word, &stop);
	if (stop == word || *stop || !(read.seconds >= 0 && read.seconds < 1e12)) return false;
	if (!take_hash(value_of(&at, end, "hash"), read.hash)) return false;
	read.ended = ended, read.code = (int)code, read.known = true;
	if (*scene == o->scene) *o = read;
	return true;
}

int read_record(swept *o, const char *path, bool *there, uint64_t *scene)
{
	char *text;
	size_t length;
	const int code = read_input(path, MOST_SMALL, &text, &length);
	*there = text && parse_record(o, text, length, scene);
	free_input(text);
	return code;
}

void parse_hash(swept *o, char *text, size_t length)
{
	char *at = text, *line;
	bool whole;
	o->hash[0] = 0;
	while ((line = next_line(&at, text + length, &whole)) != NULL)
		if (!strncmp(line, "hash ", 5) && line[5] && strlen(line + 5) < SWEPT_HASH) take_hash(line + 5, o->hash);
}
