/* row.h: what a kind of device must provide. Functions that return an int return 0, or the library's error. */
#ifndef SCREE_MACHINE_ROW_H
#define SCREE_MACHINE_ROW_H

#include "machine/machine.h"

#include "base/real.h"

typedef struct machine_kernel {
	char name[64];
	void *handle;
} machine_kernel;

struct machine_block {
	machine_block *next, **link; /* list of the machine's blocks */
	int64_t bytes, padding;		 /* without padding; bytes of padding on each side */
	uint64_t whole, handle;		 /* with padding; what kernels are given */
};

struct machine {
	const machine_kind *kind;
	void *device;				   /* data of the row */
	char label[288], options[64];  /* options of the compiler */
	int64_t memory, free, largest; /* bytes of the device; those not in use now; those of the largest block */
	int group;					   /* usual number of items in a group */
	bool is_card, padded;
	bool keeps;	   /* its driver keeps compiled kernels, so that scree's cache would only delay the first run */
	int compiled;  /* number of texts that were not in the cache */
	int64_t later; /* bytes of the record that is being read; 0: none */
	machine_block *blocks;
	machine_kernel *kernel; /* kernels that have been launched */
	int64_t kernels, kernel_capacity;
};

typedef struct machine_binary { /* a compiled text */
	void *bytes;
	size_t length;
} machine_binary;

struct machine_kind {
	const char *name;
	int (*count)(fail *why);
	bool (*open)(machine *m, int which, fail *why); /* fills device, label, options, sizes, group, is_card, keeps */
	void (*close)(machine *m);
	const char *(*error)(const machine *m, int error); /* its name; NULL if unknown */
	int (*allocate)(machine *m, int64_t bytes, uint64_t *whole);
	int (*part)(machine *m, uint64_t whole, int64_t at, int64_t bytes, uint64_t *handle); /* a block within another */
	void (*release)(machine *m, const machine_block *b);
	int (*write)(machine *m, uint64_t to, int64_t at, const void *from, int64_t bytes);
	int (*read)(machine *m, uint64_t from, int64_t at, void *to, int64_t bytes);
	int (*read_later)(machine *m, uint64_t from, int64_t at, int64_t bytes);
	int (*wait)(machine *m, void *to, int64_t bytes);
	int (*clear)(machine *m, uint64_t to, int64_t at, int64_t bytes);
	/* to: the caller frees its bytes; NULL, only if `keeps`: replaces the program */
	bool (*compile)(machine *m, const char *text, machine_binary *to, fail *why);
	int (*load)(machine *m, machine_binary program); /* replaces the program */
	int (*kernel)(machine *m, const char *name, void **handle);
	/* at, bytes: address and size of each argument's value; a block is given as the address of its handle */
	int (*launch)(machine *m, void *kernel, int64_t groups, int group, int count, void **at, const size_t *bytes);
};

/* Fails, with the name of the error: the device cannot be opened. */
SCREE_FN bool machine_unopened(const machine *m, int error, fail *why)
{
	const char *name = m->kind->error(m, error);
	return scree_fail(why, FAIL_IO, "%s cannot be opened: %s (%d)", m->label, name ? name : "error", error);
}

extern const machine_kind scree_machine_opencl, scree_machine_cuda;

#endif
