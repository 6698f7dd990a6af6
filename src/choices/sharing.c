/* sharing: the table of ways in which threads share the contacts of surfaces with a halo. */
#include "choices/choices.h"
#include "papers/rows.h"

static const sharing table[] = {
	{"nested", "pairs one by one, but the triangles of pairs much larger than the rest by all threads", true,
	 scree_sharing_nested, false},
};
const choices scree_sharings = {sizeof *table, ROWS_OF(table), &scree_paper_sharings};
