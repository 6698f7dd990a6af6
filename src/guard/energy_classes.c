/* energy_classes: tests conservation of energy for bodies with little energy. In the balance of a whole world,
 * violent contacts elsewhere hide the energy created by gentle contacts. Here contacts are divided into classes by
 * the energy of motion of their bodies at the end of the contact, and each class is tested together with all classes
 * below it. Energy created by the geometry of patches is compared with their losses and the energy of motion of
 * their bodies. Forces of other contacts derive from an energy, and the bound on the time step limits what the
 * integration creates. */
#include "guard/energy.h"

#include "model/model.h"
#include "state/contact_rows.h"
#include "state/pairs.h"
#include "state/patch_accounts.h"
#include "state/state.h"
#include "work/work.h"
#include "world/internal.h"

enum { LEAST = 32 }; /* least number of patches; with fewer, gains and losses do not average out: nothing is reported */
static const real FLOOR = (real)0.1; /* fraction of weight times size, as in energy_shares.c */

/* Sums of a class, J. moving: kinetic energy and energy in patches' springs; patches: number of patches, in quanta */
typedef struct class_sums {
	fixed made, lost, moving, floor, patches;
} class_sums;
enum { SUMS = sizeof(class_sums) / sizeof(fixed) };

static void add_ended(const energy_guard *g, class_sums *of)
{
	for (int k = 0; k < ENERGY_LEVELS; ++k)
		of[k] = (class_sums){
			.made = g->classes[k].made, .lost = g->classes[k].lost, .patches.quanta = g->classes[k].patches};
}

/* Adds the energy of motion of bodies, except spheres, which have no patches. */
static void add_bodies(const model *m, const state *s, class_sums *of)
{
	const bodies *b = &s->body;
	const real gravity = v3_norm(m->gravity);
	for (int32_t i = 0; i < b->owned; ++i) {
		real potential;
		if (m->shape.row[b->shape[i]].type == SHAPE_SPHERE || !b->stirred[i] || b->inv_mass[i] == 0) continue;
		class_sums *to = of + energy_class_of(energy_of_flight(b, i));
		scree_fixed_add(&to->moving, scree_energy_of_body(m, s, i, &potential));
		scree_fixed_add(&to->floor, FLOOR * b->mass[i] * gravity * 2 * b->round[i]);
	}
}

static void add_patch(const model *m, const state *s, int kind, int64_t k, class_sums *of)
{
	const pair_list *l = s->pair + kind;
	const real held = l->elastic[k] + l->bent[k], lost = patch_lost(l, k);
	const real made = l->elastic[k] + l->work[k] - m->dt / 2 * l->power[k];
	class_sums *to = of + patch_class(&s->body, l, pair_on_wall(kind), k, real_max(real_abs(made), lost + held));
	scree_fixed_add(&to->made, made);
	scree_fixed_add(&to->lost, lost);
	scree_fixed_add(&to->moving, held);
	++to->patches.quanta;
}

/* Returns whether any list can have patches. */
static bool add_patches(const model *m, const state *s, class_sums *of)
{
	bool any = false;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		if (!(l->remembers & REMEMBERS_ACCOUNT)) continue;
		any = true;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
			if (scree_contact_counted(s, kind, c.row)) add_patch(m, s, kind, c.row, of);
	}
	return any;
}

static void join(class_sums *to, const class_sums *more)
{
	fixed *sum = &to->made;
	for (int k = 0; k < SUMS; ++k) scree_fixed_join(sum + k, (&more->made)[k]);
}

/* Verdict on class k together with all classes below it. */
static energy_verdict judge(energy_guard *g, int k, const class_sums *s, real noise)
{
	const real made = scree_fixed_value(s->made);
	g->class_held[k] = real_max(g->class_held[k], scree_fixed_value(s->moving));
	const real turned = real_max(scree_fixed_value(s->lost), g->class_held[k]);
	energy_verdict j = {.wrong = made, .made = made, .most = energy_bound(k), .calm = true};
	j.of = real_max(turned, real_max(scree_fixed_value(s->floor), noise));
	if (made > noise && s->patches.quanta >= LEAST) j.part = made / j.of;
	return j;
}

energy_verdict scree_energy_classes(const model *m, const state *s, work *w, energy_guard *g, real noise)
{
	class_sums of[ENERGY_LEVELS], below = {.made = {0}};
	energy_verdict worst = {0};
	add_ended(g, of);
	if (!add_patches(m, s, of)) return worst;
	add_bodies(m, s, of);
	w->domain.by->add(w->domain.at, ENERGY_LEVELS * SUMS, &of[0].made);
	for (int k = 0; k < ENERGY_LEVELS; ++k) {
		join(&below, of + k);
		const energy_verdict j = judge(g, k, &below, noise);
		if (j.part > worst.part) worst = j;
	}
	return worst;
}
