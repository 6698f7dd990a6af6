/* progress.h: progress reports during long work, through a function that the caller of the library sets. Reports have
 * no effect on results. */
#ifndef SCREE_BASE_PROGRESS_H
#define SCREE_BASE_PROGRESS_H

/* text: kind and name of the item, progress in numbers, and seconds since the work began; or another report */
typedef void progress_fn(const char *text);

/* sets the function for the calling thread of the program; NULL, the initial value, turns reports off */
void scree_progress_to(progress_fn *to);
/* Begins work on an item with this name (first 60 bytes): the first report is made after two seconds, and each later
 * one after twice as long. */
void scree_progress_begin(const char *kind, const char *name);
/* Reports progress; the arguments are those of printf. Cheap if no report is due; should be called about ten times a
 * second or more. */
void scree_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Reports a text at once, such as the name of a file that was written. */
void scree_progress_say(const char *text);

#endif
