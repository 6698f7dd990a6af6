/* core_alone THREADS STEPS SNAPSHOT: balls and cubes fall into a box, using only the core of the library: without
 * scene files, and without libraries except libc and threads. Prints the hash of the state, and writes a snapshot. */
#include "base/memory.h"
#include "base/parallel.h"
#include "choices/choices.h"
#include "format/snapshot.h"
#include "kernel/law_constants.h"
#include "kernel/quat.h"
#include "model/narrow.h"
#include "prepare/prepare.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>

static bool add_walls(scree_world *w, fail *why)
{
	for (int face = 0; face < 5; ++face) {
		real sign = face % 2 ? -1 : 1;
		vec3 normal = v3(face / 2 == 0 ? sign : 0, face / 2 == 1 ? sign : 0, face / 2 == 2 ? 1 : 0);
		vec3 point = v3(face == 1 ? 0.5 : 0, face == 3 ? 0.5 : 0, 0);
		if (scree_walls_add_plane(&w->model.wall, scree_wall_default("side", 0), point, normal, why) < 0) return false;
	}
	return true;
}

static void add_bodies(scree_world *w)
{
	for (int k = 0; k < 64; ++k) {
		new_body b = {.shape = k % 2,
					  .size = k % 2 ? 0.07 : 0.1,
					  .position = v3(0.08 + 0.112 * (k % 4), 0.08 + 0.112 * (k / 4 % 4), 0.08 + 0.112 * (k / 16)),
					  .orientation = quat_unit((quat){1, 0.1 * (k % 5), 0.07 * (k % 3), 0.03 * (k % 7)}),
					  .velocity = v3(0.1 * (k % 3), 0.1 * (k % 4), -1)};
		scree_world_add(&w->model, &w->state, &w->work, 1, &b);
	}
}

typedef struct job {
	scree_world *w;
	bool good;
	fail why;
} job;

static void build(void *what)
{
	job *j = what;
	scree_world *w = j->w;
	contact_rule rule = {.law = LAW_OVERLAP, .restitution = 0.5, .friction = 0.4};
	scree_materials_add(&w->model.material,
						(material){.name = "stone", .density = 2500, .young = 1e6, .poisson = 0.25});
	scree_materials_set_rule(&w->model.material, 0, 0, rule);
	w->model.narrow = scree_narrow_find("overlap-thickness");
	w->model.gravity = v3(0, 0, -9.81);
	scree_shapes_add_sphere(&w->model.shape, "ball");
	j->good = scree_shapes_add_box(&w->model.shape, "cube", v3(1, 1, 1), &j->why) >= 0 && add_walls(w, &j->why);
	if (!j->good) return;
	add_bodies(w);
	j->good = scree_world_prepare(w, 0, 0, &j->why);
}

static int say(const fail *why)
{
	fprintf(stderr, "core_alone: %s\n", why->text);
	return (int)why->code;
}

int main(int count, char **text)
{
	if (count != 4) return FAIL_INPUT;
	fail why;
	job j = {.w = scree_world_new()};
	scree_set_threads(atoi(text[1]));
	if (!scree_world_attempt(j.w, build, &j, &why)) return say(&why);
	if (!j.good) return say(&j.why);
	for (long steps = atol(text[2]); steps > 0; --steps)
		if (!scree_step(j.w)) return say(&j.w->work.why);
	printf("touching %lld\nhash %016llx\n", (long long)j.w->work.touching,
		   (unsigned long long)scree_world_hash(&j.w->model, &j.w->state, &j.w->work));
	if (!scree_snapshot_write(j.w, NULL, text[3], &why)) return say(&why);
	scree_world_free(j.w);
	return scree_memory_used() == 0 ? FAIL_NONE : FAIL_INTERNAL;
}
