/* names.h: names of choices without a table; since files and hashes use names, the order of enums has no effect. */
#ifndef SCREE_STATE_NAMES_H
#define SCREE_STATE_NAMES_H

/* a list of names, in the order of the enum's values */
typedef struct names {
	int count;
	const char *const *of;
} names;

extern const names scree_side_names, scree_cohesion_names, scree_drag_names, scree_region_names, scree_spread_names,
	scree_orient_names, scree_sink_names, scree_number_names;

enum { SCREE_NAME = 32 }; /* room for any of these names, and for the name of a row, in a file */

#endif
