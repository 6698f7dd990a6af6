/* Friction of faces: a slider of three directions, two across the normal and the turn about it. Known answers are
 * Coulomb's for an even pressure; docs/theory/laws.md, "Friction". */
#include "base/maths.h"
#include "base/memory.h"
#include "kernel/quat.h"
#include "lab.h"
#include "test.h"

static const real G = 9.81, L = 0.02, DENSITY = 2500;

/* ------------------------------------------------------------------ prisms that stand on a face */

/* A prism of edge or circumradius 1 in its base: area, mean distance and mean square of distance from the middle. */
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

/* mean of the distance over a side from its middle, h away, to the corner, s aside: (d + h^2/s asinh(s/h)) / 2 */
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
	int32_t row = scree_shapes_add_hull(&w->shape, p->name, 2 * p->corners, at, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

/* size: that of L in the base */
static real mass_of(const prism *p) { return DENSITY * p->area * p->high * L * L * L; }
static real inertia_of(const prism *p) { return mass_of(p) * p->square * L * L; }

/* what the hull's size is when its base has the edge L: the diameter of its bounding sphere counts, not the edge */
static real size_for(const scree_world *w, int32_t shape, const prism *p)
{
	return L * scree_pow(p->area * p->high / w->shape.row[shape].volume, 1.0 / 3);
}

typedef enum ground { ON_PLANE, ON_MESH, ON_TUBE, ON_CUBE } ground;
static const char *const ground_name[] = {"plane", "mesh", "tube", "cube"};

static void add_ground(scree_world *w, ground on)
{
	fail why = {0};
	wall base = scree_wall_default("ground", 0);
	if (on == ON_PLANE || on == ON_CUBE) lab_plane(w, v3(0, 0, on == ON_CUBE ? -4 * L : 0), v3(0, 0, 1));
	if (on == ON_TUBE) {
		real r = 20 * L;
		CHECK(scree_walls_add_cylinder(&w->wall, base, v3(-1, 0, -r), v3(1, 0, 0), r, 2, SIDE_OUTSIDE, &why) >= 0, "%s",
			  why.text);
	}
	if (on == ON_CUBE) lab_add(w, 1, 4 * L, v3(0, 0, -2 * L));
	if (on != ON_MESH) return;
	/* triangles of different sizes, none of whose corners is below the middle of the prism */
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
	CHECK(scree_walls_add_mesh(&w->wall, base, N * N, at, n / 3, triangle, &why) >= 0, "%s", why.text);
}

static contact_rule rule_for(enum law_row law, real restitution, real friction)
{
	contact_rule r = {.law = law, .restitution = restitution, .friction = friction};
	if (law == LAW_LINEAR) r.stiffness = 2e5;
	return r;
}

/* the prism alone stands and has come to rest; its row is the last */
static scree_world *stands(const prism *p, ground on, enum law_row law, real restitution)
{
	scree_world *w = lab_world(rule_for(law, restitution, 0.5));
	w->gravity = v3(0, 0, -G);
	if (law == LAW_VOLUME) w->narrow = scree_narrow_find("overlap-volume");
	add_ground(w, on);
	int32_t shape = add_prism(w, p);
	lab_add(w, shape, size_for(w, shape, p), v3(0, 0, p->high * L / 2));
	NEAR(w->body.mass[w->body.count - 1] / mass_of(p), 1, 1e-9, "mass");
	lab_prepare(w, 0);
	lab_steps(w, (int64_t)(0.25 / w->dt));
	return w;
}

/* the last body moves on from here with these */
static void set_moving(scree_world *w, const prism *p, vec3 v, real spin)
{
	int32_t i = w->body.count - 1;
	w->body.vx[i] = v.x, w->body.vy[i] = v.y;
	w->body.wx[i] = w->body.wy[i] = w->body.lx[i] = w->body.ly[i] = 0;
	w->body.wz[i] = spin;
	w->body.lz[i] = inertia_of(p) * spin;
}

static real lost_by(energy_row e) { return e.lost_normal + e.lost_friction + e.lost_rolling; }

/* Coulomb: I w / (mu m g arm) until it stops; all its energy is lost then, no more and no less. */
static void stops_in_time(const prism *p, ground on, enum law_row law, real arm, real tolerance)
{
	const real spin = 10;
	scree_world *w = stands(p, on, law, 0.3);
	int32_t i = w->body.count - 1;
	set_moving(w, p, v3(0, 0, 0), spin);
	real time = inertia_of(p) * spin / (0.5 * mass_of(p) * G * arm * L), start = w->time, last = spin;
	energy_row e0 = scree_world_energy(w);
	while (w->body.wz[i] > 0 && w->time - start < 2 * time) {
		last = w->body.wz[i];
		lab_steps(w, 1);
	}
	real now = w->body.wz[i], took = w->time - start - w->dt * (now < 0 ? -now / (last - now) : 0);
	real before = 0.5 * inertia_of(p) * spin * spin;
	lab_steps(w, (int64_t)(4 * time / w->dt) + 2000);
	energy_row e = scree_world_energy(w);
	real lost = (lost_by(e) - lost_by(e0)) / before;
	real error = (e.residual - e0.residual + e.made - e0.made) / before;
	print_message("%-8s on a %-5s law %d: %.4f of Coulomb's time; lost %.5f of its energy, residual and made %.1e; "
				  "left %.1e rad/s\n",
				  p->name, ground_name[on], law, took / time, lost, error, w->body.wz[i]);
	NEAR(took / time, 1, tolerance, "time to stop");
	NEAR(lost, 1, 2e-3, "lost of the energy that it had");
	NEAR(error, 0, 2e-3, "energy from nowhere");
	NEAR(w->body.wz[i], 0, 1e-3, "it has stopped");
	scree_world_free(w);
}

static void prisms_stop_spinning(void **state)
{
	(void)state;
	static const enum law_row law[] = {LAW_HERTZ, LAW_LINEAR, LAW_VOLUME};
	const prism all[] = {prism_of("cube", 4, 1),	 prism_of("plate", 4, 0.1),	 prism_of("hexagon", 6, 1),
						 prism_of("triangle", 3, 1), prism_of("needle", 4, 8), prism_of("round", 24, 0.5)};
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
	/* a line as long as the edge; it grows a little as the cube turns */
	stops_in_time(&cube, ON_TUBE, LAW_HERTZ, 0.25, 0.03);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prisms_stop_spinning),
		cmocka_unit_test(any_ground_stops_a_spin),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
