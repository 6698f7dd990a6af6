/* Held bodies have no contacts with each other, or with walls that are at rest or have a prescribed motion. A note
 * before a run says whether such bodies will touch, and the run stops when they do. Bodies that move together, apart or
 * past each other are accepted. */
#include <stdio.h>
#include <stdlib.h>

#include "report/notes.h"
#include "scene_text.h"
#include "test.h"

#include "world/world.h"

typedef struct held_case {
	const char *name, *walls, *velocity,
		*second; /* motions of a held ball at (5, 5, 5) mm and of another one 20 mm above it */
	real meet;	 /* s; 0: never */
	const char *words;
} held_case;

#define PLANE "plane: {point: [0, 0, 30 mm], normal: [0, 0, -1]}"
#define SQUARE                                                                                                         \
	"polygon: {points: [[-50 mm, -50 mm, 30 mm], [-50 mm, 50 mm, 30 mm], [50 mm, 50 mm, 30 mm], "                      \
	"[50 mm, -50 mm, 30 mm]]}"
#define WALL(form, motion) "walls: {press: {" form ", material: m, motion: {" motion "}}}\n"
#define STILL			   "[0, 0, 0]"

static const held_case cases[] = {
	{"a plane comes", WALL(PLANE, "velocity: [0, 0, -50 mm/s]"), STILL, NULL, 0.4, "runs into wall press"},
	{"a square comes", WALL(SQUARE, "velocity: [0, 0, -50 mm/s]"), STILL, NULL, 0.4, "runs into wall press"},
	{"a square comes by a table", WALL(SQUARE, "table: {time: [0 s, 1 s], position: [[0, 0, 0], [0, 0, -50 mm]]}"),
	 STILL, NULL, 0.4, "runs into wall press"},
	{"a plane swings", WALL(PLANE, "vibration: {amplitude: [0, 0, 40 mm], frequency: 0.5 Hz, phase: 180 deg}"), STILL,
	 NULL, 1. / 6, "runs into wall press"},
	{"a ball comes to a plane at rest",
	 "walls: {press: {plane: {point: [0, 0, 30 mm], normal: [0, 0, -1]}, material: m}}\n", "[0, 0, 50 mm/s]", NULL, 0.4,
	 "runs into wall press"},
	{"a tube comes",
	 WALL("cylinder: {center: [-30 mm, 5 mm, 0], radius: 50 mm, axis: z, side: inside}", "velocity: [-50 mm/s, 0, 0]"),
	 STILL, NULL, 0.2, "runs into wall press"},
	{"two balls", "", "[0, 0, 50 mm/s]", "[0, 0, 0]", 0.2, "runs into held body 2"},
	{"a plane goes", WALL(PLANE, "velocity: [0, 0, 50 mm/s]"), STILL, NULL, 0, ""},
	{"a plane stops before", WALL(PLANE, "velocity: [0, 0, -50 mm/s], until: 0.3 s"), STILL, NULL, 0, ""},
	{"a plane comes with the ball", WALL(PLANE, "velocity: [0, 0, 50 mm/s]"), "[0, 0, 50 mm/s]", NULL, 0, ""},
	{"a plane cuts the ball and moves along",
	 "walls: {press: {plane: {point: [0, 0, 7 mm], normal: [0, 0, -1]}, material: m, motion: {velocity: [50 mm/s, 0, "
	 "0]}}}\n",
	 STILL, NULL, 0, ""},
	{"a tube that cuts the ball turns",
	 WALL("cylinder: {center: [0, 5 mm, 0], radius: 7 mm, axis: z, side: inside}",
		  "angular_velocity: 3 rad/s, about: z, point: [0, 5 mm, 0]"),
	 STILL, NULL, 0, ""},
	{"two balls together", "", "[0, 0, 50 mm/s]", "[0, 0, 50 mm/s]", 0, ""},
	{"two balls apart", "", "[0, 0, -50 mm/s]", "[0, 0, 0]", 0, ""},
};

#define BALL(z0, z1)                                                                                                   \
	"  - {region: {box: {min: [0, 0, " z0 "], max: [10 mm, 10 mm, " z1                                                 \
	"]}}, lattice: {spacing: 10 mm}, material: m, shape: s, size: 10 mm, held: true, velocity: %s}\n"

static scree_world *open_case(const held_case *c, const char *response, scene *s)
{
	char text[3000], *report = NULL;
	int at = snprintf(text, sizeof text,
					  "scene: 1\nmaterials: {m: {density: 2500 kg/m^3, young: 10 MPa}}\ncontacts: {default: "
					  "{restitution: 0.5}}\nshapes: {s: {sphere: {diameter: 1}}}\n%sfill:\n" BALL("0", "10 mm"),
					  c->walls, c->velocity);
	if (c->second) at += snprintf(text + at, sizeof text - (size_t)at, BALL("20 mm", "30 mm"), c->second);
	snprintf(text + at, sizeof text - (size_t)at,
			 "world: {gravity: [0, 0, 0]}\nrun: {until: 0.6 s, response: %s, step: "
			 "{time: 0.2 ms, unsafe: true}}\n",
			 response);
	const bool read = read_scene("test", text, strlen(text), 0, NULL, true, s, &report);
	CHECK(read, "%s: %s", c->name, report ? report : "");
	scree_free(report);
	return s->world;
}

static bool note_says(const scree_world *w, const char *words)
{
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);
	scree_notes_print_held(to, w, 0.6);
	assert_int_equal(fclose(to), 0);
	const bool says = strstr(text, words) && length;
	free(text);
	return says;
}

static void try_case(const held_case *c, const char *response)
{
	scene s;
	scree_world *w = open_case(c, response, &s);
	CHECK(note_says(w, "held bod") == (c->meet > 0), "%s by %s: the note", c->name, response);
	const bool ran = scree_steps(w, 3000);
	CHECK(ran == !(c->meet > 0), "%s by %s: ran to %g s: %s", c->name, response, w->state.time, w->work.why.text);
	CHECK(ran || strstr(w->work.why.text, c->words), "%s by %s: %s", c->name, response, w->work.why.text);
	/* the run stops at most 50 steps later */
	if (!ran)
		CHECK(w->state.time >= c->meet - 1e-6 && w->state.time <= c->meet + 0.0101, "%s by %s: at %g s for %g", c->name,
			  response, w->state.time, c->meet);
	scree_scene_free(&s);
}

static void held_bodies_that_meet_stop_a_run(void **state)
{
	(void)state;
	static const char *const responses[] = {"forces", "implicit", "hard", "elastic"};
	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
		for (size_t r = 0; r < sizeof responses / sizeof *responses; ++r) try_case(cases + k, responses[r]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(held_bodies_that_meet_stop_a_run)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
