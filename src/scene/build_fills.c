/* build_fills: creates initial bodies at random positions, on a lattice or from a table. Random numbers come from a
 * stream given by the fill's seed and number, so a scene yields the same bodies on every machine. */
#include "scene/reader.h"

#include "prepare/prepare.h"
#include "world/world.h"

static void bounds(const region *g, vec3 *low, vec3 *high)
{
	*low = g->low;
	*high = g->high;
	if (g->type == REGION_BOX) return;
	vec3 a = g->axis, half = v3(g->radius, g->radius, g->radius);
	if (g->type == REGION_CYLINDER)
		half = v3(g->length / 2 * real_abs(a.x) + g->radius * sqrt(real_max(0, 1 - a.x * a.x)),
				  g->length / 2 * real_abs(a.y) + g->radius * sqrt(real_max(0, 1 - a.y * a.y)),
				  g->length / 2 * real_abs(a.z) + g->radius * sqrt(real_max(0, 1 - a.z * a.z)));
	*low = v3_sub(g->centre, half);
	*high = v3_add(g->centre, half);
}

/* number of whole cells that fit into a length, insensitive to rounding errors */
static int64_t cells(real length, real spacing)
{
	return (int64_t)real_min(scree_floor(length / spacing * (1 + 1e-12)), 1e9);
}

static void permute_positions(body_list *all, int64_t from, random_stream *s)
{
	for (int64_t k = all->count - 1; k > from; --k) {
		const int64_t other = from + (int64_t)(scree_random_real(s) * (real)(k - from + 1));
		const vec3 at = all->row[k].position;
		all->row[k].position = all->row[other].position;
		all->row[other].position = at;
	}
}

static bool place_lattice(reader *r, const fill_spec *f, body_mix *mix, random_stream *s, body_list *out)
{
	region g = scree_build_region(r, &f->region);
	const lattice_spec *l = &f->lattice;
	vec3 low, high, step = l->spacing;
	const node *at = scree_where(&f->h, "lattice");
	bounds(&g, &low, &high);
	int64_t room[3] = {cells(high.x - low.x, step.x), cells(high.y - low.y, step.y), cells(high.z - low.z, step.z)},
			n[3];
	if (r->flat) room[2] = 1;
	for (int i = 0; i < 3; ++i) {
		n[i] = l->count[0] ? l->count[i] : room[i];
		if (n[i] > room[i] || !n[i])
			return REFUSE(r, at, "make the spacing smaller or the region larger",
						  "%s: the region has room for %lld x %lld x %lld cells%s", scree_fill_name(r, f),
						  (long long)room[0], (long long)room[1], (long long)room[2],
						  l->count[0] ? ", fewer than count" : "");
	}
	if (n[0] > 2000000 || n[1] > 2000000 ||
		(real)n[0] * (real)n[1] * (real)n[2] > (r->sealed ? 20 * SEALED_BODIES : 2e9))
		return REFUSE(r, at, NULL, "%s: a lattice of %lld x %lld x %lld cells is too large", scree_fill_name(r, f),
					  (long long)n[0], (long long)n[1], (long long)n[2]);
	vec3 wide = v3_sub(high, low);
	if (!scree_limit_lattice(r, f, &g, (real)n[0] * (real)n[1] * (real)n[2], wide.x * wide.y * (r->flat ? 1 : wide.z),
							 out->count))
		return false;
	vec3 middle = v3_mul(0.5, v3_add(low, high));
	real least = real_min(step.x, step.y), inset = (r->flat ? least : real_min(least, step.z)) / 2 * (1 - 1e-9);
	int64_t found = 0, from = out->count, most = f->count ? f->count : INT64_MAX;
	real mass = 0;
	for (int64_t k = 0; k < n[2]; ++k)
		for (int64_t j = 0; j < n[1]; ++j)
			for (int64_t i = 0; i < n[0] && found < most && !(f->mass > 0 && mass >= f->mass); ++i) {
				vec3 p = v3(middle.x + ((real)i - (real)(n[0] - 1) / 2) * step.x,
							middle.y + ((real)j - (real)(n[1] - 1) / 2) * step.y,
							r->flat ? 0 : middle.z + ((real)k - (real)(n[2] - 1) / 2) * step.z);
				if (!scree_region_holds(&g, p, inset)) continue;
				new_body b = scree_fill_draw(r, f, mix, r->shape, s);
				mass += scree_body_mass(r, &b);
				if (f->mass > 0 && scree_passes_mass(r, f, mass, &b)) continue;
				b.position = p;
				scree_body_list_add(out, b);
				++found;
			}
	if (!found && mass > 0) return scree_too_little_mass(r, f, mix);
	if (!found)
		return REFUSE(r, at, "make the spacing smaller", "%s: no cell of the lattice lies inside the region",
					  scree_fill_name(r, f));
	if (f->count && found < f->count)
		return REFUSE_VALUE(r, &f->h, "count", "make the spacing smaller or the region larger",
							"%s: %lld bodies requested, but the lattice has %lld cells in the region",
							scree_fill_name(r, f), (long long)f->count, (long long)found);
	if (f->mass > 0 && mass < f->mass)
		return REFUSE_VALUE(
			r, &f->h, "mass", "make the spacing smaller or the region larger",
			"%s: %g kg requested, but bodies in all %lld cells of the lattice in the region have %.4g kg",
			scree_fill_name(r, f), f->mass, (long long)found, mass);
	if (scree_mix_is_ordered(mix)) permute_positions(out, from, s);
	return true;
}

/* radius of a scene's shape, or of the largest member of a family */
static real radius_of(const reader *r, int32_t shape)
{
	const shape_rows *of = r->shape + shape;
	real largest = 0;
	for (int32_t k = 0; k < of->count; ++k)
		largest = real_max(largest, r->world->model.shape.row[of->first + k].radius);
	return largest;
}

/* radius of the largest bounding sphere in random fills, which sets the cell size of the placer */
static real largest_radius(const reader *r)
{
	real largest = 0;
	EACH(const fill_spec, f, r->spec.fill)
	{
		body_mix mix;
		if (f->from_table) continue;
		scree_build_mix(r, f, &mix);
		for (int32_t p = 0; p < mix.parts; ++p)
			largest = real_max(largest, radius_of(r, mix.part[p].shape) * scree_spread_largest(&mix.part[p].size));
	}
	return largest;
}

/* Adds the flow of a sheared world to the bodies' velocities. */
static void add_flow(const reader *r, body_list *all, int64_t from)
{
	const periods *period = &r->world->model.period;
	for (int64_t k = from; periods_flow_any(period) && k < all->count; ++k)
		all->row[k].velocity =
			v3_add(all->row[k].velocity, scree_periods_flow(period, &r->world->state.images, all->row[k].position));
}

/* Tests whether a fill may become a dense fill once no random position is free. For shapes other than spheres, both
 * kinds of fill may take minutes, so the scene has to choose one. */
static bool may_grow(const reader *r, const fill_spec *f, const body_mix *mix)
{
	bool round = true;
	for (int32_t k = 0; k < mix->parts; ++k)
		round &= r->world->model.shape.row[r->shape[mix->part[k].shape].first].type == SHAPE_SPHERE;
	return round && !r->sealed && f->solid_fraction > 0 && !scree_given(&f->h, "dense") && !f->region.segment.h.where;
}

/* Random positions are tried first, so that a fill without growth is the same whether or not growth is allowed. */
static void place_bodies(reader *r, placer *p, fill_spec *f, const body_mix *mix, random_stream *s, body_list *all)
{
	const random_stream start = *s;
	real reached = 0;
	const bool grows = may_grow(r, f, mix);
	if (!f->dense && !scree_place_random(r, p, f, s, all, grows ? &reached : NULL) && grows && !r->r.total) {
		f->dense = true;
		*s = start;
		scree_writing_add(&r->notes,
						  "note: %s: random positions reach a solid fraction of %.3g; for %.3g small bodies grow, as "
						  "with dense: true\n",
						  scree_fill_name(r, f), reached, f->solid_fraction);
	}
	if (f->dense) scree_place_dense(r, p, f, s, all);
	scree_resolve(&f->h, "dense");
}

void scree_build_fills(reader *r)
{
	fill_spec *f = r->spec.fill.item;
	body_list all = {0};
	placer *p = scree_placer_new(r, largest_radius(r));
	for (int32_t k = 0; k < r->spec.fill.count; ++k) {
		body_mix mix;
		int64_t from = all.count;
		random_stream s = scree_random_start((uint64_t)f[k].seed, (uint64_t)k);
		if (f[k].from_table && scree_is_snapshot(f[k].from_table)) {
			scree_build_snapshot(r, &f[k], &all);
		} else if (f[k].from_table) {
			scree_build_table(r, &f[k], &all);
		} else if (r->sealed && f[k].count > SEALED_BODIES) {
			REFUSE_VALUE(r, &f[k].h, "count", NULL, "count: at most %d bodies are allowed in this scene",
						 SEALED_BODIES);
		} else {
			scree_build_mix(r, &f[k], &mix);
			scree_note_sieves(r, scree_fill_name(r, &f[k]), &f[k]);
			if (f[k].lattice.h.where)
				place_lattice(r, &f[k], &mix, &s, &all);
			else if (scree_limit_random(r, &f[k], &mix, all.count))
				place_bodies(r, p, &f[k], &mix, &s, &all);
		}
		if (!r->r.total) scree_build_heat(r, &f[k], k, &all, from);
		if (!f[k].from_table) add_flow(r, &all, from);
		if (!r->r.total) scree_limit_places(r, &f[k], &all, from);
		/* random fills have already registered their bodies, which later fills must not overlap */
		if (f[k].from_table || f[k].lattice.h.where || f[k].dense) scree_placer_note(p, &all, from);
	}
	if (all.count > 2000000000) REFUSE(r, r->root, NULL, "more than 2e9 bodies");
	if (!r->r.total) {
		scree_world_add(&r->world->model, &r->world->state, &r->world->work, all.count, all.row);
		scree_build_imports(r);
	}
	scree_placer_free(p);
	scree_free(all.row);
}

void scree_build_start(reader *r)
{
	scree_world *w = r->world;
	const start_look *s = &w->work.start;
	char other[64];
	scree_check_sources(r);
	scree_world_look_at_start(&w->model, &w->state, &w->work);
	if (s->coarsest > SUMS_COARSEST)
		scree_report(&r->r, scree_node_child(r->root, "fill")->key_at, SCREE_QUANTUM_CURE,
					 "the force resolution would be %.3g N, %.2g of the weight of body %llu, expected at most %.2g of "
					 "it (docs/theory/sums.md)",
					 s->quantum, s->coarsest, (unsigned long long)s->lightest, SUMS_COARSEST);
	if (!(w->model.guard.overlap > 0 && s->overlap > w->model.guard.overlap)) return;
	if (s->other)
		snprintf(other, sizeof other, "body %llu", (unsigned long long)s->other);
	else
		snprintf(other, sizeof other, "wall %s", w->model.wall.row[s->wall].name);
	const node *fill = scree_node_child(r->root, "fill");
	scree_report(&r->r, fill->key_at,
				 s->other ? "move the bodies apart, or make them smaller"
						  : "move the body away from the wall, towards the side where bodies are, or make it smaller",
				 "body %llu and %s overlap by %s%.3g %% of the smaller body's size before the first step, expected at "
				 "most the %.3g %% of run.guard.overlap",
				 (unsigned long long)s->body, other, s->overlap > 1 ? "over " : "", 100 * real_min(s->overlap, 1),
				 100 * w->model.guard.overlap);
}
