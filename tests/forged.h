/* forged.h: two or three ranks step a small scene, and messages of some of them are changed in transit. Their lengths
 * and hashes are still right, so only decoders can detect the errors. */
#ifndef SCREE_TESTS_FORGED_H
#define SCREE_TESTS_FORGED_H

#include "rank_threads.h"
#include "ranks/division/part.h"
#include "world/world.h"

/* A message in transit, as separate segments. */
enum { FORGED_SEGMENTS = 64 };
typedef struct forged {
	message_head head;
	int32_t segments;
	struct {
		uint64_t tag;
		size_t size;
		uint8_t *bytes; /* [room] */
		size_t room;
	} segment[FORGED_SEGMENTS];
} forged;
/* Changes the message, if it wants to. w: the world of the sending rank; NULL: none yet. */
typedef void forge_fn(void *what, const scree_world *w, forged *m);

/* Sets the length of the segment; new bytes are zero. */
void forged_resize(forged *m, int32_t segment, size_t size);
/* Adds an empty one and returns its number; -1: no room. */
int32_t forged_add(forged *m, uint64_t tag);

typedef struct forged_run {
	const char *scene; /* text */
	int32_t ranks;
	const partition_row *by;
	const domain_row *rule; /* NULL: scree_domain_ranks */
	bool handed;			/* the first rank hands out all bodies */
	bool calm;				/* pairs are searched when needed, else in each step */
	bool sums;				/* sums may be changed, too */
	int steps;
	int32_t forger; /* the rank that sends wrong messages */
	forge_fn *forge;
	void *what;
	/* results */
	fail why[3];  /* one per rank; code 0: none */
	int64_t sent; /* messages that might have been changed */
} forged_run;

/* All ranks divide the scene, make their steps, and get slices and the whole as for files. Each ends, with or without
 * an error message. False: the scene cannot be read. */
bool forged_ranks(forged_run *o);

#endif
