/* snapshot_parts.h: inside of snapshot*.c: a stream that reads or writes, so that each struct has one list of its
 * members for both ways.
 *
 * A stream that has failed goes on without effect and gives zeros; the first sentence stays. */
#ifndef SCREE_FORMAT_SNAPSHOT_PARTS_H
#define SCREE_FORMAT_SNAPSHOT_PARTS_H

#include "base/fail.h"
#include "base/fixed.h"
#include "format/snapshot.h"
#include "world.h"

enum { SNAP_SECTIONS = 16, SNAP_NAME = 16 };

typedef struct snap_section {
	char name[SNAP_NAME];
	uint64_t from, length, hash;
} snap_section;

typedef struct snap_io {
	bool reading, ok;
	const char *file, *section; /* for sentences */
	fail *why;
	/* writing: the whole file */
	unsigned char *out;
	size_t used, room;
	/* reading: the file, and the section's piece of it */
	const unsigned char *in;
	size_t at, end;
	int sections;
	snap_section table[SNAP_SECTIONS];
} snap_io;

/* ---- the container: snapshot_box.c */
void scree_snap_write_begin(snap_io *s);
/* Sections follow each other: what is written from here on belongs to this one. */
void scree_snap_write_section(snap_io *s, const char *name);
/* Closes the last section, writes the table of contents and the header. */
void scree_snap_write_end(snap_io *s);
/* Checks header, table and the hash of each section. */
bool scree_snap_read_begin(snap_io *s, const char *file, const unsigned char *bytes, size_t length, fail *why);
/* Goes to the beginning of this section. */
bool scree_snap_read_section(snap_io *s, const char *name);
/* Refuses a section that is longer than what was read of it. */
bool scree_snap_read_done(snap_io *s);

/* ---- values: both ways */
void scree_snap_bytes(snap_io *s, void *bytes, size_t length);
void scree_snap_real(snap_io *s, real *x);		  /* refuses NaN and infinity when reading */
void scree_snap_real_or_inf(snap_io *s, real *x); /* refuses NaN */
void scree_snap_i32(snap_io *s, int32_t *x);
void scree_snap_i64(snap_io *s, int64_t *x);
void scree_snap_u64(snap_io *s, uint64_t *x);
void scree_snap_bool(snap_io *s, bool *x);
void scree_snap_vec3(snap_io *s, vec3 *v);
void scree_snap_quat(snap_io *s, quat *q);
void scree_snap_fixed(snap_io *s, fixed *f);
void scree_snap_random(snap_io *s, random_stream *r);
/* text in an array of this size */
void scree_snap_name(snap_io *s, char *text, size_t room);
/* text of any length, or NULL; scree_alloc'd when reading */
void scree_snap_text(snap_io *s, char **text);
/* a number from low to high, both included */
void scree_snap_int_in(snap_io *s, const char *what, int32_t *x, int64_t low, int64_t high);
/* A count of things of at least `size` bytes each in this section: what cannot be in it is refused before memory is
 * taken. */
void scree_snap_count(snap_io *s, const char *what, int32_t *count, size_t size);
void scree_snap_count64(snap_io *s, const char *what, int64_t *count, size_t size);
/* arrays of numbers; when reading, *array is made (NULL for none) */
void scree_snap_reals(snap_io *s, real **array, int64_t count);
void scree_snap_i32s(snap_io *s, const char *what, int32_t **array, int64_t count, int64_t low, int64_t high);
void scree_snap_vec3s(snap_io *s, vec3 **array, int64_t count);
/* the first sentence stays; returns false */
bool scree_snap_refuse(snap_io *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- the parts of a world, in this order, each its section */
void scree_snap_shapes(snap_io *s, scree_world *w);		/* snapshot_shapes.c */
void scree_snap_materials(snap_io *s, scree_world *w);	/* snapshot_world.c */
void scree_snap_walls(snap_io *s, scree_world *w);		/* snapshot_walls.c */
void scree_snap_population(snap_io *s, scree_world *w); /* snapshot_world.c */
void scree_snap_numbers(snap_io *s, scree_world *w);	/* snapshot_world.c: time, step, guards, ledger ... */
void scree_snap_bodies(snap_io *s, scree_world *w);		/* snapshot_bodies.c */
void scree_snap_contacts(snap_io *s, scree_world *w);	/* snapshot_bodies.c */
void scree_snap_plan(snap_io *s, snapshot_extra *e);	/* snapshot_plan.c */

#endif
