/* json.h: facts as JSON (--json), one object per call of the command. docs/json.md lists the members for each verb. */
#ifndef SCREE_PROG_JSON_H
#define SCREE_PROG_JSON_H

#include "command.h"

/* An object or a list that is being written. */
typedef struct json {
	FILE *to;
	bool more; /* at least one member has been written */
} json;

/* Begins the object of a verb, with the version, on the original standard output of the command. */
json begin_json(const char *verb);
void end_json(json *j);
/* Tests whether an object has been begun, or has been written in another way. */
bool has_begun_json(void);
void note_json(void);
/* Redirects all other output of this call to the standard error, so that only JSON is written to the standard output.
 */
void keep_output_for_json(void);

void put_json_text(json *j, const char *key, const char *text); /* NULL: null */
void put_json_number(json *j, const char *key, double value);	/* writes null if it is not finite */
void put_json_count(json *j, const char *key, long long value);
void put_json_flag(json *j, const char *key, bool value);
/* Nested objects and lists; key is NULL for an element of a list. */
json open_json(json *j, const char *key, char bracket);
void close_json(const json *j, char bracket);
/* Writes each line of a text as an element of a list. */
void put_json_lines(json *j, const char *key, const char *text);
void put_json_problems(json *j, const scree_problems *p);

void print_json_string(FILE *to, const char *text);
void print_json_number(FILE *to, double value);
/* Number of bytes of the UTF-8 character at this position, or 0 if it is not valid. */
int utf8_length(const unsigned char *p);

#endif
