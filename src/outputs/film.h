/* film.h: a film of the pictures of a run, by ffmpeg. */
#ifndef SCREE_OUTPUTS_FILM_H
#define SCREE_OUTPUTS_FILM_H

#include "base/fail.h"
#include "base/real.h"

#include <stdint.h>

/* Whether ffmpeg is found. */
bool scree_film_possible(void);
/* Makes NAME.mp4 of the pictures first .. first+count-1 of a run, with this number per second; it replaces an older
 * film when it is complete. False with an error message. */
bool scree_film_write(const char *folder, const char *name, int64_t first, int64_t count, real rate, fail *why);

#endif
