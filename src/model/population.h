/* population.h: the sources and sinks of a world; their rules are in model/sources.h. */
#ifndef SCREE_MODEL_POPULATION_H
#define SCREE_MODEL_POPULATION_H

#include <stdint.h>

typedef struct population {
	int32_t sources, sinks;
	struct source *source;
	struct sink *sink;
} population;

#endif
