/* Implicit steps and hard contacts (docs/theory/implicit.md): impacts by Newton's rule, conservation, sticking and
 * sliding, and rolling. The expected values follow from the mechanics of rigid bodies and from the contact laws. */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/narrow.h"
#include "model/response.h"
#include "shape/shapes.h"
#include "test.h"

static const real G = 9.81, D = 0.01;
static const char *const response_name[2] = {"implicit", "hard"};

/* rows of shapes: in space, after the sphere and the cube; then in the plane */
enum { BALL, CUBE, PRISM, PEBBLE };
enum { DISC, SQUARE, HEXAGON };

static scree_world *responds(scree_world *w, int k)
{
	model_respond(&w->model, scree_response_find(response_name[k]));
	return w;
}

/* spheres use the given rule; polyhedra need the law overlap */
static scree_world *space(int response, contact_rule rule)
{
	scree_world *w = responds(lab_world(rule), response);
	fail why = {0};
	vec3 at[12], pebble[20];
	for (int k = 0; k < 6; ++k) {
		const real x = scree_cos(k * SCREE_PI / 3) / 2, y = scree_sin(k * SCREE_PI / 3) / 2;
		at[2 * k] = v3(x, y, -0.5), at[2 * k + 1] = v3(x, y, 0.5);
	}
	random_stream r = scree_random_start(8, 8);
	for (int k = 0; k < 20; ++k) {
		const vec3 n = scree_random_direction(&r);
		pebble[k] = v3(0.5 * n.x, 0.35 * n.y, 0.4 * n.z);
	}
	CHECK(scree_shapes_add_hull(&w->model.shape, "prism", 12, at, &why) == PRISM, "%s", why.text);
	CHECK(scree_shapes_add_hull(&w->model.shape, "pebble", 20, pebble, &why) == PEBBLE, "%s", why.text);
	if (rule.law == LAW_OVERLAP) w->model.narrow = scree_narrow_find("overlap-thickness");
	return w;
}

static scree_world *plane(int response, real restitution, real friction)
{
	contact_rule rule = {.law = response ? LAW_OVERLAP : LAW_AREA, .restitution = restitution, .friction = friction};
	scree_world *w = responds(lab_world(rule), response);
	fail why = {0};
	scree_shapes_free(&w->model.shape);
	w->model.flat = true;
	w->model.thickness = D;
	w->model.narrow = scree_narrow_find(response ? "overlap-thickness/plane" : "overlap-area");
	static const vec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
	CHECK(scree_shapes_add_disc(&w->model.shape, "disc", &why) == DISC &&
			  scree_shapes_add_polygon(&w->model.shape, "square", 4, square, &why) == SQUARE &&
			  scree_shapes_add_regular_polygon(&w->model.shape, "hexagon", 6, &why) == HEXAGON,
		  "%s", why.text);
	return w;
}

static contact_rule overlap_rule(real restitution, real friction)
{
	return (contact_rule){.law = LAW_OVERLAP, .restitution = restitution, .friction = friction};
}

/* ------------------------------------------------------------------ impacts between two bodies */

/* Two bodies, or a body and a wall, collide along x with parallel faces, without other motion; returns the ratio of
 * separation speed to approach speed. */
static real rebound(scree_world *w, int32_t shape, bool wall)
{
	const real v = 0.1, gap = 1e-5;
	if (wall) lab_plane(w, v3(0, 0, 0), v3(1, 0, 0));
	const real x = wall ? D / 2 + gap : D + gap;
	lab_add_moving(w, shape, D, v3(x, 0, 0), quat_one(), v3(-v, 0, 0), v3(0, 0, 0));
	if (!wall) lab_add(w, shape, D, v3(0, 0, 0));
	w->model.guard.speed = v;
	lab_prepare(w, 0);
	w->model.guard.speed = 0;
	lab_steps(w, (int64_t)(4 * gap / v / w->model.dt) + 8);
	CHECK(w->work.touching == 0, "still in contact");
	real out = w->state.body.vx[lab_row(w, 1)];
	if (!wall) out -= w->state.body.vx[lab_row(w, 2)];
	scree_world_free(w);
	return out / v;
}

static void head_on_impacts_obey_newtons_rule(void **state)
{
	(void)state;
	const real wanted[4] = {0.2, 0.5, 0.9, 1};
	for (int r = 0; r < 2; ++r)
		for (int wall = 0; wall < 2; ++wall)
			for (int k = 0; k < 4; ++k) {
				const real e = wanted[k];
				const real found[5] = {rebound(space(r, lab_linear(1e4, e, 0.5)), BALL, wall),
									   rebound(space(r, lab_hertz(e, 0.5)), BALL, wall),
									   rebound(space(r, overlap_rule(e, 0.5)), CUBE, wall),
									   rebound(plane(r, e, 0.5), DISC, wall), rebound(plane(r, e, 0.5), SQUARE, wall)};
				for (int n = 0; n < 5; ++n) NEAR(found[n], e, 1e-14, response_name[r]);
			}
}

/* Averages over impacts of a ball on a plane at different times within a step: delay in s of the impulse after the
 * first contact, which delays the rebound by the same time, and ratio of rebound speed to approach speed. */
typedef struct lagging {
	real lag, rebound;
} lagging;

static lagging impulse_lags(int response, contact_rule rule, real e)
{
	enum { TIMES = 32 };
	const real v = 0.1, start = 1e-3;
	lagging mean = {0, 0};
	for (int k = 0; k < TIMES; ++k) {
		scree_world *w = space(response < 0 ? 0 : response, rule);
		if (response < 0) model_respond(&w->model, scree_response_row(0));
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, BALL, D, v3(0, 0, D / 2 + start), quat_one(), v3(0, 0, -v), v3(0, 0, 0));
		w->model.guard.speed = v;
		lab_prepare(w, 0);
		w->model.guard.speed = 0;
		/* gap at the start of a step in which the ball may reach the plane */
		const real gap = start - v * w->model.dt * k / TIMES;
		w->state.body.z[0] = D / 2 + gap;
		lab_steps(w, (int64_t)(2 * start / v / w->model.dt));
		const real out = w->state.body.vz[0], rest = w->state.body.z[0] - D / 2;
		if (response < 0)
			NEAR(out / v, e, 0.02, "restitution");
		else
			CHECK(out / v > e - 1e-12 && out / v < e + 0.25, "restitution %.17g instead of %g", out / v, e);
		mean.lag += ((w->state.time - gap / v) * out - rest) / (v + out) / TIMES;
		mean.rebound += out / v / TIMES;
		scree_world_free(w);
	}
	return mean;
}

/* Impacts in implicit steps take place at the same time as with forces, within 0.35 contact times: after the bodies
 * touch, not before they touch as with backward Euler. On average, restitutions below 1/2 are slightly exceeded. */
static void impacts_act_when_forces_do(void **state)
{
	(void)state;
	const real wanted[4] = {0.1, 0.3, 0.5, 0.9};
	for (int k = 0; k < 8; ++k) {
		const real e = wanted[k / 2];
		const contact_rule rule = k & 1 ? lab_hertz(e, 0) : lab_linear(1e4, e, 0);
		scree_world *w = space(0, rule);
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add(w, BALL, D, v3(0, 0, D));
		w->model.guard.speed = 0.1;
		lab_prepare(w, 0);
		const real contact = w->model.contact_time;
		scree_world_free(w);
		const lagging found = impulse_lags(0, rule, e), by_forces = impulse_lags(-1, rule, e);
		const real lags = found.lag / contact, forces = by_forces.lag / contact;
		print_message("e %g: the impulse acts %.3f contact times after the touch, by forces %.3f; rebound %.4f\n", e,
					  lags, forces, found.rebound);
		NEAR(lags, forces, 0.35, "contact times from the touch to the impulse");
		CHECK(lags > -0.1, "the impulse acts before the touch");
		NEAR(found.rebound, e, e < 0.5 ? 0.03 : 0.003, "mean restitution");
	}
}

/* A sphere with restitution e and friction mu hits a plane at speed u along the plane and speed v towards it.
 * It slides throughout if u > 7/2 mu (1 + e) v, and then loses mu (1 + e) v of its speed; otherwise it rolls away at
 * 5/7 u. The contact point is evaluated at the predicted position, where the sphere overlaps the plane: the lever arm
 * is too short, to first order in the step, and the tangential springs yield. */
static void oblique_impact(int response, real u)
{
	const real v = 0.1, e = 0.6, mu = 0.2, p = mu * (1 + e) * v;
	const bool slides = u > 3.5 * p;
	scree_world *w = space(response, lab_hertz(e, mu));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, BALL, D, v3(0, 0, D / 2 + 1e-6), quat_one(), v3(u, 0, -v), v3(0, 0, 0));
	w->model.guard.speed = 1;
	lab_prepare(w, 0);
	lab_steps(w, 10);
	const energy_row now = scree_world_energy(&w->model, &w->state, &w->work);
	NEAR(w->state.body.vz[0], e * v, 1e-14, "restitution");
	const real along = 0.05 * u, spin = response ? 0.05 * u : 0.1 * u;
	NEAR(w->state.body.vx[0], slides ? u - p : 5 * u / 7, slides ? 1e-14 : along, "along the plane");
	NEAR(w->state.body.wy[0] * D / 2, slides ? 5 * p / 2 : 5 * u / 7, spin, "spin");
	NEAR(now.residual, 0, 1e-14 * now.brought, "ledger");
	scree_world_free(w);
}

static void oblique_impacts_obey_coulomb(void **state)
{
	(void)state;
	for (int r = 0; r < 2; ++r) {
		oblique_impact(r, 1);
		oblique_impact(r, 0.05);
	}
}

/* ------------------------------------------------------------------ conservation */

typedef struct momenta {
	vec3 linear, angular;
	real linear_scale, angular_scale;
} momenta;

static momenta momenta_of(const scree_world *w)
{
	momenta o = {.linear_scale = 0};
	const bodies *b = &w->state.body;
	for (int32_t i = 0; i < b->count; ++i) {
		const vec3 p = v3_mul(b->mass[i], body_velocity(b, i)), at = body_position(b, i);
		const vec3 l = v3(b->lx[i], b->ly[i], b->lz[i]);
		o.linear = v3_add(o.linear, p);
		o.angular = v3_add(o.angular, v3_add(l, v3_cross(at, p)));
		o.linear_scale += v3_norm(p);
		o.angular_scale += v3_norm(l) + v3_norm(at) * v3_norm(p);
	}
	return o;
}

/* a swarm flying towards its centre */
static void swarm(scree_world *w, const int32_t *shape, int shapes, uint64_t seed)
{
	random_stream r = scree_random_start(seed, 1);
	const bool flat = w->model.flat;
	for (int k = 0; k < 18; ++k) {
		vec3 at = v3(1.9 * D * (k % 3 - 1), 1.9 * D * (k / 3 % 3 - 1), flat ? 0 : 1.9 * D * (k / 9 - 0.5));
		if (flat && k >= 9) break;
		quat turn = scree_random_rotation(&r);
		vec3 spin = v3_mul(20, scree_random_direction(&r));
		if (flat) {
			spin = v3(0, 0, spin.z);
			turn = quat_exp(v3(0, 0, 1), spin.z);
		}
		lab_add_moving(w, shape[k % shapes], D * scree_random_between(&r, 0.7, 1.2), at, turn, v3_mul(-30, at), spin);
	}
	w->model.guard.speed = 1;
	lab_prepare(w, 0);
	w->model.guard.speed = 0;
	const momenta before = momenta_of(w);
	const real energy = scree_world_energy(&w->model, &w->state, &w->work).kinetic;
	real linear = 0, angular = 0;
	int64_t most = 0;
	for (int k = 0; k < (int)(0.06 / w->model.dt); ++k) {
		lab_steps(w, 1);
		const momenta now = momenta_of(w);
		linear = real_max(linear, v3_norm(v3_sub(now.linear, before.linear)) / before.linear_scale);
		angular = real_max(angular, v3_norm(v3_sub(now.angular, before.angular)) / before.angular_scale);
		most = w->work.touching > most ? w->work.touching : most;
	}
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	CHECK(most > 1 && e.kinetic < 0.5 * energy, "at most %lld contacts", (long long)most);
	NEAR(linear, 0, 1e-14, "momentum");
	NEAR(angular, 0, 1e-14, "angular momentum");
	/* in free flight, the rotational energy, with three different moments of inertia, has an error of second order in
	 * the step */
	NEAR(e.residual, 0, (shapes > 3 ? 5e-3 : 1e-14) * energy, "ledger");
	NEAR(e.made, 0, 0, "energy from nowhere");
	CHECK(e.lost_normal > 0 && e.lost_friction > 0, "lost %g %g", e.lost_normal, e.lost_friction);
	scree_world_free(w);
}

static void collisions_conserve_momenta(void **state)
{
	(void)state;
	static const int32_t balls[1] = {BALL}, polygons[3] = {DISC, SQUARE, HEXAGON};
	static const int32_t solids[4] = {CUBE, PRISM, BALL, PEBBLE};
	for (int r = 0; r < 2; ++r) FOR_SEEDS(4)
		{
			contact_rule rule = test_seed % 2 ? lab_hertz(0.5, 0.4) : lab_linear(1e4, 0.7, 0.2);
			if (test_seed % 4 < 2) rule.rolling_friction = rule.twisting_friction = 0.1;
			swarm(space(r, rule), balls, 1, test_seed);
			swarm(plane(r, 0.5, 0.4), polygons, 3, test_seed);
			swarm(space(r, overlap_rule(0.5, 0.4)), solids, 4, test_seed);
		}
}

/* ------------------------------------------------------------------ slopes */

static vec3 up_of(const scree_world *w) { return w->model.flat ? v3(0, 1, 0) : v3(0, 0, 1); }

/* Rotates gravity as if the plane were tilted by the angle with this tangent. */
static void tilt(scree_world *w, real tan)
{
	const real cosine = 1 / sqrt(1 + tan * tan);
	w->model.gravity = v3_madd(v3(G * tan * cosine, 0, 0), -G * cosine, up_of(w));
}

/* a block at rest on a slope that is raised to this tangent, in the end so slowly that the block does not slip */
static scree_world *block_on_slope(scree_world *w, int32_t shape, real tan)
{
	lab_plane(w, v3(0, 0, 0), up_of(w));
	lab_add(w, shape, D, v3_mul(D / 2, up_of(w)));
	tilt(w, 0);
	lab_prepare(w, 0);
	const int64_t n = (int64_t)(0.8 / w->model.dt);
	for (int64_t k = 0; k < n; ++k) {
		const real left = 1 - real_clamp((real)k / (real)n - 0.2, 0, 0.8) / 0.8;
		tilt(w, tan * (1 - left * left * left));
		lab_steps(w, 1);
	}
	tilt(w, tan);
	lab_steps(w, 200); /* leaves time for the block to come to rest on the slope, or to slide without rocking */
	return w;
}

/* Mean acceleration along the slope over half a second. */
static real speeds_up(scree_world *w)
{
	const real v = w->state.body.vx[0], t = w->state.time;
	lab_steps(w, (int64_t)(0.5 / w->model.dt));
	CHECK(w->work.touching == 1, "it left the slope");
	const real found = (w->state.body.vx[0] - v) / (w->state.time - t);
	scree_world_free(w);
	return found;
}

static const int32_t block[3] = {CUBE, PRISM, SQUARE};
static scree_world *world_of_block(int response, int kind, real friction)
{
	return kind < 2 ? space(response, overlap_rule(0.3, friction)) : plane(response, 0.3, friction);
}

/* Coulomb's law: the block stays at rest if tan <= mu, and otherwise slides with an acceleration of g (sin - mu cos).
 * The limiting angle is exact to 1e-6: a block slides on a slope steeper by this relative amount, and moves by less
 * than 1e-12 of its size on a slope that is less steep. */
static void blocks_stick_and_slide(void **state)
{
	(void)state;
	for (int k = 0; k < 6; ++k) {
		const int r = k % 2, kind = k / 2;
		const real mu = 0.5, gentle = mu * (1 - 1e-6), steep = mu * (1 + 1e-6), steeper = mu * 1.3;
		scree_world *w = block_on_slope(world_of_block(r, kind, mu), block[kind], gentle);
		const real x = w->state.body.x[0];
		lab_steps(w, (int64_t)(2 / w->model.dt));
		const real creeps = (w->state.body.x[0] - x) / D;
		NEAR(creeps, 0, 1e-12, "it creeps");
		NEAR(speeds_up(w), 0, 1e-12, "it rests");
		const real slow = G * (steep - mu) / sqrt(1 + steep * steep);
		const real slips = speeds_up(block_on_slope(world_of_block(r, kind, mu), block[kind], steep)) / slow;
		print_message("%s, shape %d: creeps by %.1e of its size, slips with %.6f of the acceleration\n",
					  response_name[r], kind, creeps, slips);
		NEAR(slips, 1, 1e-4, "it slips");
		const real fast = G * (steeper - mu) / sqrt(1 + steeper * steeper);
		NEAR(speeds_up(block_on_slope(world_of_block(r, kind, mu), block[kind], steeper)) / fast, 1, 1e-6,
			 "acceleration of the slide");
	}
}

/* On a slope one tenth below the limit of friction, a block creeps by less than 1e-6 of its size in 3 s. */
static void blocks_do_not_creep(void **state)
{
	(void)state;
	for (int k = 0; k < 6; ++k) {
		const int r = k % 2, kind = k / 2;
		scree_world *w = block_on_slope(world_of_block(r, kind, 0.5), block[kind], 0.45);
		lab_steps(w, (int64_t)(0.2 / w->model.dt));
		const real x = w->state.body.x[0];
		lab_steps(w, (int64_t)(3 / w->model.dt));
		print_message("%s, shape %d: creeps by %.2e of its size\n", response_name[r], kind,
					  (w->state.body.x[0] - x) / D);
		NEAR(w->state.body.x[0], x, 1e-6 * D, "it creeps");
		scree_world_free(w);
	}
}

/* The block creeps equally little with the law `linear`, whose points share the force according to their weights,
 * which follow the tilt of the cube. */
static void cubes_of_linear_springs_do_not_creep(void **state)
{
	(void)state;
	for (int k = 0; k < 4; ++k) {
		scree_world *w = space(0, lab_linear(1e4, 0.3, 0.5));
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add(w, CUBE, D, v3(0, 0, D / 2 - 2500 * D * D * D * G / 1e4));
		tilt(w, k / 2 ? 0.45 : 0.25);
		lab_prepare(w, 0);
		lab_prepare(w, w->model.contact_time * (k % 2 ? 2 : 1));
		lab_steps(w, (int64_t)(0.5 / w->model.dt));
		const real x = w->state.body.x[0];
		lab_steps(w, (int64_t)(1 / w->model.dt));
		NEAR(w->state.body.x[0], x, 1e-6 * D, "it creeps");
		scree_world_free(w);
	}
}

/* A block that slides 1 m stays on the plane, with no more overlap than at rest. */
static void sliding_blocks_keep_to_the_plane(void **state)
{
	(void)state;
	for (int k = 0; k < 6; ++k) {
		const int r = k % 2, kind = k / 2;
		scree_world *w = block_on_slope(world_of_block(r, kind, 0.5), block[kind], 0.6);
		const real *const up = w->model.flat ? w->state.body.y : w->state.body.z;
		real high = -D, low = D;
		for (const real x = w->state.body.x[0]; w->state.body.x[0] < x + 1;) {
			lab_steps(w, 1);
			CHECK(w->work.touching == 1, "it left the plane");
			high = real_max(high, up[0] - D / 2), low = real_min(low, up[0] - D / 2);
		}
		print_message("%s, shape %d: between %.2e and %.2e of its size above the plane\n", response_name[r], kind,
					  low / D, high / D);
		/* the square tilts on its contact, which raises its centre */
		CHECK(high < 1e-5 * D && low > -1e-3 * D, "%g to %g of its size above the plane", low / D, high / D);
		CHECK(high - low < 1e-6 * D, "it moves up and down by %g of its size", (high - low) / D);
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ rolling */

/* A heavy sphere that is thrown experiences the same friction as a light one: mu times its weight. */
static void heavy_spheres_have_friction(void **state)
{
	(void)state;
	for (int r = 0; r < 2; ++r) {
		const real d = 3, u = 5; /* 35 t */
		scree_world *w = space(r, lab_linear(1e9, 0.3, 0.3));
		tilt(w, 0);
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, BALL, d, v3(0, 0, d / 2), quat_one(), v3(u, 0, 0), v3(0, 0, 0));
		lab_prepare(w, 0);
		lab_steps(w, (int64_t)(0.3 / w->model.dt));
		NEAR((u - w->state.body.vx[0]) / w->state.time, 0.3 * G, 1e-2 * G, "it slides");
		scree_world_free(w);
	}
}

/* A thrown sphere slides until 2 u/(7 mu g), and then rolls at 5/7 of its speed; rolling friction f decelerates it by
 * 5/7 f g until it is at rest. */
static void thrown_sphere_rolls(void **state)
{
	(void)state;
	for (int k = 0; k < 4; ++k) {
		const int r = k % 2;
		const real f = k / 2 * 0.02, d = 2 * D, u = 0.5, t = 2 * u / (7 * 0.3 * G);
		const real h = r ? 1e-3 : 0; /* s; 0: the default */
		const real rests = r ? 0.025 * G * h * h : 2500 * SCREE_PI / 6 * d * d * d * G / 1e5;
		contact_rule rule = lab_linear(1e5, 0.3, 0.3);
		rule.rolling_friction = f;
		scree_world *w = space(r, rule);
		tilt(w, 0);
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, BALL, d, v3(0, 0, d / 2 - rests), quat_one(), v3(u, 0, 0), v3(0, 0, 0));
		lab_prepare(w, h);
		const bodies *b = &w->state.body;
		lab_steps(w, (int64_t)(t / 2 / w->model.dt));
		NEAR(b->vx[0], u - 0.3 * G * w->state.time, 1e-5, "it slides");
		lab_steps(w, (int64_t)(t / w->model.dt));
		if (!(f > 0)) NEAR(b->vx[0] / u, 5.0 / 7, 1e-3, "it rolls");
		NEAR(b->wy[0] * d / 2, b->vx[0], 1e-3 * u, "without slip");
		const real v = b->vx[0], since = w->state.time;
		lab_steps(w, (int64_t)(0.3 / w->model.dt));
		NEAR((v - b->vx[0]) / (w->state.time - since), 5.0 / 7 * f * G, 1e-4, "rolling friction");
		if (f > 0) {
			lab_steps(w, (int64_t)(3 / w->model.dt));
			NEAR(b->vx[0], 0, 1e-12, "it has stopped");
		}
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		NEAR(e.residual, 0, 1e-13 * e.brought, "ledger");
		CHECK(e.lost_friction + e.lost_normal > 0 && e.made == 0, "lost %g, made %g", e.lost_friction, e.made);
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ rest */

/* returns overlap over g h^2 */
static real overlap_at_rest(scree_world *w, int32_t shape, real *load, real *gives)
{
	tilt(w, 0);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(w, shape, D, v3(0, 0, D / 2));
	lab_prepare(w, 0);
	lab_steps(w, (int64_t)(0.5 / w->model.dt));
	*load = -scree_wall_load(&w->model, &w->state, &w->work, 0).force.z / (w->state.body.mass[0] * G);
	const real found = D / 2 - w->state.body.z[0];
	*gives = found / (G * w->model.dt * w->model.dt);
	scree_world_free(w);
	return found;
}

/* The overlap of a body at rest is the same as in steps with forces or, for hard contacts, a multiple of g h^2. */
static void bodies_rest_at_the_overlap_of_the_law(void **state)
{
	(void)state;
	const contact_rule rule[4] = {lab_linear(1e4, 0.3, 0.3), lab_hertz(0.3, 0.3), overlap_rule(0.3, 0.3),
								  overlap_rule(0.3, 0.3)};
	const int32_t shape[4] = {BALL, BALL, CUBE, PRISM};
	for (int k = 0; k < 4; ++k) {
		scree_world *w = space(0, rule[k]);
		model_respond(&w->model, scree_response_row(0));
		real load, gives, by_forces = overlap_at_rest(w, shape[k], &load, &gives);
		NEAR(overlap_at_rest(space(0, rule[k]), shape[k], &load, &gives) / by_forces, 1, k < 2 ? 1e-10 : 5e-4,
			 "overlap");
		NEAR(load, 1, 1e-5, "load of the plane");
		overlap_at_rest(space(1, rule[k]), shape[k], &load, &gives);
		const bool ball = shape[k] == BALL;
		NEAR(gives, ball ? 0.025 : 0.2, ball ? 1e-12 : 1e-4, "overlap of hard contacts, over g h^2");
		NEAR(load, 1, ball ? 1e-12 : 1e-5, "load of the plane");
	}
}

/* ------------------------------------------------------------------ energy at the start */

/* Bodies start with an overlap and without gravity: the energy of their contacts counts as `brought`; it is the same as
 * with forces or, for hard contacts, is given by a closed form. Later, this energy is kinetic or lost. */
static void contacts_at_the_start_are_in_the_ledger(void **state)
{
	(void)state;
	const contact_rule rule[4] = {lab_linear(1e4, 0.3, 0.3), lab_hertz(0.3, 0.3), overlap_rule(0.3, 0.3),
								  overlap_rule(0.3, 0.3)};
	const int32_t shape[4] = {BALL, BALL, CUBE, PRISM};
	const real deep = 1e-3 * D;
	for (int k = 0; k < 4; ++k) {
		real brought[3];
		for (int r = 0; r < 3; ++r) {
			scree_world *w = space(r % 2, rule[k]);
			if (r == 2) model_respond(&w->model, scree_response_row(0));
			lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
			lab_add(w, shape[k], D, v3(0, 0, D / 2 - deep));
			lab_prepare(w, 0);
			const real hard = w->state.body.mass[0] / (w->model.dt * w->model.dt) * deep * deep / 2;
			lab_steps(w, r == 2 ? 2000 : 40);
			const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
			brought[r] = r == 1 ? e.brought / (hard / (shape[k] == BALL ? 0.025 : 0.2)) : e.brought;
			CHECK(!w->work.touching && e.lost > 0 && e.kinetic > 0, "case %d: %g lost, %g kinetic", k, e.lost,
				  e.kinetic);
			NEAR((e.kinetic + e.lost) / e.brought, 1, r == 2 ? 1e-2 : 1e-9, "balance");
			scree_world_free(w);
		}
		NEAR(brought[0] / brought[2], 1, 1e-9, "energy brought, over that by forces");
		NEAR(brought[1], 1, shape[k] == BALL ? 1e-12 : 1e-5, "energy of hard contacts");
	}
}

/* ------------------------------------------------------------------ short steps */

/* ratio of the largest overlap of a ball placed on the floor, without damping, to twice its overlap at rest */
static real sinks_by(real fraction)
{
	scree_world *w = space(0, lab_linear(1e4, 1, 0));
	tilt(w, 0);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(w, BALL, D, v3(0, 0, D / 2));
	lab_prepare(w, 0);
	lab_prepare(w, w->model.contact_time * fraction);
	real most = 0;
	for (int k = 0; k < (int)(2 / fraction); ++k) {
		lab_steps(w, 1);
		most = real_max(most, D / 2 - w->state.body.z[0]);
	}
	const real expected = 2 * w->state.body.mass[0] * G / 1e4;
	scree_world_free(w);
	return most / expected;
}

/* Steps that resolve the contact reproduce the motion given by the law, with an error of second order or better. */
static void short_steps_follow_the_law(void **state)
{
	(void)state;
	const real coarse = 1 - sinks_by(0.04), half = 1 - sinks_by(0.02), fine = 1 - sinks_by(0.01);
	print_message("the overlap lacks %.3e, %.3e and %.3e\n", coarse, half, fine);
	CHECK(coarse > 3.5 * half && half > 3.5 * fine, "half the step, at most a quarter of the error");
	NEAR(coarse, 0, 1e-4, "error at a twenty-fifth of a contact");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(head_on_impacts_obey_newtons_rule),
		cmocka_unit_test(impacts_act_when_forces_do),
		cmocka_unit_test(oblique_impacts_obey_coulomb),
		cmocka_unit_test(collisions_conserve_momenta),
		cmocka_unit_test(blocks_stick_and_slide),
		cmocka_unit_test(blocks_do_not_creep),
		cmocka_unit_test(cubes_of_linear_springs_do_not_creep),
		cmocka_unit_test(sliding_blocks_keep_to_the_plane),
		cmocka_unit_test(heavy_spheres_have_friction),
		cmocka_unit_test(thrown_sphere_rolls),
		cmocka_unit_test(bodies_rest_at_the_overlap_of_the_law),
		cmocka_unit_test(contacts_at_the_start_are_in_the_ledger),
		cmocka_unit_test(short_steps_follow_the_law),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
