/* library_help.h: simulations for tests of the library. */
#ifndef SCREE_TESTS_LIBRARY_HELP_H
#define SCREE_TESTS_LIBRARY_HELP_H

#include "test.h"

#include "scree/world.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

/* spheres and polyhedra in space, in the plane, with impulses, with sources and under pressure, and clumps; then
 * compounds, surfaces with a halo, periods and shear, Gear's integrator, cohesion, volumes, servos and vibration */
static const char *const library_files[] = {
	"scenes/settling_cubes.scene.yaml", "examples/heap2d.scene.yaml",	   "examples/gas.scene.yaml",
	"examples/hopper.scene.yaml",		"examples/press.scene.yaml",	   "examples/clumps.scene.yaml",
	"scenes/hooks.scene.yaml",			"scenes/halos.scene.yaml",		   "scenes/periodic_shear.scene.yaml",
#if SCREE_PAPERS
	"scenes/gear_beads.scene.yaml",
#endif
	"scenes/sticky_beads.scene.yaml",	"scenes/volume_blocks.scene.yaml", "scenes/servo_lid.scene.yaml",
	"scenes/vibrated_plate.scene.yaml", "scenes/flat_mix.scene.yaml"};
enum { LIBRARY_FILES = sizeof library_files / sizeof *library_files };

static inline scree_sim *library_open(const char *file, int threads)
{
	char path[400];
	scree_problems *p;
	snprintf(path, sizeof path, "%s/%s", SCREE_SOURCE, file);
	scree_sim *s = scree_sim_open(&(scree_open_options){.path = path, .threads = threads}, &p);
	CHECK(s, "%s: %s", file, scree_problems_text(p));
	return s;
}

static inline scree_sim *library_text(const char *text)
{
	scree_problems *p;
	scree_sim *s = scree_sim_open(&(scree_open_options){.text = text}, &p);
	CHECK(s, "%s", scree_problems_text(p));
	return s;
}

/* status of a shell command */
static inline int library_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline int library_shell(const char *format, ...)
{
	char command[2000];
	va_list args;
	va_start(args, format);
	vsnprintf(command, sizeof command, format, args);
	va_end(args);
	return system(command);
}

/* makes calls that must succeed */
#define LIBRARY_DO(s, call) CHECK((call) == SCREE_DONE, "%s", scree_sim_error(s))

/* Saves a run at this step, continues it with another number of threads, and checks that it has this hash after `all`
 * steps in total. */
static inline void library_continues(const char *file, int64_t step, uint64_t wanted, int64_t all)
{
	char path[300];
	snprintf(path, sizeof path, "%s/continues_%ld.snap", SCREE_BINARY, (long)getpid());
	scree_sim *s = library_open(file, 1);
	for (int64_t k = 0; k < step; ++k) LIBRARY_DO(s, scree_sim_step(s, 1));
	LIBRARY_DO(s, scree_sim_save(s, path));
	scree_sim_close(s);
	scree_problems *p;
	s = scree_sim_restore(path, 3, &p);
	CHECK(s, "%s", scree_problems_text(p));
	unlink(path);
	LIBRARY_DO(s, scree_sim_step(s, all - step));
	CHECK(scree_sim_hash(s) == wanted, "%s, step %lld: %016llx, expected %016llx", file, (long long)step,
		  (unsigned long long)scree_sim_hash(s), (unsigned long long)wanted);
	scree_sim_close(s);
}

/* the first lines of a scene: a material and its contacts, and in the second case also balls */
#define LIBRARY_STUFF                                                                                                  \
	"scene: 1\n"                                                                                                       \
	"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"                                            \
	"contacts: {default: {restitution: 0.5, friction: 0.3}}\n"
#define LIBRARY_ROUND LIBRARY_STUFF "shapes: {ball: {sphere: 1}}\n"

/* a 10 mm ball above a floor; keys of the run and the world may be appended */
#define LIBRARY_BALL                                                                                                   \
	LIBRARY_ROUND                                                                                                      \
	"walls: {floor: {plane: {point: [0 m, 0 m, 0 m], normal: [0, 0, 1]}, material: m}}\n"                              \
	"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [20 mm, 20 mm, 20 mm]}}, "           \
	"material: m, shape: ball, size: 10 mm}]\n"

#endif
