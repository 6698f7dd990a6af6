/* progress.h: progress reports of long work, through a function that the caller of the library sets. Has no effect
 * on results. */
#ifndef SCREE_BASE_PROGRESS_H
#define SCREE_BASE_PROGRESS_H

/* text: kind and name of the thing, progress in numbers, and seconds since the work began; or another report */
typedef void progress_fn(const char *text);

/* sets the function for the calling thread of the program; NULL, as at the start: no reports */
void scree_progress_to(progress_fn *to);
/* Begins work on a thing with this name (first 60 bytes): the first report comes after two seconds, each later one
 * after twice the time. */
void scree_progress_begin(const char *kind, const char *name);
/* Reports progress, as by printf. Cheap if no report is due; to be called some ten times a second or more. */
void scree_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Reports a text at once: a file that was written. */
void scree_progress_say(const char *text);

#endif
