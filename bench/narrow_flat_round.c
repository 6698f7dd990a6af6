/* narrow_flat_round: nanoseconds per call for contacts of discs and ellipses in the plane.
 *
 * Each situation has a few hundred pairs, which are processed one after the other. The shortest time of several rounds
 * is printed, since other programs on the machine can only add time. */
#include "base/maths.h"
#include "base/random.h"
#include "narrow/flat/round.h"

#include <stdio.h>
#include <time.h>

enum { PAIRS = 256, ROUNDS = 300, MOST = 1024 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static mat3 turned(real angle)
{
	real s, c;
	scree_sincos(angle, &s, &c);
	return (mat3){{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
}

static flat_corner ring[MOST + 2]; /* with the last and the first corner repeated at the ends, as in shape/shapes.h */

static shape polygon_of(int32_t corners)
{
	for (int32_t k = 0; k < corners; ++k) {
		real s, c, s1, c1;
		scree_sincos(2 * SCREE_PI * k / corners, &s, &c);
		scree_sincos(2 * SCREE_PI * (k + 1) / corners, &s1, &c1);
		real x = c1 - c, y = s1 - s, length = sqrt(x * x + y * y);
		ring[k + 1] = (flat_corner){c, s, x / length, y / length, length};
	}
	ring[0] = ring[corners];
	ring[corners + 1] = ring[1];
	return (shape){.type = SHAPE_POLYGON, .radius = 1, .flat = {.corners = corners, .radius = 1, .corner = ring + 1}};
}

static shape ellipse_of(real b)
{
	return (shape){.type = SHAPE_ELLIPSE, .radius = 1, .inradius = b, .semi_x = 1, .semi_y = b};
}

typedef void (*pair_function)(const placed *a, const placed *b, int32_t hint, patch *out);

/* gap of the pairs; if above 1, pairs have random distances and may overlap deeply */
static void measure(const char *name, const shape *one, const shape *two, real gap, pair_function f)
{
	static placed a[PAIRS], b[PAIRS];
	static patch out;
	random_stream r = scree_random_start(11, 3);
	for (int k = 0; k < PAIRS; ++k) {
		real angle = scree_random_between(&r, 0, 2 * SCREE_PI), s, c;
		scree_sincos(angle, &s, &c);
		real far = gap > 1 ? 2 * scree_random_real(&r) : 4;
		a[k] = (placed){one, v3(far * c, far * s, 0), turned(scree_random_between(&r, 0, 7)), 1};
		b[k] = (placed){two, v3(0, 0, 0), turned(scree_random_between(&r, 0, 7)), 1};
		if (gap > 1) continue;
		scree_flat_depth_round_round(a + k, b + k, 0, &out);
		a[k].at = v3_madd(a[k].at, out.depth + gap, out.normal);
	}
	double least = 1e30;
	for (int round = 0; round < ROUNDS; ++round) {
		double start = now();
		for (int k = 0; k < PAIRS; ++k) f(a + k, b + k, 0, &out);
		double t = (now() - start) / PAIRS;
		least = t < least ? t : least;
	}
	printf("%-36s %8.1f ns\n", name, least);
}

static void at_walls(const char *name, const shape *body, real radius, bool area)
{
	static placed a[PAIRS];
	static patch out;
	random_stream r = scree_random_start(11, 4);
	bool polygon = body->type == SHAPE_POLYGON;
	void (*line)(const placed *, vec3, vec3, patch *) =
		area ? (polygon ? scree_flat_area_polygon_line : scree_flat_area_round_line)
			 : (polygon ? scree_flat_depth_polygon_line : scree_flat_depth_round_line);
	void (*circle)(const placed *, vec3, real, bool, patch *) =
		area ? (polygon ? scree_flat_area_polygon_circle : scree_flat_area_round_circle)
			 : (polygon ? scree_flat_depth_polygon_circle : scree_flat_depth_round_circle);
	for (int k = 0; k < PAIRS; ++k) {
		a[k] = (placed){body, v3(0, radius > 0 ? 2 - radius : 2, 0), turned(scree_random_between(&r, 0, 7)), 1};
		for (int i = 0; i < 8; ++i) {
			if (radius > 0)
				circle(a + k, v3(0, 0, 0), radius, true, &out);
			else
				line(a + k, v3(0, 0, 0), v3(0, 1, 0), &out);
			if (!out.points) a[k].at.y += out.depth - (real)0.001;
		}
	}
	double least = 1e30;
	for (int round = 0; round < ROUNDS; ++round) {
		double start = now();
		for (int k = 0; k < PAIRS; ++k)
			if (radius > 0)
				circle(a + k, v3(0, 0, 0), radius, true, &out);
			else
				line(a + k, v3(0, 0, 0), v3(0, 1, 0), &out);
		double t = (now() - start) / PAIRS;
		least = t < least ? t : least;
	}
	printf("%-36s %8.1f ns\n", name, least);
}

static void all_gaps(const char *name, const shape *a, const shape *b, pair_function depth, pair_function area)
{
	char text[64];
	struct {
		const char *word;
		real gap;
	} gaps[] = {{"touching", (real)-0.001}, {"apart by 0.1", (real)0.1}, {"anyhow, deep", 2}};
	for (int k = 0; k < 3; ++k) {
		snprintf(text, sizeof text, "%s, %s", name, gaps[k].word);
		measure(text, a, b, gaps[k].gap, depth);
	}
	snprintf(text, sizeof text, "%s, touching, area", name);
	measure(text, a, b, gaps[0].gap, area);
}

int main(void)
{
	shape disc = {.type = SHAPE_SPHERE, .radius = 1, .inradius = 1}, two = ellipse_of((real)0.5);
	shape slim = ellipse_of((real)0.05);
	pair_function rr = scree_flat_depth_round_round, rp = scree_flat_depth_round_polygon;
	pair_function arr = scree_flat_area_round_round, arp = scree_flat_area_round_polygon;
	all_gaps("disc, disc", &disc, &disc, rr, arr);
	all_gaps("disc, ellipse 1:2", &disc, &two, rr, arr);
	all_gaps("ellipses 1:2", &two, &two, rr, arr);
	all_gaps("ellipses 1:20", &slim, &slim, rr, arr);
	int32_t corners[4] = {5, 16, 128, 1024};
	for (int k = 0; k < 4; ++k) {
		shape polygon = polygon_of(corners[k]);
		char name[48];
		snprintf(name, sizeof name, "disc, %d corners", corners[k]);
		all_gaps(name, &disc, &polygon, rp, arp);
		snprintf(name, sizeof name, "ellipse 1:2, %d corners", corners[k]);
		all_gaps(name, &two, &polygon, rp, arp);
		snprintf(name, sizeof name, "line, %d corners", corners[k]);
		at_walls(name, &polygon, 0, false);
		snprintf(name, sizeof name, "line, %d corners, area", corners[k]);
		at_walls(name, &polygon, 0, true);
		snprintf(name, sizeof name, "drum, %d corners", corners[k]);
		at_walls(name, &polygon, 20, false);
		snprintf(name, sizeof name, "drum, %d corners, area", corners[k]);
		at_walls(name, &polygon, 20, true);
	}
	at_walls("line, ellipse 1:2", &two, 0, false);
	at_walls("line, ellipse 1:2, area", &two, 0, true);
	at_walls("drum, ellipse 1:2", &two, 20, false);
	at_walls("drum, ellipse 1:2, area", &two, 20, true);
	return 0;
}
