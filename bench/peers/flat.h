/* flat.h: the two set-ups in the plane for two-dimensional peers, and their timing. All steps are 1/60 s; sleeping and
 * continuous collision detection are off.
 *
 * packing: 5,000 regular polygons whose corners are on a circle of diameter 1, with a density of 1 and random angles,
 *   on a lattice with a pitch of 1.02 and 60 to a row, between walls at the ends of the lattice; gravity 10, friction
 *   0.5, restitution 0. The packing settles for 600 steps and is then measured.
 * gas: 3,000 discs of radius 2 in a 600 by 6,000 box, with velocity components of at most 100, without gravity,
 *   friction or losses. After 120 steps, the mean time per step in the best of many rounds of 20 steps is measured, as
 *   for scree. */
#ifndef SCREE_BENCH_PEERS_FLAT_H
#define SCREE_BENCH_PEERS_FLAT_H

#include "bench.h"

#include <cstring>
#include <random>
#include <vector>

namespace bench
{
constexpr double pi = 3.14159265358979323846, dt = 1.0 / 60, high = 300;
constexpr int stones = 5000, columns = 60, settle = 600;
constexpr double wide = columns * pitch;

constexpr int balls = 3000, warm = 120, lap = 20;
constexpr double radius = 2, gas_wide = 600, gas_high = 6000, fastest = 100;

struct point {
	double x, y;
};

// random numbers within [low, high), the same on every machine
class draw
{
  public:
	double between(double low, double high) { return low + (high - low) * (double)(next() >> 11) * 0x1p-53; }

  private:
	std::mt19937_64 next{101};
};

inline double area(int corners) { return corners * 0.125 * std::sin(2 * pi / corners); }

// Calls stone(position, outline about the position) for each polygon.
template <class Stone> void packing(int corners, Stone stone)
{
	draw random;
	std::vector<point> outline(corners);
	for (int k = 0; k < stones; ++k) {
		double first = random.between(0, 2 * pi);
		for (int c = 0; c < corners; ++c) {
			double angle = first + 2 * pi * c / corners;
			outline[c] = {0.5 * std::cos(angle), 0.5 * std::sin(angle)};
		}
		stone(point{pitch * (k % columns + 0.5), pitch * (k / columns + 0.5)}, outline);
	}
}

// Calls ball(position, velocity) for each disc. Discs are on a lattice, so they do not overlap.
template <class Ball> void gas(Ball ball)
{
	draw random;
	for (int k = 0; k < balls; ++k) {
		double x = 20 * (k % 30 + 0.5) + random.between(-5, 5), y = 60 * (k / 30 + 0.5) + random.between(-5, 5);
		double u = random.between(-fastest, fastest), v = random.between(-fastest, fastest);
		ball(point{x, y}, point{u, v});
	}
}

// World has step(), energy(), height() and contacts(figures &), which also finds the largest overlap.
template <class World> void measure_packing(World &w, int steps)
{
	for (int k = 0; k < settle; ++k) w.step();
	figures f = {};
	f.energy_before = w.energy();
	for (int k = 0; k < steps; ++k) {
		double began = now();
		w.step();
		f.seconds += now() - began;
		w.contacts(f);
	}
	f.energy_after = w.energy();
	f.height = w.height();
	print(stones, steps, dt, f);
}

template <class World> void measure_gas(World &w, int steps)
{
	for (int k = 0; k < warm; ++k) w.step();
	double before = w.energy(), began = now();
	for (int k = 0; k < steps; ++k) w.step();
	double seconds = now() - began;
	std::printf("ms_per_frame %.6g\nenergy_drift_percent %.4g\n", 1e3 * seconds / steps,
				100 * (w.energy() / before - 1));
}

// The arguments of a peer are packing CORNERS STEPS, or gas STEPS. A World is made with these arguments and measured.
template <class Packing, class Gas> int run(int words, char **word)
{
	if (words == 4 && !std::strcmp(word[1], "packing")) {
		Packing world(std::atoi(word[2]));
		measure_packing(world, std::atoi(word[3]));
	} else if (words == 3 && !std::strcmp(word[1], "gas")) {
		Gas world;
		measure_gas(world, std::atoi(word[2]));
	} else {
		std::fprintf(stderr, "usage: %s packing CORNERS STEPS | gas STEPS\n", word[0]);
		return 2;
	}
	return 0;
}
} // namespace bench

#endif
