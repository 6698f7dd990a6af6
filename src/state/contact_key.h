/* contact_key.h: the key of a contact, independent of its row: both partners, the image of the second, and the parts of
 * their shapes that touch. Histories are matched by this key after a search, in snapshots and in the hash. */
#ifndef SCREE_STATE_CONTACT_KEY_H
#define SCREE_STATE_CONTACT_KEY_H

#include "kernel/mixed_bits.h"
#include "model/periods.h"

typedef struct contact_key {
	uint64_t a, b;	  /* ids of bodies; for a wall, b is its row */
	image image;	  /* model/periods.h: constant while the pair is in contact; zero without periods */
	uint64_t feature; /* with a wall: its surface; otherwise from the narrow phase, 0 for a single contact */
	uint64_t part;	  /* with a wall: index among several contacts with this surface; 0 for a single contact */
} contact_key;

/* < 0, 0 or > 0 if x is before y, equal to y, or after y */
SCREE_FN int contact_key_order(const contact_key *x, const contact_key *y)
{
	if (x->a != y->a) return x->a < y->a ? -1 : 1;
	if (x->b != y->b) return x->b < y->b ? -1 : 1;
	int images = image_order(x->image, y->image);
	if (images) return images;
	if (x->feature != y->feature) return x->feature < y->feature ? -1 : 1;
	return (x->part > y->part) - (x->part < y->part);
}

/* Hash of a key (mixed as in Steele et al. 2014, OOPSLA, 453); it orders contacts independently of ids. */
SCREE_FN uint64_t contact_key_hash(const contact_key *k, bool on_wall)
{
	const uint64_t odd = 0x9e3779b97f4a7c15u, x = (uint32_t)k->image.x, y = (uint32_t)k->image.y;
	uint64_t h = mixed_bits(k->a + odd);
	h = mixed_bits(h ^ (k->b + (on_wall ? (uint64_t)1 << 63 : 0) + odd));
	h = mixed_bits(h ^ (x << 42 ^ y << 21 ^ (uint32_t)k->image.z));
	return mixed_bits(h ^ (k->feature * odd + k->part));
}

#endif
