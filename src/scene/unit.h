/* unit.h: units and dimensions. */
#ifndef SCREE_SCENE_UNIT_H
#define SCREE_SCENE_UNIT_H

#include "scene/text.h"

/* powers of kilogram, metre, second and kelvin */
typedef struct dimension {
	int32_t kg, m, s, kelvin;
} dimension;

enum {
	HAS_ANGLE = 1, /* made with rad, deg or rpm */
	HAS_CYCLES = 2 /* made with Hz: cycles, not radians, in a second */
};

/* A unit is up / down * 10^decimal SI units. Powers of ten are kept separate, so that `1.1 mm` is read as 1.1e-3 and
 * rounded once. */
typedef struct unit {
	double up, down;
	int32_t decimal, flags;
	dimension of;
} unit;

bool scree_dimension_same(dimension a, dimension b);
/* writes "kg m^2/s^2", "a plain number" */
void scree_dimension_text(writing *t, dimension d);
/* writes the usual SI unit of this dimension: "Pa", "m/s", or a product */
void scree_dimension_unit(writing *t, dimension d);

/* Finds one unit without operators, with its prefix: "mm", "kPa", "%". length: of the name */
bool scree_unit_find(const char *name, size_t length, unit *out);
/* Parses a product such as kg/m^3, 1/s or N*m, up to the end of the text. On failure *wrong points to the error. */
bool scree_unit_parse(const char *text, unit *out, const char **wrong);
/* multiplies u by v^power; false if a power is too large */
bool scree_unit_times(unit *u, unit v, int32_t power);

/* Reads a number as written in a scene ("1", "-0.5", "2.5e3"), shifted by 10^decimal and correctly rounded; *end is the
 * position after it. False if there is no number. Needs the C locale. */
bool scree_number_read(const char *text, const char **end);
double scree_number_value(const char *text, const char *end, int32_t decimal);

/* rows of the table, for tests and docs */
typedef struct unit_row {
	const char *name, *prefixes, *help;
	unit is;
} unit_row;
extern const unit_row scree_units[];
extern const int scree_unit_count;
typedef struct prefix_row {
	char letter;
	int32_t decimal;
} prefix_row;
extern const prefix_row scree_prefixes[];
extern const int scree_prefix_count;
const char *scree_unit_names(const void *unused, int i); /* every name with every prefix, for scree_nearest */

#endif
