/* contacts: iterates over contacts, with their forces and histories. */
#include "library/internal.h"

#include "state/pairs.h"
#include "world/world.h"

#define ONE(name, unit, help, group) +1
_Static_assert(0 CONTACT_HISTORY(ONE) <= SCREE_HISTORY_MOST, "there is room for all columns");
#undef ONE

/* Returns the row of the next contact in *k, and moves the cursor past it. */
static bool advance(const state *s, scree_cursor *at, int *kind, int64_t *k)
{
	for (; at->kind < PAIR_KINDS; ++at->kind, at->piece = 0) {
		const pair_list *l = s->pair + at->kind;
		for (; at->piece < l->pieces; ++at->piece, at->row = 0)
			while (at->row < l->used[at->piece]) {
				*k = l->base[at->piece] + at->row++;
				*kind = at->kind;
				if (l->touch[*k]) return true;
			}
	}
	return false;
}

static void put_history(const pair_list *l, int64_t k, scree_contact *c)
{
	c->columns = scree_history_table.count;
	for (int f = 0; f < c->columns; ++f)
		c->history[f] = scree_pair_has(l, f) ? ((real *)scree_field_array(l, scree_history_table.row + f))[k] : NAN;
}

static void put_partners(const model *m, const state *s, int kind, int64_t k, scree_contact *c)
{
	const pair_list *l = s->pair + kind;
	c->a = s->body.id[l->ca[k]];
	c->b = pair_on_wall(kind) ? 0 : s->body.id[l->cb[k]];
	c->wall = pair_on_wall(kind) ? m->wall.surface_wall[l->cb[k]] : -1;
}

static void put_contact(const model *m, const state *s, const work *w, int kind, int64_t k, scree_contact *c)
{
	const contact_look look = scree_contact_look(m, s, w, kind, k);
	const vec3 force = look.force.force;
	put_partners(m, s, kind, k, c);
	put_vector(c->point, v3_add(body_position(&s->body, s->pair[kind].ca[k]), look.at));
	put_vector(c->normal, look.normal);
	c->overlap = look.depth;
	c->normal_force = v3_dot(force, look.normal);
	put_vector(c->friction, v3_madd(force, -c->normal_force, look.normal));
	put_vector(c->torque, v3_sub(look.force.torque, v3_cross(look.at, force)));
	c->elastic = look.elastic;
	c->sliding = !m->solver && scree_contact_slides(m, s, w, kind, k);
	put_history(s->pair + kind, k, c);
}

int scree_in_next_contact(scree_sim *s, scree_cursor *at, scree_contact *out)
{
	const state *now = &s->w->state;
	int kind;
	int64_t k;
	if (!at || !out) return scree_sim_refuse(s, "scree_sim_next_contact: a required pointer is NULL"), 0;
	scree_sim_look(s);
	if (at->kind < 0 || at->piece < 0 || at->row < 0) return scree_sim_refuse(s, "this is not a cursor of contacts"), 0;
	if (!advance(now, at, &kind, &k)) return 0;
	put_contact(&s->w->model, now, &s->w->work, kind, k, out);
	return 1;
}

static const field *history(int column)
{
	return column >= 0 && column < scree_history_table.count ? scree_history_table.row + column : NULL;
}

const char *scree_history_name(int column) { return history(column) ? history(column)->name : NULL; }

const char *scree_history_unit(int column) { return history(column) ? history(column)->unit : NULL; }

const char *scree_history_help(int column) { return history(column) ? history(column)->help : NULL; }
