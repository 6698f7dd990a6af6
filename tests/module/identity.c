/* Names of pairs, contacts and bodies are independent of their rows: kinds are named, contacts are identified by
 * partners and image, histories follow them, and hashes are summed. */
#include "lab.h"
#include "test.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "broad/pair_lists.h"
#include "broad/phases.h"
#include "choices/choices.h"
#include "format/file.h"
#include "format/snapshot.h"
#include "format/stream.h"
#include "kernel/quat.h"
#include "model/law.h"
#include "narrow/narrow.h"
#include "shape/shape_forms.h"
#include "state/contact_key.h"
#include "wall/forms.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void kinds_are_known_by_name_and_by_sides(void **state)
{
	(void)state;
	/* in the order of shape types; pairs of parts exist only in three dimensions */
	enum { SIDES = 5 };
	static const uint8_t sides[SIDES] = {TAKES_ROUND, TAKES_OTHERS, TAKES_COMPOUNDS, TAKES_POINTED, TAKES_SURFACE};
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_row *row = scree_pair_kinds + kind;
		CHECK(scree_pair_kind_find(row->name) == kind, "%s is another kind", row->name);
		CHECK(strlen(row->name) < SCREE_PAIR_NAME && row->piece > 0, "%s: its name or its piece", row->name);
		CHECK(!row->formula || (!row->patch && !row->on_wall), "%s: a formula is of two bodies and one point",
			  row->name);
		for (int place = 0; place < PAIR_PLACES; ++place)
			CHECK(!row->takes[place][0] || (row->takes[place][1] == TAKES_SURFACE) == row->on_wall,
				  "%s: a wall on one side alone", row->name);
	}
	assert_int_equal(scree_pair_kind_find("sphere"), -1);
	/* a pair of any two bodies, or of a body and a wall, is in exactly one list, and two walls are in none */
	for (int place = 0; place < PAIR_PLACES; ++place)
		for (int a = 0; a < SIDES; ++a)
			for (int b = 0; b < SIDES; ++b) {
				int kind = scree_pair_kind_of((pair_place)place, sides[a], sides[b]);
				bool several = sides[a] == TAKES_POINTED && sides[b] == TAKES_COMPOUNDS; /* in either order */
				bool parts = (sides[a] | sides[b]) & (TAKES_COMPOUNDS | TAKES_POINTED);
				bool right = sides[a] != TAKES_SURFACE && (place == PAIRS_IN_SPACE ? a <= b || several : !parts);
				/* in the plane, discs either have a list of their own, in which they come first, or have none */
				CHECK((kind >= 0) == right, "place %d, sides %d and %d: kind %d", place, a, b, kind);
				if (kind >= 0)
					CHECK(pair_on_wall(kind) == (sides[b] == TAKES_SURFACE), "place %d: %d and %d", place, a, b);
			}
	assert_int_equal(scree_pair_kind_of(PAIRS_IN_PLANE, TAKES_ROUND, TAKES_ROUND), PAIR_SPHERE_SPHERE);
	assert_int_equal(scree_pair_kind_of(PAIRS_IN_PLANE_BY_AREA, TAKES_ROUND, TAKES_ROUND), PAIR_CONVEX_CONVEX);
}

/* ------------------------------------------------------------------ choices by name */

static void choices_have_names_of_their_own(void **state)
{
	(void)state;
	const char *shape_name[SHAPE_TYPES];
	for (int k = 0; k < SHAPE_TYPES; ++k) shape_name[k] = scree_shape_forms[k].name;
	const names shapes_by_row = {SHAPE_TYPES, shape_name};
	const names *list[] = {&shapes_by_row,		&scree_side_names,	 &scree_cohesion_names,
						   &scree_drag_names,	&scree_region_names, &scree_spread_names,
						   &scree_orient_names, &scree_sink_names,	 &scree_number_names};
	for (size_t n = 0; n < sizeof list / sizeof *list; ++n)
		for (int k = 0; k < list[n]->count; ++k) {
			CHECK(list[n]->of[k] && *list[n]->of[k] && strlen(list[n]->of[k]) < SCREE_NAME, "list %zu: name %d", n, k);
			for (int other = 0; other < k; ++other)
				CHECK(strcmp(list[n]->of[k], list[n]->of[other]) != 0, "%s twice", list[n]->of[k]);
		}
}

static size_t find_bytes(const char *in, size_t length, const char *what, size_t room)
{
	char name[SCREE_NAME] = "";
	strcpy(name, what);
	for (size_t k = 0; k + room <= length; ++k)
		if (!memcmp(in + k, name, room)) return k;
	return length;
}

/* Each option of each key is written to a file by name and read back; any other name is refused. */
static void choices_are_saved_by_name(void **state)
{
	(void)state;
	static const struct {
		const char *const *first;
		size_t stride;
		int count;
	} table[] = {{&scree_laws[0].name, sizeof *scree_laws, LAWS},
				 {&scree_wall_forms[0].name, sizeof *scree_wall_forms, WALL_TYPES},
				 {&scree_motion_forms[0].name, sizeof *scree_motion_forms, MOTION_TYPES}};
	fail why = {0};
	for (size_t n = 0; n < sizeof table / sizeof *table; ++n)
		for (int k = 0; k < table[n].count; ++k) {
			stream to = {.saving = true, .ok = true, .why = &why};
			int has = -1;
			const char *name = *(const char *const *)((const char *)table[n].first + (size_t)k * table[n].stride);
			scree_stream_choice(&to, k, table[n].count, table[n].first, table[n].stride, "no such thing");
			CHECK(to.used == SCREE_NAME && !strcmp((const char *)to.bytes, name), "'%s', not '%s'", to.bytes, name);
			stream from = {.ok = true, .bytes = to.bytes, .room = to.used, .why = &why};
			has = scree_stream_choice(&from, has, table[n].count, table[n].first, table[n].stride, "no such thing");
			CHECK(from.ok && has == k, "%s is %d", name, has);
			to.bytes[0] ^= 1;
			from = (stream){.ok = true, .bytes = to.bytes, .room = to.used, .where = "toys", .why = &why};
			has = scree_stream_choice(&from, has, table[n].count, table[n].first, table[n].stride, "no such thing");
			CHECK(!from.ok && has == 0 && strstr(why.text, "no such thing"), "%s: %s", to.bytes, why.text);
			scree_free(to.bytes);
		}
	/* a snapshot stores laws, forms and motions by name */
	scree_world *w = lab_world(lab_hertz(0.5, 0.4));
	lab_add(w, 0, 0.01, v3(0, 0, 1));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_prepare(w, 1e-5);
	char path[] = "/tmp/scree_identity_XXXXXX";
	int file = mkstemp(path);
	void *bytes;
	size_t length;
	assert_true(file >= 0);
	close(file);
	CHECK(scree_snapshot_write(w, NULL, path, &why) && scree_file_read(path, 1 << 24, &bytes, &length, &why), "%s",
		  why.text);
	static const char *const wanted[] = {"hertz", "plane", "still", "inside", "convex", "f64", "none"};
	for (size_t k = 0; k < sizeof wanted / sizeof *wanted; ++k)
		CHECK(find_bytes(bytes, length, wanted[k], SCREE_NAME) < length, "no '%s' in the file", wanted[k]);
	scree_free(bytes);
	scree_world_free(w);
	unlink(path);
}

/* ------------------------------------------------------------------ one partner with two images */

/* two balls in a cell that is periodic along x */
static scree_world *two_balls(void)
{
	scree_world *w = lab_world(lab_linear(1e4, 0.5, 0.4));
	lab_periods(w, "x", v3(0, 0, 0), v3(0.1, 0.1, 0.1));
	lab_add(w, 0, 0.01, v3(0.001, 0.05, 0.05));
	lab_add(w, 0, 0.01, v3(0.099, 0.05, 0.05));
	lab_prepare(w, 1e-5);
	return w;
}

/* The pairs found in a cell so small that ball 0 meets ball 1 and two images of ball 1, in this order; or in reverse
 * order, with the images of ball 0 instead. */
static void find_images(scree_world *w, bool turned, int count)
{
	static const image at[3] = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}};
	candidates c = {0};
	c.moved = scree_alloc(3, sizeof *c.moved);
	c.code = scree_alloc(3, sizeof *c.code);
	for (int i = 0; i < count; ++i) {
		int k = turned ? count - 1 - i : i;
		scree_box_pairs_add(&c.found, turned ? 1 : 0, turned ? 0 : 1);
		int32_t code = image_code(at[k]);
		c.moved[i] = k == 0 ? -1 : turned ? 0 : 1;
		c.code[i] = (uint8_t)(turned ? image_reverse(code) : code);
	}
	scree_pair_lists_bodies(&w->model, &w->state, &w->work, &c);
	scree_box_pairs_free(&c.found);
	scree_free(c.moved);
	scree_free(c.code);
}

/* every slot has a contact; the stored number is `first` in the first slot and increases by one from slot to slot */
static void touch_all(scree_world *w, real first)
{
	pair_list *l = w->state.pair + PAIR_SPHERE_SPHERE;
	for (int64_t k = 0; k < l->count; ++k) {
		l->row[k] = l->slot[k] = (int32_t)k;
		l->ca[k] = l->a[k];
		l->cb[k] = l->b[k];
		l->touch[k] = 1;
		l->sx[k] = first + (real)k;
		l->bent[k] = 1;
	}
	l->used[0] = (int32_t)l->count;
}

/* tangential spring of the contact with this image along x, or -1 */
static real spring_of(const scree_world *w, int32_t x)
{
	const pair_list *l = w->state.pair + PAIR_SPHERE_SPHERE;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
		if (l->met[l->slot[c.row]].x == x) return l->sx[c.row];
	return -1;
}

static void images_of_one_partner_keep_their_own_histories(void **state)
{
	(void)state;
	scree_world *w = two_balls();
	pair_keys keys[PAIR_KINDS];
	scree_pair_keys_take(&w->state, &w->work, keys, false);
	find_images(w, false, 3);
	scree_pair_keys_give(&w->model, &w->state, &w->work, keys, false);
	const pair_list *l = w->state.pair + PAIR_SPHERE_SPHERE;
	CHECK(l->count == 3 && l->met[0].x == -1 && l->met[1].x == 0 && l->met[2].x == 1, "%lld slots",
		  (long long)l->count);
	touch_all(w, 7);
	uint64_t hash = scree_world_hash(&w->model, &w->state, &w->work);
	for (int turn = 0; turn < 2; ++turn) { /* the images may be found in any order */
		scree_pair_keys_take(&w->state, &w->work, keys, false);
		find_images(w, turn == 0, 3);
		scree_pair_keys_give(&w->model, &w->state, &w->work, keys, false);
		CHECK(spring_of(w, -1) == 7 && spring_of(w, 0) == 8 && spring_of(w, 1) == 9, "springs %g %g %g",
			  spring_of(w, -1), spring_of(w, 0), spring_of(w, 1));
		CHECK(scree_world_hash(&w->model, &w->state, &w->work) == hash, "another state");
	}
	/* one contact has ended: its history is discarded, and is not passed on to another contact */
	real made = scree_fixed_value(w->state.energy.made);
	scree_pair_keys_take(&w->state, &w->work, keys, false);
	find_images(w, true, 2);
	scree_pair_keys_give(&w->model, &w->state, &w->work, keys, false);
	CHECK(spring_of(w, -1) == 7 && spring_of(w, 0) == 8 && spring_of(w, 1) == -1, "springs %g %g %g", spring_of(w, -1),
		  spring_of(w, 0), spring_of(w, 1));
	NEAR(scree_fixed_value(w->state.energy.made) - made, -1, 1e-9, "what the spring held");
	CHECK(scree_world_hash(&w->model, &w->state, &w->work) != hash, "a contact less is the same state");
	scree_world_free(w);
}

static void images_are_saved_and_hashed(void **state)
{
	(void)state;
	char path[] = "/tmp/scree_identity_XXXXXX";
	int file = mkstemp(path);
	assert_true(file >= 0);
	close(file);
	fail why = {0};
	scree_world *w = two_balls();
	w->state.pair[PAIR_SPHERE_SPHERE].count = 0;
	find_images(w, false, 3);
	touch_all(w, 7);
	uint64_t hash = scree_world_hash(&w->model, &w->state, &w->work);
	scree_world *twin = lab_resumed(w);
	CHECK(scree_world_hash(&twin->model, &twin->state, &twin->work) == hash && spring_of(twin, -1) == 7 &&
			  spring_of(twin, 1) == 9,
		  "springs %g %g", spring_of(twin, -1), spring_of(twin, 1));
	scree_world_free(twin);
	/* the same springs, but with the images swapped */
	pair_list *l = w->state.pair + PAIR_SPHERE_SPHERE;
	image first = l->met[0];
	l->met[0] = l->met[2];
	l->met[2] = first;
	CHECK(scree_world_hash(&w->model, &w->state, &w->work) != hash, "the hash does not know images");
	/* an image along a non-periodic axis, and an image out of reach */
	for (int k = 0; k < 2; ++k) {
		l->met[1] = k ? (image){40, 0, 0} : (image){0, 1, 0};
		CHECK(scree_snapshot_write(w, NULL, path, &why), "%s", why.text);
		assert_null(scree_snapshot_read(path, NULL, &why));
		CHECK(strstr(why.text, "section contacts: a contact refers to an image out of reach"), "%s", why.text);
	}
	scree_world_free(w);
	unlink(path);
}

/* ------------------------------------------------------------------ several contacts of two bodies */

/* A toy model: each body represents three balls, each of which can only touch the ball with the same number in another
 * body; the balls of a sphere coincide with the sphere, and the balls of other bodies are closer together. */
enum { BALLS = 3 };
static const vec3 ball[BALLS] = {{0.15, 0.02, -0.1}, {-0.12, 0.15, 0.05}, {-0.05, -0.15, 0.12}};
static const uint64_t ball_feature[BALLS] = {7, 11, 1ull << 40};
/* radius; this and the positions are in units of the body size, and the balls are inside the body */
static const real BALL = 0.34;

static vec3 ball_of(const placed *p, int n, bool mixed, real *radius)
{
	bool round = p->shape->type == SHAPE_SPHERE;
	*radius = round ? p->size / 2 : (mixed ? 0.4 : BALL) * p->size;
	return round ? p->at : v3_madd(p->at, (mixed ? 0.6 : 1) * p->size, mat3_mul(p->turn, ball[n]));
}

static bool balls_touch(const placed *a, const placed *b, int n, vec3 *normal, vec3 *at, real *depth)
{
	real ra, rb;
	bool mixed = a->shape->type == SHAPE_SPHERE;
	vec3 pa = ball_of(a, n, mixed, &ra), pb = ball_of(b, n, mixed, &rb), apart = v3_sub(pa, pb);
	real far = v3_norm(apart);
	*depth = ra + rb - far;
	*normal = v3_mul(1 / far, apart);
	*at = v3_sub(v3_madd(pa, -(ra - *depth / 2), *normal), a->at);
	return *depth > 0;
}

static void three_balls(const placed *a, const placed *b, patch_list *out)
{
	vec3 normal, at;
	real depth;
	for (int n = 0; n < BALLS; ++n) {
		if (!balls_touch(a, b, n, &normal, &at, &depth)) continue;
		patch *p = scree_patch_list_add(out, ball_feature[n]);
		p->points = 1;
		p->axis = 0;
		p->normal = normal;
		p->pitch = p->arm = 0;
		p->depth = p->deep[0] = depth;
		p->at[0] = at;
		p->weight[0] = 1;
	}
}

static const char *takes_any(const walls *s, int32_t wall)
{
	(void)s, (void)wall;
	return NULL;
}

static const narrow toy = {.name = "three-balls",
						   .convex_convex = scree_convex_convex,
						   .convex_wall = scree_convex_wall,
						   .refuses = takes_any,
						   .several = three_balls};

enum { TOYS = 60 };

/* cubes and spheres that fall on each other in a box that is periodic along x; if skin < 0, the skin adapts to the
 * motion */
static scree_world *heap_of_toys(real skin)
{
	scree_world *w = lab_world(lab_linear(2e3, 0.5, 3));
	random_stream r = scree_random_start(9, 9);
	w->model.narrow = &toy;
	w->model.gravity = v3(0, 0, -9.81);
	lab_periods(w, "x", v3(0, 0, 0), v3(0.06, 0.06, 0.06));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int k = 0; k < 2; ++k) lab_plane(w, v3(0, k ? 0.03 : 0, 0), v3(0, k ? -1 : 1, 0));
	for (int k = 0; k < TOYS; ++k) {
		vec3 at = v3(0.012 * (k % 5) + 0.002, 0.009 + 0.012 * (k / 5 % 2), 0.01 + 0.012 * (k / 10));
		const quat turn = scree_random_rotation(&r);
		const vec3 velocity = v3(0.1 * scree_random_real(&r), 0, -0.2);
		lab_add_moving(w, k % 4 ? 1 : 0, k % 4 ? 0.0095 : 0.011, at, turn, velocity, v3(0, 0, 0));
	}
	w->model.guard.overlap = 0;
	if (skin >= 0) w->model.skin_given = true, w->model.skin = skin;
	lab_prepare(w, 2e-5);
	return w;
}

static placed toy_at(const scree_world *w, int32_t i, vec3 at)
{
	return (placed){w->model.shape.row + w->state.body.shape[i], at, quat_matrix(body_orientation(&w->state.body, i)),
					w->state.body.size[i]};
}

typedef struct springs {
	vec3 of[TOYS + 1][TOYS + 1][BALLS]; /* by ids */
	bool there[TOYS + 1][TOYS + 1][BALLS];
	int64_t row[TOYS + 1][TOYS + 1][BALLS]; /* rows of the current contacts, or -1 */
} springs;

/* returns their number */
static int64_t find_rows(const scree_world *w, int kind, springs *s)
{
	const pair_list *l = w->state.pair + kind;
	int64_t count = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row, ++count) {
		contact_key k = scree_contact_key(&w->model, &w->state, kind, c.row);
		int n = k.feature == ball_feature[0] ? 0 : k.feature == ball_feature[1] ? 1 : 2;
		CHECK(k.feature == ball_feature[n] && s->row[k.a][k.b][n] < 0, "a feature that is none, or twice");
		s->row[k.a][k.b][n] = c.row;
	}
	return count;
}

/* relative displacement, in one step, of two balls of these bodies, in m */
static real slip_of(const scree_world *w, int32_t i, int32_t j)
{
	const bodies *b = &w->state.body;
	real turns = 0.01 * (v3_norm(body_angular_velocity(b, i)) + v3_norm(body_angular_velocity(b, j)));
	return w->model.dt * (v3_norm(v3_sub(body_velocity(b, i), body_velocity(b, j))) + turns);
}

/* Checks contact n of bodies i and j; returns whether this contact should exist. The test stores little more than the
 * contacts of the previous step. */
static bool look_at_ball(const scree_world *w, int kind, springs *s, int32_t i, int32_t j, int n)
{
	const pair_list *l = w->state.pair + kind;
	const bodies *b = &w->state.body;
	uint64_t a = b->id[i], o = b->id[j];
	placed pi = toy_at(w, i, v3(0, 0, 0));
	placed pj = toy_at(
		w, j,
		v3_neg(scree_periods_apart(&w->model.period, &w->state.images, body_position(b, i), body_position(b, j))));
	vec3 normal, at, *old = &s->of[a][o][n];
	real depth;
	bool touches = balls_touch(&pi, &pj, n, &normal, &at, &depth), had = s->there[a][o][n];
	int64_t row = s->row[a][o][n];
	if (real_abs(depth) > 1e-12)
		CHECK((row >= 0) == touches, "bodies %d and %d, ball %d: overlap %g, row %lld", (int)a, (int)o, n, depth,
			  (long long)row);
	s->there[a][o][n] = row >= 0;
	if (row < 0) return false;
	vec3 now = v3(l->sx[row], l->sy[row], l->sz[row]);
	const contact_work *found = &w->work.pair[kind].contact;
	NEAR(found->depth[row], depth, 1e-12, "overlap");
	NEAR(v3_dot(v3(found->nx[row], found->ny[row], found->nz[row]), normal), 1, 1e-9, "normal");
	/* sliding may shorten the spring; in a step, the spring grows at most by the displacement, half of which is
	 * predicted */
	real most = (had ? v3_norm(*old) : 0) + 3 * slip_of(w, i, j);
	CHECK(v3_norm(now) <= most, "spring of ball %d of %d and %d: %g m, not %g", n, (int)a, (int)o, v3_norm(now), most);
	*old = now;
	return true;
}

static bool is_sphere(const scree_world *w, int32_t i) { return w->state.body.shape[i] == 0; }

/* there must be exactly the contacts that follow from the poses, each with its normal */
static void look_at_toys(const scree_world *w, springs *s)
{
	const bodies *b = &w->state.body;
	memset(s->row, 0xff, sizeof s->row);
	int64_t count = find_rows(w, PAIR_CONVEX_CONVEX, s) + find_rows(w, PAIR_SPHERE_CONVEX, s), seen = 0;
	for (int32_t i = 0; i < b->count; ++i)
		for (int32_t j = 0; j < b->count; ++j) {
			vec3 apart =
				scree_periods_apart(&w->model.period, &w->state.images, body_position(b, i), body_position(b, j));
			bool round = is_sphere(w, i), mixed = round && !is_sphere(w, j); /* in a mixed pair, the sphere is first */
			if (is_sphere(w, j) || v3_norm2(apart) > 4e-4 || (!mixed && b->id[i] >= b->id[j])) continue;
			for (int n = 0; n < BALLS; ++n)
				seen += look_at_ball(w, mixed ? PAIR_SPHERE_CONVEX : PAIR_CONVEX_CONVEX, s, i, j, n);
		}
	CHECK(seen == count, "%lld contacts, not %lld", (long long)count, (long long)seen);
}

/* Each contact of a pair keeps its own history when other contacts of the pair begin and end, when pairs are searched
 * for again, when bodies are reordered, and when a run is resumed. */
static void contacts_of_a_pair_keep_their_own_histories(void **state)
{
	(void)state;
	enum { STEPS = 4500 };
	static springs of;
	scree_narrow_guest = &toy;
	scree_world *w = heap_of_toys(-1), *often = heap_of_toys(0), *twin = NULL;
	int64_t several[2] = {0, 0}, steps = test_cases(STEPS);
	memset(&of, 0, sizeof of);
	for (int64_t k = 0; k < steps; ++k) {
		scree_set_threads(1 + (int)(k % 3));
		CHECK(scree_step(w), "%s", w->work.why.text);
		CHECK(scree_step(often), "%s", often->work.why.text);
		CHECK(scree_world_hash(&w->model, &w->state, &w->work) ==
				  scree_world_hash(&often->model, &often->state, &often->work),
			  "step %lld: searches make a difference", (long long)k);
		if (twin)
			CHECK(scree_step(twin) && scree_world_hash(&w->model, &w->state, &w->work) ==
										  scree_world_hash(&twin->model, &twin->state, &twin->work),
				  "step %lld: resumed", (long long)k);
		if (k % 500 == 499) {
			scree_world_free(twin);
			twin = lab_resumed(w);
			CHECK(scree_world_hash(&w->model, &w->state, &w->work) ==
					  scree_world_hash(&twin->model, &twin->state, &twin->work),
				  "step %lld: read", (long long)k);
		}
		for (int m = 0; m < 2; ++m) {
			const pair_list *l = w->state.pair + (m ? PAIR_SPHERE_CONVEX : PAIR_CONVEX_CONVEX);
			for (int64_t slot = 0; slot < l->count; ++slot) several[m] += slot_rows(l, slot) > 1;
		}
		look_at_toys(w, &of);
	}
	CHECK(steps < STEPS || (several[0] > 2000 && several[1] > 1000),
		  "%lld pairs of cubes with several contacts, %lld with spheres", (long long)several[0], (long long)several[1]);
	CHECK(steps < STEPS || (w->work.rebuilds > 10 && often->work.rebuilds >= STEPS), "%lld searches",
		  (long long)w->work.rebuilds);
	/* contacts of removed bodies are removed with them */
	const int32_t gone[2] = {3, 17};
	scree_world_remove(&w->model, &w->state, &w->work, 2, gone);
	lab_steps(w, 20);
	scree_world_free(twin);
	scree_world_free(often);
	scree_world_free(w);
	scree_set_threads(0);
	scree_narrow_guest = NULL;
}

/* ------------------------------------------------------------------ sums of hashes */

static void hashes_of_parts_add_up(void **state)
{
	(void)state;
	enum { BODIES = 333 };
	scree_world *w = lab_world(lab_linear(1e4, 0.5, 0.4));
	random_stream r = scree_random_start(5, 5);
	for (int k = 0; k < BODIES; ++k)
		lab_add_moving(w, k % 2, 0.01, v3(k, scree_random_real(&r), scree_random_real(&r)), scree_random_rotation(&r),
					   v3(1, scree_random_real(&r), 0), v3(0, 0, 1));
	lab_prepare(w, 1e-6);
	bodies *b = &w->state.body;
	for (int repeats = 0; repeats < 2; ++repeats) {
		uint64_t whole = scree_bodies_hash(b, 0, BODIES, repeats);
		FOR_SEEDS(20)
		{
			int32_t at = (int32_t)(scree_random_bits(&r) % (BODIES + 1));
			CHECK(scree_bodies_hash(b, 0, at, repeats) + scree_bodies_hash(b, at, BODIES, repeats) == whole,
				  "cut at %d: another sum", at);
		}
	}
	uint64_t whole = scree_bodies_hash(b, 0, BODIES, false), repeating = scree_bodies_hash(b, 0, BODIES, true);
	/* two bodies swap positions: the rows contain the same numbers, but with different ids */
	real x = b->x[3];
	b->x[3] = b->x[5];
	b->x[5] = x;
	CHECK(scree_bodies_hash(b, 0, BODIES, false) != whole, "places without ids");
	b->x[5] = b->x[3];
	b->x[3] = x;
	b->cell_y[BODIES - 1] += 1;
	CHECK(scree_bodies_hash(b, 0, BODIES, false) == whole, "cells count where nothing repeats");
	CHECK(scree_bodies_hash(b, 0, BODIES, true) != repeating, "cells do not count");
	scree_world_free(w);
}

/* the same two contacts in lists of two different kinds: the names are part of the hash */
static void kinds_are_hashed(void **state)
{
	(void)state;
	scree_world *w = two_balls();
	w->state.pair[PAIR_SPHERE_SPHERE].count = 0;
	find_images(w, false, 1);
	touch_all(w, 7);
	uint64_t hash = scree_world_hash(&w->model, &w->state, &w->work);
	pair_list spheres = w->state.pair[PAIR_SPHERE_SPHERE];
	w->state.pair[PAIR_SPHERE_SPHERE] = w->state.pair[PAIR_SPHERE_CONVEX];
	w->state.pair[PAIR_SPHERE_CONVEX] = spheres;
	CHECK(scree_world_hash(&w->model, &w->state, &w->work) != hash, "the hash does not know kinds");
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_are_known_by_name_and_by_sides),
		cmocka_unit_test(choices_have_names_of_their_own),
		cmocka_unit_test(choices_are_saved_by_name),
		cmocka_unit_test(images_of_one_partner_keep_their_own_histories),
		cmocka_unit_test(images_are_saved_and_hashed),
		cmocka_unit_test(contacts_of_a_pair_keep_their_own_histories),
		cmocka_unit_test(hashes_of_parts_add_up),
		cmocka_unit_test(kinds_are_hashed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
