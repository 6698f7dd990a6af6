#include "machine/library.h"

#include <dlfcn.h>
#include <string.h>

static void *open_first(const char *const *files)
{
	void *library = NULL;
	for (int k = 0; files[k] && !library; ++k) library = dlopen(files[k], RTLD_NOW | RTLD_LOCAL);
	return library;
}

bool scree_library_open(const char *const *files, const library_function *functions, void *to, fail *why)
{
	void *library = open_first(files);
	if (!library) return scree_refuse(why, "%s is not there", files[0]);
	for (const library_function *f = functions; f->name; ++f) {
		void *function = dlsym(library, f->name);
		if (!function) return scree_refuse(why, "%s has no %s: it is too old", files[0], f->name);
		memcpy((char *)to + f->at, &function, sizeof function);
	}
	return true;
}
