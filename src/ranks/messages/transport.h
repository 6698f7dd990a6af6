/* transport.h: messages between ranks. A rank owns one part of a divided world; it is either an MPI process or a thread
 * that stands in for one. Ranks share nothing except messages.
 *
 * All ranks call the same exchanges and sums in the same order (`number`). The tag of a message is that number, so that
 * an early message of the next exchange, from a fast neighbour, is not mistaken for one of the present exchange. */
#ifndef SCREE_RANKS_MESSAGES_TRANSPORT_H
#define SCREE_RANKS_MESSAGES_TRANSPORT_H

#include "base/fail.h"
#include "base/fixed.h"
#include "base/real.h"
#include "ranks/messages/message.h"

struct transport_row;

/* One rank's end of the transport. */
typedef struct channel {
	const struct transport_row *by;
	void *at; /* its data */
	int32_t rank, ranks;
	real patience;							 /* longest wait for a message, in s */
	uint64_t number;						 /* number of exchanges and sums so far; the same on all ranks */
	int64_t step;							 /* step number of the last message sent within a step */
	bool failed;							 /* whether a failure was reported to the other ranks or by one of them */
	int64_t messages[PHASES], bytes[PHASES]; /* messages and bytes sent so far, by purpose, excluding MPI's own sums */
	/* memory that is reused from call to call */
	message *out; /* [outs] being sent */
	int32_t outs;
	message in;
	bool *heard; /* [hears] whether the message of each sender has arrived in this exchange */
	int32_t hears;
} channel;

/* Tags for reports of failures (the largest that MPI guarantees) and long waits in sums. Exchanges use lower tags. */
enum { TAG_FAILURE = 32767, TAG_WAITING = TAG_FAILURE - 1 };

/* A way of transporting messages. */
typedef struct transport_row {
	/* Begins to send. The bytes must remain valid until `sent` has returned. */
	void (*send)(channel *c, int32_t to, int32_t tag, const void *bytes, size_t count);
	/* Waits for a message with this tag or for a report of a failure. Returns the tag of the message found, with its
	 * sender and its length; -1 if none arrived within `patience` seconds, or none can arrive. */
	int32_t (*probe)(channel *c, int32_t tag, real patience, int32_t *from, size_t *count);
	/* Receives the message that `probe` has found. */
	void (*receive)(channel *c, int32_t from, int32_t tag, void *bytes, size_t count);
	/* Waits until the bytes of all sends may be changed. */
	void (*sent)(channel *c);
	/* As in ranks/together/domain.h, but these functions return false with a message if a rank has failed or does not
	 * respond. */
	bool (*greatest)(channel *c, int32_t count, real *x, fail *why);
	bool (*add)(channel *c, int32_t count, fixed *x, fail *why);
	bool (*both)(channel *c, int32_t mosts, real *most, int32_t sums, fixed *sum, fail *why);
} transport_row;

/* Frees the memory of a channel after its row has freed its own. */
void scree_channel_free(channel *c);

/* The messages of one exchange between neighbours. If one rank is a neighbour of another, the reverse is also true. */
typedef struct exchange {
	message_phase phase;
	int64_t step;
	int32_t neighbours;
	const int32_t *neighbour; /* ranks, each once */
	/* Adds segments to the message for rank `to`; without segments an empty message is sent. */
	void (*encode)(void *what, int32_t to, message *m);
	/* Reads a rank's message, in any order of ranks. Returns false with an error message if its contents are wrong. */
	bool (*decode)(void *what, int32_t from, message_reader *r, fail *why);
	void *what;
} exchange;

/* Algorithm 1 of Iglberger and Rüde (2009): sends to all neighbours, receives from all. Returns false with an error
 * message if a message is damaged or missing, or if another rank has failed. The other ranks then receive the report,
 * and no exchange may follow. */
bool scree_exchange(channel *c, const exchange *x, fail *why);
/* Reports a failure of this rank to all others. The next wait of each of these ranks ends with this error message. */
void scree_channel_fail(channel *c, const fail *why);

/* collect.c, by messages along a tree. The rows of one rank. */
typedef struct rank_rows {
	void *bytes; /* allocated by scree_alloc; NULL if there are none */
	size_t size;
} rank_rows;
/* all: [ranks] contains the rows of this rank on entry, and those of all ranks on return. */
bool scree_tree_gather(channel *c, rank_rows *all, fail *why);
/* The first rank receives the rows of all other ranks; ranks along the way also receive some rows, which they free. */
bool scree_tree_collect(channel *c, rank_rows *all, fail *why);

/* Sets x to the larger of two numbers; NaN counts as greater than any number. */
SCREE_FN void greatest_join(int32_t count, real *x, const real *other)
{
	for (int32_t k = 0; k < count; ++k)
		if (x[k] == x[k] && !(other[k] <= x[k])) x[k] = other[k];
}

/* A number passed to `both`, and whether it is a sum. */
typedef struct joint_term {
	int128 quanta; /* a sum, or the bits of a largest number */
	int64_t beyond;
	int64_t is_sum;
} joint_term;
void scree_joint_terms_pack(joint_term *to, int32_t mosts, const real *most, int32_t sums, const fixed *sum);
void scree_joint_terms_unpack(const joint_term *from, int32_t mosts, real *most, int32_t sums, fixed *sum);
void scree_joint_terms_join(int32_t count, joint_term *to, const joint_term *other);

/* For exchange.c and collect.c: one message to be sent, or several messages to be awaited. */
typedef struct envelope {
	message_phase phase;
	int64_t step;
	int32_t count; /* number of ranks that are awaited */
	const int32_t *rank;
} envelope;
/* Begins a round of messages: advances `number`, and makes room for these numbers of outgoing and incoming messages. */
void scree_channel_begin(channel *c, int32_t outs, int32_t ins);
/* Begins message `k` of this round; segments follow. */
message *scree_channel_write(channel *c, int32_t k, int32_t to, message_phase phase, int64_t step);
/* Sends message `k` to the rank for which it was begun. */
void scree_channel_send(channel *c, int32_t k);
/* Waits for a message from any rank in e that has not yet sent one in this round, and opens the message. */
bool scree_channel_receive(channel *c, const envelope *e, message_reader *r, fail *why);
/* Ends a sum with the error of a failed rank, or a message that names missing ranks. come: [ranks]. Returns false. */
bool scree_channel_give_up(channel *c, message_phase phase, const bool *come, fail *why);

#endif
