#include "world/slice.h"

#include "base/memory.h"
#include "base/sort.h"
#include "state/contact_rows.h"
#include "state/pairs.h"
#include "world/world.h"

void scree_world_slice_free(world_slice *o)
{
	if (!o) return;
	scree_bodies_free(&o->body);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) scree_free(o->contact[kind].bytes);
	SCREE_FREE_ALL(o->line, o);
}

contact_entry scree_contact_entry(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	const bodies *o = &s->body;
	const contact_look look = scree_contact_look(m, s, w, kind, k);
	const vec3 f = look.force.force, across = v3_madd(f, -v3_dot(f, look.normal), look.normal);
	const bool on_wall = pair_on_wall(kind);
	const int32_t a = l->ca[k], b = l->cb[k], wall = on_wall ? m->wall.surface_wall[b] : -1;
	return (contact_entry){.a = o->id[a],
						   .b = on_wall ? 0 : o->id[b],
						   .wall = wall,
						   .material = {o->material[a], on_wall ? m->wall.row[wall].material : o->material[b]},
						   .at = v3_add(body_position(o, a), look.at),
						   .normal = look.normal,
						   .force = f,
						   .normal_force = look.force.normal,
						   .tangential_force = v3_norm(across),
						   .overlap = look.depth};
}

static contact_line line_of(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	contact_line o = {.key = scree_contact_key(m, s, kind, k),
					  .kind = kind,
					  .from = body_position(&s->body, l->ca[k]),
					  .entry = scree_contact_entry(m, s, w, kind, k)};
	o.to = pair_on_wall(kind) ? v3_add(o.from, v3_sub(o.entry.at, o.from)) : body_position(&s->body, l->cb[k]);
	if (m->period.on && !pair_on_wall(kind))
		o.to = v3_add(o.to, s->images.shift[scree_world_image(m, s, kind, l->slot[k])]);
	return o;
}

contact_line *scree_contact_lines(const model *m, const state *s, const work *w, int64_t *count)
{
	int64_t n = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
			n += scree_contact_counted(s, kind, c.row);
	}
	contact_line *line = scree_alloc((size_t)n, sizeof *line);
	*count = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
			if (scree_contact_counted(s, kind, c.row)) line[(*count)++] = line_of(m, s, w, kind, c.row);
	}
	return line;
}

static int by_kind_and_key(const void *a, const void *b)
{
	const contact_line *x = a, *y = b;
	return x->kind != y->kind ? (x->kind > y->kind) - (x->kind < y->kind) : contact_key_order(&x->key, &y->key);
}

void scree_contact_lines_sort(contact_line *line, int64_t count)
{
	scree_sort_by(line, count, sizeof *line, by_kind_and_key);
}
