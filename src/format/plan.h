/* plan.h: duration and outputs of a run as plain data, filled in by the scene reader for the writers of outputs. */
#ifndef SCREE_FORMAT_PLAN_H
#define SCREE_FORMAT_PLAN_H

#include "model/sources.h"

typedef struct run_plan {
	real until;			 /* simulated time in s; if by_stages is set, the approximate end of the last stage */
	bool by_stages;		 /* the run ends with the last stage; not in snapshots, since the scene determines it */
	real step_part;		 /* fraction of the shortest contact time; 0 for the default */
	real step;			 /* s; 0: from step_part */
	real snapshot_every; /* wall-clock interval in s; 0 to write only at the end and on signals */
	int32_t snapshots_kept;
	const char *machine; /* a constant; NULL for the processor; not in snapshots, which continue on any machine */
} run_plan;

enum { PLAN_FIELDS = 32 };

typedef struct vtk_plan {
	bool on;
	real every;					 /* s, simulated */
	int32_t fields;				 /* 0: all */
	char field[PLAN_FIELDS][32]; /* names of body fields (velocity, angular_velocity, force, ...) or "contacts" */
	int64_t per_file;			 /* largest number of bodies in one file; 0 for FRAME_BODIES */
} vtk_plan;
enum { FRAME_BODIES = 4000000 };

typedef struct history_plan {
	bool on;
	real every;
	int32_t values; /* 0: all */
	char value[PLAN_FIELDS][32];
	bool solves; /* whether the scene or a stage has implicit steps; not in snapshots, which contain the scene */
} history_plan;

/* a table of bodies, walls or contacts, or a trajectory whose frames contain the bodies */
typedef struct table_plan {
	bool on;
	real every;	   /* s, simulated */
	int64_t up_to; /* largest id of a body in the table; 0 for all */
} table_plan;
enum { PLAN_TABLES = 5 };

typedef enum measure_type { MEASURE_REGION, MEASURE_SINK, MEASURE_PLANE } measure_type;

/* Averages over the bodies and contacts in a region, or a flow into a sink or through a plane, as a table
 * (src/measure). Flows use no further members; their plane is the model's plane with the same name. */
typedef struct measure_plan {
	char name[48];
	measure_type type;
	char sink[48]; /* name of the sink, for MEASURE_SINK */
	real every;	   /* s, simulated */
	bool history;  /* whether the values are columns of the history, with one row per output time */
	bool no_table; /* whether the measure has no table of its own */
	bool bounded;
	region where;	  /* the region if it is bounded; otherwise the measure covers everything */
	int32_t cells[3]; /* box: along x, y, z; cylinder: rings, 1, along the axis; ball: shells, 1, 1 */
	int32_t classes;  /* number of size classes, in `sizes` */
	real sizes[2];	  /* only bodies with sizes in this range, in m; an upper bound of 0 means all */
	int32_t material; /* only bodies of this material (a row); -1 for all */
	int32_t values;	  /* number of values; 0 for all values that the region allows */
	char value[PLAN_FIELDS][32];
} measure_plan;

enum { PLAN_MEASURES = 16, PLAN_CELLS = 100000 };

/* Coarse-grained fields on a grid, written as image data (src/outputs/fields.c). */
typedef enum field_function { FIELD_LUCY, FIELD_GAUSSIAN } field_function;
typedef struct field_plan {
	bool on;
	real every;		  /* s, simulated */
	vec3 low, high;	  /* m, of the grid */
	int32_t cells[3]; /* the last number is 1 in plane worlds */
	real width;		  /* m */
	field_function function;
} field_plan;
enum { FIELD_CELLS = 10000000 };

typedef enum wall_look { LOOK_CUT, LOOK_TRANSLUCENT, LOOK_SOLID, LOOK_HIDDEN } wall_look;
/* How bodies are drawn; pale bodies let anything drawn over them stand out. */
typedef enum body_look { BODIES_SOLID, BODIES_PALE, BODIES_HIDDEN } body_look;
/* Background of a picture; GROUND_SKY is nearly white in the plane. */
typedef enum picture_ground { GROUND_SKY, GROUND_WHITE, GROUND_TRANSPARENT } picture_ground;
/* Maps from numbers to colours; `auto` means chosen by quantity. */
typedef enum picture_map { MAP_AUTO, MAP_VIRIDIS, MAP_YLORRD, MAP_YLGNBU, MAP_GREYS, MAP_RDBU } picture_map;
typedef enum picture_arrows { ARROWS_NONE, ARROWS_VELOCITY, ARROWS_ANGULAR_VELOCITY, ARROWS_FORCE } picture_arrows;

typedef enum picture_format { FORMAT_PNG, FORMAT_SVG, FORMAT_PDF, FORMATS } picture_format;

enum { PLAN_COLOURS = 32 };
typedef struct plan_colour_of {
	char name[48]; /* a material or a shape */
	vec3 srgb;
} plan_colour_of;

/* Quantities that have a colour scale. */
typedef enum picture_scale {
	SCALE_SPEED,
	SCALE_SPIN,
	SCALE_SIZE,
	SCALE_FORCE,
	SCALE_HEIGHT,
	SCALE_COORDINATION,
	SCALE_BONDS,
	SCALE_PRESSURE,
	SCALE_SHEAR_STRESS,
	SCALE_TEMPERATURE,
	SCALES
} picture_scale;

/* Colour ranges for all pictures of a run, in SI units, from the initial scene. */
typedef struct picture_scales {
	bool on;
	real range[SCALES][2];
} picture_scales;

typedef struct image_plan {
	bool on;
	real every; /* simulated time in s; 0 for only the times of `at` */
	int32_t times;
	real at[64]; /* further output times in s; the start and the end are always drawn */
	picture_format format;
	int32_t width, height;
	char color[32]; /* field that determines the colours, one of scree_words_colors */
	bool has_range;
	real range[2];		   /* range of the colour scale in SI units; by default the range in `scales` */
	picture_scales scales; /* ranges for all pictures; if not set, each picture has the range of its own data */
	bool has_camera;	   /* whether the camera is given; otherwise it is chosen to show everything */
	vec3 eye, target, up;
	real fov; /* vertical, rad; 0: 30 degrees */
	wall_look walls;
	bool has_cut; /* walls and bodies in front of this plane are not drawn (its normal points to the removed side) */
	vec3 cut_point, cut_normal;
	int32_t samples;						   /* rays per pixel at edges, a square number; 0 for the default, 9 */
	bool forces;							   /* whether contact forces are drawn as lines over the bodies */
	bool no_title, no_legend, scale_bar, axes; /* the title includes the time */
	bool parallel;							   /* an orthographic camera */
	bool fit_bodies; /* whether the automatic camera shows only the bodies; otherwise it also shows finite walls */
	body_look bodies;
	picture_ground ground;
	picture_map map;
	picture_arrows arrows;
	int32_t colours;
	plan_colour_of colour[PLAN_COLOURS]; /* colours assigned to materials and shapes */
} image_plan;

typedef struct film_plan {
	bool on;
	real rate; /* pictures per second */
} film_plan;

typedef struct output_plan {
	vtk_plan vtk;
	history_plan history;
	image_plan images;
	film_plan film;
	table_plan table[PLAN_TABLES]; /* indexed by table_kind */
	int32_t measures;
	measure_plan measure[PLAN_MEASURES];
	field_plan field;
} output_plan;

#endif
