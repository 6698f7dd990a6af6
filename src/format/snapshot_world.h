/* snapshot_world.h: the sections of a snapshot, each as one function for saving and loading. */
#ifndef SCREE_FORMAT_SNAPSHOT_WORLD_H
#define SCREE_FORMAT_SNAPSHOT_WORLD_H

#include "format/snapshot.h"
#include "format/stream.h"

struct scree_world;

typedef struct snapshot_section {
	const char *name;
	void (*pass)(stream *s, struct scree_world *w); /* NULL: the section of snapshot_extra */
} snapshot_section;
/* In the order of loading: later sections check their rows against earlier ones. */
extern const snapshot_section scree_snapshot_sections[];
extern const int scree_snapshot_section_count;
/* Estimate of the bytes for bodies and contacts, including the names of their columns and all small sections. */
size_t scree_snapshot_most(const struct scree_world *w);
void scree_snapshot_pass_extra(stream *s, snapshot_extra *e);
/* part of several sections */
void scree_snapshot_pass_region(stream *s, region *g);

#endif
