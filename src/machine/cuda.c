/* cuda: the row of NVIDIA's cards, by the driver interface; NVRTC compiles for the card that is there. Everything is
 * done in the default stream of the primary context. The declarations below are the part of cuda.h and nvrtc.h that is
 * used. */
#include "machine/row.h"

#include "base/memory.h"
#include "base/real.h"
#include "machine/library.h"

#include <stdio.h>
#include <string.h>

enum { CU_MAJOR = 75, CU_MINOR = 76 }; /* attributes: compute capability */
enum { CU_NO_DEVICE = 100, CU_DRIVER_MISMATCH = 803 };

typedef struct cu_thing cu_thing; /* contexts, modules, ...: all are pointers to structures of the library */
typedef struct driver {
	int (*init)(unsigned), (*version)(int *to);
	int (*count)(int *to), (*device)(int *to, int which);
	int (*name)(char *to, int room, int device), (*memory)(size_t *to, int device);
	int (*free_memory)(size_t *free, size_t *all);
	int (*attribute)(int *to, int what, int device);
	int (*retain)(cu_thing **context, int device), (*release)(int device), (*enter)(cu_thing *context);
	int (*synchronize)(void);
	int (*allocate)(uint64_t *to, size_t bytes), (*drop)(uint64_t memory);
	int (*allocate_here)(void **to, size_t bytes), (*drop_here)(void *memory);
	int (*write)(uint64_t to, const void *from, size_t bytes), (*read)(void *to, uint64_t from, size_t bytes);
	int (*read_later)(void *to, uint64_t from, size_t bytes, cu_thing *stream);
	int (*fill)(uint64_t to, unsigned char with, size_t bytes);
	int (*event)(cu_thing **to, unsigned flags), (*record)(cu_thing *event, cu_thing *stream);
	int (*wait)(cu_thing *event), (*drop_event)(cu_thing *event);
	int (*load)(cu_thing **module, const void *image), (*unload)(cu_thing *module);
	int (*kernel)(cu_thing **to, cu_thing *module, const char *name);
	int (*launch)(cu_thing *kernel, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned shared,
				  cu_thing *stream, void **arguments, void **);
	int (*error_name)(int error, const char **to);
} driver;
typedef struct compiler {
	int (*version)(int *major, int *minor), (*architectures)(int *count), (*list)(int *architecture);
	int (*create)(cu_thing **, const char *text, const char *name, int, const char *const *, const char *const *);
	int (*compile)(cu_thing *, int count, const char *const *options), (*drop)(cu_thing **);
	int (*log_size)(cu_thing *, size_t *), (*log)(cu_thing *, char *);
	int (*binary_size)(cu_thing *, size_t *), (*binary)(cu_thing *, char *);
} compiler;

typedef struct cuda {
	driver cu;
	compiler nvrtc;
	int device;
	cu_thing *context, *module, *event; /* event: the record is there */
	void *record;						/* memory that the card can write */
} cuda;

static const char *const driver_files[] = {"libcuda.so.1", NULL};
static const char *const compiler_files[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
											 "/usr/local/cuda/lib64/libnvrtc.so", NULL};
#define AT(member) offsetof(cuda, member)
static const library_function driver_functions[] = {
	{"cuInit", AT(cu.init)},
	{"cuDriverGetVersion", AT(cu.version)},
	{"cuDeviceGetCount", AT(cu.count)},
	{"cuDeviceGet", AT(cu.device)},
	{"cuDeviceGetName", AT(cu.name)},
	{"cuDeviceTotalMem_v2", AT(cu.memory)},
	{"cuMemGetInfo_v2", AT(cu.free_memory)},
	{"cuDeviceGetAttribute", AT(cu.attribute)},
	{"cuDevicePrimaryCtxRetain", AT(cu.retain)},
	{"cuDevicePrimaryCtxRelease_v2", AT(cu.release)},
	{"cuCtxSetCurrent", AT(cu.enter)},
	{"cuCtxSynchronize", AT(cu.synchronize)},
	{"cuMemAlloc_v2", AT(cu.allocate)},
	{"cuMemFree_v2", AT(cu.drop)},
	{"cuMemAllocHost_v2", AT(cu.allocate_here)},
	{"cuMemFreeHost", AT(cu.drop_here)},
	{"cuMemcpyHtoD_v2", AT(cu.write)},
	{"cuMemcpyDtoH_v2", AT(cu.read)},
	{"cuMemcpyDtoHAsync_v2", AT(cu.read_later)},
	{"cuMemsetD8_v2", AT(cu.fill)},
	{"cuEventCreate", AT(cu.event)},
	{"cuEventRecord", AT(cu.record)},
	{"cuEventSynchronize", AT(cu.wait)},
	{"cuEventDestroy_v2", AT(cu.drop_event)},
	{"cuModuleLoadData", AT(cu.load)},
	{"cuModuleUnload", AT(cu.unload)},
	{"cuModuleGetFunction", AT(cu.kernel)},
	{"cuLaunchKernel", AT(cu.launch)},
	{"cuGetErrorName", AT(cu.error_name)},
	{NULL, 0},
};
static const library_function compiler_functions[] = {
	{"nvrtcVersion", AT(nvrtc.version)},
	{"nvrtcGetNumSupportedArchs", AT(nvrtc.architectures)},
	{"nvrtcGetSupportedArchs", AT(nvrtc.list)},
	{"nvrtcCreateProgram", AT(nvrtc.create)},
	{"nvrtcCompileProgram", AT(nvrtc.compile)},
	{"nvrtcDestroyProgram", AT(nvrtc.drop)},
	{"nvrtcGetProgramLogSize", AT(nvrtc.log_size)},
	{"nvrtcGetProgramLog", AT(nvrtc.log)},
	{"nvrtcGetCUBINSize", AT(nvrtc.binary_size)},
	{"nvrtcGetCUBIN", AT(nvrtc.binary)},
	{NULL, 0},
};

/* ------------------------------------------------------------------ devices */

static const char *name_of(const cuda *c, int error)
{
	const char *name = NULL;
	c->cu.error_name(error, &name);
	return name ? name : "an unknown error";
}

static const char *remedy(int error)
{
	switch (error) {
	case CU_NO_DEVICE:
		return ": there is no card, or CUDA_VISIBLE_DEVICES hides it";
	case CU_DRIVER_MISMATCH:
		return ": restart the computer, or install the driver again";
	default:
		return "";
	}
}

/* Returns the number of devices, or 0 with the reason. */
static int begin(cuda *c, fail *why)
{
	int count = 0;
	if (!scree_library_open(driver_files, "NVIDIA's driver", driver_functions, c, why) ||
		!scree_library_open(compiler_files, "CUDA", compiler_functions, c, why))
		return 0;
	int error = c->cu.init(0);
	if (!error) error = c->cu.count(&count);
	if (error)
		scree_refuse(why, "%s%s", name_of(c, error), remedy(error));
	else if (!count)
		scree_refuse(why, "there is no device");
	return error ? 0 : count;
}

static int count_devices(fail *why)
{
	cuda c;
	return begin(&c, why);
}

static void describe(machine *m, const cuda *c)
{
	char name[128] = "";
	int driver = 0, major = 0, minor = 0, capability[2] = {0, 0};
	size_t memory = 0;
	c->cu.name(name, sizeof name, c->device);
	c->cu.version(&driver);
	c->nvrtc.version(&major, &minor);
	c->cu.attribute(capability, CU_MAJOR, c->device);
	c->cu.attribute(capability + 1, CU_MINOR, c->device);
	c->cu.memory(&memory, c->device);
	snprintf(m->label, sizeof m->label, "%s, driver for CUDA %d.%d, NVRTC %d.%d", name, driver / 1000,
			 driver % 1000 / 10, major, minor);
	snprintf(m->options, sizeof m->options, "--gpu-architecture=sm_%d%d", capability[0], capability[1]);
	m->memory = m->free = m->largest = (int64_t)memory;
	m->group = 64;
	m->is_card = true;
}

/* Refuses a card for which NVRTC has no code: each CUDA drops old cards. */
static bool is_supported(const machine *m, const cuda *c, fail *why)
{
	enum { MOST = 128 };
	int count = 0, list[MOST] = {0}, capability[2] = {0, 0};
	c->cu.attribute(capability, CU_MAJOR, c->device);
	c->cu.attribute(capability + 1, CU_MINOR, c->device);
	const int wanted = 10 * capability[0] + capability[1];
	if (c->nvrtc.architectures(&count) || count < 1 || count > MOST || c->nvrtc.list(list)) return true; /* unknown */
	for (int k = 0; k < count; ++k)
		if (list[k] == wanted) return true;
	return scree_refuse(why, "%s: the card has compute capability %d.%d, which this NVRTC does not support: install %s",
						m->label, capability[0], capability[1], wanted < list[0] ? "CUDA 12" : "a newer CUDA");
}

static int open_context(cuda *c)
{
	int error = c->cu.retain(&c->context, c->device);
	if (!error) error = c->cu.enter(c->context);
	if (!error) error = c->cu.event(&c->event, 0);
	return error ? error : c->cu.allocate_here(&c->record, MACHINE_RECORD);
}

static bool open_device(machine *m, int which, fail *why)
{
	cuda *c = m->device = scree_alloc(1, sizeof *c);
	const int count = begin(c, why);
	if (!count) return false;
	if (which < 0 || which >= count) return scree_refuse(why, "there is no device %d, only %d", which, count);
	size_t free = 0, all = 0;
	int error = c->cu.device(&c->device, which);
	if (!error) describe(m, c);
	if (!error && !is_supported(m, c, why)) return false;
	if (!error) error = open_context(c);
	if (!error) error = c->cu.free_memory(&free, &all), m->free = (int64_t)free;
	return !error || machine_unopened(m, error, why);
}

static void close_device(machine *m)
{
	cuda *c = m->device;
	if (!c) return;
	if (c->context) {
		c->cu.enter(c->context);
		c->cu.synchronize();
		if (c->module) c->cu.unload(c->module);
		if (c->record) c->cu.drop_here(c->record);
		if (c->event) c->cu.drop_event(c->event);
		c->cu.release(c->device);
	}
	scree_free(c);
}

static const char *error_name(const machine *m, int error) { return name_of(m->device, error); }

/* A context belongs to a thread, and the next call may come from another one. */
static const driver *entered(const machine *m)
{
	const cuda *c = m->device;
	c->cu.enter(c->context);
	return &c->cu;
}

/* ------------------------------------------------------------------ memory */

static int allocate(machine *m, int64_t bytes, uint64_t *whole) { return entered(m)->allocate(whole, (size_t)bytes); }

static int part(SCREE_UNUSED machine *m, uint64_t whole, int64_t at, SCREE_UNUSED int64_t bytes, uint64_t *handle)
{
	*handle = whole + (uint64_t)at;
	return 0;
}

static void release(machine *m, const machine_block *b) { entered(m)->drop(b->whole); }

static int write(machine *m, uint64_t to, int64_t at, const void *from, int64_t bytes)
{
	return entered(m)->write(to + (uint64_t)at, from, (size_t)bytes);
}

static int read(machine *m, uint64_t from, int64_t at, void *to, int64_t bytes)
{
	return entered(m)->read(to, from + (uint64_t)at, (size_t)bytes);
}

static int read_later(machine *m, uint64_t from, int64_t at, int64_t bytes)
{
	const cuda *c = m->device;
	const int error = entered(m)->read_later(c->record, from + (uint64_t)at, (size_t)bytes, NULL);
	return error ? error : c->cu.record(c->event, NULL);
}

static int wait(machine *m, void *to, int64_t bytes)
{
	const cuda *c = m->device;
	const int error = entered(m)->wait(c->event);
	memcpy(to, c->record, (size_t)bytes);
	return error;
}

static int clear(machine *m, uint64_t to, int64_t at, int64_t bytes)
{
	return entered(m)->fill(to + (uint64_t)at, 0, (size_t)bytes);
}

/* ------------------------------------------------------------------ programs */

static bool fail_with_log(const cuda *c, cu_thing *program, int error, fail *why)
{
	size_t size = 0;
	c->nvrtc.log_size(program, &size);
	char *log = scree_alloc(size + 1, 1);
	c->nvrtc.log(program, log);
	scree_fail(why, FAIL_INTERNAL, "the kernels do not compile (error %d):\n%.3000s", error, log);
	scree_free(log);
	return false;
}

static int take_binary(const cuda *c, cu_thing *program, machine_binary *to)
{
	const int error = c->nvrtc.binary_size(program, &to->length);
	if (error) return error;
	to->bytes = scree_alloc(to->length, 1);
	return c->nvrtc.binary(program, to->bytes);
}

static bool compile(machine *m, const char *text, machine_binary *to, fail *why)
{
	const cuda *c = m->device;
	const char *const options[] = {m->options, "--fmad=false", "-std=c++17"};
	cu_thing *program = NULL;
	int error = c->nvrtc.create(&program, text, "kernels.cu", 0, NULL, NULL);
	if (error) return scree_fail(why, FAIL_IO, "the kernels are not taken: error %d", error);
	error = c->nvrtc.compile(program, sizeof options / sizeof *options, options);
	if (!error) error = take_binary(c, program, to);
	const bool good = !error || fail_with_log(c, program, error, why);
	c->nvrtc.drop(&program);
	return good;
}

static int load(machine *m, machine_binary binary)
{
	cuda *c = m->device;
	const driver *cu = entered(m);
	if (c->module) cu->unload(c->module);
	c->module = NULL;
	return cu->load(&c->module, binary.bytes);
}

static int find_kernel(machine *m, const char *name, void **handle)
{
	const cuda *c = m->device;
	return entered(m)->kernel((cu_thing **)handle, c->module, name);
}

static int launch(machine *m, void *kernel, int64_t groups, int group, SCREE_UNUSED int count, void **at,
				  SCREE_UNUSED const size_t *bytes)
{
	return entered(m)->launch(kernel, (unsigned)groups, 1, 1, (unsigned)group, 1, 1, 0, NULL, at, NULL);
}

const machine_kind scree_machine_cuda = {
	.name = "cuda",
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
