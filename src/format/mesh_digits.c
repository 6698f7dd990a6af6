/* mesh_digits: precision of the coordinates in a file.
 *
 * A number in a file is a decimal with few digits, or was stored in single precision. All numbers have the same number
 * of digits or of decimals. It is derived from the largest numbers, those with the largest power of ten, or with the
 * next lower one if there are few. It is the largest number of decimals that several distinct numbers need. For full
 * doubles, or if all numbers are round, the result is 0. */
#include "base/maths.h"
#include "format/mesh.h"

enum { WITNESSES = 4, DECIMALS = 15 };

/* The distinct numbers with one power of ten that need the most decimals. */
typedef struct witnesses {
	int decimals, count;
	real number[WITNESSES];
} witnesses;

static real nearest_whole(real x) { return scree_floor(x + (real)0.5); }

static int decimals_of(real x)
{
	real power = 1;
	for (int d = 0; d < DECIMALS; ++d, power *= 10) {
		real y = x * power;
		if (real_abs(y - nearest_whole(y)) <= 0x1p-50 * real_abs(y)) return d;
	}
	return DECIMALS;
}

static void witness(witnesses *w, real x)
{
	const int d = decimals_of(x);
	if (d < w->decimals) return;
	if (d > w->decimals) w->decimals = d, w->count = 0;
	for (int k = 0; k < w->count; ++k)
		if (w->number[k] == x) return;
	if (w->count < WITNESSES) w->number[w->count++] = x;
}

static real part(vec3 p, int k) { return real_abs(k == 0 ? p.x : k == 1 ? p.y : p.z); }

/* Whether all numbers are exact in single precision and at least one is not round. */
static bool is_single(const mesh *m)
{
	bool fine = false;
	for (int32_t i = 0; i < m->vertices; ++i)
		for (int k = 0; k < 3; ++k) {
			const real x = part(m->vertex[i], k);
			if ((real)(float)x != x) return false;
			fine = fine || decimals_of(x) > 9;
		}
	return fine;
}

real scree_mesh_unit(const mesh *m)
{
	const real most = scree_mesh_farthest(m);
	if (!(most > 1e-30 && most < 1e30)) return 0;
	if (is_single(m)) return 0x1p-23 * most;
	real down = 1, up = 1; /* powers of ten that bring the largest number to 1 .. 10 */
	while (most / down >= 10) down *= 10;
	while (most * up < 1) up *= 10;
	witnesses top = {0}, below = {0};
	for (int32_t i = 0; i < m->vertices; ++i)
		for (int k = 0; k < 3; ++k) {
			const real x = part(m->vertex[i], k) / down * up;
			if (x >= 1)
				witness(&top, x);
			else if (x >= (real)0.1)
				witness(&below, x);
		}
	const witnesses *w = top.count >= WITNESSES ? &top : &below;
	if (w->count < WITNESSES || w->decimals > 12) return 0;
	real unit = down / up;
	for (int d = 0; d < w->decimals; ++d) unit /= 10;
	return unit;
}
