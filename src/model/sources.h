/* sources.h: rules of sources and sinks, with random sizes, regions and mixtures; counters are in state/state.h. */
#ifndef SCREE_MODEL_SOURCES_H
#define SCREE_MODEL_SOURCES_H

#include "base/random.h"
#include "base/real.h"
#include "model/population.h"

/* A random size or other number. */
typedef enum spread_type { SPREAD_ONE, SPREAD_UNIFORM, SPREAD_NORMAL, SPREAD_LOGNORMAL, SPREAD_SIEVE } spread_type;
enum { SIEVE_CLASSES = 64 };
typedef struct spread {
	spread_type type;
	/* one: a; uniform: a .. b; (log)normal: mean a, deviation b, redrawn outside cut deviations (0 means 3); sieve:
	 * smallest size a; in each class the number of bodies per unit of size falls as size^-b */
	real a, b, cut;
	int32_t classes;									/* for a sieve curve: number of classes between sieves */
	real size[SIEVE_CLASSES + 1], share[SIEVE_CLASSES]; /* sizes of sieves in m, and shares of classes by number */
} spread;
real scree_spread_draw(const spread *s, random_stream *r); /* always > 0 */
real scree_spread_largest(const spread *s);
/* mean of size^power */
real scree_spread_moment(const spread *s, int32_t power);
/* A sieve curve: fractions of bodies that pass each sieve, up to 1; linear between sieves in the size or its logarithm.
 * Bodies that pass the finest sieve have its size. power: 0 for fractions by number; 3 (2 in the plane) by mass */
spread scree_sieve(int32_t sieves, const real *size, const real *passing, bool logarithmic, int32_t power);
/* the next two functions return a size and the mean of size^power for one class of the curve */
real scree_sieve_draw(const spread *s, int32_t class, random_stream *r);
real scree_sieve_moment(const spread *s, int32_t class, int32_t power);
/* lower bound on sizes; for (log)normal spreads it follows from the deviation and is at least a tenth of the mean */
real scree_spread_smallest(const spread *s);

/* Kinds of bodies to be mixed. */
typedef struct mix_part {
	int32_t shape, material;
	real share; /* share by number; shares are normalized over the mix */
	spread size;
} mix_part;

/* Types of regions. In the plane a box is a rectangle and a sphere is a disc; segments exist only in the plane. */
typedef enum region_type { REGION_BOX, REGION_CYLINDER, REGION_SPHERE, REGION_SEGMENT } region_type;
typedef struct region {
	region_type type;
	bool flat;		   /* in the plane z = 0 */
	vec3 low, high;	   /* corners of a box; ends of a segment */
	vec3 centre, axis; /* middle and unit axis of a cylinder; centre of a sphere */
	real radius, length;
} region;
vec3 scree_region_draw(const region *g, random_stream *r, real inset); /* a uniform point, `inset` inside the border */
struct periods;
/* Returns the region without borders along the periodic axes that it spans; for scree_region_draw. */
region scree_region_across(const struct periods *p, const region *g, real inset);
bool scree_region_holds(const region *g, vec3 p, real inset);
real scree_region_volume(const region *g); /* the area in a plane world */
void scree_region_reach(const region *g, vec3 *low, vec3 *high);
/* Tests whether a box reaches from border to border of the initial cell along this periodic axis. */
bool scree_region_spans(const struct periods *p, const region *g, int32_t axis);

typedef enum orient_type { ORIENT_ALIGNED, ORIENT_RANDOM, ORIENT_GIVEN } orient_type;

enum { TRIES_A_STEP = 16 }; /* limit on the number of tries per source and step */

/* A stream of bodies that enter a region at a given rate. A body without free space is tried again later. */
typedef struct source {
	char name[48];
	region where;
	real rate;		  /* rate in 1/s; with a mass rate, the rate for bodies of mean mass */
	real mass_rate;	  /* mass rate in kg/s; 0 if bodies are due by number */
	real from, until; /* s */
	int64_t before;	  /* number of bodies due before `from`, at a different rate or before an idle time */
	real mass_before; /* mass due before `from`, in kg */
	bool idle;		  /* whether no bodies are due now */
	int64_t limit;	  /* total number of bodies; 0 for no limit */
	real mass_limit;  /* total mass in kg; 0 for no limit */
	real mean_mass;	  /* expected mass of a body, in kg */
	int32_t parts;
	mix_part part[16];
	orient_type orient;
	quat orientation;
	vec3 velocity, angular_velocity;
	real temperature; /* temperature in K; 0 for the temperature of the world */
	uint64_t seed;
} source;

typedef enum sink_type { SINK_BELOW, SINK_REGION } sink_type;
/* Removes bodies whose centre is below a plane or inside a region. */
typedef struct sink {
	char name[48];
	sink_type type;
	vec3 normal; /* SINK_BELOW removes bodies with normal.x < off */
	real off;
	region where;
	bool idle; /* whether the sink is inactive now */
} sink;

void scree_population_free(population *p);

/* Number of bodies due by this time from a source by number. */
int64_t scree_source_due(const source *s, real time);
/* Tests whether a body of mass `next` is due once this number of bodies and this mass have been added. */
bool scree_source_owes(const source *s, real time, int64_t made, real mass, real next);

#endif
