/* build_histories: restores contact histories for bodies from the snapshots of other runs. A history is valid only for
 * the same contact: the masses of both bodies, the law for their materials and the narrow phase must be unchanged, and
 * a wall must have the same name, form and position. Lost histories are reported with the reason. */
#include "base/sort.h"
#include "kernel/law_constants.h"
#include "kernel/quat.h"
#include "prepare/prepare.h"
#include "scene/reader.h"
#include "state/bonds.h"
#include "state/contact_key.h"
#include "state/kept_contacts.h"
#include "world/world.h"

/* reasons why a contact loses its history */
typedef enum reason {
	COMES,
	NO_FORCES,
	OTHER_SEARCH,
	OTHER_MASS,
	OTHER_LAW,
	OTHER_CELL,
	NO_WALL,
	OTHER_WALL,
	REASONS
} reason;

static const char *const words[REASONS] = {
	[NO_FORCES] = "contacts are resolved by impulses",
	[OTHER_SEARCH] = "run.narrow_phase differs",
	[OTHER_MASS] = "different density of",
	[OTHER_LAW] = "different law, or different constants, for",
	[OTHER_CELL] = "the periodic cells differ, or are sheared",
	[NO_WALL] = "this scene has no wall",
	[OTHER_WALL] = "different form or position of wall",
};

typedef struct lost_contacts {
	int64_t count[REASONS];
	char names[REASONS][512]; /* names of walls and materials, as many as fit */
} lost_contacts;

static void note_lost(lost_contacts *l, reason why, const char *name)
{
	char quoted[132], *list = l->names[why];
	const size_t used = strlen(list);
	snprintf(quoted, sizeof quoted, "'%s'", name);
	l->count[why] += 1;
	if (!*name || strstr(list, quoted)) return;
	const bool has_room = used + strlen(quoted) + 8 < sizeof l->names[why];
	if (has_room || (used && list[used - 1] != '.'))
		snprintf(list + used, sizeof l->names[why] - used, "%s%s", used ? ", " : "", has_room ? quoted : "...");
}

/* a wall in one of the two worlds */
typedef struct wall_of {
	const scree_world *world;
	const wall *wall;
	const wall_state *at;
} wall_of;

static wall_of wall_in(const scree_world *w, int32_t k)
{
	return (wall_of){w, w->model.wall.row + k, w->state.wall + k};
}

static bool near3(vec3 a, vec3 b, real within) { return v3_norm(v3_sub(a, b)) <= within; }

static bool same_facets(const wall_of *a, const wall_of *b, real within)
{
	const walls *s = &a->world->model.wall, *t = &b->world->model.wall;
	const wall *x = a->wall, *y = b->wall;
	if (x->facets != y->facets || x->surfaces != y->surfaces) return false;
	for (int32_t k = 0; k < x->facets; ++k) {
		const facet *f = s->facet + x->first_facet + k, *g = t->facet + y->first_facet + k;
		if (f->corners != g->corners || f->surface - x->first_surface != g->surface - y->first_surface) return false;
		for (int32_t c = 0; c < f->corners; ++c)
			if (!near3(wall_to_world(a->at, s->corner[f->first + c]), wall_to_world(b->at, t->corner[g->first + c]),
					   within))
				return false;
	}
	return true;
}

static bool same_outline(const wall_of *a, const wall_of *b, real within)
{
	const shape *s = a->world->model.shape.row + a->wall->shape, *t = b->world->model.shape.row + b->wall->shape;
	if (s->flat.corners != t->flat.corners) return false;
	for (int32_t k = 0; k < s->flat.corners; ++k)
		if (!near3(wall_to_world(a->at, scree_shape_corner(s, k)), wall_to_world(b->at, scree_shape_corner(t, k)),
				   within))
			return false;
	return true;
}

static bool same_number(real a, real b) { return a == b || real_abs(a - b) <= (real)1e-12 * real_abs(a); }

/* within: tolerance, in m, too small to matter for a contact */
static bool same_wall(const wall_of *a, const wall_of *b, real within)
{
	const wall *x = a->wall, *y = b->wall;
	const vec3 p = quat_rotate(a->at->orientation, x->axis), q = quat_rotate(b->at->orientation, y->axis);
	const vec3 at = wall_to_world(a->at, x->point), there = wall_to_world(b->at, y->point);
	if (x->type != y->type || x->side != y->side || x->two_sided != y->two_sided || x->internal != y->internal)
		return false;
	switch (x->type) {
	case WALL_FACETS:
		return same_facets(a, b, within);
	case WALL_POLYGON:
		return same_outline(a, b, within);
	case WALL_PLANE:
		return near3(p, q, (real)1e-12) && real_abs(v3_dot(p, v3_sub(at, there))) <= within;
	default:
		return near3(p, q, (real)1e-12) && near3(at, there, within) && same_number(x->radius, y->radius) &&
			   same_number(x->radius2, y->radius2) && same_number(x->length, y->length);
	}
}

static int32_t material_there(const scree_world *w, int kind, int64_t k, bool second)
{
	const pair_list *l = w->state.pair + kind;
	if (!second) return w->state.body.material[l->ca[k]];
	return pair_on_wall(kind) ? w->model.wall.row[w->model.wall.surface_wall[l->cb[k]]].material
							  : w->state.body.material[l->cb[k]];
}

static bool same_constants(const law_constants *a, const law_constants *b)
{
	return a->law == b->law && a->stiffness == b->stiffness && a->shear == b->shear && a->damping == b->damping &&
		   a->friction == b->friction && a->rolling == b->rolling && a->exponent == b->exponent &&
		   a->pulls == b->pulls && a->twisting == b->twisting && a->cohesion == b->cohesion &&
		   a->surface == b->surface && a->loading == b->loading && a->adhesion == b->adhesion &&
		   a->hardens == b->hardens && a->volume == b->volume && a->ruptures == b->ruptures;
}

static reason compare_laws(const reader *r, const import *o, int kind, int64_t k, char name[128])
{
	const scree_world *a = o->world, *b = r->world;
	int32_t there[2], here[2];
	for (int n = 0; n < 2; ++n) {
		there[n] = material_there(a, kind, k, n);
		const material *m = a->model.material.row + there[n];
		here[n] = o->material[there[n]];
		snprintf(name, 128, "%.47s", m->name);
		if (here[n] < 0) return OTHER_LAW;
		if (!(pair_on_wall(kind) && n) && m->density != b->model.material.row[here[n]].density) return OTHER_MASS;
	}
	snprintf(name, 128, "%.47s + %.47s", a->model.material.row[there[0]].name, a->model.material.row[there[1]].name);
	return same_constants(a->model.constants + there[0] * a->model.material.count + there[1],
						  b->model.constants + here[0] * b->model.material.count + here[1])
			   ? COMES
			   : OTHER_LAW;
}

static uint64_t id_here(const import *o, uint64_t id)
{
	const bodies *b = &o->world->state.body;
	int32_t low = 0, high = b->count - 1;
	while (low < high) {
		const int32_t middle = (low + high) / 2;
		if (b->id[o->row[middle]] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return (uint64_t)(o->first + low + 1);
}

/* Finds the key that contact k of the other world has in this world. */
static reason find_key(const reader *r, const import *o, int kind, int64_t k, contact_key *key, char name[128])
{
	const scree_world *a = o->world, *b = r->world;
	*key = scree_contact_key(&a->model, &a->state, kind, k);
	key->a = id_here(o, key->a);
	if (pair_on_wall(kind)) {
		const wall_of there = wall_in(a, (int32_t)key->b);
		const int32_t row = scree_walls_find(&b->model.wall, there.wall->name);
		snprintf(name, 128, "%.47s", there.wall->name);
		if (row < 0) return NO_WALL;
		const wall_of here = wall_in(b, row);
		const real within = (real)1e-9 * a->state.body.round[a->state.pair[kind].ca[k]];
		if (!same_wall(&there, &here, within)) return OTHER_WALL;
		if (here.wall->material != o->material[there.wall->material]) return OTHER_LAW;
		key->b = (uint64_t)row;
		return COMES;
	}
	key->b = id_here(o, key->b);
	return a->model.period.on && !o->cells ? OTHER_CELL : COMES;
}

static reason compare(const reader *r, const import *o, int kind, int64_t k, contact_key *key, char name[128])
{
	const bool round = kind == PAIR_SPHERE_SPHERE || kind == PAIR_SPHERE_WALL;
	*name = 0;
	if (r->world->model.solver || o->world->model.solver) return NO_FORCES;
	if (r->world->model.narrow != o->world->model.narrow && !round) return OTHER_SEARCH;
	const reason found = find_key(r, o, kind, k, key, name);
	return found != COMES ? found : compare_laws(r, o, kind, k, name);
}

typedef struct coming {
	contact_key key;
	const import *from;
	int64_t row; /* the body's row in the snapshot's world */
} coming;

typedef struct coming_list {
	int64_t count, capacity;
	coming *item;
} coming_list;

static int by_key(const void *a, const void *b)
{
	return contact_key_order(&((const coming *)a)->key, &((const coming *)b)->key);
}

static void add(coming_list *l, coming c)
{
	if (l->count == l->capacity) {
		const int64_t capacity = 2 * l->capacity + 256;
		l->item = scree_grow(l->item, (size_t)l->count, (size_t)capacity, sizeof *l->item);
		l->capacity = capacity;
	}
	l->item[l->count++] = c;
}

static void find_contacts(const reader *r, const import *o, int kind, coming_list *all, lost_contacts *lost)
{
	const pair_list *l = o->world->state.pair + kind;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		coming one = {.from = o, .row = c.row};
		char name[128];
		const reason why = compare(r, o, kind, c.row, &one.key, name);
		if (why == COMES) add(all, one);
		note_lost(lost, why, why == COMES ? "" : name);
	}
}

/* angle, in rad, about the axis between a wall's frames in the two worlds */
static real turn_between(const wall_of *there, const wall_of *here)
{
	const quat p = there->at->orientation, q = here->at->orientation;
	const vec3 a = there->wall->axis, b = here->wall->axis, x = v3_across(b), y = v3_cross(b, x);
	if (v3_equal(a, b) && p.w == q.w && p.x == q.x && p.y == q.y && p.z == q.z) return 0;
	const vec3 u = quat_rotate(quat_conj(q), quat_rotate(p, v3_across(a)));
	return scree_atan2(v3_dot(u, y), v3_dot(u, x));
}

/* Converts a contact's position to the wall's frame in this world. */
static real place_here(const reader *r, const coming *c, int kind, real place)
{
	const contact_key key = scree_contact_key(&c->from->world->model, &c->from->world->state, kind, c->row);
	const wall_of there = wall_in(c->from->world, (int32_t)key.b), here = wall_in(r->world, (int32_t)c->key.b);
	const real turn = turn_between(&there, &here), whole = 2 * SCREE_PI;
	return turn == 0 ? place : place + turn - whole * scree_floor((place + turn) / whole);
}

/* Force-based steps store bond springs half a step ahead of the state, and implicit steps at the time of the state. */
static void take_bond(const reader *r, const coming *c, int kind, pair_list *l, int64_t k)
{
	const scree_world *from = c->from->world;
	const model *to = &r->world->model;
	if (kind != PAIR_SPHERE_SPHERE || !is_bonded(l, k) || from->model.implicit == to->implicit) return;
	const real by = bonds_are_ahead(to) - bonds_are_ahead(&from->model);
	const bond_springs o = scree_bond_shifted(&from->model, &from->state, c->row, by);
	bond_springs_put(l, k, &o);
}

static void take_kind(const reader *r, int kind, coming_list *all, kept_contacts *o)
{
	pair_list *l = o->history + kind;
	scree_sort_by(all->item, all->count, sizeof *all->item, by_key);
	scree_kept_contacts_room(o, &r->world->state, kind, all->count);
	for (int64_t k = 0; k < all->count; ++k) {
		const coming *c = all->item + k;
		const pair_list *from = c->from->world->state.pair + kind;
		o->key[kind][k] = c->key;
		for (int f = 0; f < scree_history_table.count; ++f)
			if (scree_pair_has(l, f) && scree_pair_has(from, f))
				((real *)scree_field_array(l, scree_history_table.row + f))[k] =
					((const real *)scree_field_array(from, scree_history_table.row + f))[c->row];
		if (l->place && from->place && pair_on_wall(kind)) l->place[k] = place_here(r, c, kind, l->place[k]);
		take_bond(r, c, kind, l, k);
		scree_contact_restep(l, k, c->from->world->model.dt,
							 r->world->model.dt); /* converted to the time step of this scene */
	}
}

static void note_import(reader *r, const import *o, const lost_contacts *lost)
{
	writing *n = &r->notes;
	const char *name = scree_fill_name(r, o->fill);
	scree_writing_add(n, "note: %s: %d bodies of ", name, o->world->state.body.count);
	scree_writing_shown(n, o->fill->from_table);
	scree_writing_add(n, " at t = %.6g s, and %lld contacts with their histories\n", o->world->state.time,
					  (long long)lost->count[COMES]);
	for (int k = COMES + 1; k < REASONS; ++k) {
		if (!lost->count[k]) continue;
		scree_writing_add(n, "note: %s: %lld contacts lose their histories: %s", name, (long long)lost->count[k],
						  words[k]);
		if (*lost->names[k]) scree_writing_add(n, " %s", lost->names[k]);
		scree_writing_add(n, "\n");
	}
}

/* Discards forces so that they are recomputed, for example if some contacts are missing. */
static void forget_forces(scree_world *w)
{
	const bodies *b = &w->state.body;
	real *const all[] = {b->fx, b->fy, b->fz, b->tx, b->ty, b->tz};
	for (size_t c = 0; c < sizeof all / sizeof *all; ++c) memset(all[c], 0, (size_t)b->count * sizeof(real));
}

/* Tests whether the fluids are the same, since forces on bodies include fluid forces. */
static bool same_fluid(const fluid *a, const fluid *b)
{
	const vec3 slip = v3_sub(a->velocity, b->velocity);
	if (!a->on || !b->on) return a->on == b->on;
	return a->buoyancy == b->buoyancy && a->density == b->density && a->viscosity == b->viscosity &&
		   a->drag == b->drag && v3_norm2(slip) == 0;
}

static bool has_bonds(const scree_world *w)
{
	const materials *m = &w->model.material;
	bool any = false;
	for (int32_t k = 0; k < m->count * m->count; ++k) any |= m->rule[k].bond.tension > 0;
	return any;
}

/* Tests whether the forces at the end of the first run are valid at the start of the second. Forces of implicit steps
 * are averages over a step, but the first step's energy account needs the forces at its start. */
static bool same_forces(const scree_world *a, const scree_world *b) { return !a->model.implicit && !b->model.implicit; }

/* Pairs of bodies whose bond broke in the snapshot's world do not form a new bond at the start. */
static void note_bonds(reader *r, const import *o)
{
	uint64_t *range = r->world->state.bonded;
	if (!has_bonds(o->world) || !o->world->state.body.count) return;
	if (!range[1]) range[0] = (uint64_t)o->first + 1;
	range[1] = (uint64_t)(o->first + o->world->state.body.count);
}

/* Tests whether the contact has the partners of the deepest initial contact, unless its springs are stiffer now. */
static bool is_deepest(const scree_world *w, const coming *c, int kind)
{
	const start_look *s = &w->work.start;
	if (w->model.hard && !c->from->world->model.hard) return false;
	if (pair_on_wall(kind)) return !s->other && c->key.a == s->body && c->key.b == (uint64_t)s->wall;
	return s->other && ((c->key.a == s->body && c->key.b == s->other) || (c->key.a == s->other && c->key.b == s->body));
}

/* A restored contact releases no energy, so initial overlaps are not reported if the deepest contact was restored. */
static void note_rest(scree_world *w, const coming_list *all, int kind)
{
	for (int64_t k = 0; k < all->count; ++k)
		if (is_deepest(w, all->item + k, kind)) w->work.start.contacts = 0;
}

void scree_build_histories(reader *r)
{
	if (!r->imports) return;
	coming_list all[PAIR_KINDS] = {{0}};
	kept_contacts *o = scree_alloc(1, sizeof *o);
	bool whole = true;
	for (int32_t i = 0; i < r->imports; ++i) {
		lost_contacts lost = {{0}, {{0}}};
		const import *from = r->import + i;
		for (int kind = 0; kind < PAIR_KINDS; ++kind) find_contacts(r, from, kind, all + kind, &lost);
		for (int k = COMES + 1; k < REASONS; ++k) whole = whole && !lost.count[k];
		whole = whole && same_fluid(&from->world->model.fluid, &r->world->model.fluid);
		whole = whole && same_forces(from->world, r->world);
		note_import(r, from, &lost);
		note_bonds(r, from);
	}
	if (!whole) forget_forces(r->world);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		take_kind(r, kind, all + kind, o);
		note_rest(r->world, all + kind, kind);
		scree_free(all[kind].item);
	}
	scree_world_restore_contacts(&r->world->model, &r->world->state, &r->world->work, o);
}
