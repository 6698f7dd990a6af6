#include "run/closing.h"

#include "guard/guard.h"
#include "narrow/triangle/triangles.h"
#include "run/notes.h"

#include <stdio.h>

/* told where the guard did not stop the run: it was asked to tell, or not to watch */
static void print_energy(const scree_world *w)
{
	const energy_guard *g = &w->guard.energy;
	if (!(g->most > 0)) {
		if (!w->solver) printf("energy   was not watched (run.guard.energy: 0)\n");
		return;
	}
	if (!(g->worst > g->most)) return;
	printf("energy   was not kept: %.3g %% came from nowhere or went nowhere at t = %.6g s", 100 * g->worst,
		   g->worst_time);
	if (g->tells) printf("; what is as a paper has it runs on unless run.guard.energy is given");
	printf("\n");
}

/* of triangulated grains: what bounds of distances were proved by */
static void print_surfaces(const scree_world *w)
{
	surface_counts c = scree_world_surfaces(w);
	bool any = false;
	for (int32_t k = 0; k < w->shape.count; ++k) any |= w->shape.row[k].type == SHAPE_SURFACE;
	if (!any) return;
	printf("surfaces pairs of triangles: by trees %lld, surrogates %lld, planes %lld, slab %lld, Newton %lld, brute "
		   "force %lld, thorough %lld, uncertified %lld\n",
		   (long long)c.tree, (long long)c.surrogates, (long long)c.planes, (long long)c.slab, (long long)c.newton,
		   (long long)c.brute, (long long)c.thorough, (long long)c.uncertified);
	const triangle_way_row *way = scree_triangle_ways + w->triangles.way;
	if (!way->proves)
		printf("surfaces run.triangles: %s proves no distance: contacts near the rim of a halo may be missed\n",
			   way->name);
}

static void print_step(const scree_world *w)
{
	const step_load *o = &w->heaviest;
	if (scree_notes_unsafe(w))
		printf("step     %.3g s, longer than the %.3g s known to be safe (run.step.unsafe)\n", w->dt, w->safe_step);
	if (!(o->part > 0)) return;
	printf("step     used to %.0f %% by body %llu with %lld contacts at t = %.6g s", 100 * o->part,
		   (unsigned long long)o->id, (long long)o->contacts, o->time);
	if (o->part > 1)
		printf(": more than is borne, it may hum and gain energy; take a run.step of %.2g s", w->dt / o->part);
	printf("\n");
}

void scree_closing_print(scree_world *w)
{
	energy_row e = scree_world_energy(w);
	scree_world_watch(w);
	printf(
		"checks   energy residual %.3g J and geometry %.3g J of %.3g J lost   greatest overlap %.3g %%   bodies %d   "
		"left the domain %lld\n",
		e.residual, e.made, e.lost_normal + e.lost_friction + e.lost_rolling, 100 * w->greatest_overlap_ever,
		w->body.count, (long long)w->lost);
	print_energy(w);
	print_surfaces(w);
	print_step(w);
}
