/* Arbitrary calls to the library with arbitrary arguments: each returns a code, without a crash or an internal error.
 * The first byte selects a scene; each call is then a byte followed by its arguments. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scree/measures.h"
#include "scree/world.h"

#include "base/fail.h"
#include "base/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { MOST_CALLS = 60, MOST_STEPS = 120, MOST_BODIES = 40 };

#define MATERIALS                                                                                                      \
	"scene: 1\n"                                                                                                       \
	"materials: {m: {density: 2500 kg/m^3, young: 1 MPa}, n: {density: 1000 kg/m^3, young: 2 MPa}}\n"                  \
	"contacts: {default: {restitution: 0.5, friction: 0.3}, m + n: {rolling_friction: 0.1}}\n"

static const char *const scenes[] = {
	MATERIALS
	"shapes: {ball: {sphere: 1}, brick: {box: [1, 0.8, 0.5]}, l: {clump: {centers: [[0, 0, 0], [0.5, 0, 0], [0, 0.5, "
	"0.2]], "
	"radii: [0.4, 0.4, 0.3]}}}\n"
	"walls: {box: {box: {min: [0 m, 0 m, 0 m], max: [60 mm, 60 mm, 90 mm]}, material: n}, "
	"lid: {plane: {point: [0 m, 0 m, 80 mm], normal: [0, 0, -1]}, material: m, motion: {velocity: [0, 0, -10 mm/s]}}}\n"
	"fill: [{lattice: {spacing: 16 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [48 mm, 32 mm, 32 mm]}}, material: "
	"m, "
	"mix: [{shape: ball, size: 10 mm}, {shape: brick, size: 12 mm}, {shape: l, size: 9 mm}], orientation: random, "
	"seed: 3, "
	"velocity: [0.1 m/s, 0.05 m/s, -0.5 m/s]}]\n"
	"run: {until: 1 s}\n",
	MATERIALS
	"world: {dimension: 2}\n"
	"shapes: {ball: {disc: 1}, brick: {polygon: [[0, 0], [1, 0], [0.8, 0.7]]}, l: {ellipse: {length: 1, width: 0.6}}}\n"
	"walls: {box: {box: {min: [0 m, 0 m], max: [60 mm, 90 mm]}, material: n}, "
	"lid: {line: {point: [0 m, 80 mm], normal: [0, -1]}, material: m, motion: {servo: {force: 0.1 N}}}}\n"
	"fill: [{lattice: {spacing: 15 mm}, region: {box: {min: [0 m, 0 m], max: [45 mm, 60 mm]}}, material: m, "
	"mix: [{shape: ball, size: 10 mm}, {shape: brick, size: 12 mm}, {shape: l, size: 9 mm}], velocity: [0.1 m/s, -0.5 "
	"m/s]}]\n"
	"run: {until: 1 s}\n",
	MATERIALS
	"world: {domain: {min: [0 m, 0 m, 0 m], max: [60 mm, 60 mm, 60 mm]}, periodic: [x, y]}\n"
	"shapes: {ball: {sphere: 1}, brick: {box: [1, 0.8, 0.5]}}\n"
	"walls: {lid: {plane: {point: [0 m, 0 m, 0 m], normal: [0, 0, 1]}, material: n}}\n"
	"fill: [{lattice: {spacing: 15 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [60 mm, 60 mm, 30 mm]}}, material: "
	"m, "
	"mix: [{shape: ball, size: 10 mm}, {shape: brick, size: 9 mm}], velocity: [0.3 m/s, 0.2 m/s, -0.4 m/s]}]\n"
	"run: {until: 1 s}\n",
	"scene: 1\n"
	"materials: {m: {density: 2500 kg/m^3}, n: {density: 1000 kg/m^3}}\n"
	"contacts: {default: {restitution: 0.5}}\n"
	"world: {gravity: [0, 0, 0]}\n"
	"shapes: {ball: {sphere: 1}}\n"
	"walls: {lid: {box: {min: [0 m, 0 m, 0 m], max: [60 mm, 60 mm, 60 mm]}, material: n}}\n"
	"fill: [{lattice: {spacing: 15 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [60 mm, 60 mm, 30 mm]}}, "
	"material: m, "
	"shape: ball, size: 10 mm, velocity: [0.3 m/s, 0.2 m/s, -0.4 m/s]}]\n"
	"run: {until: 1 s, response: elastic}\n"};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* ------------------------------------------------------------------ arguments */

typedef struct input {
	const uint8_t *at, *end;
} input;

static uint8_t byte(input *in) { return in->at < in->end ? *in->at++ : 0; }

/* usual, extreme or arbitrary numbers */
static double number(input *in)
{
	static const double usual[] = {0,	 1,	   -1,	  1e-2,	 -1e-2, 3e-2, 5e-2, 0.1,	  0.5,		 2,
								   9.81, 1e-9, 1e-30, 1e300, -1e30, 1e12, 1e6,	INFINITY, -INFINITY, NAN};
	const uint8_t which = byte(in);
	if (which < sizeof usual / sizeof *usual) return usual[which];
	if (which < 250) return ((double)which - 128) / 1000; /* some centimetres */
	union {
		uint64_t bits;
		double value;
	} any = {0};
	for (int k = 0; k < 8; ++k) any.bits = any.bits << 8 | byte(in);
	return any.value;
}

static void vector(input *in, double v[4])
{
	for (int c = 0; c < 4; ++c) v[c] = number(in);
}

/* mostly existing ids */
static uint64_t id(input *in)
{
	const uint8_t which = byte(in);
	return which < 250 ? which % 40u : UINT64_MAX - which;
}

static const char *name(input *in)
{
	static const char *const names[] = {"m",
										"n",
										"ball",
										"brick",
										"l",
										"lid",
										"box",
										"x",
										"qw",
										"vz",
										"id",
										"restitution",
										"friction",
										"young",
										"poisson",
										"rolling_friction",
										"stiffness",
										"density",
										"twisting_friction",
										"tangential_ratio",
										"",
										NULL};
	return names[byte(in) % (sizeof names / sizeof *names)];
}

/* ------------------------------------------------------------------ calls */

static void push(const scree_force_rows *r, void *context)
{
	const double f = *(double *)context;
	for (int64_t i = 0; i < r->rows; ++i) r->fz[i] += f * r->mass[i] - r->x[i], r->tx[i] += 1e-9 * f;
}

static void read_all(scree_sim *s)
{
	scree_contact c;
	scree_cursor at = {0};
	scree_ledger e;
	scree_guards g;
	scree_measures m;
	scree_wall w;
	double stress[6], gravity[3];
	while (scree_sim_next_contact(s, &at, &c)) SCREE_ASSERT(scree_sim_row(s, c.a) >= 0);
	(void)scree_sim_ledger(s, &e), (void)scree_sim_guards(s, &g), (void)scree_sim_stress(s, stress);
	(void)scree_sim_measure(s, &m);
	for (int k = -1; k <= scree_sim_walls(s); ++k) (void)scree_sim_wall(s, k, &w);
	scree_sim_gravity(s, gravity);
	(void)scree_sim_hash(s), (void)scree_sim_notes(s), (void)scree_sim_error(s);
}

static void read_reports(scree_sim *s)
{
	scree_progress_row p;
	const char *text;
	SCREE_ASSERT(scree_sim_summary(s) && scree_sim_notes_until(s, 1) && scree_sim_warnings(s) && scree_sim_closing(s));
	(void)scree_sim_check(s, &text), (void)scree_sim_progress(s, &p);
}

static void read_array(scree_sim *s, input *in)
{
	scree_array a;
	double sum = 0;
	if (scree_sim_array_at(s, (int)byte(in) - 3, &a)) return;
	for (int64_t i = 0; i < a.rows && a.type == SCREE_F64; ++i) sum += ((double *)a.data)[i];
	SCREE_ASSERT(sum == sum || sum != sum); /* all values have been read */
}

static scree_code write_array(scree_sim *s, input *in)
{
	static const char *const names[] = {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"};
	scree_array a;
	if (byte(in) % 2 && scree_sim_changing(s)) return SCREE_BAD_INPUT;
	if (scree_sim_array(s, names[byte(in) % 13], &a) || !a.rows) return SCREE_BAD_INPUT;
	double *row = (double *)a.data + byte(in) % a.rows, before = *row;
	*row = number(in);
	scree_code code = scree_sim_changed(s, byte(in) % 4);
	if (code == SCREE_DONE) return code;
	if (code == SCREE_BAD_INPUT && scree_sim_array(s, a.name, &a) == SCREE_DONE)
		*row = before, code = scree_sim_changed(s, SCREE_POSITIONS | SCREE_VELOCITIES);
	return code;
}

static scree_code add(scree_sim *s, input *in)
{
	scree_body body[3];
	const int64_t count = (int64_t)(byte(in) % 5) - 1;
	uint64_t first;
	if (scree_sim_bodies(s) >= MOST_BODIES) return SCREE_DONE;
	for (int k = 0; k < 3; ++k) {
		double v[4][4];
		for (int j = 0; j < 4; ++j) vector(in, v[j]);
		body[k] = (scree_body){.shape = name(in), .material = name(in), .size = number(in), .held = byte(in) % 2};
		memcpy(body[k].position, v[0], sizeof body[k].position);
		memcpy(body[k].velocity, v[1], sizeof body[k].velocity);
		memcpy(body[k].angular_velocity, v[2], sizeof body[k].angular_velocity);
		if (byte(in) % 2) memcpy(body[k].orientation, v[3], sizeof body[k].orientation);
	}
	return scree_sim_add(s, count > 3 ? INT64_MAX : count, body, &first);
}

static scree_code remove_some(scree_sim *s, input *in)
{
	uint64_t ids[4];
	for (int k = 0; k < 4; ++k) ids[k] = id(in);
	const int64_t count = (int64_t)(byte(in) % 6) - 1;
	return scree_sim_remove(s, count > 4 ? INT64_MAX : count, ids);
}

static scree_code place(scree_sim *s, input *in)
{
	double v[4][4];
	const uint8_t which = byte(in);
	for (int k = 0; k < 4; ++k) vector(in, v[k]);
	return scree_sim_place(s, id(in), which & 1 ? v[0] : NULL, which & 2 ? v[1] : NULL, which & 4 ? v[2] : NULL,
						   which & 8 ? v[3] : NULL);
}

static scree_sim *save_and_restore(scree_sim *s)
{
	static char path[] = "/tmp/scree_fuzz_library.XXXXXX";
	static int made;
	if (!made) made = mkstemp(path);
	if (scree_sim_save(s, path)) return s;
	scree_sim *r = scree_sim_restore(path, 1, NULL);
	if (!r) return s;
	scree_sim_close(s);
	return r;
}

static scree_code make_call(scree_sim *s, input *in, int *steps, double *force)
{
	double v[2][4], value;
	const uint8_t which = byte(in);
	switch (which % 18) {
	case 0:
	case 1: {
		const int n = byte(in) % 30;
		*steps += n;
		return scree_sim_step(s, n);
	}
	case 2:
		return scree_sim_step(s, -(int64_t)byte(in));
	case 3:
		(which < 128 ? read_all : read_reports)(s);
		return SCREE_DONE;
	case 4:
		read_array(s, in);
		return SCREE_DONE;
	case 5:
	case 6:
		return write_array(s, in);
	case 7:
		return add(s, in);
	case 8:
		return remove_some(s, in);
	case 9:
		return place(s, in);
	case 10:
		*force = number(in);
		return scree_sim_on_force(s, byte(in) % 3 ? push : NULL, force);
	case 11:
		vector(in, v[0]), vector(in, v[1]);
		return scree_sim_set_force(s, id(in), v[0], byte(in) % 2 ? v[1] : NULL);
	case 12:
		vector(in, v[0]);
		return scree_sim_set_gravity(s, v[0]);
	case 13: {
		const char *of = name(in), *key = name(in);
		return scree_sim_set_material(s, of, key, number(in));
	}
	case 14: {
		const char *a = name(in), *b = name(in), *key = name(in);
		(void)scree_sim_contact_rule(s, a, b, key, &value);
		return scree_sim_set_contact_rule(s, a, b, key, number(in));
	}
	case 15: {
		const int wall = (int)(byte(in) % 8) - 1;
		vector(in, v[0]), vector(in, v[1]);
		return scree_sim_move_wall(s, wall, v[0], v[1]);
	}
	case 16: {
		const double to = number(in), far = (to - scree_sim_time(s)) / scree_sim_step_length(s);
		return far > 100 && to < 1e300 ? SCREE_DONE : scree_sim_run_until(s, to);
	}
	default:
		return scree_sim_set_step_length(s, byte(in) % 2 ? number(in) : scree_sim_step_length(s) * 0.9);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	input in = {bytes, bytes + length};
	const int64_t used = scree_memory_used();
	int steps = 0;
	double force = 0;
	scree_sim *s = scree_sim_open(&(scree_open_options){.text = scenes[byte(&in) % SCENES], .threads = 1}, NULL);
	SCREE_ASSERT(s);
	for (int k = 0; k < MOST_CALLS && in.at < in.end && steps < MOST_STEPS; ++k) {
		if (*in.at == 255) {
			byte(&in);
			s = save_and_restore(s);
			continue;
		}
		const scree_code code = make_call(s, &in, &steps, &force);
		SCREE_ASSERT(code == SCREE_DONE || code == SCREE_BAD_INPUT || code == SCREE_GUARD);
		SCREE_ASSERT(code == SCREE_DONE || *scree_sim_error(s));
	}
	read_all(s);
	scree_sim_close(s);
	SCREE_ASSERT(scree_memory_used() == used);
	return 0;
}
