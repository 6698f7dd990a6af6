/* Periodic worlds: conservation of momentum and energy, translation invariance, copies of the cell, and motion across
 * borders. Shear must produce a linear velocity profile, and its power must equal the power of the stress. */
#include "kernel/quat.h"
#include "lab.h"
#include "prepare/prepare.h"
#include "test.h"

/* a vector of random length: the length is drawn first, whatever the order in which a compiler evaluates arguments */
static vec3 drawn(random_stream *r, real low, real high)
{
	real length = scree_random_between(r, low, high);
	return v3_mul(length, scree_random_direction(r));
}

static vec3 momentum(const scree_world *w)
{
	vec3 p = v3(0, 0, 0);
	for (int32_t i = 0; i < w->state.body.count; ++i)
		p = v3_madd(p, w->state.body.mass[i], body_velocity(&w->state.body, i));
	return p;
}

/* spheres on a loose lattice, so that none overlap; k: number of spheres along each side of a cube */
static void add_gas(scree_world *w, int k, vec3 move, uint64_t seed, int32_t form)
{
	random_stream r = scree_random_start(seed, 2);
	real step = 1 / 64.0;
	for (int n = 0; n < k * k * k; ++n) {
		vec3 at = v3((n % k + 0.5) * step, (n / k % k + 0.5) * step, (n / k / k + 0.5) * step);
		vec3 v = drawn(&r, 0.2, 1);
		lab_add_moving(w, form, step * 0.8 / (form ? 1.7 : 1), v3_add(at, move), quat_one(), v, v3(0, 0, 0));
	}
}

static void gas_keeps_momentum_and_energy(void **state)
{
	(void)state;
	for (int32_t form = 0; form < 2; ++form) {
		scree_world *w = lab_world(lab_linear(1e4, 1, 0));
		lab_periods(w, "xyz", v3(0, 0, 0), v3(1 / 16.0, 1 / 16.0, 1 / 16.0));
		add_gas(w, 4, v3(0, 0, 0), 3, form);
		lab_prepare(w, 0);
		vec3 p = momentum(w);
		real e = scree_world_energy(&w->model, &w->state, &w->work).brought, scale = 0;
		for (int32_t i = 0; i < w->state.body.count; ++i)
			scale += w->state.body.mass[i] * v3_norm(body_velocity(&w->state.body, i));
		int64_t met = 0;
		for (int k = 0; k < 10000; ++k) {
			CHECK(scree_step(w), "%s", w->work.why.text);
			met += w->work.touching;
		}
		NEAR(v3_norm(v3_sub(momentum(w), p)), 0, 1e-11 * scale, "momentum");
		energy_row x = scree_world_energy(&w->model, &w->state, &w->work);
		/* the work of contacts is computed by the trapezoidal rule: several thousand collisions leave a small `made` */
		if (!form) NEAR(x.kinetic + x.elastic, e, 5e-4 * e, "energy");
		NEAR(x.kinetic + x.elastic - x.made - x.residual, e, 1e-9 * e, "ledger");
		CHECK(met > 5000, "the gas is too thin: %lld", (long long)met);
		scree_world_free(w);
	}
}

/* A translation shifts all results; a translation by whole periods gives bitwise identical results as long as positions
 * have enough digits. */
static void translation_changes_nothing(void **state)
{
	(void)state;
	const real cell = 1 / 16.0;
	const vec3 move[3] = {v3(0.0123, -0.0371, 0.031), v3(3 * cell, -2 * cell, 0), v3(0, cell, 8 * cell)};
	scree_world *w = lab_world(lab_linear(1e3, 0.8, 0.3));
	lab_periods(w, "xyz", v3(0, 0, 0), v3(cell, cell, cell));
	add_gas(w, 4, v3(0, 0, 0), 5, 0);
	lab_prepare(w, 1.6e-5);
	lab_steps(w, 1900); /* only a few collisions, because chaos amplifies rounding errors */
	for (int m = 0; m < 3; ++m) {
		scree_world *o = lab_world(lab_linear(1e3, 0.8, 0.3));
		lab_periods(o, "xyz", v3(0, 0, 0), v3(cell, cell, cell));
		add_gas(o, 4, move[m], 5, 0);
		lab_prepare(o, 1.6e-5);
		lab_steps(o, 1900);
		CHECK(o->work.touching == w->work.touching && w->work.touching > 5, "%lld contacts, %lld",
			  (long long)o->work.touching, (long long)w->work.touching);
		for (uint64_t id = 1; id <= 64; ++id) {
			int32_t i = lab_row(w, id), k = lab_row(o, id);
			vec3 apart = v3_sub(
				v3_sub(scree_world_unwrapped(&o->model, &o->state, k), scree_world_unwrapped(&w->model, &w->state, i)),
				move[m]);
			NEAR(v3_norm(apart), 0, 1e-9 * cell, "place");
			NEAR(v3_norm(v3_sub(body_velocity(&o->state.body, k), body_velocity(&w->state.body, i))), 0, 1e-7,
				 "velocity");
			if (!m) continue;
			CHECK(v3_norm(v3_sub(body_position(&o->state.body, k), body_position(&w->state.body, i))) == 0,
				  "not the same bits");
		}
		scree_world_free(o);
	}
	scree_world_free(w);
}

/* ------------------------------------------------------------------ copies of the cell */

/* A packing that settles on a floor, repeated a times along x and b times along y. */
static scree_world *settled(int a, int b, const char *which)
{
	scree_world *w = lab_world(lab_hertz(0.3, 0.5));
	real d = 0.01, cell = 0.042;
	lab_periods(w, which, v3(0, 0, -d), v3(a * cell, b * cell, 1));
	w->model.gravity = v3(2, 1, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int copy = 0; copy < a * b; ++copy) {
		random_stream r = scree_random_start(4, 4);
		for (int k = 0; k < 48; ++k) {
			real x = scree_random_between(&r, 0, 1e-3), y = scree_random_between(&r, 0, 1e-3);
			vec3 at = v3(0.0105 * (k % 4) + x + copy % a * cell, 0.0105 * (k / 4 % 4) + y + copy / a * cell,
						 0.0055 + 0.0105 * (k / 16));
			int32_t form = k % 3 ? 0 : 1;
			lab_add_moving(w, form, form ? 0.6 * d : 0.9 * d, at, scree_random_rotation(&r), v3(0.1, 0.1, 0),
						   v3(0, 0, 0));
		}
	}
	lab_prepare(w, 1.6e-5);
	return w;
}

static void copies_of_the_cell_do_the_same(void **state)
{
	(void)state;
	scree_world *w = settled(1, 1, "xy"), *two = settled(2, 1, "xy"), *four = settled(2, 2, "xy");
	scree_world *const copies[2] = {two, four};
	int64_t steps = (int64_t)(0.06 / w->model.dt), crossed = 0;
	lab_steps(w, steps);
	real strongest = 0;
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		strongest = real_max(strongest, v3_norm(v3(w->state.body.fx[i], w->state.body.fy[i], w->state.body.fz[i])));
		crossed += w->state.body.cell_x[i] != 0 || w->state.body.cell_y[i] != 0;
	}
	for (int c = 0; c < 2; ++c) {
		scree_world *o = copies[c];
		lab_steps(o, steps);
		CHECK(o->work.touching == (c ? 4 : 2) * w->work.touching && w->work.touching > 20, "%lld contacts, %lld",
			  (long long)o->work.touching, (long long)w->work.touching);
		for (uint64_t id = 1; id <= (uint64_t)o->state.body.count; ++id) {
			int32_t k = lab_row(o, id), i = lab_row(w, (id - 1) % 48 + 1);
			const bodies *p = &w->state.body, *q = &o->state.body;
			vec3 f = v3(p->fx[i] - q->fx[k], p->fy[i] - q->fy[k], p->fz[i] - q->fz[k]);
			vec3 t = v3(p->tx[i] - q->tx[k], p->ty[i] - q->ty[k], p->tz[i] - q->tz[k]);
			NEAR(v3_norm(f) + v3_norm(t) / 0.01, 0, 1e-5 * strongest, "force");
			NEAR(v3_norm(v3_sub(body_velocity(p, i), body_velocity(q, k))), 0, 1e-6, "velocity");
		}
		energy_row e = scree_world_energy(&w->model, &w->state, &w->work),
				   oe = scree_world_energy(&o->model, &o->state, &o->work);
		NEAR(oe.lost_friction, (c ? 4 : 2) * e.lost_friction, 1e-6 * oe.lost_friction, "lost by friction");
		real s[6], os[6];
		scree_world_stress(&w->model, &w->state, &w->work, s), scree_world_stress(&o->model, &o->state, &o->work, os);
		for (int k = 0; k < 6; ++k) NEAR(os[k], s[k], 1e-5 * real_abs(s[2]), "stress");
	}
	CHECK(crossed > 2, "only %lld bodies crossed a border", (long long)crossed);
	scree_world_free(w), scree_world_free(two), scree_world_free(four);
}

/* four bodies in a cell slightly wider than two diameters, repeated n times along each axis */
static scree_world *narrow_cell(int n, int32_t form, real given)
{
	scree_world *w = lab_world(lab_hertz(0.6, 0.3));
	const real d = 0.01, cell = 2.03 * d, half = cell / 2;
	lab_periods(w, "xyz", v3(0, 0, 0), v3(n * cell, n * cell, n * cell));
	w->model.skin_given = given >= 0, w->model.skin = real_max(given, 0);
	for (int copy = 0; copy < n * n * n; ++copy) {
		random_stream r = scree_random_start(7, 4);
		const vec3 from = v3(copy % n * cell, copy / n % n * cell, copy / n / n * cell);
		for (int k = 0; k < 4; ++k) {
			const vec3 at = v3(k & 1 ? half : 0, k == 1 || k == 2 ? half : 0, k >= 2 ? half : 0);
			const vec3 v = drawn(&r, 1, 3);
			lab_add_moving(w, form, form ? d / 1.7320508076 : d, v3_add(v3_add(at, from), v3(0.003, 0.003, 0.003)),
						   scree_random_rotation(&r), v, v3(0, 0, 0));
		}
	}
	lab_prepare(w, 4e-6);
	return w;
}

/* Two bodies may touch via either of two images, but, as in a wider cell, never via both at the same time. */
static void cells_of_two_diameters_do_the_same(void **state)
{
	(void)state;
	for (int32_t form = 0; form < 2; ++form) {
		scree_world *one = narrow_cell(1, form, -1), *listed = narrow_cell(1, form, 0),
					*eight = narrow_cell(2, form, -1);
		int64_t met = 0;
		for (int k = 0; k < 2500; ++k) {
			lab_steps(one, 1);
			met += one->work.touching;
		}
		lab_steps(listed, 2500), lab_steps(eight, 2500);
		CHECK(met > 100, "form %d: the cell is too thin: %lld", form, (long long)met);
		CHECK(scree_world_hash(&one->model, &one->state, &one->work) ==
				  scree_world_hash(&listed->model, &listed->state, &listed->work),
			  "form %d: the skin changes bits", form);
		for (uint64_t id = 1; id <= 32; ++id) {
			int32_t k = lab_row(eight, id), i = lab_row(one, (id - 1) % 4 + 1);
			NEAR(v3_norm(v3_sub(body_velocity(&one->state.body, i), body_velocity(&eight->state.body, k))), 0, 1e-6,
				 "velocity");
		}
		scree_world_free(one), scree_world_free(listed), scree_world_free(eight);
	}
}

/* A period of less than two diameters is refused, and so is a period too short for a wide skin. */
static void too_narrow_cells_are_refused(void **state)
{
	(void)state;
	static const struct {
		real cell, skin;
		bool good;
	} of[] = {{1.99, -1, false}, {2, -1, false},	{2.02, -1, true}, {2.001, 0, true},
			  {2, 0, false},	 {2.5, 0.3, false}, {2.5, 0.2, true}};
	for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
		scree_world *w = lab_world(lab_hertz(0.6, 0.3));
		fail why = {0};
		const real d = 0.01;
		lab_periods(w, "xyz", v3(0, 0, 0), v3(of[k].cell * d, 1, 1));
		w->model.skin_given = of[k].skin >= 0, w->model.skin = real_max(of[k].skin * d, 0);
		lab_add_moving(w, 0, d, v3(0, 0, 0), quat_one(), v3(0, 0, 0), v3(0, 0, 0));
		const bool good = scree_world_prepare(w, 50, 1e-6, &why);
		CHECK(good == of[k].good, "a period of %g diameters: %s", of[k].cell, good ? "accepted" : why.text);
		CHECK(good || strstr(why.text, "through one image at most"), "%s", why.text);
		scree_world_free(w);
	}
}

/* A column on a periodic floor: stress_zz is the supported weight divided by the area, so its mean over the cell is
 * the moment of the weight. */
static void stress_carries_the_weight(void **state)
{
	(void)state;
	if (test_few(2, 1) < 2) return; /* the column must come to rest, even if there are few cases */
	scree_world *w = settled(1, 1, "xy");
	w->model.gravity = v3(0, 0, -9.81);
	lab_steps(w, (int64_t)(0.8 / w->model.dt));
	real stress[6], virial = 0;
	scree_world_stress(&w->model, &w->state, &w->work, stress);
	/* sum of each body's weight times the height of its centre, divided by the volume: the stress in equilibrium
	 * (virial) */
	for (int32_t i = 0; i < w->state.body.count; ++i) virial += w->state.body.mass[i] * 9.81 * w->state.body.z[i];
	vec3 size = w->model.period.size;
	NEAR(stress[2] * size.x * size.y * size.z, virial, 0.02 * virial, "moment of the weight");
	CHECK(w->work.greatest_speed < 0.02, "still moving at %g m/s", w->work.greatest_speed);
	scree_world_free(w);
}

/* ------------------------------------------------------------------ Lees and Edwards */

/* A few bodies that collide while all of them fly across borders move as they would in infinite space. */
static scree_world *cluster(bool repeats, int64_t from, uint64_t seed, int32_t flow, int32_t gradient)
{
	random_stream r = scree_random_start(seed, 9);
	scree_world *w = lab_world(lab_linear(300, 0.5, 0.4));
	vec3 size = v3(0.2, 0.15, 0.17);
	if (repeats) {
		lab_periods(w, "xyz", v3(-0.1, 0.02, 0), size);
		w->model.period.shears = true;
		w->model.period.flow = flow;
		w->model.period.gradient = gradient;
		w->model.period.rate = scree_random_between(&r, -20, 20);
		w->state.step = from;
	} else {
		scree_random_real(&r);
	}
	vec3 flight = v3_mul(10, scree_random_direction(&r)), middle = v3(0, 0.1, 0.08);
	for (int k = 0; k < 5; ++k) {
		/* bodies that are apart and moving towards each other */
		vec3 corner = v3_mul(0.0075, v3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 3 : 0));
		vec3 at = v3_madd(corner, 0.001, scree_random_direction(&r)), v = v3_madd(flight, -8, at),
			 spin = v3_mul(20, scree_random_direction(&r));
		lab_add_moving(w, k % 2, k % 2 ? 0.007 : 0.01, v3_add(middle, at), scree_random_rotation(&r), v, spin);
	}
	lab_prepare(w, 1e-4);
	return w;
}

static void clusters_fly_through_sheared_borders(void **state)
{
	(void)state;
	int64_t crossings = 0, met = 0, far = 0;
	FOR_SEEDS(40)
	{
		int32_t flow = (int32_t)(test_seed % 3), gradient = (int32_t)((test_seed + 1 + test_seed / 3 % 2) % 3);
		int64_t from = test_seed % 2 ? 1 : 3000000000; /* the images have been displaced by millions of periods */
		scree_world *w = cluster(true, from, test_seed, flow, gradient), *plain = cluster(false, 0, test_seed, 0, 1);
		far += real_abs((real)w->state.images.turns) > 1e5;
		for (int k = 0; k < 1500; ++k) {
			CHECK(scree_step(w) && scree_step(plain), "%s %s", w->work.why.text, plain->work.why.text);
			CHECK(w->work.touching == plain->work.touching, "step %d: %lld contacts, %lld", k,
				  (long long)w->work.touching, (long long)plain->work.touching);
			met += w->work.touching;
		}
		for (uint64_t id = 1; id <= 5; ++id) {
			int32_t i = lab_row(w, id), k = lab_row(plain, id), g = image_along(body_cell(&w->state.body, i), gradient);
			vec3 v = body_velocity(&w->state.body, i), q = body_velocity(&plain->state.body, k);
			*v3_along(&v, flow) += g * w->state.images.speed; /* velocity of the image */
			NEAR(v3_norm(v3_sub(v, q)), 0, 1e-7, "velocity");
			NEAR(
				v3_norm(v3_sub(body_angular_velocity(&w->state.body, i), body_angular_velocity(&plain->state.body, k))),
				0, 1e-4, "spin");
			/* positions relative to the first body, because a common displacement has no effect, and counts of millions
			 * of periods reduce accuracy */
			if (from == 1)
				NEAR(v3_norm(
						 v3_sub(scree_world_unwrapped(&w->model, &w->state, i), body_position(&plain->state.body, k))),
					 0, 1e-8, "place");
			int32_t i1 = lab_row(w, 1), k1 = lab_row(plain, 1);
			int32_t code = scree_periods_nearest(&w->model.period, &w->state.images, body_position(&w->state.body, i1),
												 body_position(&w->state.body, i));
			vec3 apart = v3_add(v3_sub(body_position(&w->state.body, i), body_position(&w->state.body, i1)),
								w->state.images.shift[code]);
			vec3 wanted = v3_sub(body_position(&plain->state.body, k), body_position(&plain->state.body, k1));
			if (v3_norm(wanted) < 0.06) NEAR(v3_norm(v3_sub(apart, wanted)), 0, 1e-8, "place beside the first");
			crossings += g < 0 ? -g : g;
		}
		energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		NEAR(e.residual, scree_world_energy(&plain->model, &plain->state, &plain->work).residual, 1e-8, "residual");
		scree_world_free(w), scree_world_free(plain);
	}
	CHECK(crossings > 10 * test_cases(40) && met > 1000 && far > 0, "%lld crossings, %lld contacts, %lld far",
		  (long long)crossings, (long long)met, (long long)far);
}

/* least-squares slope of the velocity along x as a function of y; *rest: deviation from the line divided by the
 * velocity of the border */
static real slope(const scree_world *w, const real *flow, int bins, real *rest)
{
	real n = 0, sy = 0, sv = 0, syy = 0, syv = 0;
	for (int k = 0; k < bins; ++k) {
		real y = (k + 0.5) / bins * w->model.period.size.y;
		n += 1, sy += y, sv += flow[k], syy += y * y, syv += y * flow[k];
	}
	real s = (n * syv - sy * sv) / (n * syy - sy * sy), v0 = (sv - s * sy) / n;
	*rest = 0;
	for (int k = 0; k < bins; ++k)
		*rest = real_max(*rest, real_abs(flow[k] - v0 - s * (k + 0.5) / bins * w->model.period.size.y) /
									real_abs(w->state.images.speed));
	return s;
}

static void dense_shear_is_homogeneous_and_its_power_is_stress_times_rate(void **state)
{
	(void)state;
	enum { SIDE = 7, BINS = 7 };
	scree_world *w = lab_world(lab_linear(5e3, 0.5, 0.4));
	random_stream r = scree_random_start(7, 7);
	real d = 0.01, step = 0.985 * d; /* solid fraction 0.55 */
	lab_periods(w, "xyz", v3(0, 0, 0), v3(SIDE * step, SIDE * step, SIDE * step));
	w->model.period.shears = true;
	w->model.period.rate = 20;
	for (int n = 0; n < SIDE * SIDE * SIDE; ++n) {
		vec3 at = v3((n % SIDE + 0.5) * step, (n / SIDE % SIDE + 0.5) * step, (n / SIDE / SIDE + 0.5) * step);
		at = v3_add(at, drawn(&r, 0, 0.1 * d));
		vec3 v = scree_periods_flow(&w->model.period, &w->state.images, at);
		lab_add_moving(w, 0, d * scree_random_between(&r, 0.9, 1.1), at, quat_one(), v, v3(0, 0, 0));
	}
	fail why = {0};
	CHECK(scree_world_prepare(w, 0.05, 0, &why), "%s", why.text);
	real strain = 0.6 / w->model.period.rate;
	lab_steps(w, (int64_t)(strain / w->model.dt));
	energy_row before = scree_world_energy(&w->model, &w->state, &w->work);
	real flow[BINS] = {0}, seen[BINS] = {0},
		 volume = w->model.period.size.x * w->model.period.size.y * w->model.period.size.z, work = 0;
	int64_t steps = (int64_t)(4 * strain / w->model.dt);
	for (int64_t k = 0; k < steps; ++k) {
		real stress[6];
		CHECK(scree_step(w), "%s", w->work.why.text);
		if (k % 20) continue;
		scree_world_stress(&w->model, &w->state, &w->work, stress);
		work -= 20 * w->model.dt * stress[3] * w->model.period.rate * volume;
		for (int32_t i = 0; i < w->state.body.count; ++i) {
			int bin = (int)(w->state.body.y[i] / w->model.period.size.y * BINS);
			flow[bin < BINS ? bin : BINS - 1] += w->state.body.vx[i];
			seen[bin < BINS ? bin : BINS - 1] += 1;
		}
	}
	for (int k = 0; k < BINS; ++k) flow[k] /= seen[k];
	real rest, s = slope(w, flow, BINS, &rest);
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	real lost = e.lost_normal + e.lost_friction - before.lost_normal - before.lost_friction;
	real stored = e.kinetic + e.elastic - before.kinetic - before.elastic, made = e.made - before.made;
	NEAR(s, w->model.period.rate, 0.05 * w->model.period.rate, "slope of the profile");
	CHECK(rest < 0.06, "the profile is off a line by %g of the border's velocity", rest);
	NEAR(work, lost + stored - made, 0.03 * lost, "power of the stress");
	NEAR(e.wall_work - before.wall_work, lost + stored - made, 0.01 * lost, "work of the border");
	CHECK(lost > 0 && e.lost_friction > 0 && real_abs(e.residual - before.residual) < 0.01 * lost,
		  "lost %g J, residual %g J", lost, e.residual - before.residual);
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gas_keeps_momentum_and_energy),
		cmocka_unit_test(translation_changes_nothing),
		cmocka_unit_test(copies_of_the_cell_do_the_same),
		cmocka_unit_test(cells_of_two_diameters_do_the_same),
		cmocka_unit_test(too_narrow_cells_are_refused),
		cmocka_unit_test(stress_carries_the_weight),
		cmocka_unit_test(clusters_fly_through_sheared_borders),
		cmocka_unit_test(dense_shear_is_homogeneous_and_its_power_is_stress_times_rate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
