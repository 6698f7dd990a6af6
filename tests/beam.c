#include "beam.h"

#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/response.h"
#include "shape/shapes.h"
#include "state/bonds.h"
#include "test.h"

static const real YOUNG = 1e8, RATIO = 2.5;

contact_rule beam_rule(real damping)
{
	contact_rule r = lab_hertz(0.5, 0.3);
	r.bond = (bond_rule){.young = YOUNG,
						 .ratio = RATIO,
						 .tension = BEAM_TENSION,
						 .shear = BEAM_SHEAR,
						 .factor = 0.9,
						 .damping = damping,
						 .gap = 3e-6,
						 .seed = 1};
	return r;
}

bond_form beam_form(void)
{
	const bond_rule r = beam_rule(0).bond;
	return bond_form_of(&r, (bonded_body){BEAM_R, 1}, (bonded_body){BEAM_R, 1}, BEAM_LENGTH, 0);
}

/* ------------------------------------------------------------------ worlds */

static void apply(const struct state *s, real time, real *const force[6], void *context)
{
	beam_load *o = context;
	const bodies *b = &s->body;
	o->now = o->ramp > 0 ? time / o->ramp : 1;
	for (int32_t i = 0; i < b->owned; ++i) {
		const real part = b->id[i] == o->id ? o->now : 0;
		force[0][i] = part * o->force.x - o->drag * b->vx[i];
		force[1][i] = part * o->force.y - o->drag * b->vy[i];
		force[2][i] = part * o->force.z - o->drag * b->vz[i];
		force[3][i] = part * o->torque.x - o->turning_drag * b->wx[i];
		force[4][i] = part * o->torque.y - o->turning_drag * b->wy[i];
		force[5][i] = part * o->torque.z - o->turning_drag * b->wz[i];
	}
}

scree_world *beam_world(contact_rule rule, const char *response)
{
	scree_world *w = lab_world(rule);
	model_respond(&w->model, scree_response_find(response));
	w->model.guard.energy = 0;
	w->model.unsafe = w->model.implicit; /* permits steps longer than the limit for bonds */
	return w;
}

static void add_row(scree_world *w, int32_t shape, int32_t bonds, beam_load *with)
{
	const new_body held = {.shape = shape, .size = 2 * BEAM_R, .orientation = quat_one(), .flags = BODY_HELD};
	scree_world_add(&w->model, &w->state, &w->work, 1, &held);
	for (int32_t k = 1; k <= bonds; ++k) with->id = lab_add(w, shape, 2 * BEAM_R, v3(k * BEAM_LENGTH, 0, 0));
	w->model.applied = apply;
	w->model.applied_context = with;
}

scree_world *beam_new(contact_rule rule, const char *response, int32_t bonds, beam_load *with, real step)
{
	scree_world *w = beam_world(rule, response);
	add_row(w, 0, bonds, with);
	lab_prepare(w, 0);
	if (step != 1) lab_prepare(w, step * w->model.dt);
	return w;
}

int32_t beam_end(const scree_world *w, const beam_load *o) { return lab_row(w, o->id); }

int64_t beam_bonds(const scree_world *w) { return scree_world_bonds(&w->state, &w->work); }

int64_t beam_broken(const scree_world *w) { return w->state.broken; }

void beam_set_drag(const scree_world *w, beam_load *o, real stiffness, int32_t bonds)
{
	const real mass = w->state.body.mass[beam_end(w, o)];
	o->drag = 2 * sqrt(stiffness / (0.25 * bonds * mass)) * mass;
}

void beam_add_rotating_pair(scree_world *w, real rate)
{
	const vec3 spin = v3(rate / 3, 0, rate);
	for (int side = -1; side <= 1; side += 2)
		lab_add_moving(w, 0, 2 * BEAM_R, v3(side * BEAM_LENGTH / 2, 0, 0), quat_one(),
					   v3(0, side * rate * BEAM_LENGTH / 2, 0), spin);
}

void beam_add_block(scree_world *w)
{
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int k = 0; k < 64; ++k)
		lab_add_moving(w, 0, 2 * BEAM_R,
					   v3(k % 4 * BEAM_LENGTH, k / 4 % 4 * BEAM_LENGTH, 1.2 * BEAM_R + k / 16 * BEAM_LENGTH),
					   quat_one(), v3(2.0 * (k / 16), 0.2, -1), v3(0, 0, 0));
	w->model.gravity = v3(0, 0, -9.81);
}

/* ------------------------------------------------------------------ beams at rest */

static void check_whole(const scree_world *w)
{
	CHECK(beam_bonds(w) == BEAM_BONDS && beam_broken(w) == 0, "%lld bonds", (long long)beam_bonds(w));
}

real beam_timoshenko(int32_t bonds)
{
	const real area = SCREE_PI * 0.81 * BEAM_R * BEAM_R,
			   second = SCREE_PI / 4 * 0.6561 * BEAM_R * BEAM_R * BEAM_R * BEAM_R;
	const real l = bonds * BEAM_LENGTH;
	return l * l * l / (3 * YOUNG * second) + l / (YOUNG / RATIO * area);
}

void beam_bends(const char *response, real step, int64_t steps)
{
	const bond_form f = beam_form();
	const real bent = 1e-4 * BEAM_R;
	beam_load o = {.force = v3(0, 0, bent / beam_timoshenko(BEAM_BONDS))};
	scree_world *w = beam_new(beam_rule(0.1), response, BEAM_BONDS, &o, step);
	CHECK(beam_bonds(w) == 0, "before the first step");
	beam_set_drag(w, &o, 1 / beam_timoshenko(BEAM_BONDS), BEAM_BONDS);
	lab_steps(w, steps);
	const real z = w->state.body.z[beam_end(w, &o)];
	print_message("%s, step %g s: %.6f of Timoshenko's, %.1f sweeps per step\n", response, w->model.dt, z / bent,
				  (real)w->state.impulse.sweeps / (real)steps);
	check_whole(w);
	NEAR(z, bent, 0.01 * bent, "Timoshenko");
	real sum = 0; /* closed form for a beam that bends only at the midpoint of each bond */
	for (int k = 1; k <= BEAM_BONDS; ++k)
		sum += (k - 0.5) * (k - 0.5) * BEAM_LENGTH * BEAM_LENGTH / f.bends + 1 / f.across;
	NEAR(z, o.force.z * sum, 1e-3 * bent, "of its bonds");
	scree_world_free(w);
}

void beam_is_stretched_and_twisted(const char *response, int64_t steps)
{
	const bond_form f = beam_form();
	for (int twists = 0; twists < 2; ++twists) {
		beam_load o = {0};
		if (twists)
			o.torque = v3(1e-3 * f.twists, 0, 0);
		else
			o.force = v3(1e-3 * f.along * BEAM_R, 0, 0);
		scree_world *w = beam_new(beam_rule(0.1), response, 4, &o, 1);
		const int32_t i = beam_end(w, &o);
		o.drag = sqrt(f.along * w->state.body.mass[i]) / 3;
		o.turning_drag = sqrt(f.twists * w->state.body.ix[i]) / 3;
		lab_steps(w, steps);
		if (twists)
			NEAR(2 * asin(w->state.body.qx[i]), 4e-3, 1e-3 * 4e-3, "angle of the end");
		else
			NEAR(w->state.body.x[i] - 4 * BEAM_LENGTH, 4e-3 * BEAM_R, 1e-3 * 4e-3 * BEAM_R, "displacement of the end");
		scree_world_free(w);
	}
}

/* Like the beam of spheres, but with a different cross section. */
void beam_of_discs_bends(const char *response, int64_t steps)
{
	const real thickness = 5e-3, area = 1.8 * BEAM_R * thickness,
			   second = (real)2 / 3 * 0.729 * BEAM_R * BEAM_R * BEAM_R * thickness;
	const real l = BEAM_BONDS * BEAM_LENGTH;
	const real bends = l * l * l / (3 * YOUNG * second), shears = l / (YOUNG / RATIO * area);
	const real middles = bends * (1 - 1 / (4.0 * BEAM_BONDS * BEAM_BONDS)); /* bends at the midpoint of each bond */
	scree_world *w = beam_world(beam_rule(0.1), response);
	beam_load o = {.force = v3(0, 1e-4 * BEAM_R / (bends + shears), 0)};
	fail why;
	w->model.flat = true;
	w->model.thickness = thickness;
	w->model.narrow = scree_narrow_find("closest-features");
	const int32_t disc = scree_shapes_add_disc(&w->model.shape, "disc", &why);
	CHECK(disc >= 0, "%s", why.text);
	add_row(w, disc, BEAM_BONDS, &o);
	lab_prepare(w, 0);
	beam_set_drag(w, &o, 1 / (bends + shears), BEAM_BONDS);
	lab_steps(w, steps);
	check_whole(w);
	NEAR(w->state.body.y[beam_end(w, &o)], o.force.y * (middles + shears), 1e-3 * 1e-4 * BEAM_R, "of its bonds");
	scree_world_free(w);
}

/* ------------------------------------------------------------------ breakage */

void beam_breaks_at_its_strength(const char *response, int64_t steps, real tolerance)
{
	const bond_form f = beam_form();
	const struct {
		vec3 force, torque;
		const char *what;
	} most[] = {
		{v3(BEAM_TENSION * f.area, 0, 0), v3(0, 0, 0), "tension"},
		{v3(0, 0, 0), v3(BEAM_SHEAR * f.polar / f.radius, 0, 0), "torsion"},
		{v3(0, 0, 0), v3(0, BEAM_TENSION * f.second / f.radius, 0), "bending"},
		/* transverse force, whose moment about the midpoint of the bond is cancelled by the torque */
		{v3(0, 0, BEAM_SHEAR * f.area), v3(0, BEAM_SHEAR * f.area * BEAM_LENGTH / 2, 0), "shear"},
	};
	for (size_t k = 0; k < sizeof most / sizeof *most; ++k) {
		beam_load o = {.force = most[k].force, .torque = most[k].torque};
		scree_world *w = beam_new(beam_rule(0.1), response, 1, &o, 1);
		const int32_t i = beam_end(w, &o);
		o.drag = (real)0.1 * sqrt(f.bends * w->state.body.mass[i]) / BEAM_R;
		o.turning_drag = (real)0.1 * sqrt(f.bends * w->state.body.ix[i]);
		o.ramp = (real)steps * w->model.dt;
		while (!beam_broken(w) && o.now < 1.1) lab_steps(w, 1);
		CHECK(beam_broken(w) == 1 && beam_bonds(w) == 0, "%s, %s: %lld broken", response, most[k].what,
			  (long long)beam_broken(w));
		NEAR(o.now, 1, tolerance, most[k].what);
		scree_world_free(w);
	}
}
