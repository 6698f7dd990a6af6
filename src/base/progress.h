/* progress.h: reports the progress of long work to a function set by the library's caller; no effect on results. */
#ifndef SCREE_BASE_PROGRESS_H
#define SCREE_BASE_PROGRESS_H

/* text: kind and name of the item, progress in numbers, and seconds since the work began; or another report */
typedef void progress_fn(const char *text);

/* sets the function for the calling thread of the program; NULL, the initial value, turns reports off */
void scree_progress_to(progress_fn *to);
/* Begins work on a named item (first 60 bytes). The first report comes after 2 s, later ones after twice as long. */
void scree_progress_begin(const char *kind, const char *name);
/* Reports progress, like printf. Cheap if no report is due; should be called about ten times a second or more. */
void scree_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void scree_progress_say(const char *text); /* reports a text at once, such as the name of a file that was written */

#endif
