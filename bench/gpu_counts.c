/* gpu_counts.c: a libOpenCL.so.1 that runs kernels on the processor, one item after another, and counts what they do
 * (gpu_counts.py). A command compiles their text, and adds to the instructions a call at each access to device memory
 * and one with the number of operations of each block. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SECTOR = 32, ARGUMENTS = 24, KERNELS = 128, OPERATIONS = 7 };
static const size_t room = (size_t)1 << 36; /* addresses for all buffers; memory is used when it is written */

/* What a kernel did, or copies between host and device, or clears. read, written: distinct sectors in each launch;
 * accessed: bytes of all accesses to device memory; stack: those of others */
typedef struct counts {
	char name[64];
	long launches, items, read, written, accessed, stack, atomics, operation[OPERATIONS];
} counts;
typedef struct program {
	char *bytes;
	size_t length;
	void *library;
} program;
typedef struct kernel {
	void (*run)(long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long,
				long, long, long, long, long, long, long);
	long argument[ARGUMENTS];
	counts *of;
} kernel;

static counts all[KERNELS], *now = all;
static int kernels;
static char *memory;
static char *fresh;		/* the buffer that was made last, until it is cleared */
static long records[2]; /* bytes of two kinds of records (resident_solids.cl) */
static size_t used;
static uint32_t launch, *read_in, *written_in; /* the last launch that read or wrote each sector */
static long item;

/* ------------------------------------------------------------------ counting */

static void print_counts(void)
{
	FILE *to = fopen(getenv("GPU_COUNTS"), "w");
	if (!to) return;
	fprintf(to, "records %ld %ld\n", records[0], records[1]);
	for (const counts *c = all; c < all + kernels; ++c) {
		fprintf(to, "%s %ld %ld %ld %ld %ld %ld %ld", c->name, c->launches, c->items, c->read, c->written, c->accessed,
				c->stack, c->atomics);
		for (int k = 0; k < OPERATIONS; ++k) fprintf(to, " %ld", c->operation[k]);
		fputc('\n', to);
	}
	fclose(to);
}

static counts *counts_of(const char *name)
{
	for (int k = 0; k < kernels; ++k)
		if (!strcmp(all[k].name, name)) return all + k;
	if (!kernels) atexit(print_counts);
	snprintf(all[kernels].name, sizeof all->name, "%s", name);
	return all + kernels++;
}

/* A sector is read once in a launch, and not after it has been written there. */
static void visit(const char *at, long bytes, int writes)
{
	for (size_t s = (size_t)(at - memory) / SECTOR; s <= (size_t)(at - memory + bytes - 1) / SECTOR; ++s) {
		if (!writes && read_in[s] != launch && written_in[s] != launch) now->read += SECTOR, read_in[s] = launch;
		if (writes && written_in[s] != launch) now->written += SECTOR, written_in[s] = launch;
	}
	now->accessed += bytes;
}

void gpu_counts_read(const char *at, long bytes) { visit(at, bytes, 0); }
void gpu_counts_write(const char *at, long bytes) { visit(at, bytes, 1); }
void gpu_counts_block(long stack, long add, long mul, long div, long root, long compare, long convert, long whole)
{
	const long number[OPERATIONS] = {add, mul, div, root, compare, convert, whole};
	now->stack += stack;
	for (int k = 0; k < OPERATIONS; ++k) now->operation[k] += number[k];
}

/* functions of OpenCL C under their names in object files */
unsigned long _Z13get_global_idj(unsigned axis) { return axis ? 0 : (unsigned long)item; }
static unsigned long replace(unsigned long *at, unsigned long by)
{
	const unsigned long before = *at;
	visit((char *)at, 8, 0);
	visit((char *)at, 8, 1);
	now->atomics += 1;
	return *at = by, before;
}
unsigned long _Z8atom_addPU8CLglobalVmm(unsigned long *at, unsigned long x) { return replace(at, *at + x); }
unsigned long _Z12atom_cmpxchgPU8CLglobalVmmm(unsigned long *at, unsigned long is, unsigned long x)
{
	return replace(at, *at == is ? x : *at);
}

/* ------------------------------------------------------------------ platform and device */

static int answer(const void *from, size_t bytes, size_t most, void *to, size_t *size)
{
	if (size) *size = bytes;
	if (to) memcpy(to, from, bytes < most ? bytes : most);
	return 0;
}

static int one_thing(void **to, unsigned *count)
{
	if (to) *to = all;
	if (count) *count = 1;
	return 0;
}
int clGetPlatformIDs(unsigned most, void **to, unsigned *count) { return (void)most, one_thing(to, count); }
int clGetDeviceIDs(void *platform, unsigned long type, unsigned most, void **to, unsigned *count)
{
	return (void)platform, (void)type, (void)most, one_thing(to, count);
}
int clGetPlatformInfo(void *platform, unsigned what, size_t most, void *to, size_t *size)
{
	return (void)platform, (void)what, answer("counts", sizeof "counts", most, to, size);
}
int clGetDeviceInfo(void *device, unsigned what, size_t most, void *to, size_t *size)
{
	enum { TYPE = 0x1000, GLOBAL_MEM_SIZE = 0x101F, NAME = 0x102B, EXTENSIONS = 0x1030, PLATFORM = 0x1031 };
	static const char extensions[] = "cl_khr_fp64 cl_khr_int64_base_atomics";
	static const uint64_t card = 4;
	void *platform = all;
	(void)device;
	switch (what) {
	case TYPE:
		return answer(&card, sizeof card, most, to, size);
	case GLOBAL_MEM_SIZE:
		return answer(&room, sizeof room, most, to, size);
	case EXTENSIONS:
		return answer(extensions, sizeof extensions, most, to, size);
	case PLATFORM:
		return answer(&platform, sizeof platform, most, to, size);
	default:
		return answer("counting", sizeof "counting", most, to, size);
	}
}

static void *reserve(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED) abort();
	return at;
}

void *clCreateContext(void)
{
	dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL); /* programs call functions of this file */
	memory = reserve(room);
	read_in = reserve(room / SECTOR * sizeof *read_in);
	written_in = reserve(room / SECTOR * sizeof *written_in);
	return all;
}
void *clCreateCommandQueue(void) { return all; }
int clFlush(void) { return 0; }
int clFinish(void) { return 0; }
int clReleaseMemObject(void) { return 0; }
int clReleaseKernel(void) { return 0; }
int clReleaseEvent(void) { return 0; }
int clReleaseCommandQueue(void) { return 0; }
int clReleaseContext(void) { return 0; }
int clWaitForEvents(void) { return 0; }
int clGetEventInfo(void *event, unsigned what, size_t most, void *to, size_t *size)
{
	const int complete = 0;
	return (void)event, (void)what, answer(&complete, sizeof complete, most, to, size);
}

/* ------------------------------------------------------------------ memory */

/* Buffers are never given back: a run needs few of them. */
char *clCreateBuffer(void *context, unsigned long flags, size_t bytes)
{
	char *at = memory + used;
	(void)context, (void)flags;
	used += (bytes + 4095) / 4096 * 4096;
	return fresh = used <= room ? at : NULL;
}
char *clCreateSubBuffer(char *buffer, unsigned long flags, unsigned type, const size_t *region)
{
	return (void)flags, (void)type, buffer + region[0];
}
static int copy(const char *name, void *to, const void *from, size_t bytes)
{
	counts *c = counts_of(name);
	c->launches += 1, c->accessed += (long)bytes;
	memmove(to, from, bytes);
	return 0;
}
int clEnqueueWriteBuffer(void *queue, char *buffer, unsigned wait, size_t at, size_t bytes, const void *from)
{
	return (void)queue, (void)wait, copy("(to_device)", buffer + at, from, bytes);
}
int clEnqueueReadBuffer(void *queue, char *buffer, unsigned wait, size_t at, size_t bytes, void *to)
{
	return (void)queue, (void)wait, copy("(to_host)", to, buffer + at, bytes);
}
int clEnqueueFillBuffer(void *queue, char *buffer, const void *with, size_t size, size_t at, size_t bytes)
{
	counts *c = counts_of("(clear)");
	(void)queue, (void)with, (void)size;
	if (buffer != fresh) c->launches += 1, c->written += (long)bytes;
	memset(buffer + at, 0, bytes);
	fresh = NULL;
	return 0;
}

/* ------------------------------------------------------------------ programs */

static int write_file(const char *path, const void *bytes, size_t length)
{
	FILE *to = fopen(path, "wb");
	return !to || fwrite(bytes, 1, length, to) != length || fclose(to);
}

static int read_file(const char *path, program *to)
{
	FILE *from = fopen(path, "rb");
	if (!from) return 1;
	fseek(from, 0, SEEK_END);
	to->length = (size_t)ftell(from);
	to->bytes = realloc(to->bytes, to->length);
	rewind(from);
	return fread(to->bytes, 1, to->length, from) != to->length || fclose(from);
}

program *clCreateProgramWithSource(void *context, unsigned count, const char **text)
{
	program *p = calloc(1, sizeof *p);
	(void)context, (void)count;
	p->bytes = strdup(*text);
	return p;
}
program *clCreateProgramWithBinary(void *context, unsigned count, void *device, const size_t *length,
								   const unsigned char **bytes)
{
	program *p = calloc(1, sizeof *p);
	(void)context, (void)count, (void)device;
	p->length = *length, p->bytes = malloc(*length);
	memcpy(p->bytes, *bytes, *length);
	return p;
}
/* A program is a text, then a shared library. */
int clBuildProgram(program *p)
{
	enum { BUILD_PROGRAM_FAILURE = -11 };
	const char *text = getenv("GPU_COUNTS_TEXT"), *library = getenv("GPU_COUNTS_LIBRARY");
	unlink(library);
	if (p->length) {
		if (write_file(library, p->bytes, p->length)) return BUILD_PROGRAM_FAILURE;
		p->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
		if (!p->library) fprintf(stderr, "%s\n", dlerror());
		return p->library ? 0 : BUILD_PROGRAM_FAILURE;
	}
	if (write_file(text, p->bytes, strlen(p->bytes)) || system(getenv("GPU_COUNTS_COMPILE")))
		return BUILD_PROGRAM_FAILURE;
	return read_file(library, p) ? BUILD_PROGRAM_FAILURE : 0;
}
int clGetProgramBuildInfo(void *p, void *device, unsigned what, size_t most, void *to, size_t *size)
{
	return (void)p, (void)device, (void)what, answer("", 1, most, to, size);
}
int clGetProgramInfo(program *p, unsigned what, size_t most, void *to, size_t *size)
{
	enum { BINARY_SIZES = 0x1165 };
	if (what == BINARY_SIZES) return answer(&p->length, sizeof p->length, most, to, size);
	memcpy(*(void **)to, p->bytes, p->length);
	return 0;
}
int clReleaseProgram(program *p) { return p->length = 0; }

/* ------------------------------------------------------------------ kernels */

kernel *clCreateKernel(program *p, const char *name, int *error)
{
	kernel *k = calloc(1, sizeof *k);
	void *run = dlsym(p->library, name);
	*error = run ? 0 : -46;
	memcpy(&k->run, &run, sizeof run);
	k->of = counts_of(name);
	return k;
}
int clSetKernelArg(kernel *k, unsigned index, size_t bytes, const void *value)
{
	int number;
	if (index >= ARGUMENTS) abort();
	memcpy(&number, value, sizeof number);
	k->argument[index] = number;
	if (bytes == sizeof(long)) memcpy(k->argument + index, value, bytes);
	return 0;
}
int clEnqueueNDRangeKernel(void *queue, kernel *k, unsigned axes, void *from, const size_t *items)
{
	const long *a = k->argument;
	(void)queue, (void)axes, (void)from;
	now = k->of;
	now->launches += 1, now->items += (long)*items;
	++launch;
	for (item = 0; item < (long)*items; ++item)
		k->run(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15],
			   a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23]);
	if (!strcmp(now->name, "resident_records")) memcpy(records, (void *)a[0], sizeof records);
	return 0;
}
