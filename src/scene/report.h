/* report.h: error messages about a scene, in the format of compiler messages. */
#ifndef SCREE_SCENE_REPORT_H
#define SCREE_SCENE_REPORT_H

#include "scene/text.h"

enum {
	REPORT_SHOWN = 20, /* messages printed */
	REPORT_KEPT = 200, /* kept for sorting; later messages are only counted */
	SOURCES_MOST = 600
};

/* A source of nodes: a file, the text of one --set, or the defaults. */
typedef struct source_text {
	const char *name;	/* name in messages */
	const char *folder; /* for a file: its folder, relative to the scene's folder, "" or ending in '/' */
	const char *bytes;
	size_t length;
	bool set; /* the text of a --set */
} source_text;

/* A piece of a line. Lines and columns count from 1; columns count characters, not bytes. */
typedef struct place {
	int32_t source, line, column, width;
} place;

typedef struct message {
	place at;
	int32_t number; /* number of the message in the order of discovery */
	const char *text, *cure;
} message;

/* Position of a value that depends on a --set through names of let. */
typedef struct consequence {
	struct consequence *next;
	place at;
	int32_t set; /* number of the source that is the --set */
} consequence;

typedef struct report {
	arena *memory;
	consequence *consequences;
	int32_t sources, count, total;
	int32_t known; /* messages from earlier reads of the scene; a new one at the same position is a duplicate */
	source_text source[SOURCES_MOST];
	message row[REPORT_KEPT];
} report;

/* Adds a source and returns its number; -1 if there are too many. The bytes must outlive the report. */
int32_t scree_report_source(report *r, const char *name, const char *folder, const char *bytes, size_t length);
/* Adds an error and returns 0, for `return scree_report(..)`. cure: a remedy, or NULL; the format may contain one. */
int scree_report(report *r, place at, const char *cure, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Returns NULL, for loaders of pointers: `return scree_null(scree_report(..))`. */
static inline void *scree_null(int reported)
{
	(void)reported;
	return NULL;
}
/* Marks the value at this position as a consequence of the --set of this source, for messages about the value. */
void scree_report_consequence(report *r, place at, int32_t set);
/* All messages as text, in the order of file, line and column, freed with scree_free. */
char *scree_report_text(report *r);
/* The start of line `line` (from 1) of a source; NULL if there is none. */
const char *scree_report_line(const source_text *s, int32_t line, size_t *length);

/* Tests whether another message would only be counted, so that its position and remedy are not needed. */
bool scree_report_full(const report *r);
/* Empties t and returns its text, kept with the report: "" if the message is only counted, NULL if t was empty. */
const char *scree_report_keep(const report *r, writing *t);

/* The word most similar to `found`, or NULL if none is similar. next(what, i): word i, or NULL after the last one */
typedef const char *word_fn(const void *what, int i);
const char *scree_nearest(const char *found, word_fn *next, const void *what);
/* Writes the words of a list with commas, and `before` in front of the first word if there is one. */
void scree_writing_words(writing *t, const char *before, word_fn *next, const void *what);
/* Returns " (did you mean WORD?)" for a message, or "" if no word is similar or the message is only counted. */
const char *scree_meant(const report *r, const char *found, word_fn *next, const void *what);

#endif
