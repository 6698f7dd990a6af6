/* bytes: counts the memory that a world would need on a device, by the code that makes room for it. */
#include "resident/blocks.h"

#include "ranks/together/domain.h"

resident_counts scree_resident_needs(const model *m, state *s, const work *w, int64_t rows_per_body)
{
	work at = *w;
	at.domain = scree_domain_alone;
	resident *r = scree_resident_memory(NULL, "", (device){0});
	at.device = &r->by;
	r->rows_per_body = rows_per_body;
	scree_resident_write(m, s, &at, RESIDENT_BATCH);
	scree_resident_launch(s, &at, RESIDENT_BATCH);
	scree_resident_search_room(r, m, s, &at);
	const resident_counts needs = scree_resident_counts(&at);
	scree_resident_close(&r->by);
	return needs;
}
