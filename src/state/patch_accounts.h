/* patch_accounts.h: energy in the history of a patch, added to its class at its end (state/energy_classes.h). */
#ifndef SCREE_STATE_PATCH_ACCOUNTS_H
#define SCREE_STATE_PATCH_ACCOUNTS_H

#include "state/bonds.h"
#include "state/energy_classes.h"
#include "state/pairs.h"

SCREE_FN real patch_lost(const pair_list *l, int64_t k)
{
	return l->lost_normal[k] + l->lost_friction[k] + l->lost_rolling[k];
}

/* energy created by an ending contact, in J: its energy minus the lost energy of springs, plus losses when torn */
SCREE_FN real made_at_end(const pair_list *l, int64_t k, real dt)
{
	const real turned = l->remembers & REMEMBERS_TURNS ? l->rolled[k] + l->twisted[k] : 0;
	const real held = l->bent[k] + turned + bond_held(l, k);
	const real torn = l->remembers & REMEMBERS_DEEPEST ? l->torn[k] : 0;
	return (l->remembers & REMEMBERS_ACCOUNT ? l->work[k] - dt / 2 * l->power[k] : 0) - held + torn;
}

/* Class of a patch: the class of its faster body or, if larger, the class of `least`, the patch's own energy. */
SCREE_FN int patch_class(const bodies *b, const pair_list *l, bool on_wall, int64_t k, real least)
{
	const real faster = real_max(energy_of_flight(b, l->ca[k]), on_wall ? 0 : energy_of_flight(b, l->cb[k]));
	return energy_class_of(real_max(least, faster));
}

/* Adds the account of the patch in row k, which ends, to the patch's class. */
SCREE_FN void patch_leave(const bodies *b, const pair_list *l, bool on_wall, int64_t k, real dt, energy_class *classes)
{
	const real made = made_at_end(l, k, dt), lost = patch_lost(l, k);
	energy_class *to = classes + patch_class(b, l, on_wall, k, real_max(real_abs(made), lost));
	scree_fixed_add(&to->made, made);
	scree_fixed_add(&to->lost, lost);
	++to->patches;
}

#endif
