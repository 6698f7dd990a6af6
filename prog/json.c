#include "json.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

int utf8_length(const unsigned char *p)
{
	const int n = *p < 0x80					? 1
				  : *p >= 0xc2 && *p < 0xe0 ? 2
				  : *p >= 0xe0 && *p < 0xf0 ? 3
				  : *p >= 0xf0 && *p < 0xf5 ? 4
											: 0;
	for (int k = 1; k < n; ++k)
		if ((p[k] & 0xc0) != 0x80) return 0;
	/* excludes overlong forms, surrogates, the noncharacters at the end of the first plane, and anything beyond the
	 * last plane */
	if (n == 3 && ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f))) return 0;
	if (n == 3 && p[0] == 0xef && p[1] == 0xbf && p[2] > 0xbd) return 0;
	if (n == 4 && ((p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))) return 0;
	return n;
}

void print_json_string(FILE *to, const char *text)
{
	fputc('"', to);
	for (const unsigned char *p = (const unsigned char *)(text ? text : ""); *p;) {
		const int n = utf8_length(p);
		if (!n)
			fputs("\\ufffd", to);
		else if (*p == '"' || *p == '\\')
			fprintf(to, "\\%c", *p);
		else if (*p < ' ' || *p == 127)
			fprintf(to, "\\u%04x", *p);
		else
			fwrite(p, 1, (size_t)n, to);
		p += n ? n : 1;
	}
	fputc('"', to);
}

void print_json_number(FILE *to, double value)
{
	if (isfinite(value))
		fprintf(to, "%.17g", value);
	else
		fputs("null", to);
}

/* ------------------------------------------------------------------ one object */

static FILE *output; /* NULL for standard output */
static bool begun;

void keep_output_for_json(void)
{
	const int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0); /* not passed on to the runs of a sweep */
	fflush(stdout);
	if (kept < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return;
	output = fdopen(kept, "w");
}

bool has_begun_json(void) { return begun; }
void note_json(void) { begun = true; }

json begin_json(const char *verb)
{
	json j = {.to = output ? output : stdout};
	begun = true;
	fputc('{', j.to);
	put_json_text(&j, "scree", scree_version());
	put_json_text(&j, "verb", verb);
	return j;
}

void end_json(json *j)
{
	fputs("}\n", j->to);
	fflush(j->to);
}

static void put_key(json *j, const char *key)
{
	fputs(j->more ? ", " : "", j->to);
	j->more = true;
	if (!key) return;
	print_json_string(j->to, key);
	fputs(": ", j->to);
}

void put_json_text(json *j, const char *key, const char *text)
{
	put_key(j, key);
	if (text)
		print_json_string(j->to, text);
	else
		fputs("null", j->to);
}

void put_json_number(json *j, const char *key, double value)
{
	put_key(j, key);
	print_json_number(j->to, value);
}

void put_json_count(json *j, const char *key, long long value)
{
	put_key(j, key);
	fprintf(j->to, "%lld", value);
}

void put_json_flag(json *j, const char *key, bool value)
{
	put_key(j, key);
	fputs(value ? "true" : "false", j->to);
}

json open_json(json *j, const char *key, char bracket)
{
	put_key(j, key);
	fputc(bracket, j->to);
	return (json){.to = j->to};
}

void close_json(const json *j, char bracket) { fputc(bracket, j->to); }

void put_json_lines(json *j, const char *key, const char *text)
{
	json list = open_json(j, key, '[');
	for (const char *p = text ? text : ""; *p;) {
		char line[4096];
		const size_t length = strcspn(p, "\n");
		snprintf(line, sizeof line, "%.*s", (int)length, p);
		put_json_text(&list, NULL, line);
		p += length + (p[length] == '\n');
	}
	close_json(&list, ']');
}

void put_json_problems(json *j, const scree_problems *p)
{
	json list = open_json(j, "problems", '[');
	for (int k = 0; k < scree_problems_count(p); ++k) {
		const scree_problem row = scree_problems_row(p, k);
		json one = open_json(&list, NULL, '{');
		put_json_text(&one, "file", row.file);
		put_json_count(&one, "line", row.line);
		put_json_count(&one, "column", row.column);
		put_json_text(&one, "sentence", row.sentence);
		put_json_text(&one, "cure", row.cure);
		close_json(&one, '}');
	}
	close_json(&list, ']');
}
