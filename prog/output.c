#include "output.h"

#include "scree/files.h"
#include "scree/language.h"

#include <stdlib.h>
#include <string.h>

int say_no_memory(void) { return say_error(FILES, "out of memory for a text"); }

int say_failure(int code, char **why)
{
	if (code) say_error(code, *why ? *why : "out of memory");
	scree_text_free(*why);
	*why = NULL;
	return code;
}

bool begin_output(text_output *o)
{
	*o = (text_output){0};
	o->to = open_memstream(&o->text, &o->length);
	return o->to != NULL;
}

int end_output(text_output *o, const char *path)
{
	char *why = NULL;
	const bool failed = ferror(o->to) != 0;
	const bool whole = fclose(o->to) == 0 && !failed;
	const int code = whole ? say_failure((int)scree_write_file(path, o->text, o->length, &why), &why) : say_no_memory();
	free(o->text);
	return code;
}

void drop_output(text_output *o)
{
	fclose(o->to);
	free(o->text);
}

int read_input(const char *path, size_t most, char **text, size_t *length)
{
	uint64_t count;
	const int code = (int)scree_read_file(path, most, text, &count);
	*length = (size_t)count;
	if (!code) return 0;
	return say_failure(code, text);
}

char *read_quietly(const char *path, size_t most, size_t *length)
{
	char *text;
	uint64_t count;
	const scree_code code = scree_read_file(path, most, &text, &count);
	*length = (size_t)count;
	if (!code) return text;
	scree_text_free(text);
	return NULL;
}

void free_input(char *text) { scree_text_free(text); }

char *next_line(char **at, const char *end, bool *whole)
{
	char *line = *at, *newline;
	if (line >= end) return NULL;
	newline = memchr(line, '\n', (size_t)(end - line));
	*whole = newline != NULL;
	*at = newline ? newline + 1 : line + (end - line);
	if (newline) *newline = 0;
	return line;
}
