/* rule: the rule of division by parts of space (domain/domain.h). */
#include "ranks/part.h"

const domain_row scree_domain_ranks = {.name = "ranks",
									   .help = "parts of space, one per rank",
									   .most = scree_ranks_most,
									   .add = scree_ranks_add,
									   .both = scree_ranks_both,
									   .gather = scree_ranks_gather,
									   .owns = scree_ranks_owns,
									   .settle = scree_bodies_to_owners,
									   .renew = scree_owners_to_copies,
									   .refresh = scree_copies_follow,
									   .share = scree_owners_to_ghosts,
									   .deliver = scree_records_to_owners,
									   .slice = scree_ranks_slice,
									   .collect = scree_ranks_collect,
									   .break_off = scree_ranks_break_off};
