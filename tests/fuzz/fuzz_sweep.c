/* Arbitrary bytes are used as the files that `scree sweep` reads from its runs: the record (sweep.run) and the log
 * (run.log). A record is read and written, and must be unchanged when read back. Seed inputs: tests/fuzz/fuzz_sweep/.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../prog/sweep.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

const char *command_name = "fuzz";

static char *copy_of(const uint8_t *bytes, size_t length)
{
	char *text = malloc(length + 1);
	if (!text) abort();
	if (length) memcpy(text, bytes, length);
	text[length] = 0;
	return text;
}

/* Records that were written and read again must give the same file. */
static void write_again(const swept *o)
{
	char path[64];
	bool there;
	uint64_t scene = 0;
	swept again = {.scene = o->scene};
	snprintf(path, sizeof path, "/dev/shm/fuzz_sweep_%ld", (long)getpid());
	if (write_record(o, path) != 0 || read_record(&again, path, &there, &scene) != 0) abort();
	unlink(path);
	if (!there || scene != o->scene || again.code != o->code || again.ended != o->ended || strcmp(again.hash, o->hash))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	swept o = {0};
	uint64_t scene = 0;
	char *text = copy_of(bytes, length);
	if (parse_record(&o, text, length, &scene)) {
		o.scene = scene;
		free(text);
		text = copy_of(bytes, length);
		if (!parse_record(&o, text, length, &scene) || !o.known) abort();
		write_again(&o);
	}
	free(text);
	text = copy_of(bytes, length);
	parse_hash(&o, text, length);
	if (strlen(o.hash) != strspn(o.hash, "0123456789abcdef")) abort();
	free(text);
	return 0;
}
