#include "lab.h"

#include "base/maths.h"
#include "broad/stage.h"
#include "format/snapshot.h"
#include "kernel/quat.h"
#include "model/response.h"
#include "narrow/stage.h"
#include "prepare/prepare.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

scree_world *lab_world(contact_rule rule)
{
	scree_world *w = scree_world_new();
	material m = {.name = "stuff", .density = 2500, .young = 1e7, .poisson = 0.25};
	scree_materials_add(&w->model.material, m);
	scree_materials_set_rule(&w->model.material, 0, 0, rule);
	fail why = {0};
	CHECK(scree_shapes_add_sphere(&w->model.shape, "ball") == 0, "no sphere");
	CHECK(scree_shapes_add_box(&w->model.shape, "cube", v3(1, 1, 1), &why) == 1, "%s", why.text);
	return w;
}

contact_rule lab_linear(real stiffness, real restitution, real friction)
{
	contact_rule r = {.law = LAW_LINEAR, .restitution = restitution, .friction = friction, .stiffness = stiffness};
	return r;
}

contact_rule lab_hertz(real restitution, real friction)
{
	contact_rule r = {.law = LAW_HERTZ, .restitution = restitution, .friction = friction};
	return r;
}

uint64_t lab_add_moving(scree_world *w, int32_t shape, real size, vec3 at, quat turn, vec3 velocity, vec3 spin)
{
	new_body b = {.shape = shape,
				  .size = size,
				  .position = at,
				  .orientation = turn,
				  .velocity = velocity,
				  .angular_velocity = spin};
	return scree_world_add(&w->model, &w->state, &w->work, 1, &b);
}

uint64_t lab_add(scree_world *w, int32_t shape, real size, vec3 at)
{
	return lab_add_moving(w, shape, size, at, quat_one(), v3(0, 0, 0), v3(0, 0, 0));
}

void lab_rows(scree_world *w)
{
	scree_state_room(&w->model, &w->state);
	scree_work_room(&w->work, w->model.wall.count, w->model.population.sources);
}

int32_t lab_plane(scree_world *w, vec3 point, vec3 normal)
{
	fail why = {0};
	int32_t row = scree_walls_add_plane(&w->model.wall, scree_wall_default("plane", 0), point, normal, &why);
	CHECK(row >= 0, "%s", why.text);
	lab_rows(w);
	return row;
}

void lab_periods(scree_world *w, const char *axes, vec3 low, vec3 size)
{
	w->model.period = (periods){.low = low, .size = size, .gradient = 1};
	for (; *axes; ++axes) w->model.period.axis[*axes - 'x'] = true;
	periods_begin(&w->model.period);
	scree_periods_set(&w->model.period, &w->state.images, 0, 1);
}

int32_t lab_row(const scree_world *w, uint64_t id)
{
	for (int32_t i = 0; i < w->state.body.count; ++i)
		if (w->state.body.id[i] == id) return i;
	CHECK(false, "no body %llu", (unsigned long long)id);
	return -1;
}

bool lab_left_out(const char *report)
{
	return !SCREE_PAPERS && report && strstr(report, "built without these methods (SCREE_PAPERS=OFF)");
}

void lab_prepare(scree_world *w, real step)
{
	fail why = {0};
	CHECK(scree_world_prepare(w, 0, step, &why), "%s", why.text);
}

void lab_steps(scree_world *w, int64_t steps)
{
	for (int64_t k = 0; k < steps; ++k) CHECK(scree_step(w), "%s", w->work.why.text);
}

scree_world *lab_resumed(const scree_world *w)
{
	char path[] = "/tmp/scree_lab_XXXXXX";
	const int file = mkstemp(path);
	fail why = {0};
	CHECK(file >= 0 && close(file) == 0, "no file");
	const bool written = scree_snapshot_write(w, NULL, path, &why);
	scree_world *again = written ? scree_snapshot_read(path, NULL, &why) : NULL;
	unlink(path);
	CHECK(again, "%s", why.text);
	return again;
}

uint64_t lab_hash_after(scree_world *w, real step, int64_t steps)
{
	lab_prepare(w, step);
	lab_steps(w, steps);
	const uint64_t hash = scree_world_hash(&w->model, &w->state, &w->work);
	CHECK(w->state.impulse.collisions > 100, "%lld collisions", (long long)w->state.impulse.collisions);
	scree_world_free(w);
	return hash;
}

void lab_lose_pairs(scree_world *w)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		contact_work *c = &w->work.pair[kind].contact;
		real *const column[] = {c->nx,	c->ny, c->nz, c->px,   c->py,	 c->pz,	 c->depth,
								c->arm, c->ra, c->rb, c->firm, c->share, c->part};
		for (size_t k = 0; k < sizeof column / sizeof *column; ++k)
			for (int64_t row = 0; column[k] && row < c->capacity; ++row) column[k][row] = 0.25;
		for (int64_t row = 0; c->force && row < c->capacity; ++row)
			c->force[row] = (contact_force){{1, 2, 3}, {4, 5, 6}, 7};
		for (int64_t row = 0; c->points && row < c->capacity; ++row) c->points[row] = 7, c->first[row] = 1000;
		scree_slot_cache_clear(&w->work.pair[kind].cache);
	}
}

static void lose_stages(work *o)
{
	scree_broad_work_free(o->broad);
	scree_narrow_work_free(o->narrow);
	scree_solver_work_free(o->solver);
	o->broad = scree_broad_work_new();
	o->narrow = scree_narrow_work_new();
	o->solver = scree_solver_work_new();
}

/* memory may be NULL */
static void spoil(void *memory, int byte, size_t size)
{
	if (memory) memset(memory, byte, size);
}

/* Writes wrong numbers into memory that the next search for pairs will overwrite, so that reading it too early is
 * detected. */
static void lose_arrays(work *o)
{
	CHECK(!o->flight.any, "bodies are between two steps");
	spoil(o->record, 0x7f, (size_t)o->records * sizeof *o->record);
	spoil(o->wall, 0x7f, (size_t)o->walls * sizeof *o->wall);
	spoil(o->load, 0x7f, (size_t)o->walls * WALL_SUMS * sizeof *o->load);
	spoil(o->flight.fly, 0x55, (size_t)o->flight.words * sizeof *o->flight.fly);
	for (int32_t t = 0; t < o->threads; ++t) o->thread[t].points.count = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) o->near[kind].count = o->near[kind].facets = 0;
	for (int32_t k = 0; k < o->sources; ++k) o->told[k] = false;
}

void lab_lose_work(scree_world *w)
{
	work *o = &w->work;
	lab_lose_pairs(w);
	lose_stages(o);
	lose_arrays(o);
	sums *q = &o->sums;
	const flights *f = &o->flight;
	/* keeps all members except memory and the domain of this part */
	work kept = {.broad = o->broad, .narrow = o->narrow, .solver = o->solver, .domain = o->domain};
	kept.records = o->records, kept.record = o->record;
	kept.threads = o->threads, kept.thread = o->thread;
	kept.walls = o->walls, kept.wall = o->wall, kept.load = o->load;
	kept.sources = o->sources, kept.told = o->told;
	kept.sums = (sums){.wide = q->wide, .wide_set = q->wide_set, .room = q->room};
	kept.flight = (flights){.fly = f->fly, .words = f->words, .near = f->near, .near_capacity = f->near_capacity};
	kept.flight.of = f->of, kept.flight.before = f->before, kept.flight.ground = f->ground;
	kept.applied = o->applied;
	kept.skin.stale = true;
	memcpy(kept.pair, o->pair, sizeof kept.pair);
	memcpy(kept.near, o->near, sizeof kept.near);
	*o = kept;
}

real lab_energy(const scree_world *w)
{
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	return e.kinetic + e.potential + e.elastic;
}

real lab_elastic_gas(scree_world *w, real duration, int64_t *impacts)
{
	w->model.guard.speed = 4;
	lab_prepare(w, 0);
	const real before = lab_energy(w);
	real worst = 0;
	int64_t touched = 0;
	*impacts = 0;
	for (int64_t k = 0; k < (int64_t)(duration / w->model.dt); ++k) {
		lab_steps(w, 1);
		if (w->work.touching > touched) *impacts += w->work.touching - touched;
		touched = w->work.touching;
		if (k % 100 == 0) worst = real_max(worst, real_abs(lab_energy(w) / before - 1));
	}
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	CHECK(e.lost_normal == 0 && e.lost_friction == 0, "elastic, yet something is lost");
	return worst;
}

void lab_refused(scree_world *w, real step, const char *words)
{
	fail why = {0};
	CHECK(!scree_world_prepare(w, 0, step, &why), "accepted: %s", words);
	CHECK(strstr(why.text, words), "found '%s'", why.text);
	scree_world_free(w);
}

int64_t lab_one_contact(scree_world *w)
{
	int64_t steps = 0;
	for (int k = 0; k < 100000 && !(steps && !w->work.touching); ++k) {
		lab_steps(w, 1);
		steps += w->work.touching;
	}
	CHECK(w->work.touching == 0, "the contact lasts for ever");
	return steps;
}

void lab_block_on_slopes(scree_world *gentle, scree_world *steep, int32_t shape, real size, real friction,
						 real tolerance)
{
	const real g = 9.81;
	for (int k = 0; k < 2; ++k) {
		scree_world *w = k ? steep : gentle;
		vec3 up = w->model.flat ? v3(0, 1, 0) : v3(0, 0, 1);
		real slope = (k ? 1.01 : 0.99) * scree_atan2(friction, 1), s, c;
		scree_sincos(slope, &s, &c);
		lab_plane(w, v3(0, 0, 0), up);
		w->model.gravity = v3_madd(v3(g * s, 0, 0), -g * c, up);
		lab_add(w, shape, size, v3_mul(size / 2, up));
		lab_prepare(w, 0);
		lab_steps(w, (int64_t)(0.5 / w->model.dt)); /* until the block has stopped bouncing and slides steadily */
		real before = w->state.body.vx[0], since = w->state.time;
		lab_steps(w, (int64_t)(0.2 / w->model.dt));
		real faster = (w->state.body.vx[0] - before) / (w->state.time - since), expected = g * (s - friction * c);
		if (k)
			NEAR(faster, expected, tolerance * expected, "acceleration of the slide");
		else
			CHECK(w->work.greatest_speed < 1e-6, "it moves at %g m/s", w->work.greatest_speed);
		scree_world_free(w);
	}
}

void lab_hook_hangs(scree_world *w, int32_t shape, real size, real below)
{
	w->model.gravity = v3(0, -9.81, 0);
	/* rotated by 180 degrees about x, so that its open side is down, and by 90 degrees about y, so that the arms cross:
	 * its bar rests on the bar of the held hook, and each bar is between the arms of the other hook */
	const quat down = quat_mul(quat_of(0.70710678118654752, 0, 0.70710678118654752, 0), quat_of(0, 1, 0, 0));
	new_body held = {.shape = shape, .size = size, .orientation = quat_one(), .flags = BODY_HELD};
	scree_world_add(&w->model, &w->state, &w->work, 1, &held);
	uint64_t id = lab_add_moving(w, shape, size, v3(0, -below, 0), down, v3(0, 0, 0), v3(0, 0, 0));
	w->model.guard.speed = 1;
	lab_prepare(w, 0);
	lab_steps(w, 20000);
	vec3 before = body_position(&w->state.body, lab_row(w, id));
	CHECK(w->work.touching > 0, "it touches nothing");
	lab_steps(w, 20000);
	int32_t i = lab_row(w, id);
	real way = v3_norm(v3_sub(body_position(&w->state.body, i), before)),
		 speed = v3_norm(body_velocity(&w->state.body, i));
	CHECK(way < 1e-9 * size, "it creeps by %g", way / size);
	CHECK(speed < 1e-9, "it moves at %g", speed);
	scree_world_free(w);
}
