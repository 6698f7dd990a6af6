/* population.h: adds and removes bodies during the simulation, with the sources and sinks of model/sources.h. */
#ifndef SCREE_POPULATION_POPULATION_H
#define SCREE_POPULATION_POPULATION_H

#include "model/sources.h"
#include "state/state.h"

struct model;
struct state;
struct work;
/* Tests whether a ball touches a wall (narrow/narrow.h); an argument, since stages must not call each other. */
typedef bool ball_meets_wall_fn(const struct model *m, const struct state *s, int32_t wall, vec3 at, real radius);

/* Result of tests at random positions in a source's region. */
typedef struct source_look {
	int32_t places, outside, on_walls, on_bodies; /* each position is counted once, in the first field that applies */
	int32_t wall;								  /* the wall that blocks most positions, or -1 */
} source_look;
/* Tests positions for a body with this bounding sphere, without effect on the world or the source's random numbers.
 * bodies: whether to test against bodies, too, which needs a pass over all of them; otherwise on_bodies is 0 */
source_look scree_source_look(const struct model *m, const struct state *s, const source *source, real radius,
							  int32_t places, bool bodies, ball_meets_wall_fn *meets);
/* Tests whether the sink removes a body at this position. */
bool scree_sink_takes(const sink *s, vec3 p);
/* radius of the bounding sphere of the smallest body that the source may make, in m */
real scree_source_smallest(const struct model *m, const source *source);
/* radius of the bounding sphere of the next body of source k, in m */
real scree_source_next(const struct model *m, const struct state *s, int32_t k);

/* Tests whether a body with this bounding sphere could be placed here without touching another body or a wall. */
bool scree_place_is_free(const struct model *m, const struct state *s, vec3 at, real radius, int32_t material,
						 ball_meets_wall_fn *meets);

#endif
