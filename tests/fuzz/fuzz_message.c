/* Arbitrary bytes are decoded as a message between ranks, both unchanged and with corrected length and hash: the result
 * is an error message, or segments that lie within the message. Seed inputs: tests/fuzz/fuzz_message/. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "ranks/messages/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static const message_head AWAITED = {.phase = PHASE_BODIES, .from = 3, .to = 5, .step = 120, .number = 17};

static void forge(uint8_t *bytes, size_t length)
{
	message_head h;
	memcpy(&h, bytes, sizeof h);
	h.bytes = length;
	memcpy(bytes, &h, sizeof h);
	h.hash = scree_hash_join(scree_hash(bytes + sizeof h, length - sizeof h), bytes, offsetof(message_head, hash));
	memcpy(bytes, &h, sizeof h);
}

static void read_all(const uint8_t *bytes, size_t length)
{
	message_reader r;
	segment s;
	fail why = {0};
	uint32_t segments = 0;
	volatile uint8_t sum = 0; /* all bytes have been read */
	const bool right = scree_message_open(&r, bytes, length, &AWAITED, &why);
	if (right == (why.code != FAIL_NONE)) abort();
	for (; scree_message_next(&r, &s); ++segments) {
		const uint8_t *from = s.bytes;
		if (from < bytes || s.size > length || (size_t)(from - bytes) > length - s.size) abort();
		for (size_t k = 0; k < s.size; ++k) sum = (uint8_t)(sum + from[k]);
	}
	if (segments != (right ? r.head.segments : 0)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	uint8_t *copy = malloc(length + 1); /* aligned, so that a sanitizer detects reads past the end */
	if (!copy) return 0;
	if (length) memcpy(copy, bytes, length);
	read_all(copy, length);
	if (length >= sizeof(message_head)) {
		forge(copy, length);
		read_all(copy, length);
	}
	free(copy);
	return 0;
}
