/* Machines: memory, copies, kernels, padding, messages and the cache of compiled kernels, on each kind of device that
 * is here (PoCL is an OpenCL device on the processor). machines.sh adds a driver of CUDA without a card. */
#include "test.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/progress.h"
#include "format/file.h"
#include "machine/cache.h"
#include "machine/row.h"

enum { COUNT = 1000 };

static const char text[] = "#ifdef __OPENCL_C_VERSION__\n"
						   "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
						   "#define KERNEL __kernel\n"
						   "#define GLOBAL __global\n"
						   "#define ITEM get_global_id(0)\n"
						   "#else\n"
						   "#define KERNEL extern \"C\" __global__\n"
						   "#define GLOBAL\n"
						   "#define ITEM blockIdx.x * blockDim.x + threadIdx.x\n"
						   "#endif\n"
						   "KERNEL void twice(GLOBAL double *x, long n) { long i = ITEM; if (i < n) x[i] *= 2; }\n"
						   "KERNEL void inner(GLOBAL double *x, long at) { if (ITEM == 0) x[0] = x[at]; }\n"
						   "KERNEL void outer(GLOBAL double *x, long at) { if (ITEM == 0) x[at] = 1; }\n"
						   "#ifndef __OPENCL_C_VERSION__\n"
						   "KERNEL void traps() { __trap(); }\n"
						   "#endif\n";

static char cache[100];
static int64_t memory_before;
static fail why;

static machine *open_machine(int kind)
{
	machine *m = scree_machine_open(scree_machine_kind_at(kind), 0, &why);
	CHECK(m, "%s", why.text);
	return m;
}

static machine *built(int kind)
{
	machine *m = open_machine(kind);
	CHECK(scree_machine_build(m, text, &why), "%s", why.text);
	return m;
}

static machine_block *block(machine *m, int64_t bytes)
{
	machine_block *b = scree_machine_allocate(m, bytes, &why);
	CHECK(b, "%s", why.text);
	return b;
}

static bool launch(machine *m, const char *kernel, int64_t items, machine_block *b, int64_t number)
{
	const machine_argument with[] = {{.block = b}, {.value = &number, .bytes = sizeof number}};
	return scree_machine_launch(m, kernel, items, 0, 2, with, &why);
}

/* NVRTC takes a second for each text, and half a minute for all kernels, which nvrtc.sh compiles, too. */
static bool is_slow(void) { return test_short() && getenv("SCREE_TEST_DRIVER"); }

/* With the driver of machines.sh, the others have been tested before. */
static bool is_tested(int kind)
{
	const machine_kind *k = scree_machine_kind_at(kind);
	return (!getenv("SCREE_TEST_DRIVER") || strcmp(scree_machine_kind_name(k), "cuda") == 0) &&
		   scree_machine_count(k, &why) > 0;
}

#define FOR_MACHINES(kind)                                                                                             \
	for (int kind = 0; kind < scree_machine_kind_count(); ++kind)                                                      \
		if (is_tested(kind))
#define SAYS(part) CHECK(strstr(why.text, part), "%s: not in \"%s\"", part, why.text)

/* without it, the test would test nothing */
static void opencl_is_here(void **state)
{
	(void)state;
	CHECK(scree_machine_count(scree_machine_kind("opencl"), &why) > 0, "%s (pocl-opencl-icd is needed)", why.text);
	for (int k = 0; k < scree_machine_kind_count(); ++k) {
		const machine_kind *kind = scree_machine_kind_at(k);
		const int count = scree_machine_count(kind, &why);
		printf("# %s: %d devices %s\n", scree_machine_kind_name(kind), count, count ? "" : why.text);
		CHECK(scree_machine_kind(scree_machine_kind_name(kind)) == kind, "a kind is found by its name");
		CHECK(!scree_machine_open(kind, count, &why), "there is no such device");
	}
	CHECK(!scree_machine_kind("no"), "there is no such kind");
}

static void blocks_are_copied(void **state)
{
	(void)state;
	FOR_MACHINES(kind)
	{
		machine *m = open_machine(kind);
		int64_t in[COUNT], out[COUNT] = {1};
		for (int k = 0; k < COUNT; ++k) in[k] = k;
		machine_block *b = block(m, sizeof in), *none = block(m, 0);
		CHECK(scree_machine_read(m, b, 0, out, sizeof out, &why), "%s", why.text);
		for (int k = 0; k < COUNT; ++k) CHECK(out[k] == 0, "a new block has zeros");
		CHECK(scree_machine_write(m, b, 0, in, sizeof in, &why) && scree_machine_clear(m, b, 80, 160, &why) &&
				  scree_machine_write(m, b, 160, in + 500, 16, &why) &&
				  scree_machine_read(m, b, 0, out, sizeof out, &why),
			  "%s", why.text);
		for (int k = 0; k < COUNT; ++k) {
			const int64_t wanted = k == 20 || k == 21 ? 480 + k : k >= 10 && k < 30 ? 0 : k;
			CHECK(out[k] == wanted, "word %d: %lld, not %lld", k, (long long)out[k], (long long)wanted);
		}
		CHECK(scree_machine_read(m, b, 72, out, 16, &why) && out[0] == 9 && out[1] == 0, "a part is read");
		CHECK(scree_machine_write(m, none, 0, in, 0, &why) && scree_machine_read(m, none, 0, out, 0, &why), "no bytes");
		scree_machine_release(m, none);
		scree_machine_close(m); /* with b */
	}
}

/* items beyond the last whole group, no items, values, and a record as it was between two launches */
static void kernels_run(void **state)
{
	(void)state;
	FOR_MACHINES(kind)
	{
		machine *m = built(kind);
		double x[COUNT], record[2];
		for (int k = 0; k < COUNT; ++k) x[k] = k;
		machine_block *b = block(m, sizeof x);
		CHECK(scree_machine_write(m, b, 0, x, sizeof x, &why) && launch(m, "twice", COUNT - 1, b, COUNT - 1) &&
				  scree_machine_read_later(m, b, 8, 16, &why) && launch(m, "twice", COUNT - 1, b, COUNT - 1) &&
				  launch(m, "twice", 0, b, COUNT) && scree_machine_wait(m, record, &why) &&
				  scree_machine_read(m, b, 0, x, sizeof x, &why),
			  "%s", why.text);
		CHECK(record[0] == 2 && record[1] == 4, "%g %g", record[0], record[1]);
		for (int k = 0; k < COUNT; ++k) CHECK(x[k] == (k < COUNT - 1 ? 4 * k : k), "%d: %g", k, x[k]);
		scree_machine_close(m);
	}
}

/* releases the newest block */
static void release_block(void *of)
{
	machine *m = of;
	scree_machine_release(m, m->blocks);
}

static void padding_is_guarded(void **state)
{
	(void)state;
	const int64_t beside[] = {-1, -MACHINE_PADDING / 8, COUNT, COUNT + MACHINE_PADDING / 8 - 1};
	FOR_MACHINES(kind)
	{
		machine *m = built(kind);
		double x = 0;
		scree_machine_pad(m);
		for (size_t k = 0; k < sizeof beside / sizeof *beside; ++k) {
			machine_block *b = block(m, COUNT * sizeof x);
			CHECK(launch(m, "outer", 1, b, COUNT - 1) && launch(m, "inner", 1, b, beside[k]) &&
					  scree_machine_read(m, b, 0, &x, sizeof x, &why),
				  "%s", why.text);
			CHECK(x != x, "%g was read from padding", x);
			CHECK(scree_attempt(release_block, m, &why), "%s", why.text);
			b = block(m, COUNT * sizeof x);
			CHECK(launch(m, "outer", 1, b, beside[k]), "%s", why.text);
			CHECK(!scree_attempt(release_block, m, &why), "a kernel wrote to padding");
			SAYS("wrote outside of a block of 8000 bytes");
		}
		scree_machine_close(m);
	}
}

static void messages_name_the_cause(void **state)
{
	(void)state;
	FOR_MACHINES(kind)
	{
		machine *m = built(kind);
		CHECK(!scree_machine_allocate(m, (int64_t)1 << 50, &why), "there is not so much memory");
		SAYS("cannot allocate 1125899906842624 bytes: C");
		SAYS(scree_machine_label(m));
		CHECK(!scree_machine_launch(m, "thrice", 1, 0, 0, NULL, &why), "there is no such kernel");
		SAYS("there is no kernel thrice");
		CHECK(!scree_machine_launch(m, "twice", 1, 1 << 20, 0, NULL, &why), "there are no arguments");
		SAYS("kernel twice: ");
		CHECK(!scree_machine_build(m, "int f() { return unknown_word; }", &why), "this does not compile");
		SAYS("the kernels do not compile");
		SAYS("unknown_word");
		CHECK(scree_machine_build(m, text, &why), "%s", why.text);
		CHECK(is_slow() || scree_machine_build(m, scree_kernels_text, &why), "%s", why.text);
		scree_machine_close(m);
	}
}

/* A card that has failed remains so, so that only the driver of machines.sh is used for this. */
static void a_fault_is_reported(void **state)
{
	(void)state;
	if (!getenv("SCREE_TEST_DRIVER")) return;
	machine *m = open_machine(1);
	double x = 1;
	machine_block *b = block(m, sizeof x);
	CHECK(scree_machine_build(m, text, &why) && scree_machine_launch(m, "traps", 1, 0, 0, NULL, &why), "%s", why.text);
	CHECK(!scree_machine_read(m, b, 0, &x, sizeof x, &why), "the device has failed");
	SAYS("cuda (a test's card, driver for CUDA 13.0, NVRTC ");
	SAYS("): cannot read 8 bytes: CUDA_ERROR_LAUNCH_FAILED (719)");
	scree_machine_close(m);
}

/* ------------------------------------------------------------------ the cache */

/* Returns the number of files in the cache, and the path of the last one. */
static int cached(char path[SCREE_PATH_ROOM])
{
	char folder[SCREE_PATH_ROOM];
	int count = 0;
	scree_file_path(folder, cache, "scree/kernels", "");
	DIR *d = opendir(folder);
	for (struct dirent *e; d && (e = readdir(d));)
		if (e->d_name[0] != '.') scree_file_path(path, folder, e->d_name, ""), ++count;
	if (d) closedir(d);
	return count;
}

static void forget_cache(void)
{
	char path[SCREE_PATH_ROOM];
	while (cached(path)) unlink(path);
}

static int announced;
static void hear(const char *said) { announced += strstr(said, "compiling kernels for ") != NULL; }

/* Returns how often the compiler is called for a text on a machine that has just been opened. */
static int compilations(int kind, const char *of)
{
	machine *m = open_machine(kind);
	m->keeps = false;
	announced = 0;
	scree_progress_to(hear);
	CHECK(scree_machine_build(m, of, &why), "%s", why.text);
	scree_progress_to(NULL);
	const int count = m->compiled;
	CHECK(announced == count, "compiled %d times, but announced %d times", count, announced);
	machine_block *b = block(m, 80);
	CHECK(launch(m, "twice", 10, b, 10), "%s", why.text);
	scree_machine_close(m);
	return count;
}

static void flip_byte(const char *path, int64_t at)
{
	char *bytes = NULL;
	size_t length = 0;
	CHECK(scree_file_read(path, SIZE_MAX, (void **)&bytes, &length, &why), "%s", why.text);
	bytes[at < 0 ? (int64_t)length + at : at] ^= 1;
	CHECK(scree_file_write(path, bytes, length, &why), "%s", why.text);
	scree_free(bytes);
}

static void compiled_kernels_are_kept(void **state)
{
	(void)state;
	const int64_t at[] = {-1, 0, 20, sizeof(machine_kind)};
	char path[SCREE_PATH_ROOM];
	FOR_MACHINES(kind)
	{
		forget_cache();
		CHECK(compilations(kind, text) == 1 && cached(path) == 1, "the first time");
		CHECK(compilations(kind, text) == 0, "the second time");
		for (size_t k = 0; k < (test_short() ? 1 : sizeof at / sizeof *at); ++k) {
			flip_byte(path, at[k]);
			CHECK(compilations(kind, text) == 1, "damaged at byte %lld", (long long)at[k]);
			CHECK(compilations(kind, text) == 0, "it has been replaced");
		}
		CHECK(truncate(path, 100) == 0 && compilations(kind, text) == 1, "cut");
		CHECK(truncate(path, 0) == 0 && compilations(kind, text) == 1, "empty");
	}
}

static void entries_belong_to_one_text(void **state)
{
	(void)state;
	if (is_slow()) return;
	char path[SCREE_PATH_ROOM], other[sizeof text + 2], other_path[SCREE_PATH_ROOM];
	snprintf(other, sizeof other, "%s\n\n", text);
	FOR_MACHINES(kind)
	{
		forget_cache();
		CHECK(compilations(kind, other) == 1 && cached(other_path) == 1 && unlink(other_path) == 0, "another text");
		CHECK(compilations(kind, text) == 1 && cached(path) == 1 && rename(path, other_path) == 0, "this text");
		CHECK(compilations(kind, other) == 1, "the entry of another text has this name");
		machine *m = open_machine(kind);
		char junk[] = "not a program";
		machine_binary binary;
		scree_cache_keep(m, text, (machine_binary){junk, sizeof junk});
		CHECK(scree_cache_find(m, text, &binary) && binary.length == sizeof junk, "it is there");
		scree_free(binary.bytes);
		char *const of[] = {m->label, m->options};
		for (int k = 0; k < 2; ++k) {
			of[k][0] ^= 1;
			CHECK(!scree_cache_find(m, text, &binary), "an entry of another device, or for other options");
			of[k][0] ^= 1;
		}
		scree_machine_close(m);
		CHECK(compilations(kind, text) == 1, "an intact entry that the device does not take");
		CHECK(compilations(kind, text) == 0, "it has been replaced");
	}
}

static void no_cache_is_no_error(void **state)
{
	(void)state;
	if (is_slow()) return;
	char file[120];
	snprintf(file, sizeof file, "%s/file", cache);
	CHECK(scree_file_write(file, "", 0, &why), "%s", why.text);
	const char *const folders[] = {file, "relative", "/proc"};
	char *home = scree_copy_text(getenv("HOME") ? getenv("HOME") : "");
	setenv("HOME", "", 1);
	FOR_MACHINES(kind)
	for (size_t k = 0; k < sizeof folders / sizeof *folders; ++k) {
		setenv("XDG_CACHE_HOME", folders[k], 1);
		CHECK(compilations(kind, text) == 1 && compilations(kind, text) == 1, "%s", folders[k]);
	}
	setenv("XDG_CACHE_HOME", cache, 1);
	setenv("HOME", home, 1);
	scree_free(home);
	unlink(file);
}

static void all_memory_is_released(void **state)
{
	(void)state;
	CHECK(scree_memory_used() == memory_before, "%lld bytes more", (long long)(scree_memory_used() - memory_before));
}

static int begin(void **state)
{
	(void)state;
	memory_before = scree_memory_used();
	strcpy(cache, "/tmp/scree_machines.XXXXXX");
	return mkdtemp(cache) && setenv("XDG_CACHE_HOME", cache, 1) == 0 ? 0 : 1;
}

static int end(void **state)
{
	(void)state;
	char path[sizeof cache + 20];
	forget_cache();
	snprintf(path, sizeof path, "%s/scree/kernels", cache);
	for (; strlen(path) >= strlen(cache); *strrchr(path, '/') = 0) rmdir(path);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opencl_is_here),
		cmocka_unit_test(blocks_are_copied),
		cmocka_unit_test(kernels_run),
		cmocka_unit_test(padding_is_guarded),
		cmocka_unit_test(messages_name_the_cause),
		cmocka_unit_test(compiled_kernels_are_kept),
		cmocka_unit_test(entries_belong_to_one_text),
		cmocka_unit_test(no_cache_is_no_error),
		cmocka_unit_test(a_fault_is_reported),
		cmocka_unit_test(all_memory_is_released),
	};
	const int failed = cmocka_run_group_tests(tests, begin, end);
	fflush(NULL);
	_exit(failed); /* the sanitizer would report what drivers leak */
}
