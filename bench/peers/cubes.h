/* cubes.h: the packing of cubes in bench/cubes3d: n^3 cubes of edge 1 and mass 1 on a lattice with a pitch of 1.02,
 * walls at the ends of the lattice, gravity 10, friction 0.5 and restitution 0. Steps are 1/240 s, and bodies do not
 * sleep. The packing settles for 240 steps and is then measured. */
#ifndef SCREE_BENCH_PEERS_CUBES_H
#define SCREE_BENCH_PEERS_CUBES_H

#include "bench.h"

namespace bench
{
constexpr double dt = 1.0 / 240, wall = 5;

// Calls box(low[3], high[3]) for the six sides of a room, boxes of thickness `wall` around the lattice.
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

// Calls cube(x, y, z) for each site of the lattice.
template <class Cube> void lattice(int n, Cube cube)
{
	for (int k = 0; k < n; ++k)
		for (int j = 0; j < n; ++j)
			for (int i = 0; i < n; ++i) cube(pitch * (i + 0.5), pitch * (j + 0.5), pitch * (k + 0.5));
}
} // namespace bench

#endif
