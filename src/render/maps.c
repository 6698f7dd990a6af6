/* maps: colours for numbers between 0 and 1, and for rows of a table. viridis is by Eric Firing, Nathaniel J. Smith and
 * Stefan van der Walt (2015; public domain, CC0); its lightness increases linearly. The other maps are from Harrower
 * and Brewer (2003, ColorBrewer.org), linear between their classes; most begin with a light colour, so that bodies at
 * rest are bright. All are safe for colour-blind readers. The palette is from Okabe and Ito (2008), softened. */
#include "render/picture.h"

#include <math.h>

vec3 scree_linear(vec3 c)
{
	real v[3] = {c.x, c.y, c.z};
	for (int k = 0; k < 3; ++k) v[k] = v[k] <= 0.04045 ? v[k] / 12.92 : pow((v[k] + 0.055) / 1.055, 2.4);
	return v3(v[0], v[1], v[2]);
}

static real encode(real x)
{
	x = real_clamp(x, 0, 1);
	return x <= 0.0031308 ? 12.92 * x : 1.055 * cbrt(x * sqrt(sqrt(x))) - 0.055; /* x^(1/2.4); faster than pow */
}

vec3 scree_encode(vec3 linear) { return v3(encode(linear.x), encode(linear.y), encode(linear.z)); }

vec3 scree_background(picture_ground ground, real row)
{
	if (ground != GROUND_SKY) return v3(1, 1, 1);
	return scree_linear(v3_mix(v3(0.865, 0.895, 0.93), v3(0.985, 0.988, 0.992), smooth_step(0, 1, row)));
}

/* Viridis as a polynomial in 2 t - 1, fitted to its table by tools/fit_colours, with an error of at most 2.3/255 */
static vec3 viridis(real t)
{
	static const vec3 c[] = {
		{0.124783, 0.565090, 0.551089},	  {-0.093959, 0.467181, -0.098045}, {0.662645, 0.004478, -0.337870},
		{1.150665, 0.011892, -0.238708},  {0.232423, -0.237044, 0.132317},	{-1.206411, -0.080524, -0.039970},
		{-0.730637, 0.177785, -0.690823}, {0.519528, 0.052835, 0.283648},	{0.343345, -0.055966, 0.585565},
	};
	enum { POWERS = sizeof c / sizeof c[0] };
	vec3 out = c[POWERS - 1];
	for (int k = POWERS - 2; k >= 0; --k) out = v3_madd(c[k], 2 * t - 1, out);
	return v3(real_clamp(out.x, 0, 1), real_clamp(out.y, 0, 1), real_clamp(out.z, 0, 1));
}

static const unsigned char ylorrd[][3] = {{255, 255, 204}, {255, 237, 160}, {254, 217, 118},
										  {254, 178, 76},  {253, 141, 60},	{252, 78, 42},
										  {227, 26, 28},   {189, 0, 38},	{128, 0, 38}};
static const unsigned char ylgnbu[][3] = {{255, 255, 217}, {237, 248, 177}, {199, 233, 180},
										  {127, 205, 187}, {65, 182, 196},	{29, 145, 192},
										  {34, 94, 168},   {37, 52, 148},	{8, 29, 88}};
static const unsigned char greys[][3] = {{255, 255, 255}, {240, 240, 240}, {217, 217, 217},
										 {189, 189, 189}, {150, 150, 150}, {115, 115, 115},
										 {82, 82, 82},	  {37, 37, 37},	   {0, 0, 0}};
static const unsigned char rdbu[][3] = {{5, 48, 97},	 {33, 102, 172},  {67, 147, 195},  {146, 197, 222},
										{209, 229, 240}, {247, 247, 247}, {253, 219, 199}, {244, 165, 130},
										{214, 96, 77},	 {178, 24, 43},	  {103, 0, 31}};

/* sRGB */
static vec3 between(int classes, const unsigned char row[][3], real t)
{
	const real at = t * (classes - 1);
	const int k = at < classes - 2 ? (int)at : classes - 2;
	const vec3 a = v3(row[k][0], row[k][1], row[k][2]), b = v3(row[k + 1][0], row[k + 1][1], row[k + 1][2]);
	return v3_mul(1.0 / 255, v3_mix(a, b, at - k));
}

#define CLASSES(table) (int)(sizeof(table) / sizeof *(table)), table

vec3 scree_colour_map(picture_map map, real t)
{
	t = real_clamp(t, 0, 1);
	switch (map) {
	case MAP_YLORRD:
		return scree_linear(between(CLASSES(ylorrd), t));
	case MAP_YLGNBU:
		return scree_linear(between(CLASSES(ylgnbu), t));
	case MAP_GREYS:
		return scree_linear(between(CLASSES(greys), t));
	case MAP_RDBU:
		return scree_linear(between(CLASSES(rdbu), t));
	default:
		return scree_linear(viridis(t));
	}
}

vec3 scree_palette(int64_t row)
{
	static const vec3 colour[SCREE_PALETTE] = {{0.16, 0.47, 0.72}, {0.94, 0.60, 0.13}, {0.13, 0.62, 0.46},
											   {0.82, 0.37, 0.16}, {0.60, 0.45, 0.72}, {0.40, 0.72, 0.88},
											   {0.93, 0.86, 0.38}, {0.78, 0.48, 0.62}};
	return colour[row % SCREE_PALETTE];
}
