/* report.h: what is wrong with a scene, said as a compiler says it. */
#ifndef SCREE_SCENE_REPORT_H
#define SCREE_SCENE_REPORT_H

#include <stdbool.h>

#include "scene/text.h"

enum {
	REPORT_SHOWN = 20, /* messages printed */
	REPORT_KEPT = 200, /* kept to be put in order; later ones are only counted */
	SOURCES_MOST = 600
};

/* A text that nodes come from: a file, the text of one --set, the defaults. */
typedef struct source_text {
	const char *name;	/* as messages show it */
	const char *folder; /* of a file: its folder, relative to the scene's folder, "" or ending in '/' */
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
	int32_t number; /* in the order of discovery */
	const char *text, *cure;
} message;

/* A value that follows from a --set, through names of let. */
typedef struct consequence {
	struct consequence *next;
	place at;
	int32_t set; /* its source */
} consequence;

typedef struct report {
	arena *memory;
	consequence *consequences;
	int32_t sources, count, total;
	source_text source[SOURCES_MOST];
	message row[REPORT_KEPT];
} report;

/* The number of the new source; -1 when there are too many. The bytes must outlive the report. */
int32_t scree_report_source(report *r, const char *name, const char *folder, const char *bytes, size_t length);
/* cure: what to do, or NULL; the format may hold it too. Always returns 0, so that loaders can `return
 * scree_report(..)`. */
int scree_report(report *r, place at, const char *cure, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The value at this place follows from the --set of this source: messages about it will say so. */
void scree_report_consequence(report *r, place at, int32_t set);
/* All messages by file, line and column, as text to be freed with scree_free. */
char *scree_report_text(report *r);
/* Where text stands in a source: the start of line `line` (from 1), NULL when there is none. */
const char *scree_report_line(const source_text *s, int32_t line, size_t *length);

/* Are there so many messages that a further one is only counted? Then its place and cure need not be looked for. */
bool scree_report_full(const report *r);

/* The word nearest to `found` in a list (next(what, i) gives word i, NULL after the last one), or NULL when none is
 * near. */
typedef const char *word_fn(const void *what, int i);
const char *scree_nearest(const char *found, word_fn *next, const void *what);

#endif
