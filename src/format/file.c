#include "format/file.h"

#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 2048 };

static bool write_all(int file, const char *bytes, size_t length)
{
	while (length) {
		ssize_t n = write(file, bytes, length);
		if (n < 0 && errno == EINTR) continue;
		if (n < 0) return false;
		bytes += n;
		length -= (size_t)n;
	}
	return true;
}

/* so that the rename itself survives a power cut */
static void sync_folder(const char *path)
{
	char folder[PATH_ROOM];
	snprintf(folder, sizeof folder, "%s", path);
	char *slash = strrchr(folder, '/');
	if (slash)
		*slash = 0;
	else
		snprintf(folder, sizeof folder, ".");
	int file = open(*folder ? folder : "/", O_RDONLY | O_DIRECTORY);
	if (file < 0) return; /* some file systems cannot: the file is whole all the same */
	(void)fsync(file);
	close(file);
}

static bool temporary(const char *path, char name[PATH_ROOM], fail *why)
{
	int n = snprintf(name, PATH_ROOM, "%s.tmp", path);
	return n < PATH_ROOM || scree_fail(why, FAIL_IO, "%.100s...: the path is too long", path);
}

bool scree_file_write(const char *path, const void *bytes, size_t length, fail *why)
{
	char name[PATH_ROOM];
	if (!temporary(path, name, why)) return false;
	int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (file < 0) return scree_fail(why, FAIL_IO, "cannot create %s: %s", name, strerror(errno));
	bool ok = write_all(file, bytes, length) && fsync(file) == 0;
	int error = errno;
	if (close(file) != 0 && ok) {
		ok = false;
		error = errno;
	}
	if (ok && rename(name, path) != 0) {
		ok = false;
		error = errno;
	}
	if (!ok) {
		unlink(name);
		return scree_fail(why, FAIL_IO, "cannot write %s (%zu bytes): %s", path, length, strerror(error));
	}
	sync_folder(path);
	return true;
}

bool scree_file_keep(const char *path, const char *second, fail *why)
{
	char name[PATH_ROOM];
	if (!temporary(second, name, why)) return false;
	unlink(name);
	if (link(path, name) != 0)
		return errno == ENOENT || scree_fail(why, FAIL_IO, "cannot link %s to %s: %s", second, path, strerror(errno));
	if (rename(name, second) != 0) {
		int error = errno;
		unlink(name);
		return scree_fail(why, FAIL_IO, "cannot rename %s to %s: %s", name, second, strerror(error));
	}
	unlink(name); /* rename does nothing, and leaves the name, where both already are one file */
	return true;
}

bool scree_file_read(const char *path, size_t most, void **bytes, size_t *length, fail *why)
{
	char *read = NULL;
	bool good = scree_read_whole(path, most, &read, length, why);
	*bytes = read;
	return good || scree_fail_in(why, "cannot read %s", path);
}
