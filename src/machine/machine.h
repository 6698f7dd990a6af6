/* machine.h: devices that run the kernels of src/kernel: their memory, copies to and from it, compiling and launching.
 *
 * Each kind of device is a row (row.h) whose library is opened at run time, so scree builds and starts without it.
 * Copies and kernels of a machine are executed in the order of the calls. A machine is used by one thread at a time. */
#ifndef SCREE_MACHINE_MACHINE_H
#define SCREE_MACHINE_MACHINE_H

#include "base/fail.h"

#include <stddef.h>
#include <stdint.h>

typedef struct machine machine;				/* an open device */
typedef struct machine_block machine_block; /* memory of a device */
typedef struct machine_kind machine_kind;	/* a row of the table: opencl, cuda */
typedef struct machine_argument {			/* argument of a kernel: a block, or else the bytes of a value */
	const machine_block *block;
	const void *value;
	size_t bytes;
} machine_argument;

enum {
	MACHINE_RECORD = 256,	 /* most bytes of a record that is read later */
	MACHINE_PADDING = 65536, /* bytes of padding before and behind a block */
};

extern const char scree_kernels_text[]; /* text of all kernels (kernels.cl), with the headers that it includes */

int scree_machine_kind_count(void);
const machine_kind *scree_machine_kind_at(int k);
const char *scree_machine_kind_name(const machine_kind *kind);
const machine_kind *scree_machine_kind(const char *name); /* NULL if there is no such kind */
/* Returns the number of devices of this kind, or 0 with the reason. Cards come before processors. */
int scree_machine_count(const machine_kind *kind, fail *why);
machine *scree_machine_open(const machine_kind *kind, int which, fail *why); /* NULL on failure */
/* Releases the blocks that have been allocated, too. NULL is allowed. */
void scree_machine_close(machine *m);
const char *scree_machine_kind_of(const machine *m);
const char *scree_machine_label(const machine *m); /* device and driver, for messages */
int64_t scree_machine_memory(const machine *m);	   /* memory of the device in bytes */
int64_t scree_machine_free(const machine *m);	   /* bytes that were not in use when it was opened, as far as known */
int64_t scree_machine_largest(const machine *m);   /* bytes of the largest block */
bool scree_machine_is_card(const machine *m);	   /* otherwise a processor that runs kernels */
/* For tests: puts padding around blocks that are allocated from now on, bytes that are NaN as reals. A kernel that has
 * changed padding is an internal error when the block is released. Always on in sanitized builds. */
void scree_machine_pad(machine *m);

/* Returns a block of zeros, or NULL. */
machine_block *scree_machine_allocate(machine *m, int64_t bytes, fail *why);
void scree_machine_release(machine *m, machine_block *b); /* NULL is allowed */
/* Both wait until the copy is complete. at: position in the block, in bytes */
bool scree_machine_write(machine *m, machine_block *b, int64_t at, const void *from, int64_t bytes, fail *why);
bool scree_machine_read(machine *m, const machine_block *b, int64_t at, void *to, int64_t bytes, fail *why);
/* Starts to read a record of at most MACHINE_RECORD bytes; wait returns it, as it was at that point in the order of
 * calls. There is at most one such record at a time. */
bool scree_machine_read_later(machine *m, const machine_block *b, int64_t at, int64_t bytes, fail *why);
bool scree_machine_wait(machine *m, void *to, fail *why);
bool scree_machine_clear(machine *m, machine_block *b, int64_t at, int64_t bytes, fail *why); /* to zeros */

/* Compiles a text of kernels, or takes it from the user's cache (cache.h); replaces those of an earlier text. The
 * message has the beginning of the compiler's log. */
bool scree_machine_build(machine *m, const char *text, fail *why);
/* Launches `items` items of a kernel in groups of this size (0: as usual for the device). The last group is completed:
 * a kernel compares its item_number() with a number of items among its arguments. No items: nothing is launched. */
bool scree_machine_launch(machine *m, const char *kernel, int64_t items, int group, int count,
						  const machine_argument *with, fail *why);

#endif
