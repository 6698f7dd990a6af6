/* population.h: who comes and goes while the simulation runs, by the sources and sinks of state/sources.h. */
#ifndef SCREE_POPULATION_POPULATION_H
#define SCREE_POPULATION_POPULATION_H

#include "state/sources.h"

struct model;
struct state;
struct work;
/* What is at random places of a source's region. */
typedef struct source_look {
	int32_t places, outside, on_walls, on_bodies; /* each place counts once, in this order */
	int32_t wall;								  /* that stands in the way most often, or -1 */
} source_look;
/* For a body of this bounding sphere; the world stays as it is, the source's own random numbers too. */
source_look scree_source_look(const struct model *m, const struct state *s, const source *source, real radius,
							  int32_t places);
/* bounding spheres, m: of the smallest body that it may make, and of the next one */
/* Does it take a body that is here? */
bool scree_sink_takes(const sink *s, vec3 p);
real scree_source_smallest(const struct model *m, const source *source);
real scree_source_next(const struct model *m, const source *source);

/* Could a body with this bounding sphere be here without touching another body or a wall? */
bool scree_place_is_free(const struct model *m, const struct state *s, vec3 at, real radius);
/* Would such a body touch wall k? */
bool scree_place_meets(const struct model *m, const struct state *s, int32_t k, vec3 at, real radius);
/* the first wall that it would touch, or -1 */
int32_t scree_place_wall(const struct model *m, const struct state *s, vec3 at, real radius);

#endif
