/* Impacts at every angle, from head-on to grazing: no law may create energy. The tolerance is the error of the time
 * integration, estimated from its order: docs/theory/laws.md, "Grazing impacts". */
#include "choices/choices.h"
#include "kernel/cohesion.h"
#include "kernel/quat.h"
#include "kernel/patch_contact.h"
#include "lab.h"
#include "model/narrow.h"
#include "shape/shapes.h"
#include "test.h"

static const real SIZE = 0.01, SPEED = 0.1, SURFACE = 0.005, STEPS = 50;

typedef struct variant {
	const char *name;
	int law;
	cohesion_kind cohesion;
	real surface;
} variant;

static const variant variants[] = {
	{"linear", 0, COHESION_NONE, 0},		  {"hertz", 1, COHESION_NONE, 0},
	{"power", 2, COHESION_NONE, 0},			  {"linear dmt", 0, COHESION_DMT, 1},
	{"hertz dmt", 1, COHESION_DMT, 1},		  {"linear simple", 0, COHESION_SIMPLE, 2},
	{"hertz simple", 1, COHESION_SIMPLE, 2},  {"hertz jkr", 1, COHESION_JKR, 1},
	{"volume", LAW_VOLUME, COHESION_NONE, 0},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static contact_rule rule_of(const variant *v, real restitution, real friction, real rolling)
{
	contact_rule r = v->law == 0 ? lab_linear(1e4, restitution, friction) : lab_hertz(restitution, friction);
	if (v->law == LAW_VOLUME) r.law = LAW_VOLUME;
	if (v->law == 2) {
		r.law = LAW_POWER;
		r.restitution = 1;
		r.power =
			(power_rule){.stiffness = 1e6, .damping = restitution < 1 ? 20 : 0, .tangential = 1, .exponent = 0.25};
	}
	r.rolling_friction = r.twisting_friction = rolling;
	r.cohesion = v->cohesion;
	r.surface = v->surface == 2 ? 1e4 : SURFACE;
	return r;
}

typedef struct outcome {
	bool touched, stuck;
	real made;	  /* energy after the impact minus energy before it, divided by the energy of the approach */
	real allowed; /* largest permitted value of this difference, from the order of the integration */
} outcome;

/* Error that the scheme may make in the energy of this impact. If velocity Verlet enters a spring of frequency w in
 * mid-step, to a depth of x, it adds an energy of w^2 x (x - v dt) / 2, which is between 0 and minus (w dt)^2 / 4
 * times m v^2 / 2, and returns up to the same amount if it leaves in mid-step: the worst case is a return without a
 * previous loss. w dt = pi / steps for the contact that sets the step. At a corner of a cube, the effective mass is at
 * least 1/4 of the mass, so the frequency is at most 2 w. A patch that has returned its energy is cut off, where its
 * force F may be as large as w m v; the work of a force that jumps by F in mid-step has an error of F^2 dt^2 / (4 m),
 * which doubles the error again. JKR: see below. */
static real allowance(const scree_world *w, const variant *v, bool cube, real energy, real radius)
{
	real turn = SCREE_PI * w->model.dt / w->model.contact_time * (cube ? 2 : 1),
		 cuts = cube && v->law != LAW_VOLUME ? 3 : 1;
	real allowed = cuts * turn * turn / 4;
	if (v->cohesion != COHESION_JKR) return allowed;
	/* near the end of the bond, the pull differs from its last value by 1.8 F_c sqrt(x / L), where x is the remaining
	 * distance and L = a0^2/R: for a square root, the trapezoidal rule misses at most 0.208 h^(3/2) (Hurwitz zeta
	 * function at -1/2) */
	real length = jkr_length(SURFACE, 0.75 * w->model.constants[0].stiffness, radius), way = SPEED * w->model.dt;
	return allowed + 0.208 * 1.8 * 3 * SCREE_PI * SURFACE * radius * sqrt(way / length) * way / energy;
}

/* Tests the energy limit of a patch with random numbers. */
static void restraint_takes_what_is_too_much(void **state)
{
	(void)state;
	random_stream r = scree_random_start(5, 5);
	int64_t acted = 0, limited = 0;
	for (int64_t k = 0; k < test_cases(100000); ++k) {
		real force = scree_random_between(&r, -1, 3), speed = scree_random_between(&r, -1, 1), given = force * speed;
		real slip = k % 3 ? scree_random_between(&r, 0, 1) : 0, mass = scree_random_between(&r, 0.01, 10);
		real left = k % 5 ? scree_random_between(&r, 0, 1) : k % 2 ? 0 : INFINITY;
		restraint o = restraint_of(left, given, force, slip, mass, 1);
		real gives = o.part * given - o.drag * slip * slip, near = 1e-12 * (1 + real_abs(given));
		CHECK(o.part >= 0 && o.part <= 1 && o.drag >= 0, "part %g drag %g", o.part, o.drag);
		CHECK(o.drag * slip <= real_max(o.part * force, 0) + near, "drag %g beyond the force %g", o.drag * slip, force);
		bool free = force <= 0 || given <= left;
		CHECK(!free || (o.part == 1 && o.drag == 0), "it acts on what may be given: force %g", force);
		bool weak = (1 - o.part) * force >= 0.25 * mass * speed * (1 - 1e-9);
		CHECK(free || weak || gives <= left + near, "gives %g of %g that are left", gives, left);
		CHECK(free || !weak || (1 - o.part) * force <= 0.25 * mass * speed * (1 + 1e-9), "more than a quarter");
		acted += !free;
		limited += !free && weak;
	}
	CHECK(acted > 1000 && limited > 1000, "%d acted, %d limited", (int)acted, (int)limited);
}

static void elastic_patches_are_repaid(void **state)
{
	(void)state;
	CHECK(repaid(1, 1) == 1 && repaid(0.5, 1) == 1 && repaid(-1, 1) == 1, "only what is lacking");
	CHECK(repaid(1.5, 1) == 1.5 && repaid(3, 2) == 1.5, "as many times as it took more");
	CHECK(repaid(100, 1) == 4 && repaid(1, 0) == 1, "within bounds");
}

/* reads the remaining energy after one more step, and frees the world */
static void look_after(scree_world *w, real before, outcome *o)
{
	o->stuck = w->work.touching > 0;
	lab_steps(w, 1);
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	o->made = (e.kinetic + e.elastic - before) / before;
	scree_world_free(w);
}

static outcome impact(const variant *v, bool cube, bool plane, real angle, quat turn, real phase, real restitution,
					  real friction, real rolling)
{
	scree_world *w = lab_world(rule_of(v, restitution, friction, rolling));
	mat3 t = quat_matrix(turn); /* the lowest point is this far below the centre of a cube */
	real low = cube ? SIZE / 2 * (real_abs(t.x.z) + real_abs(t.y.z) + real_abs(t.z.z)) : SIZE / 2;
	real high = low + 1e-12;
	real down = SPEED * real_max(cos(angle), 0.01), along = SPEED * sin(angle);
	int32_t shape = cube ? 1 : 0;
	if (plane) {
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, shape, SIZE, v3(0, 0, high), turn, v3(along, 0, -down), v3(0, 0, 0));
	} else {
		vec3 half = v3(along / 2, 0, -down / 2);
		lab_add_moving(w, shape, SIZE, v3(0, 0, high), turn, half, v3(0, 0, 0));
		lab_add_moving(w, shape, SIZE, v3(cube ? SIZE / 4 : 0, cube ? SIZE / 3 : 0, -SIZE / 2), quat_one(),
					   v3_neg(half), v3(0, 0, 0));
	}
	if (v->law == LAW_VOLUME) w->model.narrow = scree_narrow_find("overlap-volume");
	w->model.guard.speed = SPEED;
	lab_prepare(w, 0);
	lab_prepare(w, w->model.contact_time / STEPS);
	w->model.guard.speed = 0;
	/* the first contact is at a random time within a step */
	w->state.body.z[0] += phase * down * w->model.dt;
	real radius = plane ? w->state.body.round[0] : w->state.body.round[0] / 2,
		 before = scree_world_energy(&w->model, &w->state, &w->work).kinetic;
	outcome o = {.allowed = allowance(w, v, cube, before, radius)};
	bool touched = false;
	for (int64_t k = 0; k < 4000 && !(touched && !w->work.touching); ++k) {
		lab_steps(w, 1);
		touched |= w->work.touching > 0;
	}
	o.touched = touched;
	look_after(w, before, &o);
	return o;
}

static quat some_turn(random_stream *r)
{
	vec3 axis = v3(scree_random_between(r, -1, 1), scree_random_between(r, -1, 1), scree_random_between(r, -1, 1));
	real half = scree_random_between(r, 0, SCREE_PI) / 2;
	vec3 a = v3_mul(sin(half) / v3_norm(axis), axis);
	quat q = {cos(half), a.x, a.y, a.z};
	return q;
}

typedef struct worst {
	real part, made, angle;
	real sum;
	int64_t count, missed, stuck;
} worst;

static void note(worst *o, outcome is, real angle)
{
	o->sum += real_max(is.made, 0);
	o->count += 1;
	o->missed += !is.touched;
	o->stuck += is.stuck;
	if (!(is.made / is.allowed > o->part)) return;
	o->part = is.made / is.allowed, o->made = is.made, o->angle = angle;
}

static worst sweep(const variant *v, bool cube, bool plane, real restitution, real friction, real rolling)
{
	static const real degrees[] = {0, 5, 15, 30, 45, 60, 70, 80, 85, 89, 90};
	worst o = {.part = -1e300};
	random_stream r = scree_random_start(1, 7);
	for (size_t k = 0; k < sizeof degrees / sizeof *degrees; ++k)
		for (int turned = 0; turned < test_cases(4); ++turned) {
			quat turn = turned && cube ? some_turn(&r) : quat_one();
			real phase = scree_random_between(&r, 0, 1);
			note(&o, impact(v, cube, plane, degrees[k] * SCREE_PI / 180, turn, phase, restitution, friction, rolling),
				 degrees[k]);
		}
	return o;
}

/* tests every angle for this variant, with and without friction and rolling resistance, and reports the worst case */
static worst all_of(const variant *v, bool cube, bool plane, real restitution)
{
	worst o = {.part = -1e300};
	for (int f = 0; f < 2; ++f)
		for (int roll = 0; roll < (cube ? 1 : 2); ++roll) {
			worst s = sweep(v, cube, plane, restitution, f ? 0.5 : 0, roll ? 0.1 : 0);
			worst *big = s.part > o.part ? &s : &o;
			o = (worst){big->part,		   big->made,			big->angle,		  o.sum + s.sum,
						o.count + s.count, o.missed + s.missed, o.stuck + s.stuck};
		}
	print_message("%-13s %s, %-6s e %.1f: worst %8.3f of what is allowed, made %9.2e at %g degrees, mean made %.1e\n",
				  v->name, cube ? "cube" : "sphere", plane ? "plane," : "body,", restitution, o.part, o.made, o.angle,
				  o.sum / (real)o.count);
	return o;
}

static const real restitutions[] = {1, 0.9, 0.5};

static void spheres_make_no_energy(void **state)
{
	(void)state;
	for (int k = 0; k < VARIANTS; ++k)
		for (int plane = 0; plane < 2 && variants[k].law != LAW_VOLUME; ++plane)
			for (int e = 0; e < 3; ++e) {
				worst o = all_of(variants + k, false, plane, restitutions[e]);
				CHECK(o.part <= 1, "%s makes %g of the energy at %g degrees", variants[k].name, o.made, o.angle);
				CHECK(o.missed == 0, "%d of %d missed", (int)o.missed, (int)o.count);
			}
}

/* A patch that changes its shape under pressure is not a spring: without the energy limit (kernel/patch_contact.h),
 * elastic cubes gain several tenths of their energy in rare impacts, whatever the step. */
static void cubes_make_no_energy(void **state)
{
	(void)state;
	for (int k = 0; k < VARIANTS; ++k) {
		if (variants[k].cohesion == COHESION_JKR) continue;
		for (int plane = 0; plane < 2; ++plane)
			for (int e = 0; e < 3; ++e) {
				worst o = all_of(variants + k, true, plane, restitutions[e]);
				CHECK(o.part <= 1, "%s makes %g of the energy at %g degrees", variants[k].name, o.made, o.angle);
				CHECK(10 * o.missed < o.count, "%d of %d missed", (int)o.missed, (int)o.count);
			}
	}
}

/* Two polygons in the plane, one of which moves along x on a path that would pass the other polygon's centre at this
 * distance. */
static outcome plane_impact(const variant *v, int32_t sides, real off, random_stream *r, real restitution,
							real friction)
{
	scree_world *w = lab_world(rule_of(v, restitution, friction, 0));
	fail why = {0};
	scree_shapes_free(&w->model.shape);
	w->model.flat = true;
	w->model.thickness = SIZE;
	w->model.narrow = scree_narrow_find("closest-features");
	CHECK(scree_shapes_add_regular_polygon(&w->model.shape, "grain", sides, &why) == 0, "%s", why.text);
	for (int k = 0; k < 2; ++k) {
		real half = scree_random_between(r, 0, SCREE_PI) / 2;
		quat turn = {cos(half), 0, 0, sin(half)};
		vec3 at = k ? v3(0, 0, 0) : v3(-SIZE * (real)1.1, off, 0);
		lab_add_moving(w, 0, SIZE, at, turn, v3(k ? -SPEED / 2 : SPEED / 2, 0, 0), v3(0, 0, 0));
	}
	w->model.guard.speed = SPEED;
	lab_prepare(w, 0);
	lab_prepare(w, w->model.contact_time / (2 * STEPS));
	w->model.guard.speed = 0;
	real before = scree_world_energy(&w->model, &w->state, &w->work).kinetic;
	outcome o = {.allowed = allowance(w, v, true, before, w->state.body.round[0] / 2)};
	for (int64_t k = 0; k < 20000 && !(o.touched && !w->work.touching); ++k) {
		lab_steps(w, 1);
		o.touched |= w->work.touching > 0;
	}
	look_after(w, before, &o);
	return o;
}

/* Frictionless elastic cubes fly about: patches that lose energy when they change shape return it later. */
static void elastic_cubes_keep_their_energy(void **state)
{
	(void)state;
	enum { SIDE = 2 };
	for (int law = 0; law < 2; ++law) {
		scree_world *w = lab_world(law ? lab_hertz(1, 0) : lab_linear(1e4, 1, 0));
		random_stream r = scree_random_start(5, 2);
		real cell = 3 * SIZE;
		lab_periods(w, "xyz", v3(0, 0, 0), v3(SIDE * cell, SIDE * cell, SIDE * cell));
		for (int k = 0; k < SIDE * SIDE * SIDE; ++k) {
			vec3 at = v3(cell * (k % SIDE + 0.5), cell * (k / SIDE % SIDE + 0.5), cell * (k / SIDE / SIDE + 0.5));
			lab_add_moving(w, 1, SIZE, at, some_turn(&r), scree_random_direction(&r),
						   v3_mul(50, scree_random_direction(&r)));
		}
		w->model.guard.speed = 4;
		lab_prepare(w, 0);
		lab_prepare(w, w->model.usual_step);
		real before = lab_energy(w), worst = 0;
		int64_t free = 0;
		for (int64_t k = 0; k < (int64_t)(0.3 / w->model.dt); ++k) {
			lab_steps(w, 1);
			if (!w->work.touching) worst = real_max(worst, real_abs(lab_energy(w) / before - 1)), ++free;
		}
		energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		print_message("%s: energy off by %.1e, geometry %.1e\n", law ? "hertz" : "linear", worst, e.made / before);
		CHECK(free > 100, "they touch nearly all the time");
		CHECK(worst < 4e-3 && real_abs(e.made) < 5e-3 * before, "energy off by %g", worst);
		scree_world_free(w);
	}
}

static void polygons_make_no_energy(void **state)
{
	(void)state;
	random_stream r = scree_random_start(3, 3);
	for (int k = 0; k < 3; ++k)
		for (int32_t sides = 3; sides < 8; sides += 2)
			for (int e = 0; e < 3; ++e) {
				worst o = {.part = -1e300};
				for (int turned = 0; turned < test_cases(40); ++turned) {
					real off = scree_random_between(&r, -0.8 * SIZE, 0.8 * SIZE), friction = turned % 2 ? 0.5 : 0;
					note(&o, plane_impact(variants + k, sides, off, &r, restitutions[e], friction), off / SIZE);
				}
				print_message("%-7s %d sides, e %.1f: worst %8.3f of what is allowed, made %9.2e at %g of the size, "
							  "mean made %.1e\n",
							  variants[k].name, sides, restitutions[e], o.part, o.made, o.angle, o.sum / (real)o.count);
				CHECK(o.part <= 1, "%s makes %g of the energy at %g of the size", variants[k].name, o.made, o.angle);
				CHECK(2 * o.missed < o.count, "%d of %d missed", (int)o.missed, (int)o.count);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(restraint_takes_what_is_too_much), cmocka_unit_test(elastic_patches_are_repaid),
		cmocka_unit_test(spheres_make_no_energy),			cmocka_unit_test(cubes_make_no_energy),
		cmocka_unit_test(elastic_cubes_keep_their_energy),	cmocka_unit_test(polygons_make_no_energy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
