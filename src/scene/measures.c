/* measures: checks the measures of a scene, and makes their plans. */
#include "measure/measure.h"
#include "scene/reader.h"

#include <stdio.h>

static bool has(const measure_spec *m, const char *key) { return scree_given(&m->h, &scree_section_measure, key); }

/* position of the value of a key that was given, else of the measure */
static place at_of(const measure_spec *m, const char *key)
{
	return has(m, key) ? scree_where(&m->h, key)->at : m->h.where->at;
}

static void check_values(reader *r, const measure_spec *m, bool bounded)
{
	const int32_t *word = m->words.item;
	for (int32_t k = 0; k < m->words.count && !bounded; ++k)
		if (word[k] >= 0 && scree_measures[word[k]].needs_volume)
			scree_report(&r->r, scree_entry(&m->h, "values", k), "add region: {box: {min: [..], max: [..]}}",
						 "values: %s needs a volume: give the measure a region, or the world a domain",
						 scree_measures[word[k]].name);
}

static void check_cells(reader *r, const measure_spec *m, bool bounded)
{
	const region_spec *g = &m->region;
	const bool round = g->cylinder.h.where || g->sphere.h.where || g->disc.h.where;
	const int64_t all = (int64_t)m->cells[0] * m->cells[1] * m->cells[2];
	if (!bounded && all > 1)
		scree_report(&r->r, at_of(m, "cells"), "add region: {box: {min: [..], max: [..]}}",
					 "cells: without a region there is one cell");
	if (round && (m->cells[1] > 1 || (!g->cylinder.h.where && m->cells[2] > 1)))
		scree_report(&r->r, at_of(m, "cells"), NULL, "cells: %s has %s",
					 g->cylinder.h.where ? "a cylinder"
					 : g->disc.h.where	 ? "a disc"
										 : "a sphere",
					 g->cylinder.h.where ? "[rings, 1, slices]"
					 : g->disc.h.where	 ? "[rings, 1]"
										 : "[shells, 1, 1]");
	if (all * m->classes > PLAN_CELLS)
		scree_report(&r->r, at_of(m, "cells"), NULL, "cells: %lld rows at each output time; at most %d are allowed",
					 (long long)(all * m->classes), PLAN_CELLS);
}

static void check_measure(reader *r, const measure_spec *m)
{
	if (!m->h.where || m->h.where->type != NODE_MAP) return;
	const bool bounded = has(m, "region") || r->spec.world.domain.h.where;
	check_values(r, m, bounded);
	check_cells(r, m, bounded);
	if (m->region.segment.h.where)
		scree_report(&r->r, at_of(m, "region"), NULL, "region: a segment has no inside to measure");
	if (m->classes > 1 && !has(m, "sizes"))
		scree_report(&r->r, at_of(m, "classes"), "add sizes: [1 mm, 2 mm], say", "classes: need 'sizes'");
}

void scree_check_measures(reader *r)
{
	const measure_spec *m = r->spec.output.measures.item;
	for (int32_t k = 0; k < r->spec.output.measures.count; ++k) check_measure(r, m + k);
}

static measure_plan plan_of(const reader *r, const measure_spec *m)
{
	const domain_spec *domain = &r->spec.world.domain;
	measure_plan p = {.every = m->every,
					  .bounded = m->region.h.where || domain->h.where,
					  .classes = (int32_t)m->classes,
					  .sizes = {m->sizes[0], m->sizes[1]},
					  .material = has(m, "material") ? m->material : -1};
	snprintf(p.name, sizeof p.name, "%s", m->h.name);
	for (int d = 0; d < 3; ++d) p.cells[d] = m->cells[d];
	region_spec whole = {.box.h = domain->h, .box.min = domain->min, .box.max = domain->max};
	p.where = scree_build_region(r, m->region.h.where ? &m->region : &whole);
	const int32_t *word = m->words.item;
	for (; p.values < m->words.count && p.values < PLAN_FIELDS; ++p.values)
		snprintf(p.value[p.values], sizeof p.value[0], "%s", scree_measures[word[p.values]].name);
	return p;
}

void scree_build_measures(const reader *r, output_plan *out)
{
	const measure_spec *m = r->spec.output.measures.item;
	for (; out->measures < r->spec.output.measures.count; ++out->measures)
		out->measure[out->measures] = plan_of(r, m + out->measures);
}
