#include "run/notes.h"

#include <stdio.h>

static bool has_polyhedra(const scree_world *w)
{
	for (int32_t k = 0; k < w->shape.count; ++k)
		if (w->shape.row[k].type == SHAPE_CONVEX) return true;
	return false;
}

/* Patches have no potential: grazing impacts that are nearly elastic may leave faster than they came
 * (docs/theory/laws.md, "Grazing impacts"). None does at a restitution of 0.5. */
static void note_patches(const scree_world *w)
{
	const real harmless = (real)0.8;
	if (!has_polyhedra(w) || w->narrow->volumes) return;
	for (int32_t a = 0; a < w->material.count; ++a)
		for (int32_t b = a; b < w->material.count; ++b) {
			const contact_rule *r = scree_materials_rule(&w->material, a, b);
			real e = r->restitution;
			if (r->law == LAW_POWER || !(e > harmless)) continue; /* the power law has no restitution */
			printf("note: %s + %s: restitution %g: polyhedra that bounce nearly elastically may gain energy when they "
				   "graze each other; law: volume does not (docs/theory/laws.md)\n",
				   w->material.row[a].name, w->material.row[b].name, e);
		}
}

/* What is damped by many contacts at once does not come to rest with long steps, and the integration makes energy of it
 * (docs/theory/motion.md, "Packings and damping"). */
static void note_step(const scree_world *w)
{
	if (w->solver || !(w->calm_step > 0) || !(w->dt > w->calm_step)) return;
	printf("note: step %.3g s: bodies that rest on several damped contacts may hum and gain energy; at most %.3g s is "
		   "safe "
		   "(docs/theory/motion.md)\n",
		   w->dt, w->calm_step);
}

void scree_notes_print(const scree_world *w)
{
	note_patches(w);
	note_step(w);
}
