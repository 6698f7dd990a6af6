/* bonds.h: bonds of spheres in the history of their pairs. A pair is bonded if its bond has a length; it then counts as
 * a contact, even if the bodies are apart. */
#ifndef SCREE_STATE_BONDS_H
#define SCREE_STATE_BONDS_H

#include "kernel/bond.h"
#include "state/pairs.h"

SCREE_FN bool is_bonded(const pair_list *l, int64_t k)
{
	return (l->remembers & REMEMBERS_BONDS) && l->bond_length[k] > 0;
}

/* energy of a bond that forms in an implicit step, until the bond first acts */
static const real BOND_BEGINS = -1;

/* J */
SCREE_FN real bond_held(const pair_list *l, int64_t k) { return l->remembers & REMEMBERS_BONDS ? l->bond_held[k] : 0; }

/* in explicit steps, half a step ahead; in implicit steps, at the time of the state */
SCREE_FN bond_springs bond_springs_of(const pair_list *l, int64_t k)
{
	bond_springs s = {v3(l->bond_x[k], l->bond_y[k], l->bond_z[k]), v3(l->bond_rx[k], l->bond_ry[k], l->bond_rz[k])};
	return s;
}

SCREE_FN void bond_springs_put(pair_list *l, int64_t k, const bond_springs *s)
{
	l->bond_x[k] = s->shear.x, l->bond_y[k] = s->shear.y, l->bond_z[k] = s->shear.z;
	l->bond_rx[k] = s->turn.x, l->bond_ry[k] = s->turn.y, l->bond_rz[k] = s->turn.z;
}

SCREE_FN void bond_end(pair_list *l, int64_t k)
{
	l->bond_length[k] = l->bond_strength[k] = l->bond_held[k] = 0;
	l->bond_x[k] = l->bond_y[k] = l->bond_z[k] = 0;
	l->bond_rx[k] = l->bond_ry[k] = l->bond_rz[k] = 0;
}

#endif
