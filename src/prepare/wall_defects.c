/* wall_defects: a table of rules with messages, applied before the first step and when a guard stops the run. */
#include "prepare/wall_defects.h"

#include <stdarg.h>
#include <stdio.h>

#include "kernel/quat.h"
#include "model/model.h"
#include "model/sources.h"
#include "prepare/internal.h"
#include "state/state.h"

/* Input to the rules. */
typedef struct subject {
	const model *m;
	const state *s;
	const domain *parts; /* the parts of the world; each rule gives its result for all of them */
	int32_t row;
	const wall *wall;
	const wall_state *at;
	wall_surface look;
} subject;

__attribute__((format(printf, 3, 4))) static bool say(wall_defect *out, defect_weight weight, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	out->weight = weight;
	vsnprintf(out->text, sizeof out->text, format, args);
	va_end(args);
	return true;
}

static bool is_turned(const subject *o, wall_defect *out)
{
	const wall_surface *l = &o->look;
	const wall_edge *e = &l->first_turned;
	if (!l->turned || o->wall->two_sided) return false;
	return say(out, DEFECT_REFUSED,
			   "has %d of its %d triangles oriented against their neighbours: triangle %d traverses its edge from "
			   "(%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m in the same direction as its neighbour, triangle %d, so "
			   "bodies would pass through: reverse triangle %d in the file, or set two_sided: true",
			   l->turned_facets, l->facets, e->facet[0] + 1, e->from.x, e->from.y, e->from.z, e->to.x, e->to.y, e->to.z,
			   e->facet[1] + 1, e->facet[0] + 1);
}

/* If more than this fraction of bodies is behind the wall, they are on the side where it does not act. Of many bodies
 * or facets, only a sample is tested, chosen by ids and so independent of the parts of the world. */
static const real BEHIND = 0.5;
enum { MOST_ANGLES = 4000000 };

/* Number of bodies on the wrong side of the wall, and number of bodies inside a closed wall. */
typedef struct sides {
	int64_t asked, behind, held;
	const char *source; /* a source that adds bodies on the wrong side of the wall */
} sides;

static void ask(const subject *o, vec3 at, int64_t *behind, int64_t *held)
{
	const wall_surface *l = &o->look;
	vec3 p = world_to_wall(o->at, at);
	real backs = v3_boxes_meet(l->low, l->high, p, p) ? scree_wall_backs(&o->m->wall, o->row, p) : 0;
	*behind += backs > BEHIND;
	*held += backs < -BEHIND;
}

static sides sides_of(const subject *o)
{
	const model *m = o->m;
	const state *s = o->s;
	sides n = {0};
	int64_t angles = scree_domain_count(o->parts, s->body.owned) * o->look.facets;
	uint64_t stride = 1 + (uint64_t)(angles / MOST_ANGLES);
	for (int32_t i = 0; i < s->body.owned; ++i) {
		if (s->body.id[i] % stride) continue;
		ask(o, body_position(&s->body, i), &n.behind, &n.held);
		n.asked += 1;
	}
	n.asked = scree_domain_count(o->parts, n.asked);
	n.behind = scree_domain_count(o->parts, n.behind);
	n.held = scree_domain_count(o->parts, n.held);
	for (int32_t k = 0; k < m->population.sources; ++k) {
		int64_t behind = 0;
		const span at = scree_region_bounds(&m->population.source[k].where);
		ask(o, span_middle(&at), &behind, &n.held);
		if (behind) n.source = m->population.source[k].name;
	}
	return n;
}

static bool is_inside_out(const subject *o, wall_defect *out)
{
	const state *s = o->s;
	const wall_surface *l = &o->look;
	if (o->wall->two_sided) return false;
	sides n = sides_of(o);
	bool idle = l->closed && l->volume < 0 && !s->begun && !n.held && (n.asked || o->m->population.sources);
	char which[96];
	if (n.behind)
		snprintf(which, sizeof which, "%lld of %lld bodies are", (long long)n.behind, (long long)n.asked);
	else if (n.source)
		snprintf(which, sizeof which, "bodies of the source '%s' come", n.source);
	else
		return idle && say(out, DEFECT_WARNED,
						   "is closed and acts inwards, but no body is inside, and bodies outside can enter: set flip: "
						   "true in mesh if they are to stay outside");
	return say(
		out, l->closed ? DEFECT_REFUSED : DEFECT_WARNED,
		"is inside out: %s %s, but its facets act only on the other side: set flip: true in mesh, or two_sided: true",
		which, l->closed ? "inside it" : "behind it");
}

static real room_of_bodies(const subject *o)
{
	const span all = scree_span_of_all(o->m, o->s, o->parts, true);
	return v3_greatest(span_size(&all));
}

static span span_of_facet(const subject *o, int32_t row)
{
	const walls *all = &o->m->wall;
	const facet *f = all->facet + row;
	span s = NO_SPAN;
	for (int32_t k = 0; k < f->corners; ++k) v3_widen(&s.low, &s.high, wall_to_world(o->at, all->corner[f->first + k]));
	return s;
}

/* smallest gap between a facet's box and the box of all bodies, in m, along its widest axis; < 0: overlap */
static real nearest_facet(const subject *o)
{
	const span all = scree_span_of_all(o->m, o->s, o->parts, true);
	real least = INFINITY;
	for (int32_t k = 0; k < o->wall->facets; ++k) {
		const span at = span_of_facet(o, o->wall->first_facet + k);
		least = real_min(least, real_max(v3_greatest(v3_sub(all.low, at.high)), v3_greatest(v3_sub(at.low, all.high))));
	}
	return least;
}

static real smallest_radius(const subject *o)
{
	const model *m = o->m;
	const bodies *b = &o->s->body;
	real least = INFINITY;
	for (int32_t i = 0; i < b->owned; ++i) least = real_min(least, b->radius[i]);
	scree_domain_least(o->parts, 1, &least);
	for (mix_walk w = {0}; mix_next(m, &w);)
		least = real_min(least, m->shape.row[w.part->shape].radius * scree_spread_smallest(&w.part->size));
	return least;
}

/* Doubles represent positions with an error of 2e-16 of the distance from the origin. If this error is at most this
 * fraction of the smallest radius, contacts are accurate to about 1e-4 of the overlap. */
static const real DIGITS = (real)2.3e-16, KNOWN = (real)1e-6;

static bool is_rounded(const subject *o, wall_defect *out)
{
	real farthest = 0, radius = smallest_radius(o);
	for (int32_t k = 0; k < o->wall->facets; ++k) {
		const span s = span_of_facet(o, o->wall->first_facet + k);
		farthest = real_max(farthest, real_max(v3_greatest(s.high), v3_greatest(v3_neg(s.low))));
	}
	if (!(radius < INFINITY) || farthest * DIGITS <= KNOWN * radius) return false;
	return say(out, DEFECT_REFUSED,
			   "has a vertex %.3g m from the origin, where positions are exact to %.1g m, and the smallest body has a "
			   "radius of %.3g m: rounding distorts the facets: move the mesh to the origin, or check its scale",
			   farthest, farthest * DIGITS, radius);
}

/* Ratio of sizes above which the unit of a mesh is assumed to be wrong. A mesh in millimetres that is read in metres is
 * 1000 times too large. Bodies are usually within a factor of three of their mesh. */
static const real FAR_OFF = 300;

static bool is_out_of_scale(const subject *o, wall_defect *out)
{
	real room = room_of_bodies(o), extent = v3_greatest(v3_sub(o->look.high, o->look.low));
	if (!(room > 0) || (extent < FAR_OFF * room && extent > room / FAR_OFF)) return false;
	if (extent > room)
		return say(out, DEFECT_WARNED,
				   "is %.3g m long, %.3g times as long as the box around the bodies (%.3g m): set scale: 1 mm in mesh "
				   "if its file is in millimetres",
				   extent, extent / room, room);
	return say(out, DEFECT_WARNED,
			   "is %.3g m long, and the box around the bodies is %.3g times as long (%.3g m): leave out scale in mesh "
			   "if its file is in metres",
			   extent, room / extent, room);
}

/* A mesh that is large and far from all bodies is probably a mistake, so a ratio smaller than FAR_OFF is enough. */
static const real LARGE = 100, FAR_AWAY = 10;

static bool is_out_of_reach(const subject *o, wall_defect *out)
{
	real room = room_of_bodies(o), extent = v3_greatest(v3_sub(o->look.high, o->look.low));
	if (!(room > 0) || extent < LARGE * room || extent >= FAR_OFF * room || o->s->begun) return false;
	real gap = nearest_facet(o);
	if (!(gap > FAR_AWAY * room)) return false;
	return say(out, DEFECT_WARNED,
			   "has no facet within %.3g m of any body or source, and is %.3g times as long as their space (%.3g m): "
			   "set scale: 1 mm in mesh if its file is in millimetres",
			   gap, extent / room, room);
}

static bool is_open(const subject *o, wall_defect *out)
{
	const wall_surface *l = &o->look;
	const wall_edge *e = &l->first_open;
	bool outwards = !o->wall->two_sided && wall_surface_side(l) > 0;
	if (!l->open) return false;
	return say(out, DEFECT_ALLOWED,
			   "%sis open at %d edges, the first from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m; in mesh, %sclosed: "
			   "true requires a wall without holes",
			   outwards ? "acts outwards and cannot hold bodies; it " : "", l->open, e->from.x, e->from.y, e->from.z,
			   e->to.x, e->to.y, e->to.z, outwards ? "flip: true reverses it, and " : "");
}

/* Appends the number of repairs of one kind with the position of the first, or nothing if there are none. */
static int put_repair(char *text, size_t room, int32_t count, const char *one, const char *plural, vec3 first)
{
	if (!count) return 0;
	int length = snprintf(text, room, "%d %s, the first at (%.6g, %.6g, %.6g) m; ", count, count > 1 ? plural : one,
						  first.x, first.y, first.z);
	return length < (int)room ? length : (int)room - 1;
}

/* Reports gaps that were closed (wall/net.h), since they may be intended, and other programs will find them. */
static bool is_patched(const subject *o, wall_defect *out)
{
	const mesh_repairs *r = &o->wall->repaired;
	char text[320];
	int at = 0;
	if (!r->junctions && !r->cracks && !r->doubled) return false;
	at += put_repair(text + at, sizeof text - (size_t)at, r->junctions, "T junction", "T junctions", r->first_junction);
	at += put_repair(text + at, sizeof text - (size_t)at, r->cracks, "crack", "cracks", r->first_crack);
	at += put_repair(text + at, sizeof text - (size_t)at, r->doubled, "overlapping triangle", "overlapping triangles",
					 r->first_doubled);
	return say(out, DEFECT_HARMLESS, "has triangles that do not meet: %sgaps below %.2g m were joined", text,
			   o->wall->tolerance);
}

static bool has_lost_triangles(const subject *o, wall_defect *out)
{
	if (!o->wall->dropped) return false;
	return say(out, DEFECT_HARMLESS,
			   "omits %d of the %d triangles of its file, which have no area or are copies of others", o->wall->dropped,
			   o->wall->dropped + o->look.facets);
}

wall_defects scree_wall_defects(const model *m, const state *s, const domain *d, int32_t wall)
{
	static bool (*const rule[WALL_DEFECTS])(const subject *, wall_defect *) = {
		is_rounded,		 is_turned, is_inside_out, is_out_of_scale,
		is_out_of_reach, is_open,	is_patched,	   has_lost_triangles};
	wall_defects all = {0};
	subject o = {.m = m, .s = s, .parts = d, .row = wall, .wall = m->wall.row + wall, .at = s->wall + wall};
	if (o.wall->type != WALL_FACETS || o.wall->facets < 2) return all;
	o.look = scree_wall_surface(&m->wall, wall);
	for (int k = 0; k < WALL_DEFECTS; ++k) all.count += rule[k](&o, all.row + all.count);
	return all;
}
