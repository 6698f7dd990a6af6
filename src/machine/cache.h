/* cache.h: compiled kernels in the user's cache, $XDG_CACHE_HOME/scree/kernels or ~/.cache/scree/kernels. A file there
 * belongs to one text, device, driver and set of options. A cache that cannot be read or written is no error. */
#ifndef SCREE_MACHINE_CACHE_H
#define SCREE_MACHINE_CACHE_H

#include "machine/row.h"

/* Returns whether there is an intact binary for this text; the caller frees its bytes. */
bool scree_cache_find(const machine *m, const char *text, machine_binary *to);
void scree_cache_keep(const machine *m, const char *text, machine_binary binary);

#endif
