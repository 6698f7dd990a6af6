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

enum { SNAPSHOT_MAGIC = 17, SNAPSHOT_VERSION = 14 };
extern const char scree_snapshot_magic[SNAPSHOT_MAGIC];
/* The table of contents. */
typedef struct snapshot_entry {
	char name[16];
	uint64_t length, hash;
} snapshot_entry;
enum { MOST_SECTIONS = 16 };
typedef struct snapshot_table {
	snapshot_entry row[MOST_SECTIONS];
} snapshot_table;
/* snapshot_save.c: saves or loads section k. */
void scree_snapshot_pass(stream *s, int k, struct scree_world *w, snapshot_extra *e);
/* Saves all sections after space for the table; sets their names and lengths. */
void scree_snapshot_save(stream *s, const struct scree_world *w, const snapshot_extra *extra, snapshot_table *table);
/* The bytes before the sections. */
size_t scree_snapshot_head_bytes(void);
void scree_snapshot_head(const snapshot_table *table, uint8_t *to);
/* Refuses numbers with which the file could not be read. */
bool scree_snapshot_can_be_read(const struct scree_world *w, fail *why);
/* snapshot_joint.c: scree_snapshot_write_keeping in a world that is divided among ranks. All of them call it. */
bool scree_snapshot_write_together(const struct scree_world *w, const snapshot_extra *extra, const char *path,
								   const char *second, fail *why);

/* Estimate of the bytes for bodies and contacts, including the names of their columns and all small sections. */
size_t scree_snapshot_most(const struct scree_world *w);
void scree_snapshot_pass_extra(stream *s, snapshot_extra *e);
/* part of several sections */
void scree_snapshot_pass_region(stream *s, region *g);

#endif
