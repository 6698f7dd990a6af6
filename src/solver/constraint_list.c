/* constraint_list: finds the contacts of an implicit step, in the order of their rows, and their colours. */
#include "solver/constraints.h"

#include "base/memory.h"
#include "kernel/sphere_contact.h"
#include "state/bonds.h"
#include "state/contact_key.h"
#include "world/world.h"

static bool is_bridged(const solving *v, int kind, int64_t row)
{
	return v->w->skin.bridges > 0 && v->s->pair[kind].stiff[row] > 0;
}

/* Tests whether two spheres touch at their predicted positions or may touch at the end of the step. */
static bool spheres_may_touch(const solving *v, int kind, int64_t row, real depth)
{
	const int32_t i = v->s->pair[kind].ca[row], j = v->s->pair[kind].cb[row];
	const real radii = v->w->record[i].round + v->w->record[j].round;
	const real apart2 = v3_norm2(constraint_apart(v, kind, row));
	if (apart2 < radii * radii || is_bridged(v, kind, row) || is_bonded(v->s->pair + kind, row)) return true;
	const real slides = v3_norm(v3_sub(v->of->before[i].linear, v->of->before[j].linear));
	const real most = v->w->ahead.most[i] + v->w->ahead.most[j];
	const real reach = radii + (depth > 0 ? 0 : closes_by(slides, radii, most, v->more, v->h));
	return apart2 < reach * reach;
}

/* Rows of contacts with walls also count as touching at any distance within the reach of the search. */
static bool may_touch(const solving *v, int kind, int64_t row, real depth)
{
	const pair_list *l = v->s->pair + kind;
	const bodies *b = &v->s->body;
	if (scree_pair_kinds[kind].formula) return spheres_may_touch(v, kind, row, depth);
	if (!l->touch[row]) return false;
	const int32_t i = l->ca[row];
	real small = b->round[i];
	if (!pair_on_wall(kind)) small = real_min(small, b->round[l->cb[row]]);
	return v->w->pair[kind].contact.depth[row] > (depth > 0 ? depth * small : -INFINITY);
}

static void room_for_marks(solving *v)
{
	struct constraints *c = v->of;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const int64_t rows = v->w->pair[kind].contact.capacity;
		if (c->rows[kind] >= rows) continue;
		c->of_row[kind] = scree_renew(c->of_row[kind], (size_t)rows, sizeof *c->of_row[kind]);
		c->rows[kind] = rows;
	}
}

/* ------------------------------------------------------------------ new rows and their colours */

static int32_t moved(const struct constraints *c, int32_t i) { return c->body[i].inv_mass > 0 ? i : -1; }

/* A patch has an additional point for its impact. */
static int32_t points_of(const solving *v, int kind, int64_t row)
{
	return scree_pair_kinds[kind].patch ? v->w->pair[kind].contact.points[row] + 1 : 1;
}

static int32_t add_full(solving *v, const contact_ref *o)
{
	struct constraints *c = v->of;
	const int32_t points = points_of(v, o->kind, o->row);
	c->row = scree_room_for(c->row, c->fulls, 1, &c->full_capacity, sizeof *c->row);
	c->point = scree_room_for(c->point, c->points, points, &c->point_capacity, sizeof *c->point);
	constraint *r = c->row + c->fulls;
	r->ref = *o;
	r->points = points, r->first = c->points;
	c->points += points;
	r->bond = -1;
	scree_space_patches_add(v, r);
	if (scree_constraint_bonded(v, o)) {
		c->bond = scree_room_for(c->bond, c->bonds, 1, &c->bond_capacity, sizeof *c->bond);
		r->bond = (int32_t)c->bonds++;
	}
	return (int32_t)c->fulls++;
}

static void add_contact(solving *v, int kind, int64_t row)
{
	struct constraints *c = v->of;
	const pair_list *l = v->s->pair + kind;
	const bool on_wall = pair_on_wall(kind);
	const contact_key key = scree_contact_key(v->m, v->s, kind, row);
	const int32_t yields = scree_yielding_wall(v, kind, row);
	contact_ref o = {kind, l->ca[row], on_wall ? v->s->body.count + 1 + yields : l->cb[row], -1, 0, row};
	const int32_t ghost = on_wall ? 0 : bodies_ghost(&v->s->body, o.a, o.b);
	c->ref = scree_room_for(c->ref, c->count, 1, &c->capacity, sizeof *c->ref);
	if (!scree_ball_row_holds(v, &o)) o.full = add_full(v, &o);
	const int64_t k = c->count++;
	c->ref[k] = o;
	c->of_row[kind][row] = (int32_t)c->count;
	if (yields >= 0) {
		c->on_wall = scree_room_for(c->on_wall, c->on_walls, 1, &c->on_wall_capacity, sizeof *c->on_wall);
		c->on_wall[c->on_walls++] = k;
	}
	scree_colours_add(&c->colours.all,
					  (colour_item){contact_key_hash(&key, on_wall), moved(c, o.a), moved(c, o.b), ghost, kind, k});
}

static void fetch_record(const work *w, const pair_list *l, int64_t k, int kind)
{
	enum { AHEAD = 16 };
	if (scree_pair_kinds[kind].formula && k + AHEAD < l->base[l->pieces])
		__builtin_prefetch(w->record + l->cb[k + AHEAD]);
}

/* In the last block, contacts in tiles come first. */
static void sort_last_block(struct constraints *c)
{
	const int64_t from = c->colours.first[c->colours.colours], count = c->colours.all.count - from;
	colour_item *const item = c->colours.all.item + from;
	if (!count) return;
	colour_item *had = scree_copy(item, (size_t)count, sizeof *item);
	int64_t to = 0;
	for (int full = 0; full < 2; ++full)
		for (int64_t k = 0; k < count; ++k)
			if ((c->ref[had[k].row].full >= 0) == full) item[to++] = had[k];
	scree_free(had);
}

int64_t scree_constraints_add(solving *v, real depth)
{
	struct constraints *c = v->of;
	if (!(depth > 0))
		c->on_walls = c->count = c->fulls = c->points = c->bonds = c->colours.all.count = c->everywhere =
			c->space.count = c->space.further = 0;
	const int64_t had = c->count;
	room_for_marks(v);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = v->s->pair + kind;
		for (int32_t p = 0; p < l->pieces; ++p)
			for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k) {
				fetch_record(v->w, l, k, kind);
				if (depth > 0 && c->of_row[kind][k]) continue;
				c->of_row[kind][k] = 0;
				if (may_touch(v, kind, k, depth))
					add_contact(v, kind, k);
				else if (!scree_pair_kinds[kind].formula)
					v->s->pair[kind].touch[k] = 0; /* a further search tests it again */
			}
	}
	const int64_t added = scree_domain_count(&v->w->domain, c->count - had);
	c->everywhere += added;
	if (added > 0 || !(depth > 0)) {
		c->colours.domain = &v->w->domain;
		scree_colours_find(&c->colours, v->s->body.count);
		sort_last_block(c);
		scree_ball_rows_place(v, had);
		scree_plane_patches_place(v, had == 0);
		scree_space_patches_place(v);
	}
	return added;
}

void scree_constraints_free(struct constraints *c)
{
	scree_yielding_free(c);
	scree_free(c->ref);
	scree_free(c->row);
	scree_plane_patches_free(&c->plane);
	scree_space_patches_free(&c->space);
	scree_free(c->point);
	scree_free(c->bond);
	scree_free(c->body);
	scree_free(c->before);
	scree_free(c->aim);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) scree_free(c->of_row[kind]);
	scree_colours_free(&c->colours);
	scree_ball_rows_free(&c->balls);
}
