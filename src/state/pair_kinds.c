#include "state/pair_kinds.h"

#include "base/parallel.h"

#include <string.h>

/* At the start and the end of each piece, some slots do not fill a vector. With pieces of 2048 slots instead of 128,
 * a step of a layer of cubes takes 0.85 times as long on one core. Pairs with many possible contacts require very
 * different amounts of work, so their pieces are small. */
enum { SPHERES = 1024, SPHERES_MOST = 8192, CONVEX = 128, CONVEX_MOST = 2048, SEVERAL = 32, PIECES_A_THREAD = 16 };
enum { BODIES = TAKES_ANY | TAKES_COMPOUNDS | TAKES_POINTED };

const pair_row scree_pair_kinds[PAIR_KINDS] = {
	[PAIR_SPHERE_SPHERE] = {"sphere_sphere", .formula = true, .piece = SPHERES, .most = SPHERES_MOST,
							.takes = {{TAKES_ROUND, TAKES_ROUND},
									  {TAKES_ROUND, TAKES_ROUND},
									  {TAKES_NONE, TAKES_NONE}}},
	[PAIR_SPHERE_CONVEX] = {"sphere_convex", .piece = CONVEX, .most = CONVEX_MOST,
							.takes = {{TAKES_ROUND, TAKES_OTHERS}, {TAKES_NONE, TAKES_NONE}, {TAKES_NONE, TAKES_NONE}}},
	[PAIR_CONVEX_CONVEX] = {"convex_convex", .patch = true, .piece = CONVEX, .most = CONVEX_MOST,
							.takes = {{TAKES_OTHERS, TAKES_OTHERS}, {TAKES_ANY, TAKES_ANY}, {TAKES_ANY, TAKES_ANY}}},
	[PAIR_SPHERE_WALL] = {"sphere_wall", .on_wall = true, .piece = CONVEX, .most = CONVEX_MOST,
						  .takes = {{TAKES_ROUND, TAKES_SURFACE},
									{TAKES_ROUND, TAKES_SURFACE},
									{TAKES_NONE, TAKES_NONE}}},
	[PAIR_CONVEX_WALL] = {"convex_wall", .on_wall = true, .patch = true, .piece = CONVEX, .most = CONVEX_MOST,
						  .takes = {{TAKES_OTHERS, TAKES_SURFACE},
									{TAKES_ANY, TAKES_SURFACE},
									{TAKES_ANY, TAKES_SURFACE}}},
	[PAIR_SEVERAL_PATCHES] = {"many_patches", .patch = true, .several = true, .piece = SEVERAL, .most = SEVERAL,
							  .takes = {{TAKES_OTHERS | TAKES_COMPOUNDS, TAKES_COMPOUNDS}}},
	[PAIR_SEVERAL_POINTS] = {"many_points", .several = true, .piece = SEVERAL, .most = SEVERAL,
							 .takes = {{BODIES, TAKES_COMPOUNDS | TAKES_POINTED}}},
	[PAIR_SEVERAL_PATCHES_WALL] = {"many_patches_wall", .on_wall = true, .patch = true, .several = true,
								   .piece = SEVERAL, .most = SEVERAL, .takes = {{TAKES_COMPOUNDS, TAKES_SURFACE}}},
	[PAIR_SEVERAL_POINTS_WALL] = {"many_points_wall", .on_wall = true, .several = true, .piece = SEVERAL,
								  .most = SEVERAL, .takes = {{TAKES_POINTED, TAKES_SURFACE}}},
};

int32_t scree_pair_piece(int kind, int64_t slots)
{
	const pair_row *row = scree_pair_kinds + kind;
	const int64_t even = slots / (PIECES_A_THREAD * scree_threads());
	return even < row->piece ? row->piece : even > row->most ? row->most : (int32_t)even;
}

int scree_pair_kind_find(const char *name)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		if (!strcmp(scree_pair_kinds[kind].name, name)) return kind;
	return -1;
}

int scree_pair_kind_of(pair_place place, uint8_t first, uint8_t second)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const uint8_t *takes = scree_pair_kinds[kind].takes[place];
		if ((takes[0] & first) && (takes[1] & second)) return kind;
	}
	return -1;
}
