/* none: for builds with SCREE_PAPERS=OFF, which omit the options that implement published methods, but need their names
 * for messages about scenes that use one. */
#include "papers/rows.h"

#include <string.h>

const choice_rows scree_paper_broads, scree_paper_narrows, scree_paper_integrators, scree_paper_sharings;
const choice_rows scree_paper_responses;

bool scree_paper_left_out(const char *name)
{
	for (const char *const *k = scree_paper_names; *k; ++k)
		if (!strcmp(*k, name)) return true;
	return false;
}
