/* progress.h: what takes long says how far it has come, through a function that the caller of the library sets. Nothing
 * is computed from it. */
#ifndef SCREE_BASE_PROGRESS_H
#define SCREE_BASE_PROGRESS_H

/* seconds since the work began; the thing by kind and name, and words of the work with numbers */
typedef void progress_fn(double seconds, const char *text);

/* of this thread of the program; NULL: nothing is said, as at the start */
void scree_progress_to(progress_fn *to);
/* Work on something of a name (60 bytes count) begins: the first words come two seconds later, the next ones after
 * twice the time each. */
void scree_progress_begin(const char *kind, const char *name);
/* How far it is, as by printf. Cheap where nothing is said; to be called some ten times a second or more. */
void scree_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
