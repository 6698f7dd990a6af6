/* driver.c: a libOpenCL.so.1 for tests of failures. It passes all calls on to the library $SCREE_TEST_OPENCL. From call
 * $SCREE_TEST_CALL of the function $SCREE_TEST_FAILS on, this function fails; $SCREE_TEST_MEMORY, in bytes, replaces
 * the memory of all devices. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OUT_OF_MEMORY = -4, OUT_OF_RESOURCES = -5, MEMORY = 0x101F };

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

#define PASS(name)                                                                                                     \
	long name(long a, long b, long c, long d, long e, long f, long g, long h, long i)                                  \
	{                                                                                                                  \
		return fails(#name) ? OUT_OF_RESOURCES : passed(#name)(a, b, c, d, e, f, g, h, i);                             \
	}

PASS(clGetPlatformIDs)
PASS(clGetDeviceIDs)
PASS(clGetPlatformInfo)
PASS(clGetProgramInfo)
PASS(clGetEventInfo)
PASS(clCreateContext)
PASS(clCreateCommandQueue)
PASS(clCreateSubBuffer)
PASS(clEnqueueWriteBuffer)
PASS(clEnqueueReadBuffer)
PASS(clEnqueueFillBuffer)
PASS(clFlush)
PASS(clFinish)
PASS(clWaitForEvents)
PASS(clCreateProgramWithSource)
PASS(clCreateProgramWithBinary)
PASS(clBuildProgram)
PASS(clGetProgramBuildInfo)
PASS(clCreateKernel)
PASS(clSetKernelArg)
PASS(clEnqueueNDRangeKernel)
PASS(clReleaseMemObject)
PASS(clReleaseProgram)
PASS(clReleaseKernel)
PASS(clReleaseEvent)
PASS(clReleaseCommandQueue)
PASS(clReleaseContext)

long clGetDeviceInfo(long device, unsigned what, size_t room, void *to, size_t *size)
{
	const char *memory = getenv("SCREE_TEST_MEMORY");
	if (what == MEMORY && memory) return *(uint64_t *)to = strtoull(memory, NULL, 10), 0;
	return passed("clGetDeviceInfo")(device, what, (long)room, (long)to, (long)size, 0, 0, 0, 0);
}

long clCreateBuffer(long context, long flags, long bytes, long from, int *error)
{
	if (fails("clCreateBuffer")) return *error = OUT_OF_MEMORY, 0;
	return passed("clCreateBuffer")(context, flags, bytes, from, (long)error, 0, 0, 0, 0);
}
