/* cl.h: an OpenCL device, and random numbers, for the programs in this folder. If a call fails, the program exits with
 * code 2; if there is no such device, with code 3. */
#ifndef SCREE_TESTS_POCL_CL_H
#define SCREE_TESTS_POCL_CL_H

#define CL_TARGET_OPENCL_VERSION 120
#include "base/real.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char POCL[] = "Portable Computing Language";

/* ------------------------------------------------------------------ random numbers */

static uint64_t stream = 1;
static real draw(real low, real high) /* splitmix64 */
{
	uint64_t z = (stream += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return low + (high - low) * (real)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}
static vec3 draw3(real size)
{
	real x = draw(-size, size), y = draw(-size, size), z = draw(-size, size);
	return v3(x, y, z);
}

/* ------------------------------------------------------------------ the device */

static void need(cl_int error, const char *what)
{
	if (error == CL_SUCCESS) return;
	printf("OpenCL: %s: error %d\n", what, (int)error);
	exit(2);
}

typedef struct device {
	cl_device_id id;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
} device;

static cl_device_id find_device(const char *wanted)
{
	cl_platform_id platform[16];
	cl_uint count = 0;
	need(clGetPlatformIDs(16, platform, &count), "no platform");
	for (cl_uint k = 0; k < count && k < 16; ++k) {
		char name[128] = "", device_name[128] = "", driver[128] = "";
		cl_device_id id;
		clGetPlatformInfo(platform[k], CL_PLATFORM_NAME, sizeof name, name, NULL);
		if (strcmp(name, wanted)) continue;
		cl_int error = clGetDeviceIDs(platform[k], CL_DEVICE_TYPE_ALL, 1, &id, NULL);
		if (error == CL_DEVICE_NOT_FOUND) continue;
		need(error, "devices");
		clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof device_name, device_name, NULL);
		clGetDeviceInfo(id, CL_DRIVER_VERSION, sizeof driver, driver, NULL);
		printf("%s, driver %s\n", device_name, driver);
		return id;
	}
	printf("OpenCL: there is no device of the platform %s\n", wanted);
	exit(3);
}

/* Builds a file in this folder for the device. source: the src directory of the source tree that contains this file;
 * kernels: the src directory for the device */
static cl_program build(cl_context context, cl_device_id id, const char *file, const char *source, const char *kernels)
{
	char text[256], options[4096], log[20000] = "";
	const char *line = text;
	cl_int error;
	snprintf(text, sizeof text, "#include \"%s\"\n", file);
	snprintf(options, sizeof options, "-cl-std=CL1.2 -I %s -I %s/.. -I %s/../tests/machine/pocl", kernels, source,
			 source);
	cl_program p = clCreateProgramWithSource(context, 1, &line, NULL, &error);
	need(error, "program");
	if (clBuildProgram(p, 1, &id, options, NULL, NULL) == CL_SUCCESS) return p;
	clGetProgramBuildInfo(p, id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
	puts(log);
	need(CL_BUILD_PROGRAM_FAILURE, "the kernels do not compile");
	return NULL;
}

static device open_device(const char *file, const char *source, const char *kernels, const char *platform)
{
	device d;
	cl_int error;
	d.id = find_device(platform);
	d.context = clCreateContext(NULL, 1, &d.id, NULL, NULL, &error);
	need(error, "context");
	d.queue = clCreateCommandQueue(d.context, d.id, 0, &error);
	need(error, "queue");
	d.program = build(d.context, d.id, file, source, kernels);
	return d;
}

static void close_device(device *d)
{
	clReleaseProgram(d->program);
	clReleaseCommandQueue(d->queue);
	clReleaseContext(d->context);
}

static cl_kernel kernel(const device *d, const char *name)
{
	cl_int error;
	cl_kernel k = clCreateKernel(d->program, name, &error);
	need(error, name);
	return k;
}

static cl_mem room(const device *d, size_t bytes)
{
	cl_int error;
	cl_mem m = clCreateBuffer(d->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
	need(error, "memory");
	return m;
}

/* group: number of items in a group, or 0 to let the device choose */
static void launch(const device *d, cl_kernel k, size_t items, size_t group, const cl_mem *with, cl_uint count)
{
	for (cl_uint n = 0; n < count; ++n) need(clSetKernelArg(k, n, sizeof *with, with + n), "argument");
	need(clEnqueueNDRangeKernel(d->queue, k, 1, NULL, &items, group ? &group : NULL, 0, NULL, NULL), "launch");
}

static void put(const device *d, cl_mem to, const void *from, size_t bytes)
{
	need(clEnqueueWriteBuffer(d->queue, to, CL_TRUE, 0, bytes, from, 0, NULL, NULL), "write");
}
static void get(const device *d, void *to, cl_mem from, size_t bytes)
{
	need(clEnqueueReadBuffer(d->queue, from, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "read");
}

#endif
