/* govender2015.h: the contact algorithms of Govender, Wilke and Kok (2015) (docs/theory/convex.md, walls.md) as rows of
 * the table of narrow phases, with the arguments of narrow.h; hint is not used. */
#ifndef SCREE_PAPERS_GOVENDER2015_H
#define SCREE_PAPERS_GOVENDER2015_H

#include "narrow/narrow.h"

/* Algorithm 1. As printed, it finds edge contacts between bodies that are separated by other edges. */
void scree_govender2015_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_govender2015_convex_convex_printed(const placed *a, const placed *b, int32_t hint, patch *out);
/* Algorithm 2. */
void scree_govender2015_convex_wall(const placed *body, const near_wall *to, touch_list *out);
/* The reason why Algorithm 2 does not support this wall; NULL if it does. */
const char *scree_govender2015_refuses(const walls *s, int32_t wall);
/* Both algorithms on a device (govender2015.cl). */
extern const narrow_kernels scree_govender2015_kernels, scree_govender2015_kernels_printed,
	scree_govender2015_kernels_branching;

#endif
