/* records.h: packs the data of partners for the stages between drift and kick. */
#ifndef SCREE_MOTION_RECORDS_H
#define SCREE_MOTION_RECORDS_H

#include "world/world.h"

/* Makes room for a record of each body. */
void scree_records_room(state *s, work *w);
/* Packs bodies from .. to-1 into records of these rows; of NULL: of the same rows. */
void scree_pack_records(const model *m, const bodies *all, const int32_t *of, body_record *record, int64_t from,
						int64_t to);

#endif
