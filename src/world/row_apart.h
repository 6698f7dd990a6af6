/* row_apart.h: the vector between the two bodies of a contact row. */
#ifndef SCREE_WORLD_ROW_APART_H
#define SCREE_WORLD_ROW_APART_H

#include "state/pairs.h"
#include "world/world.h"

/* vector in m from the centre of b, or of its image that a meets, to the centre of a; read from records */
SCREE_FN vec3 row_apart(const model *m, const state *s, const work *w, int kind, int64_t row)
{
	const pair_list *l = s->pair + kind;
	const vec3 apart = v3_sub(w->record[l->ca[row]].position, w->record[l->cb[row]].position);
	if (!m->period.on) return apart;
	return v3_sub(apart, s->images.shift[scree_world_image(m, s, kind, l->slot[row])]);
}

#endif
