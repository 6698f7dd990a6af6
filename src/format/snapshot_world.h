/* snapshot_world.h: the sections of a snapshot, each with one function for saving and loading. */
#ifndef SCREE_FORMAT_SNAPSHOT_WORLD_H
#define SCREE_FORMAT_SNAPSHOT_WORLD_H

#include "format/snapshot.h"
#include "format/stream.h"
#include "state/contact_key.h"
#include "world/world.h"

typedef struct snapshot_section {
	const char *name;
	void (*pass)(stream *s, scree_world *w); /* NULL for the section of snapshot_extra */
} snapshot_section;
/* In the order of loading, since later sections check their rows against earlier ones. */
extern const snapshot_section scree_snapshot_sections[];
extern const int scree_snapshot_section_count;

enum { SNAPSHOT_MAGIC = 17, SNAPSHOT_VERSION = 14 };
extern const char scree_snapshot_magic[SNAPSHOT_MAGIC];
/* The table of contents of the file. */
typedef struct snapshot_entry {
	char name[16];
	uint64_t length, hash;
} snapshot_entry;
enum { MOST_SECTIONS = 16 };
typedef struct snapshot_table {
	snapshot_entry row[MOST_SECTIONS];
} snapshot_table;
/* snapshot_save.c: saves or loads section k. */
void scree_snapshot_pass(stream *s, int k, scree_world *w, snapshot_extra *e);
/* Saves all sections after the space for the table; sets their names and lengths. */
void scree_snapshot_save(stream *s, const scree_world *w, const snapshot_extra *extra, snapshot_table *table);
/* The bytes that precede the sections. */
size_t scree_snapshot_head_bytes(void);
void scree_snapshot_head(const snapshot_table *table, uint8_t *to);
/* Refuses numbers with which the file could not be read back. */
bool scree_snapshot_can_be_read(const scree_world *w, fail *why);
/* scree_snapshot_write_keeping for a world divided among ranks, all of which call this function. */
bool scree_snapshot_write_together(const scree_world *w, const snapshot_extra *extra, const char *path,
								   const char *second, fail *why);

/* Estimated number of bytes for bodies and contacts, including the names of their columns and all small sections. */
size_t scree_snapshot_most(const scree_world *w);
void scree_snapshot_pass_extra(stream *s, snapshot_extra *e);
void scree_snapshot_pass_region(stream *s, region *g);

/* snapshot_checks.c: checks that the sections are consistent. A file may have correct hashes but wrong content, so
 * every index, count and number is checked before use. Each function returns NULL or a description of the error. */
const char *scree_check_numbers(const scree_world *w);
const char *scree_check_materials(const materials *m);
const char *scree_check_heat(const scree_world *w);
const char *scree_check_energy(const scree_world *w);
const char *scree_check_counts(const impulses *o);
/* Checks counts and lengths before indices are followed. Rebuilds shapes of parts or triangles from their source. */
const char *scree_restore_shape(shape *s, bool flat);
/* check the numbers of bodies, and that their shapes and materials exist; also called before saving */
const char *scree_check_motion(const scree_world *w);
const char *scree_check_bodies(const scree_world *w);
const char *scree_check_walls(const scree_world *w);
const char *scree_check_source(const source *s, const source_state *now, const scree_world *w);
const char *scree_check_sink(const sink *s, const sink_state *now, const scree_world *w);
const char *scree_check_flow_plane(const flow_plane *f, const flow_count *now, const scree_world *w);
/* Checks the contacts of one kind, in the order of their partners' ids. b: row of surfaces if the partner is a wall */
const char *scree_check_contacts(const scree_world *w, int kind, int32_t count, const contact_key *key,
								 const pair_list *history);
const char *scree_check_extra(const snapshot_extra *e);

#endif
