/* rank_faults.h: deliberate faults. Messages on a channel are lost, delayed, truncated or altered, as determined by a
 * seed. */
#ifndef SCREE_TESTS_RANK_FAULTS_H
#define SCREE_TESTS_RANK_FAULTS_H

#include "base/random.h"
#include "ranks/messages/transport.h"

typedef enum message_fault { FAULT_LOSE, FAULT_DELAY, FAULT_TRUNCATE, FAULT_GARBLE, MESSAGE_FAULTS } message_fault;

typedef struct fault_script {
	uint64_t seed;
	real part[MESSAGE_FAULTS]; /* probability per message; delays also change the order of messages */
} fault_script;

typedef struct faults faults;
/* From this call on, messages sent through the channel have faults. `of` must remain valid. */
faults *scree_faults_begin(channel *c, const fault_script *of);
/* Number of faults of this kind so far. */
int64_t scree_faults_made(const faults *o, message_fault kind);
/* Sends the delayed messages, and restores the channel. */
void scree_faults_end(channel *c);

#endif
