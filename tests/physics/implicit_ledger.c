/* The ledger of implicit steps and hard contacts (docs/theory/implicit.md, "Energy"): the work of external forces is
 * force times displacement, dashpots and Newton's rule dissipate the energy given by the law, and losses due to the
 * steps themselves have a separate entry and a limit. */
#include "choices/choices.h"
#include "guard/guard.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/narrow.h"
#include "model/response.h"
#include "test.h"

static const real D = 0.002;
static const char *const response_name[2] = {"implicit", "hard"};

static scree_world *world_of(contact_rule rule, int response)
{
	scree_world *w = lab_world(rule);
	if (rule.law == LAW_OVERLAP) w->model.narrow = scree_narrow_find("overlap-thickness");
	model_respond(&w->model, scree_response_find(response_name[response]));
	w->model.guard.energy = 0.05;
	return w;
}

static energy_row energies(const scree_world *w) { return scree_world_energy(&w->model, &w->state, &w->work); }

/* ------------------------------------------------------------------ forces from outside */

static void push_all(const state *s, real time, real *const force[6], void *with)
{
	const vec3 *f = with;
	(void)time;
	for (int32_t i = 0; i < s->body.count; ++i) force[0][i] = f->x, force[1][i] = f->y, force[2][i] = f->z;
}

/* A ball at rest is pressed against a plane, either by a program's force or by an equal weight; or a ball flies against
 * it. At any time during the impact, the work is force times displacement, and the ledger closes. */
static void pressed(int response, bool by_weight, real gap)
{
	scree_world *w = world_of(lab_hertz(0.5, 0), response);
	vec3 force = v3(0, 0, -1e-2);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(w, 0, D, v3(0, 0, D / 2 + gap));
	const real mass = w->state.body.mass[0];
	if (by_weight) w->model.gravity = v3_mul(1 / mass, force);
	if (!by_weight) w->model.applied = push_all, w->model.applied_context = &force;
	lab_prepare(w, 2e-5);
	const real from = w->state.body.z[0], high = energies(w).potential;
	for (int k = 0; k < 40; ++k) {
		lab_steps(w, 1);
		const energy_row e = energies(w);
		const real work = force.z * (w->state.body.z[0] - from);
		const real most = real_abs(work) + e.kinetic + e.elastic;
		if (!by_weight) NEAR(e.wall_work, work, 1e-9 * most, "work");
		if (by_weight) NEAR(high - e.potential, work, 1e-9 * most, "work of the weight");
		NEAR(e.residual, 0, 1e-6 * most, "residual");
	}
	const energy_row e = energies(w);
	print_message("%s, %s, gap %g: work %.4g, lost %.4g, by the method %.3g, residual %.2g\n", response_name[response],
				  by_weight ? "weight" : "force", gap, force.z * (w->state.body.z[0] - from), e.lost, e.lost_method,
				  e.residual);
	CHECK(gap > 0 || e.lost > 0, "the ball loses nothing");
	CHECK(gap <= 0 || real_abs(e.lost) < 1e-12 * e.kinetic, "a ball in free flight has lost %g", e.lost);
	scree_world_free(w);
}

static void work_is_force_times_displacement(void **state)
{
	(void)state;
	for (int r = 0; r < 2; ++r)
		for (int k = 0; k < 4; ++k) pressed(r, k & 1, k & 2 ? 1 : -1e-7);
}

/* ------------------------------------------------------------------ losses due to the law */

/* Two balls that hit each other. */
static scree_world *two_balls(int response, real restitution, real part)
{
	scree_world *w = world_of(lab_hertz(restitution, 0), response);
	for (int k = 0; k < 2; ++k)
		lab_add_moving(w, 0, D, v3((k - (real)0.5) * (real)1.03 * D, 0, 0), quat_one(), v3(k ? -0.1 : 0.1, 0, 0),
					   v3(0, 0, 0));
	lab_prepare(w, 0);
	fail why = {0};
	const real contact = w->model.contact_time;
	CHECK(part == 0 || scree_world_set_step(w, part * contact, &why), "%s", why.text);
	return w;
}

/* With Newton's rule, the law dissipates a fraction 1 - e^2 of the energy, wherever within a step the impact occurs,
 * and the method dissipates nothing. With steps that resolve the contact, the dashpot dissipates the same energy. */
static void the_law_takes_what_restitution_says(void **state)
{
	(void)state;
	static const real restitution[] = {1, 0.9, 0.5, 0.1};
	for (int r = 0; r < 2; ++r)
		for (int k = 0; k < 4; ++k) {
			scree_world *w = two_balls(r, restitution[k], 0);
			const real had = energies(w).kinetic;
			lab_steps(w, 60);
			const energy_row e = energies(w);
			const real law = (1 - restitution[k] * restitution[k]) * had;
			print_message("%s, e %g: by the law %.4f, by the method %.4f of the energy\n", response_name[r],
						  restitution[k], e.lost_normal / had, e.lost_method / had);
			NEAR(e.kinetic + e.elastic + e.lost, had, 1e-9 * had, "sum");
			NEAR(e.residual, 0, 1e-9 * had, "residual");
			NEAR(e.lost_normal, law, 0.03 * had, "taken by the law");
			CHECK(k || real_abs(e.lost_normal) < 1e-12 * had, "an elastic law takes %g", e.lost_normal);
			CHECK(e.kinetic < 0.99 * had || k == 0, "they did not meet");
			scree_world_free(w);
		}
}

/* ------------------------------------------------------------------ losses due to the method */

/* Elastic balls fly together into a heap: there are several contacts at once, and steps as long as a contact time lose
 * energy in them. */
static scree_world *crowd(int law, int response)
{
	enum { ACROSS = 3 };
	contact_rule rule = law == LAW_OVERLAP ? (contact_rule){.law = LAW_OVERLAP, .restitution = 1} : lab_hertz(1, 0);
	scree_world *w = world_of(rule, response);
	for (int k = 0; k < ACROSS * ACROSS * ACROSS; ++k) {
		const vec3 at = v3(k % ACROSS - 1, k / ACROSS % ACROSS - 1, k / (ACROSS * ACROSS) - 1);
		lab_add_moving(w, law == LAW_OVERLAP, D, v3_mul((real)1.1 * D, at), quat_one(), v3_mul(-0.05, at), v3(0, 0, 0));
	}
	return w;
}

static void what_the_method_takes_has_its_name(void **state)
{
	(void)state;
	for (int k = 0; k < 4; ++k) {
		scree_world *w = crowd(k & 1 ? LAW_OVERLAP : LAW_HERTZ, k / 2);
		lab_prepare(w, 0);
		const real had = energies(w).kinetic;
		lab_steps(w, 600);
		const energy_row e = energies(w);
		print_message("%s, law %d: by the method %.4f of the energy\n", response_name[k / 2], k & 1,
					  e.lost_method / had);
		NEAR(e.lost_normal, 0, 1e-12 * had, "an elastic law"), NEAR(e.lost_friction, 0, 1e-12 * had, "friction");
		CHECK(real_abs(e.lost_method) > 1e-4 * had, "steps that take nothing test nothing");
		NEAR(e.kinetic + e.elastic + e.lost_method, had, 1e-9 * had, "sum");
		scree_world_free(w);
	}
}

/* A limit on these losses stops a run, even in its last step; a limit that is large enough does not. */
static void a_limit_stops_such_losses(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		scree_world *w = crowd(LAW_OVERLAP, 0);
		lab_prepare(w, 0);
		const real had = energies(w).kinetic;
		lab_steps(w, 300);
		const real part = energies(w).lost_method / had;
		CHECK(part > 1e-3, "the method takes too little for this test, %g", part);
		w->model.guard.method = k ? 2 * part : part / 2;
		const uint64_t hash = scree_world_hash(&w->model, &w->state, &w->work);
		const bool holds = scree_energy_holds_at_end(&w->model, &w->state, &w->work);
		CHECK(holds == (k == 1), "limit %g, part %g: %s", w->model.guard.method, part, w->work.why.text);
		CHECK(k || strstr(w->work.why.text, "run.guard.method"), "%s", w->work.why.text);
		CHECK(hash == scree_world_hash(&w->model, &w->state, &w->work), "the test has changed the state");
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_is_force_times_displacement),
		cmocka_unit_test(the_law_takes_what_restitution_says),
		cmocka_unit_test(what_the_method_takes_has_its_name),
		cmocka_unit_test(a_limit_stops_such_losses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
