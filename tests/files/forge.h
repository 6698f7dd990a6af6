/* forge.h: snapshots with wrong contents but correct hashes, for testing and fuzzing the reader of snapshots. The
 * layout is described in src/format/snapshot.c: magic, number of sections, table of {name[16], length, hash}, hash of
 * the table, sections. */
#ifndef SCREE_TESTS_FORGE_H
#define SCREE_TESTS_FORGE_H

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "format/vtk.h"
#include "prepare/wall_defects.h"
#include "world/world.h"

enum { FORGE_HEAD = 17 + 8, FORGE_ROW = 32, FORGE_MOST = 16 };

static inline void forge_hash(unsigned char *to, const unsigned char *bytes, size_t length)
{
	uint64_t hash = scree_hash(bytes, length);
	memcpy(to, &hash, sizeof hash);
}

/* Returns the number of sections, or 0; begin: the start of each section, and the end of the last one. */
static inline uint64_t forge_sections(const unsigned char *file, size_t length, size_t begin[FORGE_MOST + 1])
{
	uint64_t sections, part;
	if (length < FORGE_HEAD) return 0;
	memcpy(&sections, file + 17, 8);
	if (sections > FORGE_MOST || length < FORGE_HEAD + sections * FORGE_ROW + 8) return 0;
	begin[0] = FORGE_HEAD + sections * FORGE_ROW + 8;
	for (uint64_t k = 0; k < sections; ++k) {
		memcpy(&part, file + FORGE_HEAD + k * FORGE_ROW + 16, 8);
		if (part > length - begin[k]) return k;
		begin[k + 1] = begin[k] + part;
	}
	return sections;
}

/* corrects all hashes */
static inline void forge_hashes(unsigned char *file, size_t length)
{
	size_t begin[FORGE_MOST + 1];
	uint64_t sections = forge_sections(file, length, begin);
	for (uint64_t k = 0; k < sections; ++k)
		forge_hash(file + FORGE_HEAD + k * FORGE_ROW + 24, file + begin[k], begin[k + 1] - begin[k]);
	if (sections) forge_hash(file + FORGE_HEAD + sections * FORGE_ROW, file + FORGE_HEAD, sections * FORGE_ROW);
}

/* Writes an invalid number into `room` bytes at `at`; `which` selects the number and may have any value. */
static inline void forge_number(unsigned char *at, size_t room, uint32_t which)
{
	static const double reals[] = {0,	   -1,	   1,		NAN,  INFINITY, -INFINITY, 1e300,
								   -1e300, 1e-300, -1e-300, 1e30, 1e9,		-1e9,	   0.5};
	static const int32_t whole[] = {0, -1, 1, 2, 3, 4, 7, 100, 65536, INT32_MAX, INT32_MIN, INT32_MAX - 1};
	enum { REALS = sizeof reals / sizeof *reals, WHOLE = sizeof whole / sizeof *whole };
	which %= 2 * REALS + WHOLE + 2;
	if (room >= 8 && which < REALS)
		memcpy(at, reals + which, 8);
	else if (room >= 8 && which < 2 * REALS) { /* slightly larger or slightly smaller */
		double x;
		memcpy(&x, at, 8);
		x *= which % 2 ? 1 + 0.5 * which : 1 / (1 + 0.5 * which);
		memcpy(at, &x, 8);
	} else if (room >= 4 && which < 2 * REALS + WHOLE)
		memcpy(at, whole + which % WHOLE, 4);
	else if (room >= 4) {
		int32_t x;
		memcpy(&x, at, 4);
		x = (int32_t)((uint32_t)x + (which % 2 ? 1u : UINT32_MAX));
		memcpy(at, &x, 4);
	} else if (room)
		*at = (unsigned char)which;
}

/* Makes the calls that a reader might make with a world; none of them may crash. A guard may reject a step. */
static inline void forge_use(struct scree_world *w, const char *path)
{
	fail why = {0};
	scree_world_hash(&w->model, &w->state, &w->work);
	scree_world_energy(&w->model, &w->state, &w->work);
	if (path) scree_vtk_export_mesh(w, path, &why);
	for (int32_t k = 0; k < w->model.wall.count; ++k) scree_wall_defects(&w->model, &w->state, &w->work.domain, k);
	/* only two steps, because a forged source may add thousands of bodies in each */
	bool good = scree_step(w);
	if (good) scree_step(w);
	scree_world_hash(&w->model, &w->state, &w->work);
}

#endif
