/* fcl: nanoseconds per pair of triangles with FCL's TriangleDistance (after PQP, Larsen et al. 1999), for the pairs of
 * bench/tritri.c.
 *
 * usage: peer_fcl */
#include "../triangle_pairs.h"

#include <chrono>
#include <cstdio>
#include <fcl/narrowphase/detail/primitive_shape_algorithm/triangle_distance.h>
#include <vector>

template <typename number> static void measure(const char *name, const char *type, double (*row)[18])
{
	using fcl::Vector3;
	std::vector<Vector3<number>> corner(6 * TIMED_PAIRS);
	for (int i = 0; i < TIMED_PAIRS; ++i)
		for (int k = 0; k < 6; ++k)
			corner[6 * i + k] =
				Vector3<number>(static_cast<number>(row[i][3 * k]), static_cast<number>(row[i][3 * k + 1]),
								static_cast<number>(row[i][3 * k + 2]));
	double least = 1e30, sum = 0;
	for (int round = 0; round < 20; ++round) {
		auto start = std::chrono::steady_clock::now();
		sum = 0;
		for (int i = 0; i < TIMED_PAIRS; ++i) {
			Vector3<number> p, q;
			sum += static_cast<double>(
				fcl::detail::TriangleDistance<number>::triDistance(&corner[6 * i], &corner[6 * i + 3], p, q));
		}
		std::chrono::duration<double, std::nano> t = std::chrono::steady_clock::now() - start;
		least = t.count() / TIMED_PAIRS < least ? t.count() / TIMED_PAIRS : least;
	}
	std::printf("%-7s fcl        %-7s %8.1f ns  mean distance %.9g\n", name, type, least, sum / TIMED_PAIRS);
}

static void both(const char *name, double (*row)[18])
{
	measure<double>(name, "double", row);
	measure<float>(name, "float", row);
}

int main()
{
	static double row[TIMED_PAIRS][18];
	pairs_apart(row, 1, 8);
	both("far", row);
	pairs_apart(row, 0, 0.01);
	both("near", row);
	pairs_touching(row);
	both("contact", row);
	pairs_grains(row);
	both("grains", row);
}
