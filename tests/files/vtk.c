/* Frames and full meshes, read back by VTK itself (vtk_check.py): counts, numbers, volumes. */
#include "base/memory.h"
#include "base/random.h"
#include "format/file.h"
#include "format/vtk.h"
#include "kernel/quat.h"
#include "lab.h"
#include "test.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/scree_vtk_XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command);
}

static scree_world *pile(void)
{
	scree_world *w = lab_world(lab_hertz(0.3, 0.5));
	fail why = {0};
	static const char *const solids[] = {"tetrahedron", "octahedron", "dodecahedron", "icosahedron"};
	for (int k = 0; k < 4; ++k)
		CHECK(scree_shapes_add_regular(&w->shape, solids[k], solids[k], &why) >= 0, "%s", why.text);
	snprintf(w->shape.row[2].name, sizeof w->shape.row[2].name, "a<b>&\"c\"");
	w->gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	CHECK(scree_walls_add_cylinder(&w->wall, scree_wall_default("tube", 0), v3(0, 0, 0), v3(0, 0, 1), 0.05,
								   (real)INFINITY, SIDE_INSIDE, &why) >= 0,
		  "%s", why.text);
	const vec3 corner[] = {{-0.03, -0.03, 0.005}, {0.03, -0.03, 0.005}, {0, 0.03, 0.01}};
	CHECK(scree_walls_add_polygon(&w->wall, scree_wall_default("leaf", 0), 3, corner, &why) >= 0, "%s", why.text);
	random_stream r = scree_random_start(5, 1);
	for (int k = 0; k < 48; ++k) {
		vec3 at = v3(0.018 * (k % 4) - 0.027, 0.018 * (k / 4 % 4) - 0.027, 0.02 + 0.016 * (k / 16));
		lab_add_moving(w, k % 6, 0.012, at, scree_random_rotation(&r), v3(0, 0, -1),
					   v3_mul(9, scree_random_direction(&r)));
	}
	lab_prepare(w, 5e-5);
	return w;
}

static void expect_contacts(const scree_world *w, FILE *f)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			int64_t k = c.row;
			bool on_wall = kind >= PAIR_SPHERE_WALL;
			fprintf(f, "contact %llu %lld %d %.17g %.17g\n", (unsigned long long)w->body.id[l->ca[k]],
					on_wall ? -1LL : (long long)w->body.id[l->cb[k]], on_wall ? w->wall.surface_wall[l->cb[k]] : -1,
					l->fx[k] * l->nx[k] + l->fy[k] * l->ny[k] + l->fz[k] * l->nz[k], l->depth[k]);
		}
	}
}

static void expect(const scree_world *w, FILE *f)
{
	const bodies *b = &w->body;
	for (int32_t i = 0; i < b->count; ++i)
		fprintf(f, "body %llu %.17g %.17g %.17g %.17g %d %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n",
				(unsigned long long)b->id[i], b->x[i], b->y[i], b->z[i], b->size[i], b->shape[i], b->qw[i], b->qx[i],
				b->qy[i], b->qz[i], b->vx[i], b->vy[i], b->vz[i]);
	for (int32_t k = 0; k < w->shape.count; ++k)
		fprintf(f, "shape %d %.17g %.17g\n", (int)w->shape.row[k].type, w->shape.row[k].volume, w->shape.row[k].radius);
	for (int32_t k = 0; k < w->wall.count; ++k)
		fprintf(f, "wall %d %d %.17g\n", k, (int)w->wall.row[k].type, w->wall.row[k].radius);
	expect_contacts(w, f);
}

static void frames_are_read_by_vtk(void **state)
{
	(void)state;
	enum { FRAMES = 3 };
	scree_world *w = pile();
	char path[128], command[256];
	fail why = {0};
	const vtk_plan plan = {.on = true, .every = 0.02};
	snprintf(path, sizeof path, "%s/expected.txt", folder);
	FILE *f = fopen(path, "w");
	CHECK(f != NULL, "no %s", path);
	/* the last frame is written twice, as by a run that was killed and went on */
	for (int k = 0; k < FRAMES + 1; ++k) {
		int64_t frame = k < FRAMES ? k : k - 1;
		if (k < FRAMES) lab_steps(w, 700);
		CHECK(scree_vtk_frame(w, &plan, folder, "pi&le", frame, &why), "%s", why.text);
		if (k < FRAMES) fprintf(f, "time %.17g\n", w->time);
	}
	snprintf(path, sizeof path, "%s/pi&le_full.vtp", folder);
	CHECK(scree_vtk_export_mesh(w, path, &why), "%s", why.text);
	expect(w, f);
	fclose(f);
	CHECK(w->touching > 20, "only %lld contacts", (long long)w->touching);
	scree_world_free(w);
	snprintf(command, sizeof command, "/usr/bin/python3 %s/tests/files/vtk_check.py %s 'pi&le' %d", SCREE_SOURCE,
			 folder, FRAMES);
	int code = WEXITSTATUS(system(command));
	if (code == 77) { /* no VTK here: said, not passed */
		print_message("python3-vtk9 is not installed\n");
		skip();
	}
	CHECK(code == 0, "vtk_check.py ended with %d", code);
}

static void chosen_fields_are_written(void **state)
{
	(void)state;
	scree_world *w = pile();
	char path[128];
	unsigned char *text;
	size_t length;
	fail why = {0};
	vtk_plan plan = {.on = true, .fields = 2, .field = {"velocity", "mass"}};
	CHECK(scree_vtk_frame(w, &plan, folder, "few", 0, &why), "%s", why.text);
	snprintf(path, sizeof path, "%s/few_particles_000000.vtp", folder);
	CHECK(scree_file_read(path, &text, &length, &why), "%s", why.text);
	const char *t = (const char *)text;
	CHECK(strstr(t, "\"velocity\"") && strstr(t, "\"mass\"") && strstr(t, "\"orientation\"") && strstr(t, "\"size\""),
		  "a field is missing");
	CHECK(!strstr(t, "\"torque\"") && !strstr(t, "\"id\""), "a field too many");
	scree_free(text);
	snprintf(path, sizeof path, "%s/few_contacts_000000.vtp", folder);
	CHECK(access(path, F_OK) != 0, "contacts were not asked for");
	snprintf(plan.field[1], sizeof plan.field[1], "colour");
	CHECK(!scree_vtk_frame(w, &plan, folder, "few", 1, &why) && strstr(why.text, "'colour'") &&
			  strstr(why.text, "angular_velocity"),
		  "%s", why.text);
	plan.fields = 0;
	CHECK(!scree_vtk_frame(w, &plan, "/no/such", "few", 1, &why) && why.code == FAIL_IO, "%s", why.text);
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_read_by_vtk),
		cmocka_unit_test(chosen_fields_are_written),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
