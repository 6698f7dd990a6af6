/* bench.h: code shared by the drivers of the peers: the clock and the printing of figures. The packings are in cubes.h
 * and flat.h. */
#ifndef SCREE_BENCH_PEERS_H
#define SCREE_BENCH_PEERS_H

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace bench
{
constexpr double pitch = 1.02, gravity = 10, friction = 0.5;

inline double now()
{
	return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct figures {
	double seconds, overlap; // overlap: largest overlap as a fraction of the edge or diameter
	double energy_before, energy_after;
	long touching, points; // at the end
	double height = NAN;   // mean height of all bodies in m, if it is meaningful
};

inline void print(int bodies, int steps, double dt, const figures &f)
{
	std::printf("bodies %d  contacts %ld  points %ld  steps %d  seconds %.4f\n", bodies, f.touching, f.points, steps,
				f.seconds);
	std::printf("particle_steps_per_second %.6g\n", (double)bodies * steps / f.seconds);
	std::printf("simulated_per_wall_second %.6g\n", steps * dt / f.seconds);
	std::printf("greatest_overlap_percent %.4g\n", 100 * f.overlap);
	std::printf("energy_drift_joule %.4g\n", f.energy_after - f.energy_before);
	std::printf("mean_height_metre %.4g\n", f.height);
}
} // namespace bench

#endif
