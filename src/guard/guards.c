/* guards: which body broke a guard, where, and what to do about it. Runs only when a guard is broken. */
#include "guard/guard.h"

#include "base/memory.h"
#include "prepare/flaws.h"
#include "prepare/parts.h"

#include <stdio.h>

typedef struct culprit {
	int kind;
	int64_t row;
	real part;
} culprit;

static culprit deepest(const scree_world *w)
{
	culprit c = {-1, -1, 0};
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		for (contact_walk k = contact_first(w->pair + kind); contact_more(w->pair + kind, &k); ++k.row) {
			real part = scree_contact_part(w, kind, k.row);
			if (part > c.part) c = (culprit){kind, k.row, part};
		}
	}
	return c;
}

/* Has the greatest overlap grown enough to find its contact again? */
static bool deeper_than_known(const scree_world *w)
{
	const real twentieth = (real)1.05;
	return w->greatest_overlap_part > real_max(DEEP_OVERLAP, twentieth * w->deepest.part);
}

static void note_deepest(scree_world *w)
{
	const culprit c = deepest(w);
	if (c.kind < 0 || !(c.part > DEEP_OVERLAP)) return; /* it is in another part of the world */
	const pair_list *l = w->pair + c.kind;
	const bodies *b = &w->body;
	const int32_t i = l->ca[c.row], j = l->cb[c.row];
	/* laws of volumes and areas call less than the depth in space their depth */
	const real part = real_max(c.part, w->greatest_overlap_part);
	deep_look o = {.part = part, .body = b->id[i], .material = {b->material[i]}, .wall = -1, .time = w->time};
	if (pair_on_wall(c.kind)) {
		o.wall = w->wall.surface_wall[j];
		o.material[1] = w->wall.row[o.wall].material;
	} else {
		o.other = b->id[j];
		o.material[1] = b->material[j];
	}
	w->deepest = o;
}

/* Guards cover all parts of a world, and all parts stop. The part that holds the culprit names it. */
static bool is_divided(const scree_world *w) { return w->parts.by->renew != NULL; }

static bool report_elsewhere(scree_world *w)
{
	return scree_fail(&w->why, FAIL_GUARD, "a guard is broken in another part of the world, t = %.6g s", w->time);
}

/* velocity of body i against the wall where it stands */
static vec3 against_wall(const scree_world *w, int32_t i, const wall *o)
{
	vec3 apart = v3_sub(body_position(&w->body, i), o->position);
	return v3_sub(body_velocity(&w->body, i), v3_add(o->velocity, v3_cross(o->angular_velocity, apart)));
}

/* Data for the advice that would have kept an overlap small. */
typedef struct overlap_cure {
	int32_t ma, mb; /* materials */
	real size;		/* m, which the overlap is judged by, and its name: */
	const char *measure;
	real speed;		/* m/s, of the two against each other */
	bool may_raise; /* a greater run.guard.overlap would let it pass */
} overlap_cure;

/* A contact that lasts only a few steps cannot push in time. */
static void cure_overlap(const scree_world *w, const overlap_cure *c, char *text, size_t room)
{
	const real few_steps = (real)0.1, way = w->dt * c->speed;
	if (way > few_steps * c->size)
		snprintf(text, room, "%.3g m in a step at %.4g m/s, %.0f %% of its %s: take a shorter run.step than %.3g s",
				 way, c->speed, 100 * way / c->size, c->measure, w->dt);
	else
		snprintf(text, room, "law %s for %s + %s; raise its stiffness%s lower the speeds%s",
				 scree_laws[w->constants[c->ma * w->material.count + c->mb].law].name, w->material.row[c->ma].name,
				 w->material.row[c->mb].name, c->may_raise ? "," : " or",
				 c->may_raise ? ", or raise run.guard.overlap" : "");
}

/* Where a body got into a wall, or out of the world, the message begins with the gravest flaw of that wall, or of any
 * wall (-1), among those of a weight of at most `most`. Returns false. */
static bool blame_wall(scree_world *w, int32_t only, flaw_weight most)
{
	wall_flaw gravest = {.weight = most + 1};
	int32_t blamed = -1;
	for (int32_t k = 0; k < w->wall.count; ++k) {
		if (only >= 0 && k != only) continue;
		wall_flaws all = scree_wall_flaws(w, k);
		if (!all.count || all.row[0].weight >= gravest.weight) continue;
		gravest = all.row[0];
		blamed = k;
	}
	if (blamed >= 0) scree_fail_in(&w->why, "wall %s %s", w->wall.row[blamed].name, gravest.text);
	return false;
}

/* The partner of a contact. */
typedef struct meets {
	int32_t a, material; /* row of the first body; material of the other side */
	real size;			 /* m, of the smaller one */
	vec3 velocity;		 /* of a against it */
	char partner[96];
} meets;

static meets meets_of(const scree_world *w, culprit c)
{
	const pair_list *l = w->pair + c.kind;
	int32_t a = l->ca[c.row], b = l->cb[c.row];
	meets m = {.a = a, .size = 2 * w->body.round[a]};
	if (pair_on_wall(c.kind)) {
		const wall *o = w->wall.row + w->wall.surface_wall[b];
		m.material = o->material;
		m.velocity = against_wall(w, a, o);
		snprintf(m.partner, sizeof m.partner, "wall %s", o->name);
	} else {
		m.material = w->body.material[b];
		m.velocity = v3_sub(body_velocity(&w->body, a), body_velocity(&w->body, b));
		m.size = real_min(m.size, 2 * w->body.round[b]);
		snprintf(m.partner, sizeof m.partner, "body %llu", (unsigned long long)w->body.id[b]);
	}
	return m;
}

static bool report_overlap(scree_world *w, culprit c)
{
	meets m = meets_of(w, c);
	int32_t a = m.a;
	char cure[256];
	const char *over = c.part > 1 ? "over " : ""; /* beyond the thickness the depth means little */
	const real part = real_min(c.part, 1);
	if (w->solver)
		return scree_fail(
			&w->why, FAIL_GUARD,
			"overlap of %s%.2f %% between body %llu and %s at (%.6g, %.6g, %.6g) m, t = %.6g s (limit %.2f "
			"%%): take a shorter step than %.3g s, raise run.correction, or turn the check off: "
			"run.guard.overlap: 0",
			over, 100 * part, (unsigned long long)w->body.id[a], m.partner, w->body.x[a], w->body.y[a], w->body.z[a],
			w->time, 100 * w->guard.overlap, w->dt);
	const overlap_cure by = {w->body.material[a], m.material, m.size, "size", v3_norm(m.velocity), true};
	cure_overlap(w, &by, cure, sizeof cure);
	return scree_fail(&w->why, FAIL_GUARD,
					  "overlap of %s%.2f %% between body %llu and %s at (%.6g, %.6g, %.6g) m, t = %.6g s (limit %.2f "
					  "%%): %s",
					  over, 100 * part, (unsigned long long)w->body.id[a], m.partner, w->body.x[a], w->body.y[a],
					  w->body.z[a], w->time, 100 * w->guard.overlap, cure);
}

/* Advice that would have kept body i on its side of the wall. */
static void cure_breach(const scree_world *w, int32_t i, const wall *o, char *text, size_t size)
{
	real way = w->dt * v3_norm(against_wall(w, i, o)), radius = w->body.radius[i];
	int32_t ma = w->body.material[i], mb = o->material;
	if (w->breach.from_behind)
		snprintf(text, size, "from behind, where it does not act: %s",
				 o->type == WALL_FACETS ? "set its two_sided, turn its normal round, or keep bodies from there"
										: "keep bodies from there, or add a wall for the other side");
	else if (way > radius / 2)
		snprintf(text, size, "%.3g m in a step against a radius of %.3g m: take a shorter run.step than %.3g s", way,
				 radius, w->dt);
	else if (w->solver)
		snprintf(text, size, "pressed through: take a shorter run.step than %.3g s, or raise run.correction", w->dt);
	else
		snprintf(text, size, "law %s for %s + %s does not stop it: raise its stiffness, or lower the speed or the load",
				 scree_laws[w->constants[ma * w->material.count + mb].law].name, w->material.row[ma].name,
				 w->material.row[mb].name);
}

static bool report_breach(scree_world *w)
{
	const breach *c = &w->breach;
	if (!c->found) return report_elsewhere(w);
	const wall *o = w->wall.row + c->wall;
	char cure[256];
	cure_breach(w, c->body, o, cure, sizeof cure);
	scree_fail(&w->why, FAIL_GUARD,
			   "body %llu went through wall %s at (%.6g, %.6g, %.6g) m, t = %.6g s, moving at %.4g m/s against "
			   "it, %s",
			   (unsigned long long)w->body.id[c->body], o->name, c->at.x, c->at.y, c->at.z, w->time,
			   v3_norm(against_wall(w, c->body, o)), cure);
	return blame_wall(w, c->wall, FLAW_WARNED);
}

/* m: sum of the reach of both halos */
static real halos_of(const scree_world *w, const crossing *c)
{
	real sum = w->shape.row[w->body.shape[c->a]].halo * w->body.size[c->a];
	return c->b < 0 ? sum : sum + w->shape.row[w->body.shape[c->b]].halo * w->body.size[c->b];
}

static bool report_crossing(scree_world *w)
{
	const crossing *c = &w->crossed;
	if (!c->found) return report_elsewhere(w);
	const vec3 v = c->b < 0 ? against_wall(w, c->a, w->wall.row + c->wall)
							: v3_sub(body_velocity(&w->body, c->a), body_velocity(&w->body, c->b));
	char other[96];
	if (c->b < 0)
		snprintf(other, sizeof other, "wall %s", w->wall.row[c->wall].name);
	else
		snprintf(other, sizeof other, "body %llu", (unsigned long long)w->body.id[c->b]);
	return scree_fail(
		&w->why, FAIL_GUARD,
		"the surface of body %llu %s through its halo to that of %s at (%.6g, %.6g, %.6g) m, t = %.6g s, "
		"moving at %.4g m/s, %.3g m a step, against it: the halos reach %.3g m: raise the stiffness of the law, "
		"take a wider halo, or a shorter run.step than %.3g s",
		(unsigned long long)w->body.id[c->a], c->soon ? "will in the next step have come" : "has come", other,
		w->body.x[c->a], w->body.y[c->a], w->body.z[c->a], w->time, v3_norm(v), w->dt * v3_norm(v), halos_of(w, c),
		w->dt);
}

static bool report_jump(scree_world *w, const passing *c, const char *names)
{
	return scree_fail(
		&w->why, FAIL_GUARD,
		"%s move by %.3g m against each other in one step at (%.6g, %.6g, %.6g) m, t = %.6g s, and the thickness "
		"between them is %.3g m: within the step they overlapped by %.3g m, %.3g %% of it, which no contact saw, and "
		"they may have passed through each other: take a run.step of %.2g s or less, or lower the speed, %.4g m/s",
		names, c->way, c->at.x, c->at.y, c->at.z, w->time, c->thick, c->depth, 100 * c->depth / c->thick,
		w->dt * STEP_OF_THICKNESS * c->thick / c->way, c->way / w->dt);
}

/* Names two bodies that may pass through each other. */
static bool report_passing(scree_world *w)
{
	const passing *c = &w->passed;
	if (!c->found) return report_elsewhere(w);
	const bodies *b = &w->body;
	const vec3 v = v3_sub(body_velocity(b, c->a), body_velocity(b, c->b));
	char names[96], cure[256];
	snprintf(names, sizeof names, "body %llu and body %llu", (unsigned long long)b->id[c->a],
			 (unsigned long long)b->id[c->b]);
	if (c->jumped) return report_jump(w, c, names);
	const overlap_cure by = {b->material[c->a], b->material[c->b], c->thick,
							 "thickness",		v3_norm(v),		   c->limit > (real)0.999 * w->guard.overlap};
	cure_overlap(w, &by, cure, sizeof cure);
	return scree_fail(&w->why, FAIL_GUARD,
					  "overlap of %.3g m between %s at (%.6g, %.6g, %.6g) m, t = %.6g s, %.4g %% of the thickness "
					  "between them, %.3g m "
					  "(limit %.4g %%): deeper they would pass through each other: %s",
					  c->depth, names, c->at.x, c->at.y, c->at.z, w->time, 100 * c->depth / c->thick, c->thick,
					  100 * c->limit, cure);
}

static bool finite3(real x, real y, real z) { return x - x == 0 && y - y == 0 && z - z == 0; }

static int32_t fastest_of(const bodies *b)
{
	int32_t fastest = 0;
	for (int32_t i = 1; i < b->owned; ++i)
		if (v3_norm2(body_velocity(b, i)) > v3_norm2(body_velocity(b, fastest))) fastest = i;
	return fastest;
}

static bool is_elsewhere(const scree_world *w, int32_t fastest)
{
	return is_divided(w) && !(v3_norm(body_velocity(&w->body, fastest)) >= w->greatest_speed);
}

static bool report_speed(scree_world *w)
{
	const bodies *b = &w->body;
	for (int32_t i = 0; i < b->owned; ++i) {
		if (finite3(b->vx[i], b->vy[i], b->vz[i]) && finite3(b->tx[i], b->ty[i], b->tz[i]) &&
			finite3(b->x[i], b->y[i], b->z[i]) && finite3(b->qx[i], b->qy[i], b->qz[i]) && b->qw[i] * 0 == 0 &&
			finite3(b->wx[i], b->wy[i], b->wz[i]))
			continue;
		char at[100] = "";
		if (finite3(b->x[i], b->y[i], b->z[i]))
			snprintf(at, sizeof at, " at (%.6g, %.6g, %.6g) m", b->x[i], b->y[i], b->z[i]);
		return scree_fail(
			&w->why, FAIL_GUARD,
			"the motion of body %llu (material %s) is not a number any more%s, t = %.6g s: take a smaller "
			"time step than %.3g s, or inspect its contacts in the last snapshot",
			(unsigned long long)b->id[i], w->material.row[b->material[i]].name, at, w->time, w->dt);
	}
	int32_t fastest = fastest_of(b);
	if (is_elsewhere(w, fastest)) return report_elsewhere(w);
	return scree_fail(&w->why, FAIL_GUARD,
					  "body %llu moves at %.4g m/s at (%.6g, %.6g, %.6g) m, t = %.6g s (limit %.4g m/s): energy may be "
					  "coming from too "
					  "large a step or an overlapping start; else raise run.guard.speed",
					  (unsigned long long)b->id[fastest], v3_norm(body_velocity(b, fastest)), b->x[fastest],
					  b->y[fastest], b->z[fastest], w->time, w->guard.speed);
}

static bool handle_lost(scree_world *w)
{
	const bodies *b = &w->body;
	const guards *g = &w->guard;
	int32_t *gone = scree_alloc((size_t)b->count, sizeof *gone), count = 0;
	for (int32_t i = 0; i < b->owned; ++i) {
		bool in = b->x[i] >= g->low.x && b->x[i] <= g->high.x && b->y[i] >= g->low.y && b->y[i] <= g->high.y &&
				  b->z[i] >= g->low.z && b->z[i] <= g->high.z;
		if (!in) gone[count++] = i;
	}
	SCREE_ASSERT(count > 0 || is_divided(w));
	bool go_on = true;
	if (g->lost_is_error && !count) {
		go_on = report_elsewhere(w);
	} else if (g->lost_is_error) {
		int32_t i = gone[0];
		go_on = scree_fail(&w->why, FAIL_GUARD,
						   "body %llu left the domain at (%.6g, %.6g, %.6g) m with velocity (%.4g, %.4g, %.4g) m/s, t "
						   "= %.6g s (%d in all): "
						   "close the walls, enlarge world.domain, add a sink, or set run.guard.lost to remove",
						   (unsigned long long)b->id[i], b->x[i], b->y[i], b->z[i], b->vx[i], b->vy[i], b->vz[i],
						   w->time, count) ||
				blame_wall(w, -1, FLAW_ALLOWED);
	} else {
		scree_world_remove(w, count, gone);
		w->lost += scree_domain_count(&w->parts, count);
	}
	scree_free(gone);
	return go_on;
}

bool scree_guard_report(scree_world *w, bool overlap, bool speed)
{
	if (speed) return report_speed(w);
	if (overlap) {
		culprit c = deepest(w);
		if (is_divided(w) && !(c.part > w->guard.overlap)) return report_elsewhere(w);
		SCREE_ASSERT(c.kind >= 0);
		report_overlap(w, c);
		bool at_wall = pair_on_wall(c.kind);
		return at_wall && blame_wall(w, w->wall.surface_wall[w->pair[c.kind].cb[c.row]], FLAW_WARNED);
	}
	return handle_lost(w);
}

/* The fastest body moves so far in a step that a collision may be missed. */
static bool report_way(scree_world *w)
{
	const bodies *b = &w->body;
	int32_t fastest = fastest_of(b);
	if (is_elsewhere(w, fastest)) return report_elsewhere(w);
	return scree_fail(
		&w->why, FAIL_GUARD,
		"body %llu moves at %.4g m/s at (%.6g, %.6g, %.6g) m, t = %.6g s: %.3g m in a step, more than the "
		"smallest radius, %.3g m, so that collisions may be missed: take a shorter run.step than %.3g s",
		(unsigned long long)b->id[fastest], v3_norm(body_velocity(b, fastest)), b->x[fastest], b->y[fastest],
		b->z[fastest], w->time, w->greatest_speed * w->dt, w->impulse.longest, w->dt);
}

/* The contact with the greatest force. A force that is not a number counts as the greatest. */
static culprit strongest(const scree_world *w, real *force)
{
	culprit c = {-1, -1, 0};
	*force = -1;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		for (contact_walk k = contact_first(w->pair + kind); contact_more(w->pair + kind, &k); ++k.row) {
			real f = v3_norm(scree_contact_look(w, kind, k.row).force.force);
			if (f <= *force) continue;
			c = (culprit){kind, k.row, 0};
			*force = f;
			if (!(f == f)) return c;
		}
	}
	return c;
}

/* Sums of forces hold about a hundred times the load of a body's contacts at the greatest allowed overlap
 * (docs/theory/sums.md). */
static bool report_force(scree_world *w)
{
	real force;
	culprit c = strongest(w, &force);
	char cure[256];
	if (c.kind < 0)
		return scree_fail(&w->why, FAIL_GUARD,
						  "forces are beyond what their sums hold, t = %.6g s: raise run.guard.overlap", w->time);
	meets m = meets_of(w, c);
	const bodies *b = &w->body;
	int32_t a = m.a;
	const overlap_cure by = {b->material[a], m.material, m.size, "size", v3_norm(m.velocity), true};
	cure_overlap(w, &by, cure, sizeof cure);
	return scree_fail(
		&w->why, FAIL_GUARD,
		"a force of %.3g N between body %llu and %s at (%.6g, %.6g, %.6g) m is beyond what sums of forces "
		"hold, t = %.6g s: %s",
		force, (unsigned long long)b->id[a], m.partner, b->x[a], b->y[a], b->z[a], w->time, cure);
}

/* New bodies are too light compared with the others. */
static bool report_quantum(scree_world *w)
{
	return scree_fail(
		&w->why, FAIL_GUARD,
		"forces are whole multiples of %.3g N, %.2g of the weight of body %llu, t = %.6g s (limit %.2g): %s",
		w->sums.rounded, w->sums.coarsest, (unsigned long long)w->sums.lightest, w->time, SUMS_COARSEST,
		SCREE_QUANTUM_CURE);
}

/* written so that NaN fails */
static bool speed_holds(const scree_world *w)
{
	return w->guard.speed > 0 ? w->greatest_speed <= w->guard.speed : w->greatest_speed < (real)1e100;
}

static bool overlap_holds(const scree_world *w)
{
	return w->guard.overlap > 0 ? w->greatest_overlap_part <= w->guard.overlap : true;
}

bool scree_guards_hold(scree_world *w)
{
	bool speed_ok = speed_holds(w), overlap_ok = overlap_holds(w);
	if (deeper_than_known(w)) note_deepest(w);
	bool breach = scree_domain_any(&w->parts, w->breach.found);
	if (scree_domain_any(&w->parts, w->crossed.found)) return report_crossing(w);
	if (scree_domain_any(&w->parts, w->passed.found)) return report_passing(w);
	bool way_ok = !w->solver || w->greatest_speed * w->dt <= w->impulse.longest;
	if (speed_ok && !scree_halos_hold(w)) return false;
	if (!scree_drag_holds(w)) return false;
	if (overlap_ok && w->unbearable) return breach ? report_breach(w) : report_force(w);
	if (w->sums.coarsest > SUMS_COARSEST) return report_quantum(w);
	if (speed_ok && overlap_ok && way_ok && !breach && !w->left_domain) return true;
	if (speed_ok && !way_ok) return report_way(w);
	if (speed_ok && breach) return report_breach(w);
	return scree_guard_report(w, !overlap_ok, !speed_ok);
}
