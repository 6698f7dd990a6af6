/* colour_names.h: colours by name, as used in scenes and as names of materials and shapes. */
#ifndef SCREE_FORMAT_COLOUR_NAMES_H
#define SCREE_FORMAT_COLOUR_NAMES_H

#include "base/real.h"

#include <string.h>

typedef struct colour_name {
	const char *name;
	vec3 srgb;
} colour_name;

/* softer than the web colours of the same names, so that light and shadow remain visible */
static const colour_name plan_colours[] = {
	{"black", {0.12, 0.12, 0.13}},	{"white", {0.95, 0.95, 0.94}},	 {"grey", {0.55, 0.56, 0.58}},
	{"gray", {0.55, 0.56, 0.58}},	{"silver", {0.76, 0.77, 0.79}},	 {"red", {0.80, 0.16, 0.15}},
	{"orange", {0.94, 0.55, 0.13}}, {"yellow", {0.95, 0.82, 0.22}},	 {"green", {0.22, 0.60, 0.25}},
	{"olive", {0.52, 0.53, 0.20}},	{"teal", {0.10, 0.52, 0.52}},	 {"cyan", {0.25, 0.74, 0.82}},
	{"blue", {0.17, 0.38, 0.75}},	{"navy", {0.11, 0.18, 0.43}},	 {"purple", {0.48, 0.25, 0.60}},
	{"violet", {0.60, 0.45, 0.78}}, {"magenta", {0.80, 0.25, 0.58}}, {"pink", {0.93, 0.62, 0.70}},
	{"brown", {0.47, 0.31, 0.20}},	{"tan", {0.80, 0.67, 0.48}},	 {"beige", {0.91, 0.86, 0.74}},
	{"gold", {0.84, 0.66, 0.22}},
};

SCREE_FN int plan_hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;
	return at ? (int)((at - digits) % 16) : -1;
}

/* Finds the sRGB values of a name in the table or of "#rrggbb"; returns false for any other text. */
SCREE_FN bool plan_colour(const char *word, vec3 *srgb)
{
	for (size_t k = 0; k < sizeof plan_colours / sizeof *plan_colours; ++k)
		if (!strcmp(plan_colours[k].name, word)) {
			*srgb = plan_colours[k].srgb;
			return true;
		}
	if (word[0] != '#' || strlen(word) != 7) return false;
	real part[3];
	for (int k = 0; k < 3; ++k) {
		const int high = plan_hex_digit(word[1 + 2 * k]), low = plan_hex_digit(word[2 + 2 * k]);
		if (high < 0 || low < 0) return false;
		part[k] = (16 * high + low) / 255.0;
	}
	*srgb = v3(part[0], part[1], part[2]);
	return true;
}

#endif
