/* forged.h: two or three ranks step a small scene, and messages from some of them are changed in transit. Lengths and
 * hashes remain correct, so only the decoders can detect the errors. */
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
/* Changes the message, or leaves it unchanged. w: the world of the sending rank, or NULL if it has none yet. */
typedef void forge_fn(void *what, const scree_world *w, forged *m);

/* Sets the length of the segment; new bytes are zero. */
void forged_resize(forged *m, int32_t segment, size_t size);
/* Adds an empty segment and returns its number, or -1 if there is no room. */
int32_t forged_add(forged *m, uint64_t tag);

typedef struct forged_run {
	const char *scene; /* text */
	int32_t ranks;
	const partition_row *by;
	const domain_row *rule; /* NULL selects scree_domain_ranks */
	bool handed;			/* the first rank distributes all bodies */
	bool calm;				/* pairs are searched for only when needed, otherwise in each step */
	bool sums;				/* whether sums may also be changed */
	int steps;
	int32_t forger; /* the rank whose messages are changed */
	forge_fn *forge;
	void *what;
	/* results */
	fail why[3];  /* one per rank; code 0 means no failure */
	int64_t sent; /* number of messages that could have been changed */
} forged_run;

/* All ranks divide the scene among themselves, make their steps, and collect slices and the whole world, as they do to
 * write files. Each rank ends, with or without an error message. Returns false if the scene cannot be read. */
bool forged_ranks(forged_run *o);

#endif
