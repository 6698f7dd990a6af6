/* message.h: the bytes that ranks send to each other: a header, then segments, each with a tag and a size. Numbers are
 * stored as in little-endian memory; payloads begin at multiples of 16 bytes. A hash covers the whole message. */
#ifndef SCREE_RANKS_MESSAGES_MESSAGE_H
#define SCREE_RANKS_MESSAGES_MESSAGE_H

#include "base/fail.h"

#include <stddef.h>
#include <stdint.h>

typedef enum message_phase {
	PHASE_FAILURE,
	PHASE_GREATEST,
	PHASE_ADD,
	PHASE_GATHER,
	PHASE_BODIES,
	PHASE_COPIES,
	PHASE_UPDATE,
	PHASE_VALUES,
	PHASE_RECORDS,
	PHASE_FORCES,
	PHASE_CONSTRAINTS,
	PHASES
} message_phase;
extern const char *const scree_phase_names[PHASES];

typedef struct message_head {
	uint32_t magic, version, phase, segments;
	int32_t from, to; /* ranks */
	int64_t step;
	uint64_t number; /* number of the exchange to which the message belongs */
	uint64_t bytes;	 /* length of the whole message */
	uint64_t unused; /* 0 */
	uint64_t hash;	 /* XXH3-64 hash of everything after the header, combined with the header up to this member */
} message_head;
_Static_assert(sizeof(message_head) == 64, "no gaps");

typedef struct segment_head {
	uint64_t tag, size; /* size in bytes, without padding to a multiple of 16 */
} segment_head;

/* A growing message; {0} is empty. Its memory is kept for the next message, outside the lists of base/memory.h. */
typedef struct message {
	size_t count, capacity;
	uint8_t *bytes;
} message;

/* Begins a message with the phase, ranks, step and number of this header. */
void scree_message_begin(message *m, const message_head *of);
/* Adds a segment, and returns the address of its payload, valid until the next call. */
void *scree_message_segment(message *m, uint64_t tag, size_t size);
/* Sets the length and the hash. */
void scree_message_end(message *m);
void scree_message_free(message *m);

typedef struct message_reader {
	message_head head;
	const uint8_t *bytes; /* aligned to 16 bytes */
	size_t count, at;
} message_reader;

typedef struct segment {
	uint64_t tag;
	size_t size;
	const void *bytes;
} segment;

/* Checks all lengths and the hash, and that the message is awaited, with the same phase, ranks, step and number. If
 * not, returns false with an error message that names these. The bytes must remain valid while segments are read. */
bool scree_message_open(message_reader *r, const void *bytes, size_t count, const message_head *awaited, fail *why);
/* Returns the next segment; false if there is none. */
bool scree_message_next(message_reader *r, segment *s);

#endif
