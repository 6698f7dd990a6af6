/* driver.c: a libcuda.so.1 for tests without a card. Its device is memory of this process. A module must be an ELF file
 * of NVRTC that contains the names of its kernels, and the kernels of ../machines.c are executed by functions of the
 * same names. $SCREE_TEST_FREE: bytes of free memory; _CAPABILITY: of the
 * card; _INIT, _CONTEXT: errors of these calls. After the kernel `traps`, all calls fail, as after a fault on a
 * card. */
#define _GNU_SOURCE
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OUT_OF_MEMORY = 2, INVALID_IMAGE = 200, INVALID_CONTEXT = 201, NOT_FOUND = 500, LAUNCH_FAILED = 719 };
#define MEMORY (1ul << 30)

static int broken;
static _Thread_local void *context;
static int state(void) { return broken ? broken : context ? 0 : INVALID_CONTEXT; }

static int set(const char *name, int otherwise) { return getenv(name) ? atoi(getenv(name)) : otherwise; }

int cuInit(unsigned flags) { return flags ? 1 : set("SCREE_TEST_INIT", 0); }
int cuDriverGetVersion(int *to) { return *to = 13000, 0; }
int cuDeviceGetCount(int *to) { return *to = 1, 0; }
int cuDeviceGet(int *to, int which) { return *to = which, 0; }
int cuDeviceGetName(char *to, int room, int device) { return strncpy(to, "a test's card", (size_t)room), device; }
int cuDeviceTotalMem_v2(size_t *to, int device) { return *to = MEMORY, device; }
int cuMemGetInfo_v2(size_t *free, size_t *all)
{
	const char *bytes = getenv("SCREE_TEST_FREE");
	return *free = bytes ? strtoul(bytes, NULL, 10) : 1000000000, *all = MEMORY, 0;
}
int cuDeviceGetAttribute(int *to, int what, int device)
{
	return *to = what == 75 ? set("SCREE_TEST_CAPABILITY", 9) : 0, device;
}
int cuDevicePrimaryCtxRetain(void **to, int device) { return *to = &broken, device + set("SCREE_TEST_CONTEXT", 0); }
int cuDevicePrimaryCtxRelease_v2(int device) { return device; }
int cuCtxSetCurrent(void *with) { return context = with, 0; }
int cuCtxSynchronize(void) { return state(); }
int cuMemAllocHost_v2(void **to, size_t bytes) { return *to = malloc(bytes), state(); }
int cuMemFreeHost(void *memory) { return free(memory), 0; }
int cuEventCreate(void **to, unsigned flags) { return *to = malloc(1), (int)flags; }
int cuEventRecord(void *event, void *stream) { return event && !stream ? state() : 1; }
int cuEventSynchronize(void *event) { return event ? state() : 1; }
int cuEventDestroy_v2(void *event) { return free(event), 0; }
int cuModuleUnload(void *module) { return free(module), 0; }
int cuMemFree_v2(uint64_t memory) { return free((void *)memory), state(); }

int cuGetErrorName(int error, const char **to)
{
	*to = error == OUT_OF_MEMORY   ? "CUDA_ERROR_OUT_OF_MEMORY"
		  : error == 46			   ? "CUDA_ERROR_DEVICE_UNAVAILABLE"
		  : error == 803		   ? "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"
		  : error == LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED"
								   : "another error";
	return 0;
}

/* NVRTC asks for a table of functions that begins with its size: an empty one */
int cuGetExportTable(const void **to, const void *id)
{
	static const size_t size = sizeof size;
	return *to = &size, id ? 0 : 1;
}

/* not zeros, as on a card */
int cuMemAlloc_v2(uint64_t *to, size_t bytes)
{
	void *memory = bytes < MEMORY ? malloc(bytes) : NULL;
	if (!memory) return OUT_OF_MEMORY;
	*to = (uint64_t)memset(memory, 0x55, bytes);
	return state();
}

static int copy(void *to, const void *from, size_t bytes)
{
	if (!state()) memcpy(to, from, bytes);
	return state();
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) { return copy((void *)to, from, bytes); }
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) { return copy(to, (void *)from, bytes); }
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream)
{
	return stream ? 1 : copy(to, (void *)from, bytes);
}
int cuMemsetD8_v2(uint64_t to, unsigned char with, size_t bytes) { return memset((void *)to, with, bytes), state(); }

int cuModuleLoadData(void **to, const void *image)
{
	if (memcmp(image, ELFMAG, SELFMAG) != 0) return INVALID_IMAGE;
	const size_t bytes = ((const Elf64_Ehdr *)image)->e_shoff;
	*to = memcpy(malloc(bytes), image, bytes);
	return state();
}

typedef void kernel(int64_t item, void **argument);
static void twice(int64_t item, void **argument)
{
	double *x = *(double **)argument[0];
	if (item < *(int64_t *)argument[1]) x[item] *= 2;
}
static void inner(int64_t item, void **argument)
{
	double *x = *(double **)argument[0];
	if (item == 0) x[0] = x[*(int64_t *)argument[1]];
}
static void outer(int64_t item, void **argument)
{
	double *x = *(double **)argument[0];
	if (item == 0) x[*(int64_t *)argument[1]] = 1;
}
static void traps(int64_t item, void **argument) { broken = argument || item ? LAUNCH_FAILED : 0; }

static const struct {
	const char *name;
	kernel *run;
} kernels[] = {{"twice", twice}, {"inner", inner}, {"outer", outer}, {"traps", traps}};

int cuModuleGetFunction(void **to, void *module, const char *name)
{
	const Elf64_Ehdr *head = module;
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k) {
		*to = (void *)kernels[k].run;
		if (!strcmp(kernels[k].name, name)) return memmem(module, head->e_shoff, name, strlen(name)) ? 0 : NOT_FOUND;
	}
	return NOT_FOUND;
}

int cuLaunchKernel(void *kernel_, unsigned groups, unsigned y, unsigned z, unsigned group, unsigned y2, unsigned z2,
				   unsigned shared, void *stream, void **argument, void **extra)
{
	if (y != 1 || z != 1 || y2 != 1 || z2 != 1 || shared || stream || extra || !groups || group > 1024) return 1;
	for (int64_t k = 0; k < (int64_t)groups * group && !state(); ++k) ((kernel *)kernel_)(k, argument);
	return broken ? 0 : state(); /* the next call reports a fault */
}
