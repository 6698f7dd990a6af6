/* servo: a plate presses on a bed of balls with a given force. This program is its controller: it reads the load on the
 * plate every few steps, and sets its velocity. In the end the plate presses with this force, and the floor carries it
 * and the weight. */
#include "common.h"

static const char *const scene =
	"scene: 1\n"
	"title: A pressed bed\n"
	"materials: {glass: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}}\n"
	"contacts: {default: {restitution: 0.3, friction: 0}}\n"
	"shapes: {ball: {sphere: 1}}\n"
	"walls:\n"
	"  box: {box: {min: [0 m, 0 m, 0 m], max: [60 mm, 60 mm, 1 m], open: [z_min, z_max]}, material: glass}\n"
	"  floor: {plane: {point: [0 m, 0 m, 0 m], normal: [0, 0, 1]}, material: glass}\n"
	"  plate: {plane: {point: [0 m, 0 m, 66 mm], normal: [0, 0, -1]}, material: glass}\n"
	"fill: [{lattice: {spacing: 15 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [60 mm, 60 mm, 60 mm]}}, "
	"material: glass, shape: ball, size: 12 mm, velocity: [0.05 m/s, 0.02 m/s, 0 m/s]}]\n"
	"run: {until: 2 s}\n";

static const double WANTED = 2;		/* N, upwards on the plate */
static const double GAIN = 1e-2;	/* m/s per N */
static const double FASTEST = 0.05; /* m/s */
static const int STEPS = 10;		/* between two readings */

int main(void)
{
	int wrong = 0;
	scree_sim *s = open_text(scene);
	const int plate = scree_sim_find_wall(s, "plate"), floor = scree_sim_find_wall(s, "floor");
	double weight = 0, load = 0;
	scree_wall w;
	for (int64_t i = 0; i < scree_sim_bodies(s); ++i) weight += 9.81 * column(s, "mass")[i];

	while (scree_sim_time(s) < scree_sim_until(s)) {
		const double speed = fmax(-FASTEST, fmin(FASTEST, GAIN * (load - WANTED)));
		must(s, scree_sim_move_wall(s, plate, (double[3]){0, 0, speed}, (double[3]){0, 0, 0}));
		must(s, scree_sim_step(s, STEPS));
		must(s, scree_sim_wall(s, plate, &w));
		load = w.force[2];
	}
	printf("the plate is %.2f mm lower\n", -1e3 * w.position[2]);
	wrong += compare("load on the plate, N", load, WANTED, 0.01 * WANTED);
	must(s, scree_sim_wall(s, floor, &w));
	wrong += compare("load on the floor, N", -w.force[2], WANTED + weight, 0.02 * WANTED);
	scree_sim_close(s);
	return wrong;
}
