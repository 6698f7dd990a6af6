/* Notes and refusals before a run are the same whether one world has all bodies or each rank has only its own:
 * notes on overlaps and on held bodies that will collide, and the refusal of held bodies that conduct heat. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "prepare/prepare.h"
#include "rank_threads.h"
#include "rank_worlds.h"
#include "report/notes.h"
#include "scene_text.h"
#include "test.h"

enum { SAID = 2000, MOST_RANKS = 5 };

typedef struct note_case {
	const char *name, *walls, *fills;
	uint64_t touches; /* body 1 is moved next to body `touches`, so that they touch */
	const char *words;
} note_case;

typedef struct asked {
	const note_case *of;
	int32_t ranks;
	char said[MOST_RANKS][SAID];
} asked;

#define BALLS(x0, x1, more)                                                                                            \
	"  - {region: {box: {min: [" x0 ", 0, 0], max: [" x1                                                               \
	", 40 mm, 10 mm]}}, lattice: {spacing: 10 mm}, material: m, shape: s, size: 8 mm" more "}\n"
#define FLOOR "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}\n"
#define PRESS                                                                                                          \
	"  press: {plane: {point: [0, 0, 50 mm], normal: [0, 0, -1]}, material: m, motion: {velocity: [0, 0, -0.1 "        \
	"m/s]}}\n"

static const note_case cases[] = {
	{"slow bodies", FLOOR, BALLS("0", "80 mm", ""), 0, NULL},
	{"fast bodies", FLOOR, BALLS("0", "40 mm", "") BALLS("40 mm", "80 mm", ", velocity: [-20 m/s, 0, 0]"), 0,
	 "overlap"},
	{"a wall comes", FLOOR PRESS, BALLS("0", "80 mm", ", held: true"), 0, "held body 1 runs into wall press"},
	{"held bodies come", FLOOR,
	 BALLS("0", "30 mm", ", held: true") BALLS("60 mm", "80 mm", ", held: true, velocity: [-0.1 m/s, 0, 0]"), 0,
	 "run into each other"},
	{"far held bodies touch", FLOOR, BALLS("0", "80 mm", ", held: true"), 31, "heat does not pass"},
};

static scree_world *open_case(const note_case *c, scene *s)
{
	char text[3000], *report = NULL;
	snprintf(
		text, sizeof text,
		"scene: 1\nworld: {temperature: 300 K}\nmaterials: {m: {density: 2500 kg/m^3, young: 10 MPa, conductivity: "
		"1 W/m/K, heat_capacity: 800 J/kg/K}}\nshapes: {s: {sphere: {diameter: 1}}}\nwalls:\n%sfill:\n%srun: "
		"{until: 1 s, step: {time: 1 us}}\n",
		c->walls, c->fills);
	const bool read = read_scene("test", text, strlen(text), 0, NULL, true, s, &report);
	CHECK(read, "%s: %s", c->name, report ? report : "");
	scree_free(report);
	bodies *b = &s->world->state.body;
	for (int32_t i = 0; i < b->count && c->touches; ++i)
		for (int32_t k = 0; k < b->count; ++k)
			if (b->id[i] == 1 && b->id[k] == c->touches)
				b->x[i] = b->x[k] - 0.003, b->y[i] = b->y[k], b->z[i] = b->z[k];
	return s->world;
}

static void ask(const scree_world *w, char *said)
{
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);
	fail why = {0};
	scree_notes_print_overlaps(to, w, 1);
	scree_notes_print_held(to, w, 1);
	if (!scree_world_held_heat_check_new(&w->model, &w->state, &w->work.domain, 1, UINT64_MAX, &why))
		fputs(why.text, to);
	assert_int_equal(fclose(to), 0);
	snprintf(said, SAID, "%s", text);
	free(text);
}

static void ask_rank(channel *c, void *what)
{
	asked *o = what;
	scene s;
	fail why;
	rank_part part = {.c = c};
	scree_world *w = open_case(o->of, &s);
	const partition_plan plan = {
		.ranks = o->ranks, .parts = {o->ranks, 1, 1}, .low = v3(0, 0, 0), .high = v3(0.08, 0.04, 0.05)};
	CHECK(scree_partition_make(&part.space, &scree_partition_grid, &plan, &why), "a grid");
	keep_own_bodies(w, &part);
	CHECK(w->state.body.count < 32, "%d bodies are left", w->state.body.count);
	ask(w, o->said[c->rank]);
	scree_partition_free(&part.space);
	scree_rank_part_free(&part);
	scree_scene_free(&s);
}

static void parts_say_what_the_whole_says(void **state)
{
	(void)state;
	static asked o;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
		char wanted[SAID];
		scene s;
		ask(open_case(cases + k, &s), wanted);
		scree_scene_free(&s);
		CHECK(cases[k].words ? strstr(wanted, cases[k].words) != NULL : !*wanted, "%s: '%s'", cases[k].name, wanted);
		for (o.ranks = 2; o.ranks <= MOST_RANKS; ++o.ranks) {
			o.of = cases + k;
			const thread_ranks all = {o.ranks, 1, 1, ask_rank, &o};
			CHECK(scree_thread_ranks_run(&all, NULL), "%d ranks", o.ranks);
			for (int32_t r = 0; r < o.ranks; ++r)
				CHECK(!strcmp(o.said[r], wanted), "%s, rank %d of %d: '%s', not '%s'", cases[k].name, r, o.ranks,
					  o.said[r], wanted);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(parts_say_what_the_whole_says)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
