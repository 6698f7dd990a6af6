#include "machine/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Names all files, or the one that is there but cannot be loaded. */
static void *open_first(const char *const *files, const char *product, fail *why)
{
	char names[256] = "";
	for (int k = 0; files[k]; ++k) {
		void *library = dlopen(files[k], RTLD_NOW | RTLD_LOCAL);
		const char *error = library ? NULL : dlerror();
		if (library) return library;
		if (error && !strstr(error, "No such file"))
			return scree_refuse(why, "%s cannot be loaded: %s", files[k], error), NULL;
		const size_t at = strlen(names);
		snprintf(names + at, sizeof names - at, "%s%s", k ? ", " : "", files[k]);
	}
	scree_refuse(why, "%s %s not there: install %s, or use machine cpu", names, files[1] ? "are" : "is", product);
	return NULL;
}

bool scree_library_open(const char *const *files, const char *product, const library_function *functions, void *to,
						fail *why)
{
	void *library = open_first(files, product, why);
	if (!library) return false;
	for (const library_function *f = functions; f->name; ++f) {
		void *function = dlsym(library, f->name);
		if (!function) return scree_refuse(why, "%s has no %s: it is too old", files[0], f->name);
		memcpy((char *)to + f->at, &function, sizeof function);
	}
	return true;
}
