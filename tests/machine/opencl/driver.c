/* driver.c: a libOpenCL.so.1 for tests of failures. It passes all calls on to the library $SCREE_TEST_OPENCL. From call
 * $SCREE_TEST_CALL of the function $SCREE_TEST_FAILS on, this function fails; $SCREE_TEST_MEMORY, in bytes, replaces
 * the memory of all devices, and $SCREE_TEST_LARGEST that of their largest block. The numbers of devices that are
 * opened, and of ranks, are added to the file $SCREE_TEST_OPENED. At its end the program adds to the file
 * $SCREE_TEST_LEFT how many objects of each kind it has created and not released. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_AVAILABLE = -2, OUT_OF_MEMORY = -4, OUT_OF_RESOURCES = -5, LARGEST = 0x1010, MEMORY = 0x101F };

/* all arguments are integers and pointers, and no function has more than nine */
typedef long function(long, long, long, long, long, long, long, long, long);

static function *passed(const char *name)
{
	static void *library;
	if (!library) library = dlopen(getenv("SCREE_TEST_OPENCL"), RTLD_NOW | RTLD_LOCAL);
	if (!library) abort();
	return (function *)dlsym(library, name);
}

static int fails(const char *name)
{
	static long calls;
	const char *which = getenv("SCREE_TEST_FAILS"), *call = getenv("SCREE_TEST_CALL");
	return which && !strcmp(which, name) && ++calls >= (call ? atol(call) : 1);
}

enum { BUFFERS, PROGRAMS, KERNELS, QUEUES, CONTEXTS, KINDS };
static const char *const kinds[KINDS] = {"buffers", "programs", "kernels", "queues", "contexts"};
static long left[KINDS], all[KINDS];

static void tell_left(void)
{
	const char *path = getenv("SCREE_TEST_LEFT");
	FILE *to = path ? fopen(path, "a") : NULL;
	for (int k = 0; to && k < KINDS; ++k)
		fprintf(to, "%s %ld of %ld%s", kinds[k], left[k], all[k], k + 1 < KINDS ? ", " : "\n");
	if (to) fclose(to);
}

/* a new object of this kind, or 0 */
static long made(int kind, long object)
{
	static int tells;
	if (!tells++) atexit(tell_left);
	left[kind] += object != 0;
	all[kind] += object != 0;
	return object;
}

#define MAKE(name, kind)                                                                                               \
	long name(long a, long b, long c, long d, long e, long f, long g, long h, long i)                                  \
	{                                                                                                                  \
		return made(kind, passed(#name)(a, b, c, d, e, f, g, h, i));                                                   \
	}
#define RELEASE(name, kind)                                                                                            \
	long name(long a)                                                                                                  \
	{                                                                                                                  \
		left[kind] -= 1;                                                                                               \
		return passed(#name)(a, 0, 0, 0, 0, 0, 0, 0, 0);                                                               \
	}

#define PASS(name)                                                                                                     \
	long name(long a, long b, long c, long d, long e, long f, long g, long h, long i)                                  \
	{                                                                                                                  \
		return fails(#name) ? OUT_OF_RESOURCES : passed(#name)(a, b, c, d, e, f, g, h, i);                             \
	}

PASS(clGetPlatformIDs)
PASS(clGetPlatformInfo)
PASS(clGetProgramInfo)
PASS(clGetEventInfo)
PASS(clEnqueueWriteBuffer)
PASS(clEnqueueReadBuffer)
PASS(clEnqueueFillBuffer)
PASS(clFlush)
PASS(clFinish)
PASS(clWaitForEvents)
PASS(clBuildProgram)
PASS(clGetProgramBuildInfo)
PASS(clSetKernelArg)
PASS(clEnqueueNDRangeKernel)
PASS(clReleaseEvent)

MAKE(clCreateCommandQueue, QUEUES)
MAKE(clCreateSubBuffer, BUFFERS)
MAKE(clCreateProgramWithSource, PROGRAMS)
MAKE(clCreateProgramWithBinary, PROGRAMS)
MAKE(clCreateKernel, KERNELS)
RELEASE(clReleaseMemObject, BUFFERS)
RELEASE(clReleaseProgram, PROGRAMS)
RELEASE(clReleaseKernel, KERNELS)
RELEASE(clReleaseCommandQueue, QUEUES)
RELEASE(clReleaseContext, CONTEXTS)

enum { MOST = 64 };
static long listed[MOST]; /* devices of the last platform that has some */

long clGetDeviceIDs(long platform, long type, unsigned room, long *to, unsigned *count)
{
	if (fails("clGetDeviceIDs")) return OUT_OF_RESOURCES;
	const long error = passed("clGetDeviceIDs")(platform, type, room, (long)to, (long)count, 0, 0, 0, 0);
	for (unsigned k = 0; to && !(int)error && k < room && k < *count && k < MOST; ++k) listed[k] = to[k];
	return error;
}

long clCreateContext(long with, long count, const long *device, long call, long user, int *error)
{
	if (fails("clCreateContext")) return *error = NOT_AVAILABLE, 0;
	const char *path = getenv("SCREE_TEST_OPENED");
	FILE *to = path ? fopen(path, "a") : NULL;
	for (int k = 0; to && k < MOST; ++k)
		if (listed[k] == *device) fprintf(to, "device %d of rank %s\n", k, getenv("OMPI_COMM_WORLD_RANK"));
	if (to) fclose(to);
	return made(CONTEXTS, passed("clCreateContext")(with, count, (long)device, call, user, (long)error, 0, 0, 0));
}

long clGetDeviceInfo(long device, unsigned what, size_t room, void *to, size_t *size)
{
	const char *memory = getenv(what == LARGEST ? "SCREE_TEST_LARGEST" : "SCREE_TEST_MEMORY");
	if ((what == MEMORY || what == LARGEST) && memory) return *(uint64_t *)to = strtoull(memory, NULL, 10), 0;
	return passed("clGetDeviceInfo")(device, what, (long)room, (long)to, (long)size, 0, 0, 0, 0);
}

long clCreateBuffer(long context, long flags, long bytes, long from, int *error)
{
	if (fails("clCreateBuffer")) return *error = OUT_OF_MEMORY, 0;
	return made(BUFFERS, passed("clCreateBuffer")(context, flags, bytes, from, (long)error, 0, 0, 0, 0));
}
