/* fold_parts: contacts of a polyhedron with connected surfaces of one wall share the stiffness of one contact
 * (docs/theory/walls.md, "Folds under laws of depth").
 *
 * Contact i has the part S_i / sum over k of c_ik S_k, where S is the strength of a contact's nodes and c the bond of
 * both surfaces. The bond is 1 in a plane, where the parts add up to 1, and 0 from 30 degrees on, where each contact is
 * complete. Faces share with faces and border edges with border edges, because faces are measured by area and edges by
 * length. */
#include "narrow/wall/work.h"

static real bond_of(const walls *s, const touch_list *l, const touch_extent *e, int32_t i, int32_t k)
{
	if (i == k) return 1;
	if (e[i].behind != e[k].behind) return 0;
	return scree_surface_bond(s, l->item[i].surface, l->item[k].surface, e[i].behind).level;
}

static real part_in(real own, real all) { return all > 0 ? own / all : 1; }

void scree_wall_fold_parts(const wall_scratch *w, const walls *s, touch_list *out)
{
	const touch_extent *e = w->extent;
	for (int32_t i = 0; i < out->count; ++i) {
		real faces = 0, edges = 0;
		for (int32_t k = 0; k < out->count; ++k) {
			const real bond = bond_of(s, out, e, i, k);
			faces += bond * e[k].faces;
			edges += bond * e[k].edges;
		}
		const real part = part_in(e[i].faces, faces);
		out->item[i].part = part + e[i].mix * (part_in(e[i].edges, edges) - part);
	}
}
