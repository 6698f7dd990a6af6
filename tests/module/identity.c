/* What names a pair, a contact and a body, wherever their rows lie: kinds by names, contacts by partners and image,
 * histories that follow them, hashes that add up. */
#include "lab.h"
#include "test.h"

#include "base/memory.h"
#include "broad/pair_lists.h"
#include "broad/phases.h"
#include "format/file.h"
#include "format/snapshot.h"
#include "format/stream.h"
#include "kernel/quat.h"
#include "state/wall_forms.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void kinds_are_known_by_name_and_by_sides(void **state)
{
	(void)state;
	static const uint8_t sides[3] = {TAKES_ROUND, TAKES_OTHERS, TAKES_SURFACE};
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
	/* any body meets any other and any wall in one list, but never two walls */
	for (int place = 0; place < PAIR_PLACES; ++place)
		for (int a = 0; a < 3; ++a)
			for (int b = 0; b < 3; ++b) {
				int kind = scree_pair_kind_of((pair_place)place, sides[a], sides[b]);
				bool right = sides[a] != TAKES_SURFACE && (place != PAIRS_IN_SPACE || a <= b);
				/* in the plane discs come first in a list of their own, or none does */
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
	const names *list[] = {&scree_shape_names,	&scree_side_names,	 &scree_cohesion_names,
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

/* Each value of each list goes into a file as its name, and comes back; another name is refused. */
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
			int had = k, has = -1;
			const char *name = *(const char *const *)((const char *)table[n].first + (size_t)k * table[n].stride);
			scree_stream_choice(&to, &had, table[n].count, table[n].first, table[n].stride, "no such thing");
			CHECK(to.used == SCREE_NAME && !strcmp((const char *)to.bytes, name), "'%s', not '%s'", to.bytes, name);
			stream from = {.ok = true, .bytes = to.bytes, .room = to.used, .why = &why};
			scree_stream_choice(&from, &has, table[n].count, table[n].first, table[n].stride, "no such thing");
			CHECK(from.ok && has == k, "%s is %d", name, has);
			to.bytes[0] ^= 1;
			from = (stream){.ok = true, .bytes = to.bytes, .room = to.used, .where = "toys", .why = &why};
			scree_stream_choice(&from, &has, table[n].count, table[n].first, table[n].stride, "no such thing");
			CHECK(!from.ok && has == 0 && strstr(why.text, "no such thing"), "%s: %s", to.bytes, why.text);
			scree_free(to.bytes);
		}
	/* in a snapshot: laws, forms and motions of a world stand there in letters */
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

/* ------------------------------------------------------------------ two images of one partner */

/* two balls in a cell that repeats along x */
static scree_world *two_balls(void)
{
	scree_world *w = lab_world(lab_linear(1e4, 0.5, 0.4));
	lab_periods(w, "x", v3(0, 0, 0), v3(0.1, 0.1, 0.1));
	lab_add(w, 0, 0.01, v3(0.001, 0.05, 0.05));
	lab_add(w, 0, 0.01, v3(0.099, 0.05, 0.05));
	lab_prepare(w, 1e-5);
	return w;
}

/* What a search would find in a cell so small that ball 0 meets ball 1 and two images of it: in this order, or the
 * other way round and with the images of ball 0 in place of those of ball 1. */
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
	scree_pair_lists_bodies(w, &c);
	scree_box_pairs_free(&c.found);
	scree_free(c.moved);
	scree_free(c.code);
}

/* every slot touches and remembers `first` and one more from slot to slot */
static void touch_all(scree_world *w, real first)
{
	pair_list *l = w->pair + PAIR_SPHERE_SPHERE;
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

/* the tangential spring of the contact with this image along x, or -1 */
static real spring_of(const scree_world *w, int32_t x)
{
	const pair_list *l = w->pair + PAIR_SPHERE_SPHERE;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
		if (l->met[l->slot[c.row]].x == x) return l->sx[c.row];
	return -1;
}

static void images_of_one_partner_keep_their_own_histories(void **state)
{
	(void)state;
	scree_world *w = two_balls();
	pair_keys keys[PAIR_KINDS];
	scree_pair_keys_take(w, keys, false);
	find_images(w, false, 3);
	scree_pair_keys_give(w, keys, false);
	const pair_list *l = w->pair + PAIR_SPHERE_SPHERE;
	CHECK(l->count == 3 && l->met[0].x == -1 && l->met[1].x == 0 && l->met[2].x == 1, "%lld slots",
		  (long long)l->count);
	touch_all(w, 7);
	uint64_t hash = scree_world_hash(w);
	for (int turn = 0; turn < 2; ++turn) { /* found in any order */
		scree_pair_keys_take(w, keys, false);
		find_images(w, turn == 0, 3);
		scree_pair_keys_give(w, keys, false);
		CHECK(spring_of(w, -1) == 7 && spring_of(w, 0) == 8 && spring_of(w, 1) == 9, "springs %g %g %g",
			  spring_of(w, -1), spring_of(w, 0), spring_of(w, 1));
		CHECK(scree_world_hash(w) == hash, "another state");
	}
	/* one is gone: its history ends, and goes to no other */
	real made = scree_fixed_value(w->energy.made);
	scree_pair_keys_take(w, keys, false);
	find_images(w, true, 2);
	scree_pair_keys_give(w, keys, false);
	CHECK(spring_of(w, -1) == 7 && spring_of(w, 0) == 8 && spring_of(w, 1) == -1, "springs %g %g %g", spring_of(w, -1),
		  spring_of(w, 0), spring_of(w, 1));
	NEAR(scree_fixed_value(w->energy.made) - made, -1, 1e-9, "what the spring held");
	CHECK(scree_world_hash(w) != hash, "a contact less is the same state");
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
	w->pair[PAIR_SPHERE_SPHERE].count = 0;
	find_images(w, false, 3);
	touch_all(w, 7);
	uint64_t hash = scree_world_hash(w);
	CHECK(scree_snapshot_write(w, NULL, path, &why), "%s", why.text);
	scree_world *twin = scree_snapshot_read(path, NULL, &why);
	CHECK(twin, "%s", why.text);
	CHECK(scree_world_hash(twin) == hash && spring_of(twin, -1) == 7 && spring_of(twin, 1) == 9, "springs %g %g",
		  spring_of(twin, -1), spring_of(twin, 1));
	scree_world_free(twin);
	/* the same springs, with their images exchanged */
	pair_list *l = w->pair + PAIR_SPHERE_SPHERE;
	image first = l->met[0];
	l->met[0] = l->met[2];
	l->met[2] = first;
	CHECK(scree_world_hash(w) != hash, "the hash does not know images");
	/* an image along an axis that does not repeat, and one beyond all reach */
	for (int k = 0; k < 2; ++k) {
		l->met[1] = k ? (image){40, 0, 0} : (image){0, 1, 0};
		CHECK(scree_snapshot_write(w, NULL, path, &why), "%s", why.text);
		assert_null(scree_snapshot_read(path, NULL, &why));
		CHECK(strstr(why.text, "section contacts: a contact is with an image that cannot be met"), "%s", why.text);
	}
	scree_world_free(w);
	unlink(path);
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
	bodies *b = &w->body;
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
	/* two bodies exchange places: the same rows of numbers, but of other ids */
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

/* the same two contacts in lists of two kinds: names are hashed */
static void kinds_are_hashed(void **state)
{
	(void)state;
	scree_world *w = two_balls();
	w->pair[PAIR_SPHERE_SPHERE].count = 0;
	find_images(w, false, 1);
	touch_all(w, 7);
	uint64_t hash = scree_world_hash(w);
	pair_list spheres = w->pair[PAIR_SPHERE_SPHERE];
	w->pair[PAIR_SPHERE_SPHERE] = w->pair[PAIR_SPHERE_CONVEX];
	w->pair[PAIR_SPHERE_CONVEX] = spheres;
	CHECK(scree_world_hash(w) != hash, "the hash does not know kinds");
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
		cmocka_unit_test(hashes_of_parts_add_up),
		cmocka_unit_test(kinds_are_hashed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
