/* field: a ball orbits a centre that attracts it with k / r^2, by Kepler's laws. The program computes the force in a
 * function that scree calls in each step. */
#include "common.h"

static const char *const scene =
	"scene: 1\n"
	"title: A ball on an ellipse\n"
	"world: {gravity: [0 m/s^2, 0 m/s^2, 0 m/s^2]}\n"
	"materials: {rock: {density: 2500 kg/m^3, young: 0.2 MPa, poisson: 0.25}}\n"
	"shapes: {ball: {sphere: 1}}\n"
	"walls: {far: {plane: {point: [0 m, 0 m, -10 m], normal: [0, 0, 1]}, material: rock}}\n"
	"fill: [{lattice: {spacing: 60 mm}, region: {box: {min: [0.97 m, -30 mm, -30 mm], max: [1.03 m, 30 mm, 30 mm]}}, "
	"material: rock, shape: ball, size: 50 mm, velocity: [0 m/s, 1.2 m/s, 0 m/s]}]\n"
	"run: {until: 20 s}\n";

static const double STRENGTH = 1; /* m3/s2: acceleration times r^2 */

static void attract(const scree_force_rows *rows, void *context)
{
	const double strength = *(const double *)context;
	for (int64_t i = 0; i < rows->rows; ++i) {
		const double x = rows->x[i], y = rows->y[i], z = rows->z[i], r2 = x * x + y * y + z * z;
		const double f = -strength * rows->mass[i] / (r2 * sqrt(r2));
		rows->fx[i] += f * x;
		rows->fy[i] += f * y;
		rows->fz[i] += f * z;
	}
}

static double potential(scree_sim *s)
{
	const double x = *column(s, "x"), y = *column(s, "y");
	return -STRENGTH * *column(s, "mass") / sqrt(x * x + y * y);
}

int main(void)
{
	int wrong = 0;
	double strength = STRENGTH;
	scree_ledger e;
	scree_sim *s = open_text(scene);
	must(s, scree_sim_on_force(s, attract, &strength));
	must(s, scree_sim_ledger(s, &e));
	const double energy = e.kinetic + potential(s);

	/* vis-viva: the speed at distance 1 m gives the axis a, and a the period */
	const double a = 1 / (2 - 1.2 * 1.2 / STRENGTH), period = 2 * acos(-1) * sqrt(a * a * a / STRENGTH);
	must(s, scree_sim_run_until(s, period / 2));
	wrong += compare("farthest point, m", -*column(s, "x"), 2 * a - 1, 1e-3);
	must(s, scree_sim_run_until(s, period));
	wrong += compare("x after a period, m", *column(s, "x"), 1, 1e-3);
	wrong += compare("y after a period, m", *column(s, "y"), 0, 1e-3);
	must(s, scree_sim_ledger(s, &e));
	wrong += compare("energy of ball and field, J", e.kinetic + potential(s), energy, 1e-6 * fabs(energy));
	wrong += compare("residual of the ledger, J", e.residual, 0, 1e-6 * fabs(energy));
	scree_sim_close(s);
	return wrong;
}
