/* Thin bodies are shot at thin bodies, in impacts ranging from slow and soft to many thicknesses per step: they
 * bounce, or a guard stops the run and names both bodies. The oracle is topological and independent of the engine: each
 * body has a core, namely the segments and rectangles in its middle, and the cores of two bodies never meet, neither at
 * the end of a step nor during one. Soft corners, stacks of plates, near misses and fast slides, however, do not stop
 * a run. */
#include "base/maths.h"
#include "base/random.h"
#include "choices/choices.h"
#include "kernel/motion.h"
#include "lab.h"
#include "model/integrator.h"
#include "model/narrow.h"
#include "prepare/prepare.h"
#include "shape/shapes.h"
#include "shape/thickness.h"
#include "test.h"

static const real SIZE = 0.01; /* m, of all bodies */

/* ------------------------------------------------------------------ bodies */

enum { CORES = 2, BALLS = 84 };

/* a box of zero thickness in the user's frame */
typedef struct core {
	vec3 middle, half;
} core;

typedef struct thin {
	int32_t row;
	real ball;	 /* largest radius at which balls around all core points are inside the body, for size 1 */
	real beyond; /* length by which the tips extend beyond the core */
	int cores;
	core core[CORES];
} thin;

typedef enum body_kind {
	NEEDLE,
	PLATE,
	SLAB,
	PLANK,
	TRIANGLE,
	BENT,
	FIN,
	CHAIN,
	LOOSE_CHAIN,
	BOARD,
	IN_SPACE,
	BAR = IN_SPACE,
	LENS,
	OVAL,
	KINDS
} body_kind;

static const char *const kind_name[KINDS] = {"needle", "plate",		  "slab",  "plank", "triangle", "bent", "fin",
											 "chain",  "loose chain", "board", "bar",	"lens",		"oval"};

static thin box_of(scree_world *w, const char *name, vec3 edge)
{
	fail why = {0};
	const real r = real_min(edge.x, real_min(edge.y, edge.z)) / 2;
	thin t = {.row = scree_shapes_add_box(&w->model.shape, name, edge, &why), .ball = r, .cores = 1};
	t.core[0].half = v3(edge.x / 2 - r, edge.y / 2 - r, edge.z / 2 - r);
	CHECK(t.row >= 0, "%s", why.text);
	return t;
}

static thin triangle_of(scree_world *w)
{
	const real h = (real)0.08660254037844386;
	const vec3 p[6] = {{-1.5, -.05, -h / 3}, {-1.5, .05, -h / 3}, {-1.5, 0, 2 * h / 3},
					   {1.5, -.05, -h / 3},	 {1.5, .05, -h / 3},  {1.5, 0, 2 * h / 3}};
	const int32_t first[6] = {0, 3, 6, 10, 14, 18}, corner[18] = {0, 2, 1, 3, 4, 5, 0, 1, 4, 3, 1, 2, 5, 4, 2, 0, 3, 5};
	fail why = {0};
	thin t = {.ball = h / 3, .cores = 1};
	t.row = scree_shapes_add_convex(&w->model.shape, "triangle", 6, p, 5, first, corner, &why);
	t.core[0].half = v3(1.5 - h / 3, 0, 0);
	CHECK(t.row >= 0, "%s", why.text);
	return t;
}

/* Prism from -z to z over an outline with six corners, divided into the triangles 0 1 2, 0 2 3, 0 3 4 and 0 4 5. */
static int32_t prism_of(scree_world *w, const char *name, const real outline[6][2], real z)
{
	vec3 p[12];
	int32_t t[60], n = 0;
	fail why = {0};
	for (int k = 0; k < 12; ++k) p[k] = v3(outline[k % 6][0], outline[k % 6][1], k < 6 ? -z : z);
	for (int k = 1; k < 5; ++k) {
		const int32_t ends[6] = {0, k + 1, k, 6, 6 + k, 7 + k};
		for (int c = 0; c < 6; ++c) t[n++] = ends[c];
	}
	for (int k = 0; k < 6; ++k) {
		const int32_t next = (k + 1) % 6, side[6] = {k, next, 6 + next, k, 6 + next, 6 + k};
		for (int c = 0; c < 6; ++c) t[n++] = side[c];
	}
	const int32_t row = scree_shapes_add_compound(&w->model.shape, name, 12, p, n / 3, t, &why);
	CHECK(row >= 0 && w->model.shape.row[row].parts > 1, "%s: %s", name, why.text);
	return row;
}

/* two arms at right angles, with the given height along z */
static thin angle_of(scree_world *w, const char *name, real z)
{
	/* the inner corner is first, because all other corners are visible from it */
	const real o[6][2] = {{.1, .1}, {.1, 1.5}, {0, 1.5}, {0, 0}, {1.5, 0}, {1.5, .1}};
	const real high = real_max(z - (real)0.05, 0);
	thin t = {.row = prism_of(w, name, o, z), .ball = 0.05, .cores = 2};
	t.core[0] = (core){v3(.75, .05, 0), v3(.7, 0, high)};
	t.core[1] = (core){v3(.05, .75, 0), v3(0, .7, high)};
	return t;
}

/* balls on an nx by ny grid; the core passes through the centres of the balls */
static thin balls_of(scree_world *w, const char *name, int nx, int ny, real apart, real radius)
{
	vec3 at[BALLS];
	real r[BALLS];
	fail why = {0};
	const real x = apart * (real)(nx - 1) / 2, y = apart * (real)(ny - 1) / 2;
	for (int k = 0; k < nx * ny; ++k) {
		at[k] = v3(apart * (real)(k % nx) - x, apart * (real)(k / nx) - y, 0);
		r[k] = radius;
	}
	const real far = ny > 1 ? apart * sqrt((real)0.5) : apart / 2;
	thin t = {.ball = sqrt(radius * radius - far * far), .cores = 1};
	t.beyond = radius - t.ball;
	t.row = scree_shapes_add_clump(&w->model.shape, name, nx * ny, at, r, false, &why);
	t.core[0].half = v3(x, y, 0);
	CHECK(t.row >= 0, "%s", why.text);
	return t;
}

static thin polygon_of(scree_world *w, const char *name, int32_t corners, const vec3 *p, real ball, real half)
{
	fail why = {0};
	thin t = {.row = scree_shapes_add_polygon(&w->model.shape, name, corners, p, &why), .ball = ball, .cores = 1};
	t.core[0].half = v3(half, 0, 0);
	CHECK(t.row >= 0, "%s", why.text);
	return t;
}

static thin oval_of(scree_world *w)
{
	fail why = {0};
	/* along this part of the axis, the inscribed ball has a radius of 0.9 times the small semi-axis */
	thin t = {.row = scree_shapes_add_ellipse(&w->model.shape, "oval", 1.5, .1, &why),
			  .ball = .09,
			  .beyond = .86,
			  .cores = 1};
	t.core[0].half = v3((real)0.43 * sqrt((real)(1.5 * 1.5 - .1 * .1)), 0, 0);
	CHECK(t.row >= 0, "%s", why.text);
	return t;
}

static thin thin_of(scree_world *w, body_kind k)
{
	const vec3 bar[4] = {{-1.5, -.05, 0}, {1.5, -.05, 0}, {1.5, .05, 0}, {-1.5, .05, 0}};
	const vec3 lens[6] = {{-.5, -.1, 0}, {0, -.2, 0}, {.5, -.1, 0}, {.5, .1, 0}, {0, .2, 0}, {-.5, .1, 0}};
	switch (k) {
	case NEEDLE:
		return box_of(w, "needle", v3(3, .1, .1));
	case PLATE:
		return box_of(w, "plate", v3(1, 1, .05));
	case SLAB:
		return box_of(w, "slab", v3(3, 3, .03));
	case PLANK:
		return box_of(w, "plank", v3(3, .5, .1));
	case TRIANGLE:
		return triangle_of(w);
	case BENT:
		return angle_of(w, "bent", .05);
	case FIN:
		return angle_of(w, "fin", .5);
	case CHAIN:
		return balls_of(w, "chain", 21, 1, .1, .06);
	case LOOSE_CHAIN:
		return balls_of(w, "loose", 18, 1, .115, .06);
	case BOARD:
		return balls_of(w, "board", 21, 4, .1, .075);
	case BAR:
		return polygon_of(w, "bar", 4, bar, .05, 1.45);
	case LENS:
		return polygon_of(w, "lens", 6, lens, .1, .4);
	default:
		return oval_of(w);
	}
}

/* ------------------------------------------------------------------ the oracle */

typedef struct pose {
	vec3 at;
	quat turn;
} pose;

static pose pose_of(const scree_world *w, uint64_t id)
{
	const int32_t i = lab_row(w, id);
	return (pose){body_position(&w->state.body, i), body_orientation(&w->state.body, i)};
}

/* converts a point from the user's frame, for size 1, to the world, and back */
static vec3 out_of(const scree_world *w, const thin *t, const pose *p, vec3 user)
{
	const shape *s = w->model.shape.row + t->row;
	return v3_madd(p->at, SIZE, quat_rotate(p->turn, quat_unrotate(s->frame, v3_sub(user, s->centre))));
}

static vec3 into(const scree_world *w, const thin *t, const pose *p, vec3 world)
{
	const shape *s = w->model.shape.row + t->row;
	return v3_add(s->centre, quat_rotate(s->frame, v3_mul(1 / SIZE, quat_unrotate(p->turn, v3_sub(world, p->at)))));
}

static vec3 nearest_on(const scree_world *w, const thin *t, int k, const pose *p, vec3 x)
{
	const core *c = t->core + k;
	vec3 d = v3_sub(into(w, t, p, x), c->middle);
	d = v3(real_clamp(d.x, -c->half.x, c->half.x), real_clamp(d.y, -c->half.y, c->half.y),
		   real_clamp(d.z, -c->half.z, c->half.z));
	return out_of(w, t, p, v3_add(c->middle, d));
}

/* uses alternating projections, which converge to the nearest points of two convex sets */
static real cores_apart(const scree_world *w, const thin *a, const pose *pa, const thin *b, const pose *pb)
{
	real least = INFINITY;
	for (int i = 0; i < a->cores; ++i)
		for (int k = 0; k < b->cores; ++k) {
			vec3 x = out_of(w, a, pa, a->core[i].middle), y = x;
			real was = INFINITY, now = INFINITY;
			for (int n = 0; n < 300; ++n) {
				y = nearest_on(w, b, k, pb, x);
				x = nearest_on(w, a, i, pa, y);
				now = v3_norm(v3_sub(x, y));
				if (!(now < was * (1 - (real)1e-6))) break;
				was = now;
			}
			least = real_min(least, now);
		}
	return least;
}

static pose between(const pose *from, const pose *to, real s)
{
	const quat p = from->turn, q = to->turn;
	const real sign = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0 ? -1 : 1;
	const quat r = quat_of(p.w + s * (sign * q.w - p.w), p.x + s * (sign * q.x - p.x), p.y + s * (sign * q.y - p.y),
						   p.z + s * (sign * q.z - p.z));
	return (pose){v3_madd(from->at, s, v3_sub(to->at, from->at)), quat_unit(r)};
}

static real angle_between(quat p, quat q)
{
	const real sign = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0 ? -1 : 1;
	const quat d = quat_of(p.w - sign * q.w, p.x - sign * q.x, p.y - sign * q.y, p.z - sign * q.z);
	return (real)2.3 * sqrt(d.w * d.w + d.x * d.x + d.y * d.y + d.z * d.z);
}

typedef struct watch {
	const thin *a, *b;
	uint64_t ia, ib;
	pose pa, pb; /* poses at the previous test */
	real apart;	 /* smallest distance between the cores so far */
} watch;

/* updates the smallest distance between the cores with the motion since the previous test */
static void look(watch *o, const scree_world *w)
{
	const pose qa = pose_of(w, o->ia), qb = pose_of(w, o->ib);
	const real ra = w->model.shape.row[o->a->row].radius * SIZE, rb = w->model.shape.row[o->b->row].radius * SIZE;
	const vec3 moved = v3_sub(v3_sub(qb.at, o->pb.at), v3_sub(qa.at, o->pa.at));
	const real way = v3_norm(moved) + ra * angle_between(qa.turn, o->pa.turn) + rb * angle_between(qb.turn, o->pb.turn);
	const real near = (real)0.05 * SIZE * real_min(o->a->ball, o->b->ball);
	if (way < near) return; /* this step is examined together with the following steps */
	for (real s = 0;;) {
		const pose a = between(&o->pa, &qa, s), b = between(&o->pb, &qb, s);
		const real d = cores_apart(w, o->a, &a, o->b, &b);
		o->apart = real_min(o->apart, d);
		if (s >= 1 || o->apart < near || !(way > 0)) break;
		s = real_min(s + real_max(d - near, near) / way, 1);
	}
	o->pa = qa, o->pb = qb;
}

/* ------------------------------------------------------------------ shots */

typedef struct score {
	int64_t shots, bounced, too_deep, jumped, otherwise, missed, turned_away;
} score;

static contact_rule rule_of(int law, real young, random_stream *r)
{
	contact_rule c = {.law = law, .friction = scree_random_between(r, 0, (real)0.6)};
	c.restitution = scree_random_between(r, (real)0.2, 1);
	if (law == LAW_LINEAR) c.stiffness = young * SIZE / 10;
	if (law == LAW_POWER) c.restitution = 1, c.power = (power_rule){young * sqrt(SIZE) / 10, 0, 0.5, 0, false};
	return c;
}

static const int laws_in_space[] = {LAW_LINEAR, LAW_HERTZ, LAW_POWER, LAW_OVERLAP, LAW_VOLUME};
static const int laws_in_plane[] = {LAW_LINEAR, LAW_HERTZ, LAW_OVERLAP, LAW_AREA, LAW_AREA_LITERAL};
static const char *const narrow_in_space[] = {"separating-plane", "separating-plane", "separating-plane",
											  "overlap-thickness", "overlap-volume"};
static const char *const narrow_in_plane[] = {"closest-features", "closest-features", "overlap-thickness/plane",
											  "overlap-area", "overlap-area"};

static int pick(random_stream *r, int count)
{
	const int k = (int)(scree_random_real(r) * count);
	return k < count ? k : count - 1;
}

static real log_between(random_stream *r, real low, real high)
{
	return scree_exp(scree_random_between(r, scree_log(low), scree_log(high)));
}

static vec3 point_of_core(random_stream *r, const thin *t)
{
	const core *c = t->core + pick(r, t->cores);
	return v3(c->middle.x + scree_random_between(r, -1, 1) * c->half.x,
			  c->middle.y + scree_random_between(r, -1, 1) * c->half.y,
			  c->middle.z + scree_random_between(r, -1, 1) * c->half.z);
}

static bool is_clump(body_kind k) { return k == CHAIN || k == LOOSE_CHAIN || k == BOARD; }

typedef struct shot {
	body_kind ka, kb;
	int law;
	bool flat, spins, held;
	real young, speed;
	const char *integrator;
} shot;

static shot draw_shot(random_stream *r)
{
	shot s = {.flat = pick(r, 3) == 0, .spins = pick(r, 3) == 0, .held = pick(r, 2) == 0};
	const int first = s.flat ? IN_SPACE : 0, kinds = s.flat ? KINDS - IN_SPACE : IN_SPACE;
	s.ka = (body_kind)(first + pick(r, kinds));
	s.kb = (body_kind)(first + pick(r, kinds));
	do s.law = pick(r, 5);
	while (!s.flat && (is_clump(s.ka) || is_clump(s.kb)) && laws_in_space[s.law] == LAW_VOLUME);
	s.young = log_between(r, 1e5, 5e9);
	s.speed = log_between(r, 0.5, 200);
	s.integrator = SCREE_PAPERS && s.flat && pick(r, 3) == 0
					   ? "gear5"
					   : "velocity_verlet"; /* Gear's method does not support needles */
	return s;
}

static scree_world *world_of(const shot *s, random_stream *r)
{
	const int law = s->flat ? laws_in_plane[s->law] : laws_in_space[s->law];
	scree_world *w = lab_world(rule_of(law, s->young, r));
	w->model.material.row[0].young = s->young;
	w->model.material.row[0].density = 2000;
	w->model.narrow = scree_narrow_find(s->flat ? narrow_in_plane[s->law] : narrow_in_space[s->law]);
	w->model.guard.overlap = 0.5;
	w->model.integrator = scree_choice_find(&scree_integrators, s->integrator);
	if (s->flat) w->model.flat = true, w->model.thickness = SIZE;
	return w;
}

/* moves b back along its path until nothing touches; far: distance from a's centre to b's centre when they touch */
static pose start_of(const scree_world *w, random_stream *r, const watch *o, vec3 along, quat turn, real *far)
{
	pose p = {v3(0, 0, 0), turn};
	const vec3 from = out_of(w, o->b, &p, point_of_core(r, o->b)), to = out_of(w, o->a, &o->pa, point_of_core(r, o->a));
	const vec3 hit = v3_sub(to, from);
	const real balls = SIZE * (o->a->ball + o->b->ball);
	for (real back = 0;; back += balls / 4) {
		p.at = v3_madd(hit, -back, along);
		*far = real_max(v3_norm(p.at), v3_norm(hit)) + 4 * balls;
		if (cores_apart(w, o->a, &o->pa, o->b, &p) > (real)2.6 * balls + SIZE * (o->a->beyond + o->b->beyond)) return p;
	}
}

static void set_motion(scree_world *w, uint64_t id, vec3 velocity, vec3 spin)
{
	const int32_t i = lab_row(w, id);
	bodies *b = &w->state.body;
	b->vx[i] = velocity.x, b->vy[i] = velocity.y, b->vz[i] = velocity.z;
	b->wx[i] = spin.x, b->wy[i] = spin.y, b->wz[i] = spin.z;
	const vec3 l = momentum_of(body_orientation(b, i), spin, v3(b->ix[i], b->iy[i], b->iz[i]));
	b->lx[i] = l.x, b->ly[i] = l.y, b->lz[i] = l.z;
}

static bool names_both(const scree_world *w)
{
	return strstr(w->work.why.text, "body 1") && strstr(w->work.why.text, "body 2");
}

static void count_stop(const scree_world *w, const shot *s, score *sum)
{
	const bool deep = strstr(w->work.why.text, "bodies that overlap more may pass") != NULL,
			   jump = strstr(w->work.why.text, "which no contact detected") != NULL;
	CHECK(w->work.why.code == FAIL_GUARD && (names_both(w) || !(deep || jump)), "%s at %s, law %d: '%s'",
		  kind_name[s->kb], kind_name[s->ka], s->law, w->work.why.text);
	sum->too_deep += deep;
	sum->jumped += jump;
	sum->otherwise += !deep && !jump;
	if (!deep && !jump) print_message("%s at %s: %s\n", kind_name[s->kb], kind_name[s->ka], w->work.why.text);
}

static void judge(const scree_world *w, const shot *s, const watch *o, bool touched, bool going, score *sum)
{
	const real least = SIZE * real_min(o->a->ball, o->b->ball);
	++sum->shots;
	if (!going) {
		count_stop(w, s, sum);
		return;
	}
	CHECK(o->apart > (real)0.1 * least,
		  "%s at %s passed through: law %d, %s, %s, %.3g Pa, %.3g m/s, %.3g thicknesses a step, cores as near as %.3g, "
		  "%s",
		  kind_name[s->kb], kind_name[s->ka], s->law, s->flat ? "plane" : "space", s->integrator, s->young, s->speed,
		  s->speed * w->model.dt / (2 * least), o->apart / least, touched ? "touched" : "never touched");
	CHECK(touched || s->spins,
		  "%s at %s never touched: law %d, %s, %.3g Pa, %.3g m/s, step %lld, cores as near as %.3g", kind_name[s->kb],
		  kind_name[s->ka], s->law, s->flat ? "plane" : "space", s->young, s->speed, (long long)w->state.step,
		  o->apart / least);
	sum->bounced += touched;
	sum->missed += !touched;
}

static void shoot(random_stream *r, score *sum)
{
	const shot s = draw_shot(r);
	scree_world *w = world_of(&s, r);
	const thin a = thin_of(w, s.ka), b = s.kb == s.ka ? a : thin_of(w, s.kb);
	watch o = {.a = &a, .b = &b, .apart = INFINITY};
	const vec3 along = s.flat ? quat_rotate(scree_random_turn(r), v3(1, 0, 0)) : scree_random_direction(r);
	const quat turn_a = s.flat ? scree_random_turn(r) : scree_random_rotation(r),
			   turn_b = s.flat ? scree_random_turn(r) : scree_random_rotation(r);
	new_body target = {.shape = a.row, .size = SIZE, .orientation = turn_a};
	if (s.held) target.flags = BODY_HELD;
	o.ia = scree_world_add(&w->model, &w->state, &w->work, 1, &target);
	o.ib = lab_add_moving(w, b.row, SIZE, v3(1, 0, 0), turn_b, v3_mul(s.speed, along), v3(0, 0, 0));
	o.pa = pose_of(w, o.ia), o.pb = pose_of(w, o.ib);
	real start;
	const pose p = start_of(w, r, &o, along, o.pb.turn, &start);
	const int32_t i = lab_row(w, o.ib);
	w->state.body.x[i] = p.at.x, w->state.body.y[i] = p.at.y, w->state.body.z[i] = p.at.z;
	lab_prepare(w, 0);
	const real far = s.speed * w->model.dt * scree_random_between(r, 0, 3), rate = s.spins ? s.speed / (SIZE * 3) : 0;
	w->state.body.x[i] -= far * along.x, w->state.body.y[i] -= far * along.y, w->state.body.z[i] -= far * along.z;
	const vec3 spin = v3_mul(rate * scree_random_real(r), s.flat ? v3(0, 0, 1) : scree_random_direction(r));
	set_motion(w, o.ib, v3_mul(s.speed, along), spin);
	w->work.skin.stale = true;
	o.pb = pose_of(w, o.ib);
	bool touched = false, going = true;
	/* makes several steps at once if bodies hardly move in one step */
	const real least = SIZE * real_min(a.ball, b.ball), steps = (real)0.02 * least / (s.speed * w->model.dt);
	const int64_t steps_at_once = (int64_t)real_clamp(steps, 1, 16);
	while (going && w->state.step < 4000000) {
		going = scree_steps(w, steps_at_once);
		touched |= w->work.touching > 0;
		if (going) look(&o, w);
		if (v3_norm(v3_sub(o.pb.at, o.pa.at)) > start + far + s.speed * w->model.dt) break;
	}
	judge(w, &s, &o, touched, going, sum);
	scree_world_free(w);
}

static void thin_bodies_do_not_pass(void **state)
{
	(void)state;
	score s = {0};
	FOR_SEEDS(40)
	{
		random_stream r = scree_random_start(test_seed, 77);
		shoot(&r, &s);
	}
	print_message("%d shots: %d bounced, %d stopped as too deep, %d as a jump, %d by another guard, %d passed by\n",
				  (int)s.shots, (int)s.bounced, (int)s.too_deep, (int)s.jumped, (int)s.otherwise, (int)s.missed);
	if (s.shots >= 40)
		CHECK(s.bounced > s.shots / 10 && s.too_deep > s.shots / 10 && (s.shots < 400 || s.jumped > s.shots / 200),
			  "%d bounced, %d too deep, %d jumped", (int)s.bounced, (int)s.too_deep, (int)s.jumped);
}

/* ------------------------------------------------------------------ within one step */

/* A world with needles, or with bars in the plane, and the displacement of one of these bodies per step, in
 * thicknesses. */
static scree_world *needles(bool flat, thin *t)
{
	scree_world *w = lab_world(lab_hertz(0.5, 0));
	w->model.guard.overlap = 0.5;
	if (flat) w->model.flat = true, w->model.thickness = SIZE, w->model.narrow = scree_narrow_find("closest-features");
	*t = thin_of(w, flat ? BAR : NEEDLE);
	return w;
}

static uint64_t add_held(scree_world *w, const thin *t, vec3 at, quat turn)
{
	const new_body b = {.shape = t->row, .size = SIZE, .position = at, .orientation = turn, .flags = BODY_HELD};
	return scree_world_add(&w->model, &w->state, &w->work, 1, &b);
}

static const real QUARTER = (real)0.70710678118654752;

/* across: the moving needle hits the middle of a held needle; otherwise it passes the end of the held needle at a
 * distance of three thicknesses */
static bool shot_goes_on(bool flat, real thicknesses, bool across, const char *periods, const char *integrator)
{
	thin t;
	scree_world *w = needles(flat, &t);
	w->model.integrator = scree_choice_find(&scree_integrators, integrator);
	const real thick = 2 * t.ball * SIZE;
	/* one needle along y, and one along x that flies along z; in the plane, a bar along y that flies along x */
	const quat turn = quat_of(QUARTER, 0, 0, QUARTER);
	const vec3 along = flat ? v3(1, 0, 0) : v3(0, 0, 1);
	const vec3 aside = across ? v3(0, 0, 0) : v3_mul(3 * SIZE + 3 * thick, flat ? v3(0, 1, 0) : v3(1, 0, 0));
	if (periods) lab_periods(w, periods, v3_mul(-12 * SIZE, v3(1, 1, 1)), v3_mul(12 * SIZE, v3(1, 1, 1)));
	add_held(w, &t, v3_mul(-thick / 5, along), turn);
	const uint64_t id = lab_add_moving(w, t.row, SIZE, v3_madd(aside, -thicknesses * thick * (real)0.4, along),
									   flat ? turn : quat_one(), along, v3(0, 0, 0));
	lab_prepare(w, 0);
	if (periods) { /* the moving body comes from the other side of the cell */
		const int32_t i = lab_row(w, id);
		w->state.body.z[i] += 12 * SIZE - w->state.body.z[i] - thicknesses * thick * (real)0.6;
		w->state.body.z[lab_row(w, 1)] = -12 * SIZE + thick / 5;
	}
	const vec3 v = v3_mul(thicknesses * thick / w->model.dt, along);
	set_motion(w, id, v, v3(0, 0, 0));
	w->work.skin.stale = true;
	bool goes = true;
	for (int k = 0; k < 3 && goes; ++k) goes = scree_step(w);
	CHECK(goes || (names_both(w) && strstr(w->work.why.text, "in one step")), "'%s'", w->work.why.text);
	scree_world_free(w);
	return goes;
}

static void no_jump_is_unseen(void **state)
{
	(void)state;
	static const char *const integrator[4] = {"velocity_verlet", "velocity_verlet", "gear5", "gear6/position"};
	for (int k = 0; k < (SCREE_PAPERS ? 4 : 2); ++k) /* needles in space, and bars in the plane */
		for (real thicknesses = 4; thicknesses < 1e4; thicknesses *= 5) {
			CHECK(!shot_goes_on(k > 0, thicknesses, true, NULL, integrator[k]), "%s: %g thicknesses in a step",
				  integrator[k], thicknesses);
			CHECK(shot_goes_on(k > 0, thicknesses, false, NULL, integrator[k]), "%s: %g thicknesses in a step, past it",
				  integrator[k], thicknesses);
		}
	CHECK(!shot_goes_on(false, 4, true, "z", *integrator), "into the next cell");
	CHECK(shot_goes_on(false, 4, false, "z", *integrator), "into the next cell, past the other one");
}

/* A needle flies upwards across the border of a sheared cell, at four thicknesses per step, towards the image of
 * another needle, which is displaced by `off` m along x (out of the way if `off` exceeds half of both lengths). */
static bool shot_through_shear_goes_on(real rate, real off)
{
	thin t;
	scree_world *w = needles(false, &t);
	const real thick = 2 * t.ball * SIZE, cell = 20 * SIZE;
	lab_periods(w, "xyz", v3_mul(-cell / 2, v3(1, 1, 1)), v3_mul(cell, v3(1, 1, 1)));
	w->model.period.shears = true, w->model.period.flow = 0, w->model.period.gradient = 2;
	const uint64_t held = add_held(w, &t, v3(0, 0, 0), quat_of(QUARTER, 0, 0, QUARTER));
	const uint64_t id = lab_add(w, t.row, SIZE, v3(0, 0, 3 * SIZE));
	lab_prepare(w, 0);
	w->model.period.rate = rate * thick / w->model.dt / cell; /* the images above move by `rate` thicknesses per step */
	lab_steps(w, 3);										  /* the offset of the images after some time */
	scree_periods_set(&w->model.period, &w->state.images, w->state.step + 1, w->model.dt);
	const int32_t i = lab_row(w, id), k = lab_row(w, held);
	w->state.body.x[k] = off - w->state.images.offset, w->state.body.z[k] = thick / 5 - cell / 2;
	w->state.body.x[i] = 0, w->state.body.z[i] = cell / 2 - (real)2.4 * thick;
	set_motion(w, id, v3(0, 0, 4 * thick / w->model.dt), v3(0, 0, 0));
	w->work.skin.stale = true;
	const bool goes = scree_step(w);
	CHECK(goes || (names_both(w) && strstr(w->work.why.text, "in one step")), "'%s'", w->work.why.text);
	scree_world_free(w);
	return goes;
}

/* Two needles at rest, one along y and one that extends over the end of the cell along z: only the shear, by four
 * thicknesses per step in this direction, moves the image of one needle over the other. */
static bool image_goes_by(real side, real before)
{
	thin t;
	scree_world *w = needles(false, &t);
	const real thick = 2 * t.ball * SIZE, cell = 20 * SIZE;
	lab_periods(w, "xyz", v3_mul(-cell / 2, v3(1, 1, 1)), v3_mul(cell, v3(1, 1, 1)));
	w->model.period.shears = true, w->model.period.flow = 0, w->model.period.gradient = 2;
	const uint64_t id = add_held(w, &t, v3(0, 0, 0), quat_of(QUARTER, 0, QUARTER, 0));
	const uint64_t across = lab_add(w, t.row, SIZE, v3(5 * SIZE, 0, 0));
	lab_prepare(w, 0);
	w->model.period.rate = side * 4 * thick / w->model.dt / cell;
	const int32_t i = lab_row(w, id), k = lab_row(w, across);
	w->state.body.x[i] = 0, w->state.body.z[i] = -cell / 2 + SIZE;
	w->state.body.x[k] = before * thick, w->state.body.z[k] = cell / 2 - SIZE / 5;
	const quat turn = quat_of(QUARTER, 0, 0, QUARTER);
	w->state.body.qw[k] = turn.w, w->state.body.qx[k] = turn.x, w->state.body.qy[k] = turn.y,
	w->state.body.qz[k] = turn.z;
	w->work.skin.stale = true;
	const bool goes = scree_step(w);
	CHECK(goes || (names_both(w) && strstr(w->work.why.text, "in one step")), "'%s'", w->work.why.text);
	scree_world_free(w);
	return goes;
}

static void no_jump_of_sheared_images_is_unseen(void **state)
{
	(void)state;
	for (real rate = -3; rate <= 3; rate += (real)1.5) {
		CHECK(!shot_through_shear_goes_on(rate, 0), "images move by %g thicknesses in a step", rate);
		CHECK(shot_through_shear_goes_on(rate, 5 * SIZE), "images move by %g thicknesses in a step, past it", rate);
	}
	for (real side = -1; side <= 1; side += 2) {
		CHECK(!image_goes_by(side, 2 * side), "an image jumped over a body at rest");
		CHECK(image_goes_by(side, -2 * side), "an image that moves away was stopped");
	}
}

/* A needle rotates by this angle per step, starting 20 degrees away from another needle, which is perpendicular to it
 * at its end. */
static bool sweep_goes_on(real degrees)
{
	thin t;
	scree_world *w = needles(false, &t);
	real sine, cosine;
	scree_sincos(-(real)10 / 180 * SCREE_PI, &sine, &cosine);
	add_held(w, &t, v3(1.2 * SIZE, 0, 0), quat_of(QUARTER, 0, QUARTER, 0));
	const uint64_t id =
		lab_add_moving(w, t.row, SIZE, v3(0, 0, 0), quat_of(cosine, 0, 0, sine), v3(0, 0, 0), v3(0, 0, 1));
	lab_prepare(w, 0);
	set_motion(w, id, v3(0, 0, 0), v3(0, 0, degrees / 180 * SCREE_PI / w->model.dt));
	const bool goes = scree_step(w);
	CHECK(goes || (names_both(w) && strstr(w->work.why.text, "in one step")), "'%s'", w->work.why.text);
	scree_world_free(w);
	return goes;
}

static void no_sweep_is_unseen(void **state)
{
	(void)state;
	CHECK(!sweep_goes_on(40) && !sweep_goes_on(150), "a needle swept through another one");
	CHECK(sweep_goes_on(10) && sweep_goes_on(-40), "a needle that came to nothing was stopped");
}

/* ------------------------------------------------------------------ no alarm */

/* Slabs that slide on each other by several thicknesses per step do not stop the run. */
static void slides_are_no_jumps(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_hertz(0.5, 0));
	w->model.guard.overlap = 0.5;
	const thin t = thin_of(w, SLAB);
	const real thick = 2 * t.ball * SIZE;
	add_held(w, &t, v3(0, 0, 0), quat_one());
	const uint64_t id =
		lab_add_moving(w, t.row, SIZE, v3(0, 0, (real)0.98 * thick), quat_one(), v3(1, 0, 0), v3(0, 0, 0));
	lab_prepare(w, 0);
	set_motion(w, id, v3(3 * thick / w->model.dt, 0, 0), v3(0, 0, 0));
	lab_steps(w, 4);
	CHECK(w->work.touching == 1, "they touch");
	scree_world_free(w);
}

/* plates one above the other, whose thickness is 1/20 of their width, fall onto a plane and onto each other */
static void plates_settle(void **state)
{
	(void)state;
	scree_world *w = lab_world((contact_rule){.law = LAW_OVERLAP, .restitution = 0.3, .friction = 0.5});
	w->model.narrow = scree_narrow_find("overlap-thickness");
	w->model.gravity = v3(0, 0, -9.81);
	w->model.guard.overlap = 0.5;
	w->model.guard.energy = 0.05;
	const thin t = thin_of(w, PLATE);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int k = 0; k < 8; ++k)
		lab_add(w, t.row, 2 * SIZE, v3(k % 2 ? SIZE / 10 : 0, 0, (real)0.06 * SIZE + (real)0.13 * SIZE * (real)k));
	lab_prepare(w, 0);
	for (int64_t k = 0; k < 8000; ++k) CHECK(scree_step(w), "%s", w->work.why.text);
	CHECK(w->work.touching >= 4 && w->work.greatest_overlap_ever < (real)0.2, "%d contacts, %g of the thickness",
		  (int)w->work.touching, w->work.greatest_overlap_ever);
	scree_world_free(w);
}

/* Tetrahedra that meet at a corner, and bounce after an overlap of one tenth of their size. */
static void soft_corners_bounce(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = lab_world(lab_linear(200, 1, 0));
	w->model.guard.overlap = 0.5;
	const int32_t row = scree_shapes_add_regular(&w->model.shape, "tetra", "tetrahedron", &why);
	const new_body held = {.shape = row, .size = SIZE, .orientation = quat_of(0, 1, 0, 0), .flags = BODY_HELD};
	scree_world_add(&w->model, &w->state, &w->work, 1, &held);
	random_stream r = scree_random_start(5, 1);
	const uint64_t id =
		lab_add_moving(w, row, SIZE, v3(0, 0, SIZE), scree_random_rotation(&r), v3(0, 0, (real)-0.9), v3(0, 0, 0));
	lab_prepare(w, 0);
	bool touched = false;
	for (int64_t k = 0; k < 20000 && !(touched && !w->work.touching); ++k) {
		CHECK(scree_step(w), "%s", w->work.why.text);
		touched |= w->work.touching > 0;
	}
	CHECK(touched && w->state.body.vz[lab_row(w, id)] > 0, "it bounces");
	CHECK(w->work.greatest_overlap_ever > (real)0.1, "%g", w->work.greatest_overlap_ever);
	scree_world_free(w);
}

/* A limit of 0 disables the test of overlaps: soft needles slowly pass through each other. */
static void the_limit_is_the_users(void **state)
{
	(void)state;
	for (int watched = 0; watched < 2; ++watched) {
		thin t;
		scree_world *w = needles(false, &t);
		w->model.material.row[0].young = 1e5;
		w->model.guard.overlap = watched ? (real)0.5 : 0;
		add_held(w, &t, v3(0, 0, 0), quat_of(QUARTER, 0, 0, QUARTER));
		const uint64_t id = lab_add_moving(w, t.row, SIZE, v3(0, 0, SIZE / 5), quat_one(), v3(0, 0, -3), v3(0, 0, 0));
		lab_prepare(w, 0);
		bool goes = true;
		while (goes && w->state.body.z[lab_row(w, id)] > -SIZE / 5) goes = scree_step(w);
		CHECK(goes == !watched, "%s", w->work.why.text);
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ thickness */

static real thick_of(const scree_world *w, const thin *t) { return w->model.shape.row[t->row].thick; }

static void thickness_is_that_of_the_ball_inside(void **state)
{
	(void)state;
	const real thick[KINDS] = {.1, .05, .03, .1, 2 * 0.08660254037844386 / 3, .1, .1, .12, .12, .15, .1, 0, .2};
	fail why = {0};
	scree_world *w = lab_world(lab_hertz(0.5, 0));
	for (body_kind k = 0; k < KINDS; ++k) {
		if (k == LENS) continue;
		const thin t = thin_of(w, k);
		NEAR(thick_of(w, &t), thick[k], 1e-9, kind_name[k]);
	}
	/* the inscribed ball of a regular tetrahedron has a third of the radius of the circumscribed sphere; the inscribed
	 * ball of a right-angled tetrahedron is not centred at the centroid */
	const int32_t regular = scree_shapes_add_regular(&w->model.shape, "tetra", "tetrahedron", &why);
	NEAR(w->model.shape.row[regular].thick, (real)1 / 3, 1e-9, "tetrahedron");
	const vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	const int32_t first[5] = {0, 3, 6, 9, 12}, corner[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
	const int32_t right = scree_shapes_add_convex(&w->model.shape, "right", 4, p, 4, first, corner, &why);
	NEAR(w->model.shape.row[right].thick, 2 / (3 + sqrt((real)3)), 1e-9, "right tetrahedron");
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thin_bodies_do_not_pass),
		cmocka_unit_test(no_jump_is_unseen),
		cmocka_unit_test(no_jump_of_sheared_images_is_unseen),
		cmocka_unit_test(no_sweep_is_unseen),
		cmocka_unit_test(slides_are_no_jumps),
		cmocka_unit_test(plates_settle),
		cmocka_unit_test(soft_corners_bounce),
		cmocka_unit_test(the_limit_is_the_users),
		cmocka_unit_test(thickness_is_that_of_the_ball_inside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
