/* divide: the rule by which ranks divide a world, and the first division of a world that all of them have. */
#include "ranks/division/part.h"

#include "base/memory.h"

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

void scree_world_begin_division(work *w, rank_part *part)
{
	w->domain = (domain){.by = part->rule ? part->rule : &scree_domain_ranks, .at = part, .first = part->c->rank == 0};
}

void scree_world_divide(const model *m, state *s, work *w, rank_part *part)
{
	record_list none[PAIR_KINDS] = {{0}};
	scree_world_begin_division(w, part);
	scree_ranks_cut(part, s);
	int32_t *to = scree_ranks_of_bodies(part, s);
	kept_contacts *kept = scree_world_keep_all(m, s);
	scree_ranks_close_rows(&s->body, to, part->c->rank);
	scree_free(to);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) none[kind].each = scree_contact_bytes(s->pair + kind);
	scree_world_end_division(s, w, part, kept, none);
}
