/* opencl: the row of devices with OpenCL 1.2, doubles and 64-bit atomics; the library is that of the ICD loader, which
 * finds the drivers. The declarations below are the part of CL/cl.h that is used. */
#include "machine/row.h"

#include "base/real.h"

#include "base/memory.h"
#include "machine/library.h"

#include <stdio.h>
#include <string.h>

typedef struct cl_thing cl_thing; /* platforms, devices, contexts, ...: all are pointers to structures of the library */
enum {
	CL_BUILD_PROGRAM_FAILURE = -11,
	CL_TYPE_PROCESSOR = 2,
	CL_PLATFORM_NAME = 0x0902,
	CL_DEVICE_TYPE = 0x1000,
	CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
	CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
	CL_DEVICE_NAME = 0x102B,
	CL_DRIVER_VERSION = 0x102D,
	CL_DEVICE_EXTENSIONS = 0x1030,
	CL_DEVICE_PLATFORM = 0x1031,
	CL_PROGRAM_BINARY_SIZES = 0x1165,
	CL_PROGRAM_BINARIES = 0x1166,
	CL_PROGRAM_BUILD_LOG = 0x1183,
	CL_EVENT_STATUS = 0x11D3,
	CL_BUFFER_REGION = 0x1220,
};
#define CL_ALL_TYPES  0xFFFFFFFFul
#define CL_READ_WRITE 1ul

typedef int cl_info(cl_thing *of, unsigned what, size_t room, void *to, size_t *size);
typedef struct library {
	int (*platforms)(unsigned room, cl_thing **to, unsigned *count);
	int (*devices)(cl_thing *platform, unsigned long type, unsigned room, cl_thing **to, unsigned *count);
	cl_info *platform_info, *device_info, *program_info, *event_info;
	cl_thing *(*context)(const intptr_t *, unsigned, cl_thing *const *device, void *, void *, int *error);
	cl_thing *(*queue)(cl_thing *context, cl_thing *device, unsigned long, int *error);
	cl_thing *(*buffer)(cl_thing *context, unsigned long flags, size_t bytes, void *, int *error);
	cl_thing *(*part)(cl_thing *buffer, unsigned long flags, unsigned type, const size_t region[2], int *error);
	int (*write)(cl_thing *, cl_thing *, unsigned wait, size_t, size_t, const void *, unsigned, void *, cl_thing **);
	int (*read)(cl_thing *, cl_thing *, unsigned wait, size_t, size_t, void *, unsigned, void *, cl_thing **);
	int (*fill)(cl_thing *, cl_thing *, const void *, size_t, size_t at, size_t bytes, unsigned, void *, cl_thing **);
	int (*flush)(cl_thing *queue), (*finish)(cl_thing *queue);
	int (*wait)(unsigned count, cl_thing *const *event);
	cl_thing *(*from_text)(cl_thing *context, unsigned, const char **text, const size_t *length, int *error);
	cl_thing *(*from_binary)(cl_thing *context, unsigned, cl_thing *const *device, const size_t *length,
							 const unsigned char **binary, int *status, int *error);
	int (*build)(cl_thing *program, unsigned, cl_thing *const *device, const char *options, void *, void *);
	int (*build_info)(cl_thing *program, cl_thing *device, unsigned what, size_t room, void *to, size_t *size);
	cl_thing *(*kernel)(cl_thing *program, const char *name, int *error);
	int (*argument)(cl_thing *kernel, unsigned index, size_t bytes, const void *value);
	int (*launch)(cl_thing *queue, cl_thing *kernel, unsigned dimensions, const size_t *, const size_t *items,
				  const size_t *group, unsigned, void *, cl_thing **);
	int (*drop_buffer)(cl_thing *), (*drop_program)(cl_thing *), (*drop_kernel)(cl_thing *), (*drop_event)(cl_thing *);
	int (*drop_queue)(cl_thing *), (*drop_context)(cl_thing *);
} library;

static const char *const files[] = {"libOpenCL.so.1", NULL};
#define AT(member) offsetof(library, member)
static const library_function functions[] = {
	{"clGetPlatformIDs", AT(platforms)},
	{"clGetDeviceIDs", AT(devices)},
	{"clGetPlatformInfo", AT(platform_info)},
	{"clGetDeviceInfo", AT(device_info)},
	{"clGetProgramInfo", AT(program_info)},
	{"clGetEventInfo", AT(event_info)},
	{"clCreateContext", AT(context)},
	{"clCreateCommandQueue", AT(queue)},
	{"clCreateBuffer", AT(buffer)},
	{"clCreateSubBuffer", AT(part)},
	{"clEnqueueWriteBuffer", AT(write)},
	{"clEnqueueReadBuffer", AT(read)},
	{"clEnqueueFillBuffer", AT(fill)},
	{"clFlush", AT(flush)},
	{"clFinish", AT(finish)},
	{"clWaitForEvents", AT(wait)},
	{"clCreateProgramWithSource", AT(from_text)},
	{"clCreateProgramWithBinary", AT(from_binary)},
	{"clBuildProgram", AT(build)},
	{"clGetProgramBuildInfo", AT(build_info)},
	{"clCreateKernel", AT(kernel)},
	{"clSetKernelArg", AT(argument)},
	{"clEnqueueNDRangeKernel", AT(launch)},
	{"clReleaseMemObject", AT(drop_buffer)},
	{"clReleaseProgram", AT(drop_program)},
	{"clReleaseKernel", AT(drop_kernel)},
	{"clReleaseEvent", AT(drop_event)},
	{"clReleaseCommandQueue", AT(drop_queue)},
	{"clReleaseContext", AT(drop_context)},
	{NULL, 0},
};

/* ------------------------------------------------------------------ devices */

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 64 };
typedef struct device_list {
	library lib;
	cl_thing *device[MOST_DEVICES];
	int count;
} device_list;

static bool has(const library *lib, cl_thing *device, const char *extension)
{
	size_t size = 0;
	if (lib->device_info(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != 0) return false;
	char *text = scree_alloc(size + 1, 1);
	const bool found = lib->device_info(device, CL_DEVICE_EXTENSIONS, size, text, NULL) == 0 && strstr(text, extension);
	scree_free(text);
	return found;
}

static bool is_processor(const library *lib, cl_thing *device)
{
	unsigned long type = 0;
	return lib->device_info(device, CL_DEVICE_TYPE, sizeof type, &type, NULL) == 0 && (type & CL_TYPE_PROCESSOR);
}

/* Adds the devices of a platform that can run the kernels. */
static void add_devices(device_list *l, cl_thing *platform, bool processors)
{
	cl_thing *device[MOST_DEVICES];
	unsigned count = 0;
	if (l->lib.devices(platform, CL_ALL_TYPES, MOST_DEVICES, device, &count) != 0) return;
	for (unsigned k = 0; k < count && k < MOST_DEVICES && l->count < MOST_DEVICES; ++k)
		if (is_processor(&l->lib, device[k]) == processors && has(&l->lib, device[k], "cl_khr_fp64") &&
			has(&l->lib, device[k], "cl_khr_int64_base_atomics"))
			l->device[l->count++] = device[k];
}

static bool find_devices(device_list *l, fail *why)
{
	cl_thing *platform[MOST_PLATFORMS];
	unsigned count = 0;
	l->count = 0;
	if (!scree_library_open(files, "an OpenCL loader and driver", functions, &l->lib, why)) return false;
	if (l->lib.platforms(MOST_PLATFORMS, platform, &count) != 0) count = 0;
	for (int processors = 0; processors < 2; ++processors)
		for (unsigned k = 0; k < count && k < MOST_PLATFORMS; ++k) add_devices(l, platform[k], processors);
	return l->count ||
		   scree_refuse(why, "%s", count ? "no device has doubles and 64-bit atomics" : "there is no driver");
}

static int count_devices(fail *why)
{
	device_list l;
	return find_devices(&l, why) ? l.count : 0;
}

/* ------------------------------------------------------------------ an open device */

typedef struct opencl {
	library lib;
	cl_thing *device, *context, *queue, *program, *event; /* event: the record is there */
	char record[MACHINE_RECORD];
} opencl;

static void describe(machine *m, const opencl *d)
{
	char name[128] = "", platform_name[64] = "", driver[64] = "";
	cl_thing *platform = NULL;
	uint64_t memory = 0, largest = 0;
	d->lib.device_info(d->device, CL_DEVICE_NAME, sizeof name, name, NULL);
	d->lib.device_info(d->device, CL_DRIVER_VERSION, sizeof driver, driver, NULL);
	d->lib.device_info(d->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
	d->lib.device_info(d->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
	d->lib.device_info(d->device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
	d->lib.platform_info(platform, CL_PLATFORM_NAME, sizeof platform_name, platform_name, NULL);
	snprintf(m->label, sizeof m->label, "%s, %s, driver %s", name, platform_name, driver);
	snprintf(m->options, sizeof m->options, "-cl-std=CL1.2");
	m->memory = m->free = (int64_t)memory;
	m->largest = largest < memory ? (int64_t)largest : m->memory;
	m->is_card = !is_processor(&d->lib, d->device);
	m->keeps = !m->is_card; /* as PoCL does */
	/* groups on a processor share the stack of one thread */
	m->group = m->is_card ? 64 : 16;
}

static bool open_device(machine *m, int which, fail *why)
{
	device_list l;
	int error = 0;
	if (!find_devices(&l, why)) return false;
	if (which < 0 || which >= l.count) return scree_refuse(why, "there is no device %d, only %d", which, l.count);
	opencl *d = m->device = scree_alloc(1, sizeof *d);
	d->lib = l.lib;
	d->device = l.device[which];
	describe(m, d);
	d->context = d->lib.context(NULL, 1, &d->device, NULL, NULL, &error);
	if (d->context) d->queue = d->lib.queue(d->context, d->device, 0, &error);
	return d->queue || machine_unopened(m, error, why);
}

static void forget_program(machine *m)
{
	opencl *d = m->device;
	for (int64_t k = 0; k < m->kernels; ++k) d->lib.drop_kernel(m->kernel[k].handle);
	if (d->program) d->lib.drop_program(d->program);
	d->program = NULL;
}

static void close_device(machine *m)
{
	opencl *d = m->device;
	if (!d) return;
	if (d->queue) d->lib.finish(d->queue);
	if (d->event) d->lib.drop_event(d->event);
	forget_program(m);
	if (d->queue) d->lib.drop_queue(d->queue);
	if (d->context) d->lib.drop_context(d->context);
	scree_free(d);
}

static const char *error_name(SCREE_UNUSED const machine *m, int error)
{
	static const struct {
		int error;
		const char *name;
	} names[] = {
		{-2, "CL_DEVICE_NOT_AVAILABLE"},		  {-3, "CL_COMPILER_NOT_AVAILABLE"},   {-33, "CL_INVALID_DEVICE"},
		{-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"}, {-5, "CL_OUT_OF_RESOURCES"},		   {-6, "CL_OUT_OF_HOST_MEMORY"},
		{-11, "CL_BUILD_PROGRAM_FAILURE"},		  {-46, "CL_INVALID_KERNEL_NAME"},	   {-51, "CL_INVALID_ARG_SIZE"},
		{-52, "CL_INVALID_KERNEL_ARGS"},		  {-54, "CL_INVALID_WORK_GROUP_SIZE"}, {-61, "CL_INVALID_BUFFER_SIZE"}};
	for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
		if (names[k].error == error) return names[k].name;
	return NULL;
}

/* ------------------------------------------------------------------ memory */

static cl_thing *thing(uint64_t handle) { return (cl_thing *)(uintptr_t)handle; }

static int allocate(machine *m, int64_t bytes, uint64_t *whole)
{
	const opencl *d = m->device;
	int error = 0;
	*whole = (uintptr_t)d->lib.buffer(d->context, CL_READ_WRITE, (size_t)bytes, NULL, &error);
	return error;
}

static int part(machine *m, uint64_t whole, int64_t at, int64_t bytes, uint64_t *handle)
{
	const opencl *d = m->device;
	int error = 0;
	*handle = (uintptr_t)d->lib.part(thing(whole), CL_READ_WRITE, CL_BUFFER_REGION,
									 (size_t[]){(size_t)at, (size_t)bytes}, &error);
	return error;
}

static void release(machine *m, const machine_block *b)
{
	const opencl *d = m->device;
	if (b->handle && b->handle != b->whole) d->lib.drop_buffer(thing(b->handle));
	d->lib.drop_buffer(thing(b->whole));
}

static int write(machine *m, uint64_t to, int64_t at, const void *from, int64_t bytes)
{
	const opencl *d = m->device;
	return d->lib.write(d->queue, thing(to), true, (size_t)at, (size_t)bytes, from, 0, NULL, NULL);
}

static int read(machine *m, uint64_t from, int64_t at, void *to, int64_t bytes)
{
	const opencl *d = m->device;
	return d->lib.read(d->queue, thing(from), true, (size_t)at, (size_t)bytes, to, 0, NULL, NULL);
}

static int read_later(machine *m, uint64_t from, int64_t at, int64_t bytes)
{
	opencl *d = m->device;
	const int error =
		d->lib.read(d->queue, thing(from), false, (size_t)at, (size_t)bytes, d->record, 0, NULL, &d->event);
	return error ? error : d->lib.flush(d->queue);
}

static int wait(machine *m, void *to, int64_t bytes)
{
	opencl *d = m->device;
	int status = 0;
	int error = d->lib.wait(1, &d->event);
	/* a negative status is the error of the copy, or of a kernel before it */
	d->lib.event_info(d->event, CL_EVENT_STATUS, sizeof status, &status, NULL);
	if (status < 0) error = status;
	d->lib.drop_event(d->event);
	d->event = NULL;
	memcpy(to, d->record, (size_t)bytes);
	return error;
}

static int clear(machine *m, uint64_t to, int64_t at, int64_t bytes)
{
	const opencl *d = m->device;
	const char zero = 0;
	return d->lib.fill(d->queue, thing(to), &zero, 1, (size_t)at, (size_t)bytes, 0, NULL, NULL);
}

/* ------------------------------------------------------------------ programs */

static int build(const machine *m, const opencl *d, cl_thing *program)
{
	return d->lib.build(program, 1, &d->device, m->options, NULL, NULL);
}

static bool fail_with_log(const machine *m, cl_thing *program, int error, fail *why)
{
	const opencl *d = m->device;
	size_t size = 0;
	d->lib.build_info(program, d->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
	char *log = scree_alloc(size + 1, 1);
	d->lib.build_info(program, d->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
	scree_fail(why, FAIL_INTERNAL, "the kernels do not compile (error %d):\n%.3000s", error, log);
	scree_free(log);
	return false;
}

static int take_binary(const opencl *d, cl_thing *program, machine_binary *to)
{
	size_t length = 0;
	int error = d->lib.program_info(program, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL);
	if (error || !length) return error ? error : CL_BUILD_PROGRAM_FAILURE;
	*to = (machine_binary){scree_alloc(length, 1), length};
	return d->lib.program_info(program, CL_PROGRAM_BINARIES, sizeof to->bytes, &to->bytes, NULL);
}

static bool compile(machine *m, const char *text, machine_binary *to, fail *why)
{
	opencl *d = m->device;
	int error = 0;
	cl_thing *program = d->lib.from_text(d->context, 1, &text, NULL, &error);
	if (!program) return scree_fail(why, FAIL_IO, "the kernels are not taken: error %d", error);
	error = build(m, d, program);
	if (!error && to) error = take_binary(d, program, to);
	const bool good = !error || fail_with_log(m, program, error, why);
	if (good && !to) {
		forget_program(m);
		d->program = program;
	} else
		d->lib.drop_program(program);
	return good;
}

static int load(machine *m, machine_binary binary)
{
	opencl *d = m->device;
	const unsigned char *bytes = binary.bytes;
	int error = 0, status = 0;
	forget_program(m);
	d->program = d->lib.from_binary(d->context, 1, &d->device, &binary.length, &bytes, &status, &error);
	return error ? error : build(m, d, d->program);
}

static int find_kernel(machine *m, const char *name, void **handle)
{
	const opencl *d = m->device;
	int error = 0;
	*handle = d->lib.kernel(d->program, name, &error);
	return error;
}

static int launch(machine *m, void *kernel, int64_t groups, int group, int count, void **at, const size_t *bytes)
{
	const opencl *d = m->device;
	const size_t size = (size_t)group, items = (size_t)groups * size;
	int error = 0;
	for (int k = 0; k < count && !error; ++k) error = d->lib.argument(kernel, (unsigned)k, bytes[k], at[k]);
	return error ? error : d->lib.launch(d->queue, kernel, 1, NULL, &items, &size, 0, NULL, NULL);
}

const machine_kind scree_machine_opencl = {
	.name = "opencl",
	.count = count_devices,
	.open = open_device,
	.close = close_device,
	.error = error_name,
	.allocate = allocate,
	.part = part,
	.release = release,
	.write = write,
	.read = read,
	.read_later = read_later,
	.wait = wait,
	.clear = clear,
	.compile = compile,
	.load = load,
	.kernel = find_kernel,
	.launch = launch,
};
