/* nvrtc FOLDER TEXT...: compiles each TEXT, a line of source that includes headers below FOLDER, with NVRTC for a GPU
 * with compute capability 9.0, as a run on a GPU does; no GPU is needed. Prints one line per text: `compiled`, its size
 * as PTX, and its number of fused multiply-adds, or `refused` with the compiler's log. Exits with 1 if a text was
 * refused, and with 3 if there is no libnvrtc. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct program program;

static struct {
	int (*create)(program **, const char *, const char *, int, const char *const *, const char *const *);
	int (*compile)(program *, int, const char *const *);
	int (*destroy)(program **);
	int (*ptx_size)(program *, size_t *), (*ptx)(program *, char *);
	int (*log_size)(program *, size_t *), (*log)(program *, char *);
} nvrtc;

static void *function(void *library, const char *name)
{
	void *f = dlsym(library, name);
	if (!f) exit((printf("no %s in libnvrtc\n", name), 2));
	return f;
}

static void open_library(void)
{
	static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
										"/usr/local/cuda/lib64/libnvrtc.so"};
	void *library = NULL;
	for (size_t k = 0; k < sizeof names / sizeof *names && !library; ++k) library = dlopen(names[k], RTLD_NOW);
	if (!library) exit((printf("no libnvrtc\n"), 3));
	*(void **)&nvrtc.create = function(library, "nvrtcCreateProgram");
	*(void **)&nvrtc.compile = function(library, "nvrtcCompileProgram");
	*(void **)&nvrtc.destroy = function(library, "nvrtcDestroyProgram");
	*(void **)&nvrtc.ptx_size = function(library, "nvrtcGetPTXSize");
	*(void **)&nvrtc.ptx = function(library, "nvrtcGetPTX");
	*(void **)&nvrtc.log_size = function(library, "nvrtcGetProgramLogSize");
	*(void **)&nvrtc.log = function(library, "nvrtcGetProgramLog");
}

/* Returns an output of the compiler, which the caller frees. */
static char *text_of(program *p, int (*size)(program *, size_t *), int (*get)(program *, char *))
{
	size_t length = 0;
	size(p, &length);
	char *text = calloc(length + 1, 1);
	if (!text) exit((printf("out of memory\n"), 2));
	get(p, text);
	return text;
}

static int count(const char *text, const char *word)
{
	int n = 0;
	for (const char *at = text; (at = strstr(at, word)); at += strlen(word)) ++n;
	return n;
}

static int compiled(const char *folder, const char *text)
{
	char include[4096];
	snprintf(include, sizeof include, "-I%s", folder);
	const char *const options[] = {"--gpu-architecture=compute_90", "--fmad=false", "-std=c++17", include, "-I."};
	program *p = NULL;
	if (nvrtc.create(&p, text, "text.cu", 0, NULL, NULL) != 0) exit((printf("no program\n"), 2));
	const int failed = nvrtc.compile(p, sizeof options / sizeof *options, options);
	char *said = failed ? text_of(p, nvrtc.log_size, nvrtc.log) : text_of(p, nvrtc.ptx_size, nvrtc.ptx);
	if (failed)
		printf("refused %s: %.2000s\n", text, said);
	else
		printf("compiled %s: %zu bytes of PTX, %d fused\n", text, strlen(said), count(said, "fma.rn.f64"));
	free(said);
	nvrtc.destroy(&p);
	return !failed;
}

int main(int arguments, char **argument)
{
	open_library();
	int good = 1;
	for (int k = 2; k < arguments; ++k) good &= compiled(argument[1], argument[k]);
	return !good;
}
