/* plan: the partition of a world, chosen before its first step on ranks. */
#include "ranks/division/part.h"

#include "model/model.h"
#include "model/response.h"
#include "model/sources.h"
#include "state/state.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ the box that is divided */

static void include(part_box *o, vec3 at, real by)
{
	const vec3 side = v3(by, by, by);
	o->low = v3_min(o->low, v3_sub(at, side));
	o->high = v3_max(o->high, v3_add(at, side));
}

static void include_region(part_box *o, const region *g)
{
	if (g->type == REGION_BOX || g->type == REGION_SEGMENT) {
		include(o, g->low, 0);
		include(o, g->high, 0);
		return;
	}
	const vec3 half = v3_mul(g->length / 2, g->axis); /* zero for a sphere */
	include(o, v3_add(g->centre, half), g->radius);
	include(o, v3_sub(g->centre, half), g->radius);
}

/* The bounding box of the boxes on all ranks. */
static part_box join(rank_part *part, part_box o)
{
	real x[6] = {-o.low.x, -o.low.y, -o.low.z, o.high.x, o.high.y, o.high.z};
	scree_ranks_most(part, 6, x);
	return (part_box){v3(-x[0], -x[1], -x[2]), v3(x[3], x[4], x[5])};
}

/* The bounding box of all bodies and of the regions of sources. */
static part_box box_of(rank_part *part, const model *m, const state *s)
{
	part_box o = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
	for (int32_t i = 0; i < s->body.count; ++i) include(&o, body_position(&s->body, i), s->body.radius[i]);
	for (int32_t k = 0; k < m->population.sources; ++k) include_region(&o, &m->population.source[k].where);
	o = join(part, o);
	if (!(o.low.x <= o.high.x)) o = (part_box){v3(0, 0, 0), v3(1, 1, 1)}; /* there will never be any bodies */
	return o;
}

static partition_plan plan_of(rank_part *part, const model *m, const state *s)
{
	const periods *p = &m->period;
	const part_box all = box_of(part, m, s);
	partition_plan o = {
		.ranks = part->c->ranks, .low = all.low, .high = all.high, .flat = m->flat, .deforms = p->deforms};
	for (int32_t axis = 0; axis < 3; ++axis) {
		o.periodic[axis] = p->axis[axis];
		if (!p->axis[axis]) continue;
		*v3_along(&o.low, axis) = v3_part(p->low, axis);
		*v3_along(&o.high, axis) = v3_part(p->low, axis) + v3_part(p->size, axis);
	}
	return o;
}

/* ------------------------------------------------------------------ the words of a partition */

const partition_row *scree_partition_find(const char *name)
{
	static const partition_row *const rows[] = {&scree_partition_grid, &scree_partition_hexagons, &scree_partition_rcb};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
		if (!strcmp(rows[k]->name, name)) return rows[k];
	return NULL;
}

static bool read_parts(const char *text, int32_t parts[3], fail *why)
{
	int end = 0;
	const int read = sscanf(text, "%5dx%5dx%5d%n", parts, parts + 1, parts + 2, &end);
	if (read == 3 && !text[end]) return true;
	return scree_fail(why, FAIL_INPUT, "parts '%s' of a partition, expected three numbers such as 4x2x1", text);
}

/* Returns the rule of division of a partition NAME/pe; otherwise scree's own rule. */
static bool choose_rule(rank_part *o, const model *m, const char *rule, fail *why)
{
	o->rule = &scree_domain_ranks;
	if (!rule) return true;
	o->rule = m->solver && !strcmp(rule, "/pe") ? m->solver->exchanges : NULL;
	if (!o->rule)
		return scree_fail(why, FAIL_INPUT, "'%s' after a partition, expected nothing, or /pe with run.response: ffd/pe",
						  rule);
	if (!m->period.on && !m->population.sources && !m->population.sinks && m->guard.lost_is_error) return true;
	return scree_fail(why, FAIL_INPUT,
					  "a partition NAME/pe does not support periods, sources, sinks and run.guard.lost: remove");
}

bool scree_rank_part_plan(rank_part *o, const model *m, const state *s, const char *partition, cut_fn *cut, fail *why)
{
	enum { WORD = 64 };
	char text[WORD] = "", *rule, *parts;
	partition_plan plan = plan_of(o, m, s);
	plan.cut = cut;
	snprintf(text, sizeof text, "%s", partition ? partition : cut ? "rcb" : "grid");
	if ((rule = strchr(text, '/')) != NULL) *rule = 0;
	if ((parts = strchr(text, ':')) != NULL) *parts = 0;
	const partition_row *by = scree_partition_find(text);
	if (!by) return scree_fail(why, FAIL_INPUT, "unknown partition '%s', expected rcb, grid or hexagons", text);
	if (parts && !read_parts(parts + 1, plan.parts, why)) return false;
	if (!choose_rule(o, m, rule ? strchr(partition, '/') : NULL, why)) return false;
	return scree_partition_make(&o->space, by, &plan, why);
}
