/* schema.h: the table of keys. Reading, defaults, ranges, messages, the resolved scene, `scree explain`, the JSON
 * Schema and the reference docs/scene.md all loop over these rows, so a new key is one new row. */
#ifndef SCREE_SCENE_SCHEMA_H
#define SCREE_SCENE_SCHEMA_H

#include "scene/report.h"
#include "scene/spec.h"

typedef enum key_kind {
	KEY_REAL,	/* real: a quantity */
	KEY_COUNT,	/* int64_t: a whole number */
	KEY_FLAG,	/* bool */
	KEY_TEXT,	/* const char * */
	KEY_WORD,	/* int32_t: index of one of the words */
	KEY_WORDS,	/* many int32_t */
	KEY_VECTOR, /* vec3, of which a world of dimension 2 uses the first two components; also for the next two kinds and
				   KEY_POINTS */
	KEY_EVEN,	/* vec3; a single quantity sets all three */
	KEY_PAIR,	/* real[2], increasing */
	KEY_BOTH,	/* real[2]; a single quantity sets both */
	KEY_RANGE,	/* range_value */
	KEY_COUNTS, /* int32_t[3] */
	KEY_PIXELS, /* int32_t[2] */
	KEY_REALS,	/* many real */
	KEY_POINTS, /* many vec3 */
	KEY_DIRECTION,	 /* direction: x, y, z or a vector */
	KEY_SPACE,		 /* vec3 in any dimension */
	KEY_SPIN,		 /* vec3, or in dimension 2 one number, about z */
	KEY_ORIENTATION, /* turn_spec, or in dimension 2 an angle */
	KEY_FILE,		 /* const char *: path relative to the scene's folder */
	KEY_MATERIAL,	 /* int32_t: index into materials */
	KEY_MATERIALS,	 /* many int32_t: indices into materials */
	KEY_SHAPE,		 /* int32_t: index into shapes */
	KEY_SECTION,	 /* a struct with a head: a mapping */
	KEY_LIST,		 /* many structs: a list of mappings */
	KEY_NAMED,		 /* many structs: a mapping of names to mappings */
	KEY_CHANGES,	 /* const node *: changes to the scene's key of this name */
	KEY_LETS,		 /* names and values, which are read first */
	KEY_INCLUDE,	 /* files; read first */
	KEY_LATER		 /* reserved for a later version, and refused */
} key_kind;

typedef struct section section;

typedef struct key {
	const char *name;
	key_kind kind;
	const char *unit;	  /* SI unit as written in a scene, or NULL for a plain number */
	const char *standard; /* the default as written in a scene, or NULL */
	const char *range;	  /* such as "> 0", ">= 0" or "(0, 1]", in SI units, or NULL for any sign; see scree_range */
	size_t at;			  /* offset of the value in the section's struct */
	const section *of;	  /* KEY_SECTION, KEY_LIST, KEY_NAMED */
	word_fn *words;
	int32_t group; /* at most one key of each group 1, 2, .. may be given; 0 if in no group */
	bool required;
	const char *help;
	int32_t only;			  /* 2 or 3 if it exists only in worlds of this dimension, or 0 */
	const char *instead;	  /* the corresponding key in the other dimension, or NULL */
	const char *flat;		  /* the default in dimension 2, if different */
	const struct maker *make; /* for forms of a wall or its motion (reader.h) */
	bool changes;			  /* a stage may change the key, or keys of its section */
	bool stays;				  /* no stage may change the key, although its section may change */
	const char *fixed;		  /* if no stage may change the key: why not and what to do instead; or NULL */
} key;

struct section {
	const char *name; /* unique; also the name of its struct in the JSON Schema */
	const char *help;
	size_t size; /* size of its struct */
	const key *row;
	int32_t rows;
	const char *shorthand;		/* key whose value, a scalar or list, may be given instead of the mapping */
	const char *const *columns; /* keys that a list of rows, with one value per key, may set; ended by NULL */
	uint32_t needs;				/* bit g: exactly one key of group g must be given */
	bool changes;				/* a stage may change its keys, except those marked otherwise */
	bool inherits;				/* for KEY_NAMED: the entry `default` gives the defaults of the others */
	int32_t most;				/* largest number of entries of a KEY_LIST or KEY_NAMED */
	const char *example;		/* a remedy for a value of the wrong form, or NULL */
};

extern const section scree_scene_section; /* the root section */

/* sections defined in schema_*.c and used by others */
extern const section scree_section_world, scree_section_material, scree_section_rule, scree_section_shape,
	scree_section_wall, scree_section_motion, scree_section_fill, scree_section_source, scree_section_sink,
	scree_section_servo, scree_section_plane, scree_section_run, scree_section_output, scree_section_region,
	scree_section_measure;

const char *scree_key_names(const void *section, int i);

/* words of a key; returns word i, or NULL after the last one */
const char *scree_words_solids(const void *unused, int i);
const char *scree_words_colors(const void *unused, int i);
const char *scree_words_vtk(const void *unused, int i);
const char *scree_words_history(const void *unused, int i);
const char *scree_words_faces(const void *unused, int i);
const char *scree_words_axes(const void *unused, int i);
const char *scree_words_steady(const void *unused, int i);
const char *scree_words_machines(const void *unused, int i);

/* the row of the key with this name, or NULL */
const key *scree_key(const section *s, const char *name);
/* tests whether a stage may change this key of the section, or keys of the key's own section */
bool scree_may_change(const section *s, const key *k);

/* A row: its kind without KEY_, the struct of its section without _spec, the member with the name of the key, and the
 * help text, followed by further members of the row. */
#define KEY(kind, of, member, help, ...) KEY_OF(#member, kind, of, member, help, __VA_ARGS__)
/* The same for a member whose name differs from the key's name. */
#define KEY_OF(key_name, key_kind, section, member, text, ...)                                                         \
	{                                                                                                                  \
		.name = key_name, .kind = KEY_##key_kind, .at = offsetof(section##_spec, member), .help = text, __VA_ARGS__    \
	}
/* Rows of the usual kinds. unit, standard, range: NULL if there is none */
#define REAL(section, member, si, usual, values, help, ...)                                                            \
	KEY(REAL, section, member, help, .unit = si, .standard = usual, .range = values, __VA_ARGS__)
#define COUNT(section, member, usual, values, help, ...)                                                               \
	KEY(COUNT, section, member, help, .standard = usual, .range = values, __VA_ARGS__)
#define VECTOR(section, member, si, usual, help, ...)                                                                  \
	KEY(VECTOR, section, member, help, .unit = si, .standard = usual, __VA_ARGS__)
#define FLAG(section, member, usual, help, ...) KEY(FLAG, section, member, help, .standard = usual, __VA_ARGS__)
#define WORD(section, member, list, usual, help, ...)                                                                  \
	KEY(WORD, section, member, help, .words = list, .standard = usual, __VA_ARGS__)
#define SECTION(section, member, keys, help, ...) KEY(SECTION, section, member, help, .of = &(keys), __VA_ARGS__)
/* Further members of rows, and of sections. */
#define NEEDED	.required = true
#define CHANGES .changes = true
#define STAYS	.stays = true
/* A section with these rows; its struct is given without _spec. */
#define TABLE(variable, of, keys, title, text, ...)                                                                    \
	const section variable = {.name = title,                                                                           \
							  .help = text,                                                                            \
							  .size = sizeof(of##_spec),                                                               \
							  .row = (keys),                                                                           \
							  .rows = (int32_t)(sizeof(keys) / sizeof *(keys)),                                        \
							  __VA_ARGS__}
/* Defines a function that lists these words for a key, and a function that returns this expression in i as word i. */
#define WORDS(function, ...)                                                                                           \
	const char *function(const void *unused, int i)                                                                    \
	{                                                                                                                  \
		static const char *const word[] = {__VA_ARGS__};                                                               \
		(void)unused;                                                                                                  \
		return i < (int)(sizeof word / sizeof *word) ? word[i] : NULL;                                                 \
	}                                                                                                                  \
	struct key
#define NAMES(function, name)                                                                                          \
	const char *function(const void *unused, int i)                                                                    \
	{                                                                                                                  \
		(void)unused;                                                                                                  \
		return name;                                                                                                   \
	}                                                                                                                  \
	struct key

bool scree_takes_numbers(const key *k);
/* Range of a key that takes numbers: the key's own `range` within the limits of its unit; both ends are finite. */
typedef struct range {
	double low, high;
	bool open_low, open_high; /* the end itself is excluded */
	bool or_zero;			  /* 0 is allowed, although the range begins above it */
} range;
range scree_range(const key *k);
bool scree_range_holds(range r, double x);
/* writes "between 1e-12 and 1e12 m" or "above 0, at most 1"; unit: the text after the numbers, or NULL */
void scree_range_text(writing *t, range r, const char *unit);

#endif
