/* loop: balls fall into a box. The program steps, reads arrays, and compares with theory: the centre of mass falls
 * freely until the first impact, and in the end the floor carries the weight. */
#include "common.h"

static const char *const scene =
	"scene: 1\n"
	"title: Balls fall into a box\n"
	"materials: {glass: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}}\n"
	"contacts: {default: {restitution: 0.3, friction: 0.5, rolling_friction: 0.01}}\n"
	"shapes: {ball: {sphere: 1}}\n"
	"walls: {box: {box: {min: [0 m, 0 m, 0 m], max: [60 mm, 60 mm, 1 m], open: [z_max]}, material: glass}}\n"
	"fill: [{lattice: {spacing: 15 mm}, region: {box: {min: [0 m, 0 m, 50 mm], max: [60 mm, 60 mm, 110 mm]}}, "
	"material: glass, shape: ball, size: 10 mm, velocity: [0.05 m/s, 0.02 m/s, 0 m/s]}]\n"
	"run: {until: 2 s}\n";

typedef struct sums {
	double mass, height, kinetic;
} sums;

static sums add_up(scree_sim *s)
{
	const double *mass = column(s, "mass"), *z = column(s, "z");
	const double *vx = column(s, "vx"), *vy = column(s, "vy"), *vz = column(s, "vz");
	sums all = {0, 0, 0};
	for (int64_t i = 0; i < scree_sim_bodies(s); ++i) {
		all.mass += mass[i];
		all.height += mass[i] * z[i];
		all.kinetic += mass[i] * (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]) / 2;
	}
	all.height /= all.mass;
	return all;
}

/* total force on all walls along z, N */
static double load_on_walls(scree_sim *s)
{
	double sum = 0;
	for (int k = 0; k < scree_sim_walls(s); ++k) {
		scree_wall w;
		must(s, scree_sim_wall(s, k, &w));
		sum += w.force[2];
	}
	return sum;
}

int main(void)
{
	int wrong = 0;
	scree_sim *s = open_text(scene);
	const sums start = add_up(s);
	printf("%lld balls, %.3g kg, steps of %.3g s\n", (long long)scree_sim_bodies(s), start.mass,
		   scree_sim_step_length(s));

	must(s, scree_sim_run_until(s, 0.05));
	const double t = scree_sim_time(s);
	wrong += compare("height of the centre of mass, m", add_up(s).height, start.height - 9.81 / 2 * t * t, 1e-9);
	wrong += compare("kinetic energy, J", add_up(s).kinetic,
					 start.kinetic + start.mass * 9.81 * (start.height - add_up(s).height), 1e-9);

	for (double until = 0.25; until <= scree_sim_until(s); until += 0.25) {
		must(s, scree_sim_run_until(s, until));
		const sums now = add_up(s);
		printf("t = %.2f s   height %.4f m   kinetic energy %.3g J\n", scree_sim_time(s), now.height, now.kinetic);
	}
	wrong += compare("load on the walls, N", load_on_walls(s), -9.81 * start.mass, 0.01 * 9.81 * start.mass);
	scree_sim_close(s);
	return wrong;
}
