/* block_constants.h: the constants of a block of contacts, for each law. */
#ifndef SCREE_LAW_BLOCK_CONSTANTS_H
#define SCREE_LAW_BLOCK_CONSTANTS_H

#include "kernel/contact_law.h"
#include "law/block.h"

SCREE_FN void put_constants(block *o, int64_t i, const law_constants *of, enum law_row law)
{
	const contact_constants c = constants_of(law, of, 0, 0);
	o->stiffness[i] = c.stiffness, o->damping[i] = c.damping;
	o->shear[i] = c.shear, o->shear_damping[i] = c.shear_damping;
	o->friction[i] = c.friction, o->rolling[i] = c.rolling, o->twisting[i] = c.twisting;
	o->zeta[i] = c.zeta, o->exponent[i] = c.exponent, o->pulls[i] = c.pulls;
	o->surface[i] = c.surface, o->cohesion[i] = c.cohesion;
	o->volume[i] = c.volume, o->ruptures[i] = c.ruptures;
	if (law == LAW_PLASTIC) o->loading[i] = c.loading, o->adhesion[i] = c.adhesion, o->hardens[i] = c.hardens;
}

SCREE_FN void put_same_constants(block *o, const law_constants *of, enum law_row law)
{
	for (int64_t i = 0; i < BLOCK; ++i) put_constants(o, i, of, law);
}

SCREE_FN void put_their_constants(block *o, const job *j, int64_t first, int64_t n, enum law_row law, bool on_wall)
{
	for (int64_t i = 0; i < n; ++i) put_constants(o, i, j->constants + rule_of(j, first + i, on_wall), law);
}

#endif
