/* guards: reports the body that violated a guard, its position, and a remedy. Used only after a violation. */
#include "guard/guard.h"

#include "base/memory.h"
#include "model/law.h"
#include "prepare/wall_defects.h"
#include "prepare/internal.h"
#include "state/pairs.h"
#include "world/world.h"

#include <stdio.h>

typedef struct culprit {
	int kind; /* -1: none */
	int64_t row;
	suspect of;
} culprit;

typedef real extent_fn(const model *m, const state *s, const work *w, int kind, int64_t row);

/* The contact with the largest extent, if this is greater than `least`. */
static culprit worst_contact(const model *m, const state *s, const work *w, extent_fn *extent, real least)
{
	culprit c = {-1, -1, {NO_SUSPECT, 0, 0}};
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (contact_walk k = contact_first(l); contact_more(l, &k); ++k.row) {
			const uint64_t *id = s->body.id, other = pair_on_wall(kind) ? 0 : id[l->cb[k.row]];
			const suspect of = {extent(m, s, w, kind, k.row), id[l->ca[k.row]], other};
			if (of.extent > least && scree_suspect_before(&of, &c.of)) c = (culprit){kind, k.row, of};
		}
	}
	return c;
}

/* Tests whether the largest overlap has grown so much that its contact must be searched for again. */
static bool deeper_than_known(const work *w)
{
	const real twentieth = (real)1.05;
	return w->greatest_overlap_part > real_max(DEEP_OVERLAP, twentieth * w->deepest.part);
}

/* part is 0 if the contact is in another part of the world */
static deep_look deepest_here(const model *m, const state *s, const work *w)
{
	const culprit c = worst_contact(m, s, w, scree_contact_part, DEEP_OVERLAP);
	if (c.kind < 0) return (deep_look){.part = 0};
	const pair_list *l = s->pair + c.kind;
	const bodies *b = &s->body;
	const int32_t i = l->ca[c.row], j = l->cb[c.row];
	/* in laws based on volume or area, the depth is less than the geometric depth */
	const real part = real_max(c.of.extent, w->greatest_overlap_part);
	deep_look o = {.part = part, .body = b->id[i], .material = {b->material[i]}, .wall = -1, .time = s->time};
	if (pair_on_wall(c.kind)) {
		o.wall = m->wall.surface_wall[j];
		o.material[1] = m->wall.row[o.wall].material;
	} else {
		o.other = b->id[j];
		o.material[1] = b->material[j];
	}
	return o;
}

/* Tests whether the rows of a contact's materials and wall exist: the data may come from another part of the world. */
static bool is_in_model(const model *m, const deep_look *o)
{
	bool right = o->wall >= -1 && o->wall < m->wall.count;
	for (int side = 0; side < 2; ++side)
		right = right && o->material[side] >= 0 && o->material[side] < m->material.count;
	return right;
}

/* Finds the deepest contact of all parts of the world; among equally deep contacts, the contact with the lowest ids. */
static void note_deepest(const model *m, state *s, work *w)
{
	const deep_look here = deepest_here(m, s, w);
	deep_look best = {.part = 0};
	int64_t parts = 1;
	deep_look *part = w->domain.by->gather(w->domain.at, &parts, sizeof *part, &here);
	for (int64_t k = 0; k < parts; ++k) {
		const suspect x = {part[k].part, part[k].body, part[k].other}, y = {best.part, best.body, best.other};
		SCREE_ASSERT(!(part[k].part > 0) || is_in_model(m, part + k));
		if (part[k].part > 0 && (!(best.part > 0) || scree_suspect_before(&x, &y))) best = part[k];
	}
	scree_free(part);
	if (best.part > 0) w->deepest = best;
}

/* velocity of body i relative to the wall at its position */
static vec3 against_wall(const state *s, int32_t i, int32_t wall)
{
	const wall_state *o = s->wall + wall;
	vec3 apart = v3_sub(body_position(&s->body, i), o->position);
	return v3_sub(body_velocity(&s->body, i), wall_velocity(o, apart));
}

/* Inputs for the advice on how to keep an overlap small. */
typedef struct overlap_cure {
	int32_t ma, mb; /* materials */
	real size;		/* reference length of the overlap, in m */
	const char *measure;
	real speed;		/* relative speed of the bodies, in m/s */
	bool may_raise; /* a higher run.guard.overlap would permit the overlap */
	real part;		/* the overlap relative to its reference length */
} overlap_cure;

/* Writes advice on keeping an overlap small. A contact that lasts only a few steps is too short to do so. */
static void cure_overlap(const model *m, const overlap_cure *c, char *text, size_t room)
{
	const real few_steps = (real)0.1, way = m->dt * c->speed;
	if (m->hard) /* no stiffness acts in such steps */
		snprintf(text, room,
				 "the solver of hard contacts has not converged within the step: set run.step below %.2g s%s",
				 m->dt * DEEP_OVERLAP / c->part, c->may_raise ? ", or raise run.guard.overlap" : "");
	else if (way > few_steps * c->size)
		snprintf(text, room, "%.3g m in a step at %.4g m/s, %.0f %% of its %s: set run.step below %.3g s", way,
				 c->speed, 100 * way / c->size, c->measure, m->dt);
	else
		snprintf(text, room, "law %s for %s + %s; raise its stiffness%s lower the speeds%s",
				 scree_laws[m->constants[c->ma * m->material.count + c->mb].law].name, m->material.row[c->ma].name,
				 m->material.row[c->mb].name, c->may_raise ? "," : " or",
				 c->may_raise ? ", or raise run.guard.overlap" : "");
}

enum { ANY_WALL = -1, NO_WALL = -2 };

/* Begins the message about a body that entered a wall or left the world: the most serious defect, with a weight up to
 * `most`, of wall `only` or of any wall. All parts call this; those without the body pass NO_WALL. Returns false. */
static bool blame_wall(const model *m, state *s, work *w, int32_t only, defect_weight most)
{
	wall_defect gravest = {.weight = most + 1};
	int32_t blamed = -1;
	for (int32_t k = 0; k < m->wall.count; ++k) {
		wall_defects all = scree_wall_defects(m, s, &w->domain, k);
		if (only != ANY_WALL && k != only) continue;
		if (!all.count || all.row[0].weight >= gravest.weight) continue;
		gravest = all.row[0];
		blamed = k;
	}
	if (blamed >= 0) scree_fail_in(&w->why, "wall %s %s", m->wall.row[blamed].name, gravest.text);
	return false;
}

/* The partner of a contact. */
typedef struct meets {
	int32_t a, material; /* row of the first body, and material of the other side */
	real size;			 /* size of the smaller of the two bodies, in m */
	vec3 velocity;		 /* velocity of a relative to its partner */
	char partner[96];
} meets;

static meets meets_of(const model *m, const state *s, culprit c)
{
	const pair_list *l = s->pair + c.kind;
	int32_t a = l->ca[c.row], b = l->cb[c.row];
	meets met = {.a = a, .size = 2 * s->body.round[a]};
	if (pair_on_wall(c.kind)) {
		const wall *o = m->wall.row + m->wall.surface_wall[b];
		met.material = o->material;
		met.velocity = against_wall(s, a, m->wall.surface_wall[b]);
		snprintf(met.partner, sizeof met.partner, "wall %s", o->name);
	} else {
		met.material = s->body.material[b];
		met.velocity = v3_sub(body_velocity(&s->body, a), body_velocity(&s->body, b));
		met.size = real_min(met.size, 2 * s->body.round[b]);
		snprintf(met.partner, sizeof met.partner, "body %llu", (unsigned long long)s->body.id[b]);
	}
	return met;
}

static void cure_contact(const model *m, const state *s, const work *w, const meets *met, char *text, size_t room)
{
	const overlap_cure by = {s->body.material[met->a], met->material, met->size, "size", v3_norm(met->velocity), true,
							 w->greatest_overlap_part};
	cure_overlap(m, &by, text, room);
}

static bool report_overlap(const model *m, state *s, work *w, culprit c)
{
	meets met = meets_of(m, s, c);
	int32_t a = met.a;
	char cure[256];
	const char *over = c.of.extent > 1 ? "over " : ""; /* an overlap that exceeds the thickness is only a lower bound */
	const real part = real_min(c.of.extent, 1);
	if (m->solver)
		snprintf(cure, sizeof cure,
				 "set run.step below %.3g s, raise run.correction, or turn the check off: run.guard.overlap: 0", m->dt);
	else
		cure_contact(m, s, w, &met, cure, sizeof cure);
	return scree_fail(&w->why, FAIL_GUARD,
					  "overlap of %s%.2f %% between body %llu and %s at (%.6g, %.6g, %.6g) m, t = %.6g s (limit %.2f "
					  "%%): %s",
					  over, 100 * part, (unsigned long long)s->body.id[a], met.partner, s->body.x[a], s->body.y[a],
					  s->body.z[a], s->time, 100 * m->guard.overlap, cure);
}

/* Writes the advice on how to keep body i on its side of the wall. */
static void cure_breach(const model *m, const state *s, const work *w, char *text, size_t size)
{
	const int32_t i = w->breach.body;
	const wall *o = m->wall.row + w->breach.wall;
	real way = m->dt * v3_norm(against_wall(s, i, w->breach.wall)), radius = s->body.radius[i];
	int32_t ma = s->body.material[i], mb = o->material;
	if (w->breach.from_behind)
		snprintf(text, size, "from behind, where the wall does not act: %s",
				 o->type == WALL_FACETS ? "set two_sided: true, reverse its normal, or keep bodies off that side"
										: "keep bodies off that side, or add a wall that faces the other way");
	else if (way > radius / 2)
		snprintf(text, size, "%.3g m in a step against a radius of %.3g m: set run.step below %.3g s", way, radius,
				 m->dt);
	else if (m->hard)
		snprintf(text, size, "the solver of hard contacts has not converged within the step: set run.step below %.3g s",
				 m->dt);
	else if (m->solver)
		snprintf(text, size, "the load pressed it through the wall: set run.step below %.3g s, or raise run.correction",
				 m->dt);
	else
		snprintf(text, size,
				 "law %s for %s + %s does not stop it: raise its stiffness, or lower the speed or the load; if it is "
				 "to pass, name the materials that the wall stops: walls.%s.only",
				 scree_laws[m->constants[ma * m->material.count + mb].law].name, m->material.row[ma].name,
				 m->material.row[mb].name, o->name);
}

static bool report_breach(const model *m, state *s, work *w)
{
	const breach *c = &w->breach;
	const suspect here = {c->found ? 0 : NO_SUSPECT, c->found ? s->body.id[c->body] : 0, 0};
	if (!scree_domain_names(&w->domain, &here))
		return scree_world_fails_elsewhere(w) || blame_wall(m, s, w, NO_WALL, DEFECT_WARNED);
	char cure[320];
	cure_breach(m, s, w, cure, sizeof cure);
	scree_fail(
		&w->why, FAIL_GUARD,
		"body %llu went through wall %s at (%.6g, %.6g, %.6g) m, t = %.6g s, moving at %.4g m/s relative to it, %s",
		(unsigned long long)s->body.id[c->body], m->wall.row[c->wall].name, c->at.x, c->at.y, c->at.z, s->time,
		v3_norm(against_wall(s, c->body, c->wall)), cure);
	return blame_wall(m, s, w, c->wall, DEFECT_WARNED);
}

/* sum of the widths of both halos, in m */
static real halos_of(const model *m, const state *s, const crossing *c)
{
	real sum = m->shape.row[s->body.shape[c->a]].halo * s->body.size[c->a];
	return c->b < 0 ? sum : sum + m->shape.row[s->body.shape[c->b]].halo * s->body.size[c->b];
}

/* Two bodies, or one if b < 0; the bodies with the lowest ids are reported. */
static suspect of_bodies(const state *s, bool found, int32_t a, int32_t b)
{
	if (!found) return (suspect){NO_SUSPECT, 0, 0};
	return (suspect){0, s->body.id[a], b < 0 ? 0 : s->body.id[b]};
}

static bool report_crossing(const model *m, state *s, work *w)
{
	const crossing *c = &w->crossed;
	scree_world_catch_up(s, w);
	const suspect here = of_bodies(s, c->found, c->a, c->b);
	if (!scree_domain_names(&w->domain, &here)) return scree_world_fails_elsewhere(w);
	const vec3 v = c->b < 0 ? against_wall(s, c->a, c->wall)
							: v3_sub(body_velocity(&s->body, c->a), body_velocity(&s->body, c->b));
	char other[96];
	if (c->b < 0)
		snprintf(other, sizeof other, "wall %s", m->wall.row[c->wall].name);
	else
		snprintf(other, sizeof other, "body %llu", (unsigned long long)s->body.id[c->b]);
	return scree_fail(&w->why, FAIL_GUARD,
					  "the surface of body %llu %s through its halo to that of %s at (%.6g, %.6g, %.6g) m, t = %.6g s, "
					  "moving at %.4g m/s relative to it, %.3g m per step: the halos reach %.3g m: raise the stiffness "
					  "of the law, use a wider halo, or set run.step below %.3g s",
					  (unsigned long long)s->body.id[c->a], c->soon ? "will pass in the next step" : "has passed",
					  other, s->body.x[c->a], s->body.y[c->a], s->body.z[c->a], s->time, v3_norm(v), m->dt * v3_norm(v),
					  halos_of(m, s, c), m->dt);
}

static bool report_jump(const model *m, state *s, work *w, const passing *c, const char *names)
{
	return scree_fail(
		&w->why, FAIL_GUARD,
		"%s move by %.3g m relative to each other in one step at (%.6g, %.6g, %.6g) m, t = %.6g s, and the thickness "
		"between them is %.3g m: within the step they overlapped by %.3g m, %.3g %% of it, which no contact detected, "
		"and they may have passed through each other: set run.step to %.2g s or less, or lower the speed of %.4g m/s",
		names, c->way, c->at.x, c->at.y, c->at.z, s->time, c->thick, c->depth, 100 * c->depth / c->thick,
		m->dt * STEP_OF_THICKNESS * c->thick / c->way, c->way / m->dt);
}

static bool report_passing(const model *m, state *s, work *w)
{
	const passing *c = &w->passed;
	scree_world_catch_up(s, w);
	const suspect here = of_bodies(s, c->found, c->a, c->b);
	if (!scree_domain_names(&w->domain, &here)) return scree_world_fails_elsewhere(w);
	const bodies *b = &s->body;
	const vec3 v = v3_sub(body_velocity(b, c->a), body_velocity(b, c->b));
	char names[96], cure[256];
	snprintf(names, sizeof names, "body %llu and body %llu", (unsigned long long)b->id[c->a],
			 (unsigned long long)b->id[c->b]);
	if (c->jumped) return report_jump(m, s, w, c, names);
	const overlap_cure by = {b->material[c->a],	 b->material[c->b], c->thick,
							 "thickness",		 v3_norm(v),		c->limit > (real)0.999 * m->guard.overlap,
							 c->depth / c->thick};
	cure_overlap(m, &by, cure, sizeof cure);
	return scree_fail(&w->why, FAIL_GUARD,
					  "overlap of %.3g m between %s at (%.6g, %.6g, %.6g) m, t = %.6g s, %.4g %% of the thickness "
					  "between them, %.3g m (limit %.4g %%): bodies that overlap more may pass through each other: %s",
					  c->depth, names, c->at.x, c->at.y, c->at.z, s->time, 100 * c->depth / c->thick, c->thick,
					  100 * c->limit, cure);
}

static bool finite3(real x, real y, real z) { return x - x == 0 && y - y == 0 && z - z == 0; }

static bool is_a_number(const bodies *b, int32_t i)
{
	return finite3(b->vx[i], b->vy[i], b->vz[i]) && finite3(b->tx[i], b->ty[i], b->tz[i]) &&
		   finite3(b->x[i], b->y[i], b->z[i]) && finite3(b->qx[i], b->qy[i], b->qz[i]) && b->qw[i] * 0 == 0 &&
		   finite3(b->wx[i], b->wy[i], b->wz[i]);
}

/* The row of the world's fastest body, or -1 if it is in another part. A motion that is NaN counts as the fastest. */
static int32_t fastest_of(const state *s, const work *w)
{
	const bodies *b = &s->body;
	suspect most = {NO_SUSPECT, 0, 0};
	int32_t row = -1;
	for (int32_t i = 0; i < b->owned; ++i) {
		const suspect of = {is_a_number(b, i) ? v3_norm(body_velocity(b, i)) : INFINITY, b->id[i], 0};
		if (scree_suspect_before(&of, &most)) most = of, row = i;
	}
	return scree_domain_names(&w->domain, &most) ? row : -1;
}

static bool report_motion(const model *m, const state *s, work *w, int32_t i)
{
	const bodies *b = &s->body;
	char at[100] = "";
	if (finite3(b->x[i], b->y[i], b->z[i]))
		snprintf(at, sizeof at, " at (%.6g, %.6g, %.6g) m", b->x[i], b->y[i], b->z[i]);
	return scree_fail(&w->why, FAIL_GUARD,
					  "the motion of body %llu (material %s) is no longer a number%s, t = %.6g s: set run.step "
					  "below %.3g s, or inspect its contacts in the last snapshot",
					  (unsigned long long)b->id[i], m->material.row[b->material[i]].name, at, s->time, m->dt);
}

static bool report_speed(const model *m, state *s, work *w)
{
	const bodies *b = &s->body;
	const int32_t fastest = fastest_of(s, w);
	if (fastest < 0) return scree_world_fails_elsewhere(w);
	if (!is_a_number(b, fastest)) return report_motion(m, s, w, fastest);
	return scree_fail(&w->why, FAIL_GUARD,
					  "body %llu moves at %.4g m/s at (%.6g, %.6g, %.6g) m, t = %.6g s (limit %.4g m/s): a step that "
					  "is too large, or overlaps at the start, may have added energy; otherwise raise run.guard.speed",
					  (unsigned long long)b->id[fastest], v3_norm(body_velocity(b, fastest)), b->x[fastest],
					  b->y[fastest], b->z[fastest], s->time, m->guard.speed);
}

/* gone: rows of `count` bodies in this part of the world; all: number of bodies in all parts */
static bool report_lost(const model *m, state *s, work *w, int32_t count, const int32_t *gone, int64_t all)
{
	const bodies *b = &s->body;
	int32_t body = count ? gone[0] : -1;
	for (int32_t k = 1; k < count; ++k)
		if (b->id[gone[k]] < b->id[body]) body = gone[k];
	const suspect here = of_bodies(s, count > 0, body, -1);
	if (!scree_domain_names(&w->domain, &here))
		return scree_world_fails_elsewhere(w) || blame_wall(m, s, w, NO_WALL, DEFECT_ALLOWED);
	scree_fail(&w->why, FAIL_GUARD,
			   "body %llu left the domain at (%.6g, %.6g, %.6g) m with velocity (%.4g, %.4g, %.4g) m/s, t = %.6g s "
			   "(%lld in all): close the walls, enlarge world.domain, add a sink, or set run.guard.lost to remove",
			   (unsigned long long)b->id[body], b->x[body], b->y[body], b->z[body], b->vx[body], b->vy[body],
			   b->vz[body], s->time, (long long)all);
	return blame_wall(m, s, w, ANY_WALL, DEFECT_ALLOWED);
}

static bool handle_lost(const model *m, state *s, work *w)
{
	const bodies *b = &s->body;
	const guards *g = &m->guard;
	int32_t *gone = scree_alloc((size_t)b->count, sizeof *gone), count = 0;
	for (int32_t i = 0; i < b->owned; ++i) {
		bool in = b->x[i] >= g->low.x && b->x[i] <= g->high.x && b->y[i] >= g->low.y && b->y[i] <= g->high.y &&
				  b->z[i] >= g->low.z && b->z[i] <= g->high.z;
		if (!in) gone[count++] = i;
	}
	const int64_t lost = scree_domain_count(&w->domain, count);
	SCREE_ASSERT(lost > 0);
	bool go_on = !g->lost_is_error;
	if (go_on) {
		scree_world_remove(m, s, w, count, gone);
		s->lost += lost;
	} else {
		report_lost(m, s, w, count, gone, lost);
	}
	scree_free(gone);
	return go_on;
}

static bool report_deepest(const model *m, state *s, work *w)
{
	scree_world_catch_up(s, w);
	const culprit c = worst_contact(m, s, w, scree_contact_part, 0);
	if (!scree_domain_names(&w->domain, &c.of))
		return scree_world_fails_elsewhere(w) || blame_wall(m, s, w, NO_WALL, DEFECT_WARNED);
	SCREE_ASSERT(c.kind >= 0);
	const int32_t wall = pair_on_wall(c.kind) ? m->wall.surface_wall[s->pair[c.kind].cb[c.row]] : NO_WALL;
	return report_overlap(m, s, w, c) || blame_wall(m, s, w, wall, DEFECT_WARNED);
}

bool scree_guard_report(const model *m, state *s, work *w, bool overlap, bool speed)
{
	if (speed) return report_speed(m, s, w);
	return overlap ? report_deepest(m, s, w) : handle_lost(m, s, w);
}

/* Reports that the displacement of the fastest body in a step is large enough to miss a collision. */
static bool report_way(const model *m, state *s, work *w)
{
	const bodies *b = &s->body;
	const int32_t fastest = fastest_of(s, w);
	if (fastest < 0) return scree_world_fails_elsewhere(w);
	return scree_fail(
		&w->why, FAIL_GUARD,
		"body %llu moves at %.4g m/s at (%.6g, %.6g, %.6g) m, t = %.6g s: %.3g m in a step, more than the "
		"smallest radius, %.3g m, so that collisions may be missed: set run.step below %.3g s",
		(unsigned long long)b->id[fastest], v3_norm(body_velocity(b, fastest)), b->x[fastest], b->y[fastest],
		b->z[fastest], s->time, w->greatest_speed * m->dt, m->longest, m->dt);
}

/* N. A force that is not a number (NaN) counts as the largest. */
static real force_on(const model *m, const state *s, const work *w, int kind, int64_t row)
{
	const real force = v3_norm(scree_contact_look(m, s, w, kind, row).force.force);
	return force == force ? force : INFINITY;
}

/* Reports a force beyond the range of sums. Sums can hold about a hundred times the load of a body's contacts at the
 * largest allowed overlap (docs/theory/sums.md). */
static bool report_force(const model *m, state *s, work *w)
{
	scree_world_catch_up(s, w);
	const culprit c = worst_contact(m, s, w, force_on, -1);
	char cure[256];
	if (!scree_domain_names(&w->domain, &c.of)) return scree_world_fails_elsewhere(w);
	if (c.kind < 0)
		return scree_fail(&w->why, FAIL_GUARD,
						  "forces exceed the range of their sums, t = %.6g s: raise run.guard.overlap", s->time);
	meets met = meets_of(m, s, c);
	const bodies *b = &s->body;
	int32_t a = met.a;
	cure_contact(m, s, w, &met, cure, sizeof cure);
	return scree_fail(&w->why, FAIL_GUARD,
					  "a force of %.3g N between body %llu and %s at (%.6g, %.6g, %.6g) m exceeds the range of force "
					  "sums, t = %.6g s: %s",
					  c.of.extent, (unsigned long long)b->id[a], met.partner, b->x[a], b->y[a], b->z[a], s->time, cure);
}

/* Reports new bodies that are too light compared with the other bodies. */
static bool report_quantum(state *s, work *w)
{
	return scree_fail(&w->why, FAIL_GUARD,
					  "the force resolution, %.3g N, is %.2g of the weight of body %llu, t = %.6g s (limit %.2g): %s",
					  w->sums.rounded, w->sums.coarsest, (unsigned long long)w->sums.lightest, s->time, SUMS_COARSEST,
					  SCREE_QUANTUM_CURE);
}

/* written so that NaN fails */
static bool speed_holds(const model *m, const work *w)
{
	return m->guard.speed > 0 ? w->greatest_speed <= m->guard.speed : w->greatest_speed < (real)1e100;
}

static bool overlap_holds(const model *m, const work *w)
{
	return m->guard.overlap > 0 ? w->greatest_overlap_part <= m->guard.overlap : true;
}

/* Tests whether the solver of implicit steps has converged since the last reading. steps: time since then, in words */
static bool solver_holds(const model *m, const state *s, work *w, const char *steps)
{
	static const real MOST = (real)0.05;
	const real solved = s->impulse.window_solved, unsolved = s->impulse.window_unsolved;
	if (unsolved <= MOST * solved) return true;
	return scree_fail(
		&w->why, FAIL_GUARD,
		"the solver has not converged: further sweeps would change %.3g %% of the impulses of the last %s "
		"(limit %g %%), t = %.6g s: set run.step below %.3g s",
		100 * unsolved / solved, steps, 100 * MOST, s->time, m->dt);
}

/* Makes this test, but only at certain step numbers. */
static bool solver_holds_so_far(const model *m, state *s, work *w)
{
	char steps[24];
	if (s->step % ENERGY_STEPS != 0 || m->creeps) return true; /* the remaining error is passed on to the next step */
	snprintf(steps, sizeof steps, "%d steps", ENERGY_STEPS);
	const bool holds = solver_holds(m, s, w, steps);
	s->impulse.window_solved = s->impulse.window_unsolved = 0;
	return holds;
}

bool scree_solver_holds_at_end(const model *m, const state *s, work *w)
{
	enum { LEAST = 100 };
	const int64_t since = s->step % ENERGY_STEPS;
	return !m->implicit || (since < LEAST && since < s->step) || solver_holds(m, s, w, "steps");
}

void scree_guards_look(work *w)
{
	joint_numbers_of_step *o = &w->joint;
	o->breach = w->breach.found, o->crossed = w->crossed.found, o->passed = w->passed.found;
	scree_domain_put_flag(&w->domain, &o->breach);
	scree_domain_put_flag(&w->domain, &o->crossed);
	scree_domain_put_flag(&w->domain, &o->passed);
}

/* Tests, in a cell that changes size, whether bodies still meet through at most one image. */
static bool cell_holds(const model *m, const state *s, work *w)
{
	static const char *const axis[3] = {"x", "y", "z"};
	for (int32_t d = 0; d < 3; ++d) {
		const real size = v3_part(s->images.size, d);
		if (!m->period.axis[d] || size > w->skin.least_period) continue;
		return scree_fail(
			&w->why, FAIL_GUARD,
			"the period along %s has shrunk to %.6g m, t = %.6g s: expected more than %.6g m, so that two bodies touch "
			"through one image at most: start with a larger domain, or end the strain earlier",
			axis[d], size, s->time, w->skin.least_period);
	}
	return true;
}

bool scree_guards_hold(const model *m, state *s, work *w)
{
	bool speed_ok = speed_holds(m, w), overlap_ok = overlap_holds(m, w);
	if (deeper_than_known(w)) note_deepest(m, s, w);
	bool breach = w->joint.breach > 0;
	if (w->joint.crossed > 0) return report_crossing(m, s, w);
	if (w->joint.passed > 0) return report_passing(m, s, w);
	if (m->period.deforms && !cell_holds(m, s, w)) return false;
	bool way_ok = !m->solver || w->greatest_speed * m->dt <= m->longest;
	if (speed_ok && !scree_halos_hold(m, s, w)) return false;
	if (m->implicit && !solver_holds_so_far(m, s, w)) return false;
	if (s->step % HELD_STEPS == 0 && !scree_held_hold(m, s, w)) return false;
	if (!scree_drag_holds(m, s, w)) return false;
	if (overlap_ok && w->unbearable) return breach ? report_breach(m, s, w) : report_force(m, s, w);
	if (w->sums.coarsest > SUMS_COARSEST) return report_quantum(s, w);
	if (speed_ok && overlap_ok && way_ok && !breach && !w->left_domain) return true;
	if (speed_ok && !way_ok) return report_way(m, s, w);
	if (speed_ok && breach) return report_breach(m, s, w);
	return scree_guard_report(m, s, w, !overlap_ok, !speed_ok);
}
