/* Bodies that land flat, on several points or parts at once, rebound with the specified restitution: the dashpots of a
 * pair share its mass (docs/theory/laws.md, "Several contacts of one pair"). */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/law.h"
#include "model/narrow.h"
#include "part_shapes.h"
#include "test.h"

static const real D = 0.01, HALO = 0.1; /* size in m; halo as a fraction of the size */

enum { BALL, CUBE, BLOCK, CROSS, FINE, EIGHT, GRID, PYRAMID, STAR, FORMS };
static const char *const form_name[FORMS] = {"ball",		 "polyhedron", "surface of a cube", "surface of a cross",
											 "fine surface", "clump of 8", "clump of 27",		"clump of 4",
											 "compound"};
/* height of the centre above the lowest point, relative to the size */
static real low_of(int form)
{
	static const real low[FORMS] = {.5, .5, .5 + 0.1, .125 + 0.1, .5 + 0.1, .5, .5, 0, .125};
	return form == PYRAMID ? 0.5 * sqrt(2.0 / 3) / 4 + .2 : low[form];
}

/* ------------------------------------------------------------------ shapes */

enum { SIDE = 4, POINTS = (SIDE + 1) * (SIDE + 1) * (SIDE + 1) };

/* the surface of a cube, with each face divided into SIDE x SIDE squares */
static int32_t add_fine(shapes *s, fail *why)
{
	static vec3 vertex[POINTS];
	static int32_t of[POINTS], triangle[6 * SIDE * SIDE * 2 * 3];
	int32_t vertices = 0, corners = 0;
	for (int k = 0; k < POINTS; ++k) {
		const int at[3] = {k % (SIDE + 1), k / (SIDE + 1) % (SIDE + 1), k / (SIDE + 1) / (SIDE + 1)};
		bool rim = false;
		for (int a = 0; a < 3; ++a) rim |= at[a] == 0 || at[a] == SIDE;
		of[k] = rim ? vertices : -1;
		if (rim) vertex[vertices++] = v3(at[0] / (real)SIDE - .5, at[1] / (real)SIDE - .5, at[2] / (real)SIDE - .5);
	}
	static const int step[3] = {1, SIDE + 1, (SIDE + 1) * (SIDE + 1)};
	for (int a = 0; a < 3; ++a) {
		const int u = step[(a + 1) % 3], v = step[(a + 2) % 3];
		for (int k = 0; k < 2 * SIDE * SIDE; ++k) {
			const bool top = k >= SIDE * SIDE;
			const int from = (top ? SIDE * step[a] : 0) + k % SIDE * u + k / SIDE % SIDE * v;
			const int quad[4] = {from, from + (top ? u : v), from + u + v, from + (top ? v : u)};
			const int turn[6] = {0, 1, 2, 0, 2, 3};
			for (int c = 0; c < 6; ++c) triangle[corners++] = of[quad[turn[c]]];
		}
	}
	return scree_shapes_add_surface(s, "fine", vertices, vertex, corners / 3, triangle, HALO, why);
}

/* n x n x n balls filling a cube of edge 1 */
static int32_t add_grid(shapes *s, int n, fail *why)
{
	vec3 at[27];
	real radius[27];
	for (int k = 0; k < n * n * n; ++k) {
		radius[k] = 0.25;
		at[k] = v3(k % n / (n - 1.0) - .5, k / n % n / (n - 1.0) - .5, k / n / n / (n - 1.0) - .5);
		at[k] = v3_mul(.5, at[k]);
	}
	return scree_shapes_add_clump(s, "grid", n * n * n, at, radius, false, why);
}

/* a regular tetrahedron of balls, which stands on three of them */
static int32_t add_pyramid(shapes *s, fail *why)
{
	const real a = 0.5, high = a * sqrt(2.0 / 3);
	const vec3 at[4] = {v3(0, 0, .75 * high), v3(a / sqrt(3.0), 0, -.25 * high),
						v3(-a / sqrt(12.0), a / 2, -.25 * high), v3(-a / sqrt(12.0), -a / 2, -.25 * high)};
	const real radius[4] = {.2, .2, .2, .2};
	return scree_shapes_add_clump(s, "pyramid", 4, at, radius, false, why);
}

static scree_world *forms_world(enum law_row law, real restitution)
{
	contact_rule rule = {.law = law, .restitution = restitution, .stiffness = 1e4};
	scree_world *w = lab_world(rule);
	shapes *s = &w->model.shape;
	fail why = {0};
	CHECK(part_add_surface(s, "block", &part_cube, HALO, &why) == BLOCK, "%s", why.text);
	CHECK(part_add_surface(s, "cross", &part_cross, HALO, &why) == CROSS, "%s", why.text);
	CHECK(add_fine(s, &why) == FINE, "%s", why.text);
	CHECK(add_grid(s, 2, &why) == EIGHT, "%s", why.text);
	CHECK(add_grid(s, 3, &why) == GRID, "%s", why.text);
	CHECK(add_pyramid(s, &why) == PYRAMID, "%s", why.text);
	CHECK(part_add_compound(s, "star", &part_cross, &why) == STAR, "%s", why.text);
	CHECK(s->row[STAR].parts >= 3, "%d parts", s->row[STAR].parts);
	if (law == LAW_OVERLAP) w->model.narrow = scree_narrow_find("overlap-thickness");
	if (law == LAW_VOLUME) w->model.narrow = scree_narrow_find("overlap-volume");
	return w;
}

/* ------------------------------------------------------------------ landings */

enum { ON_PLANE, ON_MESH, ON_EACH_OTHER, UNDER_HELD, PLACES };
static const char *const place_name[PLACES] = {"plane", "mesh", "each other", "held"};

static void add_floor(scree_world *w)
{
	const vec3 p[4] = {{-.1, -.1, 0}, {.1, -.1, 0}, {.1, .1, 0}, {-.1, .1, 0}};
	const int32_t t[6] = {0, 1, 2, 0, 2, 3};
	fail why = {0};
	CHECK(scree_walls_add_mesh(&w->model.wall, scree_wall_default("floor", 0), 4, p, 2, t, &why) >= 0, "%s", why.text);
}

/* speed at which two bodies, or a body and a fixed partner, separate after colliding flat at `speed`, as a fraction of
 * `speed` */
static real landing(scree_world *w, int form, int place, real speed, int *contacts)
{
	const real high = low_of(form) * D + 1e-6;
	const bool two = place == ON_EACH_OTHER;
	const uint64_t one =
		lab_add_moving(w, form, D, v3(0, 0, high), quat_one(), v3(0, 0, two ? -speed / 2 : -speed), v3(0, 0, 0));
	uint64_t other = 0;
	if (place == ON_PLANE) lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	if (place == ON_MESH) add_floor(w);
	if (two) other = lab_add_moving(w, form, D, v3(0, 0, -high), quat_of(0, 1, 0, 0), v3(0, 0, speed / 2), v3(0, 0, 0));
	if (place == UNDER_HELD) {
		new_body held = {.shape = form, .size = D, .position = v3(0, 0, -high), .orientation = quat_of(0, 1, 0, 0)};
		held.flags = BODY_HELD;
		scree_world_add(&w->model, &w->state, &w->work, 1, &held);
	}
	w->model.guard.speed = speed;
	lab_prepare(w, 0);
	w->model.guard.speed = 0;
	bool touched = false;
	*contacts = 0;
	for (int k = 0; k < 100000 && (!touched || w->work.touching); ++k) {
		lab_steps(w, 1);
		touched |= w->work.touching > 0;
		*contacts = w->work.touching > *contacts ? (int)w->work.touching : *contacts;
	}
	CHECK(touched && !w->work.touching, "no impact happened, or it never ended");
	const real out = w->state.body.vz[lab_row(w, one)] - (two ? w->state.body.vz[lab_row(w, other)] : 0);
	return out / speed;
}

static const real asked[3] = {0.9, 0.5, 0.2};
static const enum law_row laws[3] = {LAW_HERTZ, LAW_LINEAR, LAW_OVERLAP};

static void land(int form, int place, enum law_row law, real restitution, real speed)
{
	scree_world *w = forms_world(law, restitution);
	int contacts = 0;
	const real e = landing(w, form, place, speed, &contacts);
	const energy_row y = scree_world_energy(&w->model, &w->state, &w->work);
	NEAR(y.residual + y.made, 0, 3e-2 * y.brought, "energy of the ledger");
	CHECK(form == CUBE || contacts >= 3, "%s: only %d contacts", form_name[form], contacts);
	/* springs of faces are symmetric, but a dashpot starts with a jump, so its effect depends on the time of first
	 * contact within a step */
	const bool even = form == CUBE || form == STAR;
	CHECK(fabs(e - restitution) < (even ? 0.013 : 0.01),
		  "%s on %s by law %s at %g m/s, asked for %g: %.4f, with %d contacts and 1/%.0f of a contact a step",
		  form_name[form], place_name[place], scree_laws[law].name, speed, restitution, e, contacts,
		  w->model.contact_time / w->model.dt);
	scree_world_free(w);
}

/* Every kind of body on every partner, alternating between laws, restitutions and speeds; all combinations are run if
 * cases are multiplied by a hundred. */
static void what_lands_flat_bounces_as_asked(void **state)
{
	(void)state;
	const int all = 3 * 3 * 2, some = test_factor() > 1 ? all : 3;
	for (int form = CUBE; form < FORMS; ++form)
		for (int place = 0; place < PLACES; ++place)
			for (int k = 0; k < test_few(some, 1); ++k) {
				const int of = some == all ? k : (7 * k + 5 * form + 3 * place) % all;
				land(form, place, laws[of % 3], asked[of / 3 % 3], of < 9 ? 0.1 : 1);
			}
}

/* Bodies land on an edge, which has two points, and obliquely without friction: only the normal speed counts. */
static void on_an_edge(void **state)
{
	(void)state;
	static const int form[2] = {BLOCK, EIGHT};
	static const real low[2] = {0.70710678118654752 + 0.1, 0.25 * 1.41421356237309505 + 0.25};
	for (int k = 0; k < 6; ++k) {
		scree_world *w = forms_world(laws[k / 2], asked[k / 2]);
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		const quat turn = quat_of(0.92387953251128674, 0.38268343236508977, 0, 0); /* rotated by 45 degrees about x */
		lab_add_moving(w, form[k % 2], D, v3(0, 0, low[k % 2] * D + 1e-6), turn, v3(0.05, 0.03, -0.1), v3(0, 0, 0));
		w->model.guard.speed = 0.12;
		lab_prepare(w, 0);
		bool touched = false;
		int64_t contacts = 0;
		for (int n = 0; n < 100000 && (!touched || w->work.touching); ++n) {
			lab_steps(w, 1);
			touched |= w->work.touching > 0;
			contacts = w->work.touching > contacts ? w->work.touching : contacts;
		}
		CHECK(contacts == 2, "%lld contacts on an edge", (long long)contacts);
		NEAR(w->state.body.vz[0] / 0.1, asked[k / 2], 0.01, "restitution on an edge");
		NEAR(w->state.body.vx[0], 0.05, 1e-12, "speed across");
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		NEAR(e.residual + e.made, 0, 1e-2 * e.brought, "energy of the ledger");
		scree_world_free(w);
	}
}

/* Contacts of one pair share mass according to their normals: in a mesh valley of two slopes, a ball has the specified
 * damping for any angle between the slopes up to a right angle, and the two sides of a slot count separately. */
static scree_world *valley_world(real angle, real restitution)
{
	scree_world *w = forms_world(LAW_HERTZ, restitution);
	real s, c;
	scree_sincos(angle, &s, &c);
	const real a = 0.1 * c, h = 0.1 * s;
	const vec3 p[6] = {{-a, -.1, h}, {0, -.1, 0}, {0, .1, 0}, {-a, .1, h}, {a, -.1, h}, {a, .1, h}};
	const int32_t t[12] = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2};
	fail why = {0};
	CHECK(scree_walls_add_mesh(&w->model.wall, scree_wall_default("valley", 0), 6, p, 4, t, &why) >= 0, "%s", why.text);
	return w;
}

static void in_a_valley(void **state)
{
	(void)state;
	const real degree = SCREE_PI / 180, angle[3] = {10 * degree, 30 * degree, 44 * degree};
	for (int k = 0; k < 9; ++k) {
		const real a = angle[k / 3], e = asked[k % 3];
		scree_world *w = valley_world(a, e);
		real s, c;
		scree_sincos(a, &s, &c);
		lab_add_moving(w, BALL, D, v3(0, 0, D / 2 / c + 1e-6), quat_one(), v3(0, 0, -0.1), v3(0, 0, 0));
		w->model.guard.speed = 0.1;
		lab_prepare(w, 0);
		lab_one_contact(w);
		NEAR(w->state.body.vz[0] / 0.1, e, 0.005, "restitution in a valley");
		scree_world_free(w);
	}
}

static void opposite_sides_do_not_share(void **state)
{
	(void)state;
	scree_world *w = forms_world(LAW_HERTZ, 0.5);
	const real g = 0.499 * D; /* half of the gap */
	const vec3 p[8] = {{-.1, -.1, -g}, {.1, -.1, -g}, {.1, .1, -g}, {-.1, .1, -g},
					   {-.1, -.1, g},  {.1, -.1, g},  {.1, .1, g},	{-.1, .1, g}};
	const int32_t t[12] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6};
	fail why = {0};
	CHECK(scree_walls_add_mesh(&w->model.wall, scree_wall_default("slot", 0), 8, p, 4, t, &why) >= 0, "%s", why.text);
	lab_add(w, EIGHT, D, v3(0, 0, 0));
	w->model.guard.speed = 0.1;
	lab_prepare(w, 0);
	lab_steps(w, 1);
	const pair_list *l = w->state.pair + PAIR_SEVERAL_POINTS_WALL;
	int contacts = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row, ++contacts)
		NEAR(contact_share(&w->work.pair[PAIR_SEVERAL_POINTS_WALL].contact, c.row), 0.25, 1e-9,
			 "share of a ball between four on each side");
	CHECK(contacts == 8, "%d contacts", contacts);
	scree_world_free(w);
}

/* a single contact has exactly the whole mass */
static void what_is_alone_shares_nothing(void **state)
{
	(void)state;
	scree_world *w = forms_world(LAW_HERTZ, 0.5);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, EIGHT, D, v3(0, 0, 0.66 * D), quat_of(0.9, 0.3, 0.2, 0.1), v3(0, 0, -0.1), v3(0, 0, 0));
	w->model.guard.speed = 0.1;
	lab_prepare(w, 0);
	while (!w->work.touching && w->state.time < 1) lab_steps(w, 1);
	const pair_list *l = w->state.pair + PAIR_SEVERAL_POINTS_WALL;
	contact_walk c = contact_first(l);
	CHECK(w->work.touching == 1 && contact_more(l, &c) &&
			  contact_share(&w->work.pair[PAIR_SEVERAL_POINTS_WALL].contact, c.row) == 1,
		  "it is not alone");
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_lands_flat_bounces_as_asked),
		cmocka_unit_test(on_an_edge),
		cmocka_unit_test(in_a_valley),
		cmocka_unit_test(opposite_sides_do_not_share),
		cmocka_unit_test(what_is_alone_shares_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
