// bench.h: what the drivers of the peers share: the packing of cubes of bench/cubes3d, and how its figures are printed.
//
// n^3 cubes of edge 1 and mass 1 on a lattice of pitch 1.02, walls at the lattice's ends, gravity 10, friction 0.5, no
// rebound; steps of 1/240 s, sleeping off. Settled for 240 steps, then measured.
#ifndef SCREE_BENCH_PEERS_H
#define SCREE_BENCH_PEERS_H

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace bench
{
constexpr double pitch = 1.02, gravity = 10, friction = 0.5, dt = 1.0 / 240, wall = 5;

inline double now()
{
	return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The six sides of an open room: boxes as thick as `wall` round the lattice. Calls box(low[3], high[3]).
template <class Box> void room(int n, Box box)
{
	double side = n * pitch, top = side + 10;
	for (int axis = 0; axis < 3; ++axis) {
		for (int end = 0; end < (axis == 2 ? 1 : 2); ++end) {
			double low[3] = {-wall, -wall, -wall}, high[3] = {side + wall, side + wall, top};
			low[axis] = end ? side : -wall;
			high[axis] = end ? side + wall : 0;
			box(low, high);
		}
	}
}

// Calls cube(x, y, z) for each place of the lattice.
template <class Cube> void lattice(int n, Cube cube)
{
	for (int k = 0; k < n; ++k)
		for (int j = 0; j < n; ++j)
			for (int i = 0; i < n; ++i) cube(pitch * (i + 0.5), pitch * (j + 0.5), pitch * (k + 0.5));
}

struct figures {
	double seconds, overlap; // overlap: greatest, as part of the edge
	double energy_before, energy_after;
	long touching, points; // at the end
};

inline void print(int bodies, int steps, const figures &f)
{
	std::printf("bodies %d  contacts %ld  points %ld  steps %d  seconds %.4f\n", bodies, f.touching, f.points, steps,
				f.seconds);
	std::printf("particle_steps_per_second %.6g\n", (double)bodies * steps / f.seconds);
	std::printf("simulated_per_wall_second %.6g\n", steps * dt / f.seconds);
	std::printf("greatest_overlap_percent %.4g\n", 100 * f.overlap);
	std::printf("energy_drift_joule %.4g\n", f.energy_after - f.energy_before);
}
} // namespace bench

#endif
