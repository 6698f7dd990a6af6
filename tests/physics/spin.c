/* Friction on faces: a slider with three directions, namely two tangential ones and the rotation about the normal. The
 * expected values follow from Coulomb's law with uniform pressure; docs/theory/laws.md, "Friction". */
#include "base/maths.h"
#include "base/memory.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/narrow.h"
#include "test.h"

static const real G = 9.81, L = 0.02, DENSITY = 2500;

/* ------------------------------------------------------------------ prisms standing on a face */

/* A prism with edge or circumradius 1: area of its base, and mean distance and mean squared distance from the centre.
 */
typedef struct prism {
	const char *name;
	int32_t corners;
	real high, area, arm, square;
} prism;

static vec3 corner_of(const prism *p, int32_t k, real z)
{
	if (p->corners == 4) return v3(k == 0 || k == 3 ? -0.5 : 0.5, k < 2 ? -0.5 : 0.5, z);
	real a = 2 * SCREE_PI * k / p->corners;
	return v3(scree_cos(a), scree_sin(a), z);
}

/* mean distance from the centre over half a side, between its midpoint (at distance h) and the corner (s from the
 * midpoint): (d + h^2/s asinh(s/h)) / 2 */
static real mean_over_side(real h, real s)
{
	real d = sqrt(h * h + s * s);
	return (d + h * h / s * scree_log((s + d) / h)) / 2;
}

static prism prism_of(const char *name, int32_t corners, real high)
{
	prism p = {.name = name, .corners = corners, .high = high, .area = 1};
	real half = corners == 4 ? SCREE_PI / 4 : SCREE_PI / corners, round = corners == 4 ? sqrt(0.5) : 1;
	real h = round * scree_cos(half), s = round * scree_sin(half);
	p.area = corners * h * s;
	p.arm = 2 * mean_over_side(h, s) / 3;
	p.square = (h * h + s * s / 3) / 2;
	return p;
}

static int32_t add_prism(scree_world *w, const prism *p)
{
	fail why = {0};
	vec3 at[64];
	for (int32_t k = 0; k < p->corners; ++k) {
		at[2 * k] = corner_of(p, k, -p->high / 2);
		at[2 * k + 1] = corner_of(p, k, p->high / 2);
	}
	int32_t row = scree_shapes_add_hull(&w->model.shape, p->name, 2 * p->corners, at, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

/* scaled, with L as the unit of length */
static real mass_of(const prism *p) { return DENSITY * p->area * p->high * L * L * L; }
static real inertia_of(const prism *p) { return mass_of(p) * p->square * L * L; }

typedef enum ground { ON_PLANE, ON_MESH, ON_TUBE, ON_CUBE } ground;
static const char *const ground_name[] = {"plane", "mesh", "tube", "cube"};

static void add_ground(scree_world *w, ground on)
{
	fail why = {0};
	wall base = scree_wall_default("ground", 0);
	if (on == ON_PLANE || on == ON_CUBE) lab_plane(w, v3(0, 0, on == ON_CUBE ? -4 * L : 0), v3(0, 0, 1));
	if (on == ON_TUBE) {
		real r = 20 * L;
		CHECK(scree_walls_add_cylinder(&w->model.wall, base, v3(-1, 0, -r), v3(1, 0, 0), r, 2, SIDE_OUTSIDE, &why) >= 0,
			  "%s", why.text);
	}
	if (on == ON_CUBE) lab_add(w, 1, 4 * L, v3(0, 0, -2 * L));
	if (on != ON_MESH) return;
	/* triangles of different sizes, none of which has a corner below the centre of the prism */
	enum { N = 7 };
	vec3 at[N * N];
	int32_t triangle[6 * (N - 1) * (N - 1)], n = 0;
	random_stream r = scree_random_start(3, 3);
	for (int i = 0; i < N * N; ++i) {
		real dx = scree_random_between(&r, -0.1, 0.1), dy = scree_random_between(&r, -0.1, 0.1);
		at[i] = v3((i % N - 3 + dx) * 0.7 * L, (i / N - 3 + dy) * 0.7 * L, 0);
	}
	for (int i = 0; i < (N - 1) * N; ++i) {
		if (i % N == N - 1) continue;
		int32_t a = i, b = i + 1, c = i + N, d = i + N + 1, q[6] = {a, b, d, a, d, c};
		for (int k = 0; k < 6; ++k) triangle[n++] = q[k];
	}
	CHECK(scree_walls_add_mesh(&w->model.wall, base, N * N, at, n / 3, triangle, &why) >= 0, "%s", why.text);
}

static contact_rule rule_for(enum law_row law, real restitution, real friction)
{
	contact_rule r = {.law = law, .restitution = restitution, .friction = friction};
	if (law == LAW_LINEAR) r.stiffness = 2e5;
	return r;
}

/* a single prism that has come to rest; its row is the last one */
static scree_world *stands(const prism *p, ground on, enum law_row law, real restitution)
{
	scree_world *w = lab_world(rule_for(law, restitution, 0.5));
	w->model.gravity = v3(0, 0, -G);
	if (law == LAW_VOLUME) w->model.narrow = scree_narrow_find("overlap-volume");
	add_ground(w, on);
	int32_t shape = add_prism(w, p);
	lab_add(w, shape, L, v3(0, 0, p->high * L / 2));
	NEAR(w->state.body.mass[w->state.body.count - 1] / mass_of(p), 1, 1e-9, "mass");
	lab_prepare(w, 0);
	lab_steps(w, (int64_t)(0.25 / w->model.dt));
	return w;
}

/* sets the velocity and spin of the last body */
static void set_moving(scree_world *w, const prism *p, vec3 v, real spin)
{
	int32_t i = w->state.body.count - 1;
	w->state.body.vx[i] = v.x, w->state.body.vy[i] = v.y;
	w->state.body.wx[i] = w->state.body.wy[i] = w->state.body.lx[i] = w->state.body.ly[i] = 0;
	w->state.body.wz[i] = spin;
	w->state.body.lz[i] = inertia_of(p) * spin;
}

static real lost_by(energy_row e) { return e.lost_normal + e.lost_friction + e.lost_rolling; }

/* Coulomb's law: the prism decelerates for a time of I w / (mu m g arm) until it stops; exactly its initial energy has
 * then been lost. */
static void stops_in_time(const prism *p, ground on, enum law_row law, real arm, real tolerance)
{
	const real spin = 10;
	scree_world *w = stands(p, on, law, 0.3);
	int32_t i = w->state.body.count - 1;
	set_moving(w, p, v3(0, 0, 0), spin);
	real time = inertia_of(p) * spin / (0.5 * mass_of(p) * G * arm * L), start = w->state.time, last = spin;
	energy_row e0 = scree_world_energy(&w->model, &w->state, &w->work);
	while (w->state.body.wz[i] > 0 && w->state.time - start < 2 * time) {
		last = w->state.body.wz[i];
		lab_steps(w, 1);
		if (last < 0.9 * spin && last > 0.1 * spin)
			NEAR((real)scree_world_sliding(&w->model, &w->state, &w->work), 1, 0, "it counts as sliding");
	}
	real now = w->state.body.wz[i], took = w->state.time - start - w->model.dt * (now < 0 ? -now / (last - now) : 0);
	real before = 0.5 * inertia_of(p) * spin * spin;
	lab_steps(w, (int64_t)(4 * time / w->model.dt) + 2000);
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	real lost = (lost_by(e) - lost_by(e0)) / before;
	real error = (e.residual - e0.residual + e.made - e0.made) / before;
	print_message("%-8s on a %-5s law %d: %.4f of Coulomb's time; lost %.5f of its energy, residual and made %.1e; "
				  "left %.1e rad/s\n",
				  p->name, ground_name[on], law, took / time, lost, error, w->state.body.wz[i]);
	NEAR(took / time, 1, tolerance, "time to stop");
	NEAR(lost, 1, 2e-3, "lost of the energy that it had");
	NEAR(error, 0, 2e-3, "energy from nowhere");
	NEAR(w->state.body.wz[i], 0, 1e-3, "it has stopped");
	NEAR((real)scree_world_sliding(&w->model, &w->state, &w->work), 0, 0, "nothing slides in the end");
	scree_world_free(w);
}

static void prisms_stop_spinning(void **state)
{
	(void)state;
	static const enum law_row law[] = {LAW_HERTZ, LAW_LINEAR, LAW_VOLUME};
	const prism all[] = {prism_of("cube", 4, 1),	 prism_of("plate", 4, 0.1), prism_of("hexagon", 6, 1),
						 prism_of("triangle", 3, 1), prism_of("needle", 4, 8),	prism_of("round", 24, 0.5)};
	for (int k = 0; k < 3; ++k)
		for (size_t s = 0; s < sizeof all / sizeof *all; ++s)
			stops_in_time(all + s, ON_PLANE, law[k], all[s].arm, 0.02);
}

static void any_ground_stops_a_spin(void **state)
{
	(void)state;
	const prism cube = prism_of("cube", 4, 1), hexagon = prism_of("hexagon", 6, 1);
	stops_in_time(&cube, ON_MESH, LAW_HERTZ, cube.arm, 0.02);
	stops_in_time(&hexagon, ON_MESH, LAW_LINEAR, hexagon.arm, 0.02);
	stops_in_time(&cube, ON_CUBE, LAW_HERTZ, cube.arm, 0.02);
	stops_in_time(&hexagon, ON_CUBE, LAW_LINEAR, hexagon.arm, 0.02);
	stops_in_time(&hexagon, ON_CUBE, LAW_VOLUME, hexagon.arm, 0.02);
	/* a contact line as long as the edge, which grows slightly as the cube rotates */
	stops_in_time(&cube, ON_TUBE, LAW_HERTZ, 0.25, 0.03);
}

/* ------------------------------------------------------------------ sliding and spinning at once */

/* A uniform pressure on a square or a disc divided into N^2 pieces, each of which slips in the direction of its own
 * motion (the exact limit curve), for unit mass, mu g = 1 and edge or radius 1: force against v and torque against w.
 */
enum { N = 24 };
static void exact_friction(bool disc, real v, real w, real *force, real *torque)
{
	real f = 0, t = 0;
	int32_t count = 0;
	for (int32_t k = 0; k < N * N; ++k) {
		real x = (k % N + 0.5) / N - 0.5, y = (k / N + 0.5) / N - 0.5;
		if (disc && x * x + y * y > 0.25) continue;
		real scale = disc ? 2 : 1, ux = v - w * y * scale, uy = w * x * scale, u = sqrt(ux * ux + uy * uy);
		f += ux / u;
		t += scale * (x * uy - y * ux) / u;
		++count;
	}
	*force = f / count;
	*torque = t / count;
}

static void ellipsoid_friction(real arm, real v, real w, real *force, real *torque)
{
	real u = sqrt(v * v + arm * arm * w * w);
	*force = v / u;
	*torque = arm * arm * w / u;
}

/* time until sliding and spinning have both stopped */
static real time_to_stop(bool disc, bool exact, real arm, real square, real v, real w)
{
	const real dt = 1e-3, least = 1e-4;
	real t = 0;
	while (v > least || w > least) {
		real f, m;
		real u = v, s = w;
		for (int half = 0; half < 2; ++half) {
			if (exact)
				exact_friction(disc, u, s, &f, &m);
			else
				ellipsoid_friction(arm, u, s, &f, &m);
			u = real_max(v - (half ? dt : dt / 2) * f, 1e-9);
			s = real_max(w - (half ? dt : dt / 2) * m / square, 1e-9);
		}
		v = u;
		w = s;
		t += dt;
	}
	return t;
}

/* A thin plate slides and spins at once: it stops as the ellipsoidal limit surface predicts, up to 7 % earlier than
 * with a uniform pressure on points that slip independently. */
static void slide_and_spin_end_together(void **state)
{
	(void)state;
	const prism all[] = {prism_of("square", 4, 0.05), prism_of("round", 24, 0.05)};
	for (int s = 0; s < 2; ++s) {
		const prism *p = all + s;
		for (int k = 0; k < 4; ++k) {
			const real ratio = scree_pow(2, k - 1), speed = 0.1; /* v/(w arm) */
			scree_world *w = stands(p, ON_PLANE, LAW_HERTZ, 0.3);
			real spin = speed / (ratio * p->arm * L), unit = speed / (0.5 * G), start = w->state.time;
			set_moving(w, p, v3(speed, 0, 0), spin);
			/* lengths in units of v^2/(mu g) and of L; speeds scale with sqrt(mu g L) */
			real of = sqrt(0.5 * G * L), took = 0;
			energy_row e0 = scree_world_energy(&w->model, &w->state, &w->work);
			while (took == 0 && w->state.time - start < 4 * unit) {
				lab_steps(w, 1);
				real left = v3_norm(v3(w->state.body.vx[0], w->state.body.vy[0], p->arm * L * w->state.body.wz[0]));
				if (left < 0.01 * speed) took = w->state.time - start;
			}
			real half = time_to_stop(s == 1, false, p->arm, p->square, speed / of, spin * L / of) * L / of;
			real exact = time_to_stop(s == 1, true, p->arm, p->square, speed / of, spin * L / of) * L / of;
			lab_steps(w, 4000);
			energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
			real before = mass_of(p) / 2 * (speed * speed + p->square * L * L * spin * spin);
			real lost = (lost_by(e) - lost_by(e0)) / before,
				 error = (e.residual - e0.residual + e.made - e0.made) / before;
			print_message("%-6s v = %4.1f w arm: %.4f of the ellipsoid's time, that %.4f of the exact one; lost %.5f, "
						  "residual and made %.1e\n",
						  p->name, ratio, took / half, half / exact, lost, error);
			NEAR(took / half, 1, 0.02, "time to stop, ellipsoid");
			CHECK(half / exact < 1.002 && half / exact > 0.93, "ellipsoid over the exact limit curve: %g",
				  half / exact);
			NEAR(lost, 1, 2e-3, "lost of the energy that it had");
			NEAR(error, 0, 2e-3, "energy from nowhere");
			scree_world_free(w);
		}
	}
}

/* ------------------------------------------------------------------ sticking contacts */

/* A cube rotated by less than the slip limit oscillates on the rotational spring of stiffness k_t arm^2, and its
 * energy is conserved without damping; with the power law, it creeps to rest as exp(-K_T arm^2 t/I). */
static void a_small_turn_swings(void **state)
{
	(void)state;
	const prism p = prism_of("cube", 4, 1);
	scree_world *w = lab_world(rule_for(LAW_LINEAR, 1, 0.5));
	w->model.gravity = v3(0, 0, -G);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	real sunk = mass_of(&p) * G / 2e5, stiff = 2.0 / 7 * 2e5 * p.arm * p.arm * L * L;
	lab_add(w, 1, L, v3(0, 0, L / 2 - sunk));
	lab_prepare(w, 0);
	lab_steps(w, 10);
	real period = 2 * SCREE_PI * sqrt(inertia_of(&p) / stiff);
	/* one tenth of the slip limit */
	real spin = 0.1 * 0.5 * mass_of(&p) * G * p.arm * L / stiff * 2 * SCREE_PI / period;
	set_moving(w, &p, v3(0, 0, 0), spin);
	real start = w->state.time, last = spin, before = 0.5 * inertia_of(&p) * spin * spin, least = 0;
	energy_row e0 = scree_world_energy(&w->model, &w->state, &w->work);
	int crossings = 0;
	real at = 0;
	while (crossings < 40) {
		lab_steps(w, 1);
		real now = w->state.body.wz[0];
		if (now * last < 0) {
			++crossings;
			at = w->state.time - w->model.dt * now / (now - last) - start;
		}
		least = real_min(least, now);
		last = now;
	}
	NEAR(at / ((crossings - 0.5) * period / 2), 1, 2e-3, "period of the swing");
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	NEAR((e.kinetic + e.potential + e.elastic - e0.kinetic - e0.potential - e0.elastic) / before, 0, 5e-3, "energy");
	NEAR(lost_by(e) - lost_by(e0), 0, 1e-9 * before, "nothing slips, nothing is lost");
	NEAR(least / spin, -1, 5e-3, "it swings back as far");
	scree_world_free(w);
}

static void viscous_friction_brakes_a_turn(void **state)
{
	(void)state;
	const prism p = prism_of("cube", 4, 1);
	contact_rule rule = {.law = LAW_POWER, .restitution = 1, .friction = 0.5};
	rule.power = (power_rule){1e8, 1e4, 0.5, 10, false};
	scree_world *w = lab_world(rule);
	w->model.gravity = v3(0, 0, -G);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(w, 1, L, v3(0, 0, L / 2));
	w->model.guard.speed = 1;
	lab_prepare(w, 2e-6);
	lab_steps(w, 50000);
	set_moving(w, &p, v3(0, 0, 0), 1);
	real rate = 10 * p.arm * p.arm * L * L / inertia_of(&p), start = w->state.time;
	energy_row e0 = scree_world_energy(&w->model, &w->state, &w->work);
	lab_steps(w, (int64_t)(2 / rate / w->model.dt));
	NEAR(scree_log(w->state.body.wz[0]) / (-rate * (w->state.time - start)), 1, 4e-3, "rate of the decay");
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	real before = 0.5 * inertia_of(&p), left = before * w->state.body.wz[0] * w->state.body.wz[0];
	NEAR((lost_by(e) - lost_by(e0)) / (before - left), 1, 2e-3, "lost of what it lost");
	scree_world_free(w);
}

/* A cube on its corner has almost no contact area to resist rotation: in the time that it would take to stop on a
 * face, it loses almost no energy. */
static void a_corner_does_not_resist(void **state)
{
	(void)state;
	const prism p = prism_of("cube", 4, 1);
	scree_world *w = lab_world(rule_for(LAW_HERTZ, 0.3, 0.5));
	w->model.gravity = v3(0, 0, -G);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	/* with the body's diagonal vertical */
	quat up = quat_unit(quat_of(1 + 1 / sqrt(3), 1 / sqrt(3), -1 / sqrt(3), 0));
	lab_add_moving(w, 1, L, v3(0, 0, L * sqrt(3) / 2), up, v3(0, 0, 0), v3(0, 0, 10));
	lab_prepare(w, 0);
	real time = inertia_of(&p) * 10 / (0.5 * mass_of(&p) * G * p.arm * L);
	lab_steps(w, (int64_t)(time / w->model.dt));
	CHECK(w->work.touching == 1 && v3_norm2(v3(w->state.body.x[0], w->state.body.y[0], 0)) < 1e-6 * L * L,
		  "it stands on its corner");
	print_message("on a corner it loses %.3f %% of its spin\n", 100 * (1 - w->state.body.wz[0] / 10));
	NEAR(w->state.body.wz[0], 10, 0.1, "spin on a corner");
	scree_world_free(w);
}

/* ------------------------------------------------------------------ stacks */

/* A stack of ten cubes, each offset by up to this fraction of an edge: at rest, no cube rotates or creeps. */
static void stack_holds(real off, uint64_t seed)
{
	scree_world *w = lab_world(rule_for(LAW_HERTZ, 0.3, 0.5));
	w->model.gravity = v3(0, 0, -G);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	random_stream r = scree_random_start(seed, 1);
	for (int k = 0; k < 10; ++k) {
		real x = off * L * scree_random_between(&r, -1, 1), y = off * L * scree_random_between(&r, -1, 1);
		lab_add(w, 1, L, v3(x, y, (k + 0.5) * L));
	}
	lab_prepare(w, 0);
	lab_steps(w, (int64_t)(1 / w->model.dt));
	/* averages over one second each, because the stack sways slightly for a long time */
	real yaw[2][10] = {{0}}, x[2][10] = {{0}}, made = scree_world_energy(&w->model, &w->state, &w->work).made;
	int64_t steps = (int64_t)(1 / w->model.dt);
	for (int64_t n = 0; n < 2 * steps; ++n) {
		lab_steps(w, 1);
		for (int k = 0; k < 10; ++k) {
			yaw[n / steps][k] += 2 * w->state.body.qz[k] / (real)steps;
			x[n / steps][k] += w->state.body.x[k] / (real)steps;
		}
	}
	real turned = 0, crept = 0;
	for (int k = 0; k < 10; ++k) {
		turned = real_max(turned, real_abs(yaw[1][k] - yaw[0][k]));
		crept = real_max(crept, real_abs(x[1][k] - x[0][k]));
	}
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	print_message("offsets of %g edges: in a second they turn by %.1e rad and creep by %.1e m; kinetic energy %.1e J, "
				  "residual %.1e J, made %.1e J\n",
				  off, turned, crept, e.kinetic, e.residual, e.made - made);
	NEAR(turned, 0, 4e-5, "turn"); /* the stack sways, but this motion decays within seconds */
	NEAR(crept, 0, 5e-3 * L, "way");
	NEAR(e.residual, 0, 1e-6, "residual");
	scree_world_free(w);
}

static void stacks_do_not_turn(void **state)
{
	(void)state;
	static const real offset[3] = {0.1, 0, 0.01};
	for (int k = 0; k < test_few(3, 1); ++k) stack_holds(offset[k], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prisms_stop_spinning),
		cmocka_unit_test(any_ground_stops_a_spin),
		cmocka_unit_test(slide_and_spin_end_together),
		cmocka_unit_test(a_small_turn_swings),
		cmocka_unit_test(viscous_friction_brakes_a_turn),
		cmocka_unit_test(a_corner_does_not_resist),
		cmocka_unit_test(stacks_do_not_turn),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
