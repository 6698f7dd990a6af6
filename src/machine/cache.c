#include "machine/cache.h"

#include "base/hash.h"
#include "base/memory.h"
#include "format/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 28 };

/* what a file begins with; the bytes of the binary follow */
typedef struct entry {
	char kind[16], label[sizeof((machine *)0)->label], options[sizeof((machine *)0)->options];
	uint64_t text, binary; /* hashes */
} entry;

static entry entry_of(const machine *m, const char *text)
{
	entry e;
	memset(&e, 0, sizeof e);
	snprintf(e.kind, sizeof e.kind, "%s", m->kind->name);
	snprintf(e.label, sizeof e.label, "%s", m->label);
	snprintf(e.options, sizeof e.options, "%s", m->options);
	e.text = scree_hash(text, strlen(text));
	return e;
}

/* Returns false if the user has no folder for caches. By the XDG rules, relative paths are ignored. */
static bool find_folder(char folder[SCREE_PATH_ROOM])
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	const bool own = cache && *cache == '/';
	const char *from = own ? cache : home;
	if (!from || *from != '/') return false;
	return snprintf(folder, SCREE_PATH_ROOM, "%s%s/scree/kernels", from, own ? "" : "/.cache") < SCREE_PATH_ROOM - 32;
}

static bool find_path(const entry *e, char folder[SCREE_PATH_ROOM], char path[SCREE_PATH_ROOM])
{
	char name[20];
	if (!find_folder(folder)) return false;
	snprintf(name, sizeof name, "%016llx", (unsigned long long)scree_hash(e, sizeof *e));
	scree_file_path(path, folder, name, "");
	return true;
}

bool scree_cache_find(const machine *m, const char *text, machine_binary *to)
{
	char folder[SCREE_PATH_ROOM], path[SCREE_PATH_ROOM];
	entry e = entry_of(m, text);
	void *bytes = NULL;
	size_t length = 0;
	fail why;
	if (!find_path(&e, folder, path) || !scree_file_read(path, MOST_BYTES, &bytes, &length, &why)) return false;
	const char *binary = (const char *)bytes + sizeof e;
	bool intact = length > sizeof e;
	if (intact) {
		e.binary = scree_hash(binary, length - sizeof e);
		intact = memcmp(bytes, &e, sizeof e) == 0;
	}
	if (intact) *to = (machine_binary){scree_copy(binary, length - sizeof e, 1), length - sizeof e};
	scree_free(bytes);
	return intact;
}

void scree_cache_keep(const machine *m, const char *text, machine_binary binary)
{
	char folder[SCREE_PATH_ROOM], path[SCREE_PATH_ROOM];
	entry e = entry_of(m, text);
	fail why;
	if (!find_path(&e, folder, path) || binary.length > MOST_BYTES - sizeof e) return;
	e.binary = scree_hash(binary.bytes, binary.length);
	char *bytes = scree_alloc(sizeof e + binary.length, 1);
	memcpy(bytes, &e, sizeof e);
	memcpy(bytes + sizeof e, binary.bytes, binary.length);
	if (scree_file_make_folder(folder, &why)) scree_file_write_alone(path, bytes, sizeof e + binary.length, &why);
	scree_free(bytes);
}
