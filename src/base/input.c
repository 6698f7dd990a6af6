#include "base/input.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *scree_kind_of_file(mode_t mode)
{
	return S_ISFIFO(mode) ? "a pipe" : S_ISDIR(mode) ? "a folder" : S_ISSOCK(mode) ? "a socket" : "a device";
}

static bool is_regular(int file, size_t most, size_t *length, fail *why)
{
	struct stat about;
	if (fstat(file, &about) != 0) return scree_fail(why, FAIL_IO, "%s", strerror(errno));
	if (!S_ISREG(about.st_mode))
		return scree_fail(why, FAIL_IO, "it is %s; only regular files are read: write it to a file first",
						  scree_kind_of_file(about.st_mode));
	*length = (size_t)about.st_size;
	return *length <= most ||
		   scree_fail(why, FAIL_IO, "it has %zu bytes, at most %zu are read (%zu MiB)", *length, most, most >> 20);
}

static bool read_all(int file, char *bytes, size_t length, fail *why)
{
	for (size_t got = 0; got < length;) {
		ssize_t n = read(file, bytes + got, length - got);
		if (n < 0 && errno == EINTR) continue;
		if (n < 0) return scree_fail(why, FAIL_IO, "%s", strerror(errno));
		if (n == 0) return scree_fail(why, FAIL_IO, "only %zu of %zu bytes were read", got, length);
		got += (size_t)n;
	}
	return true;
}

bool scree_read_whole(const char *path, size_t most, char **bytes, size_t *length, fail *why)
{
	*bytes = NULL;
	/* opening a pipe without a writer would block */
	int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (file < 0)
		return scree_fail(why, FAIL_IO, "%s",
						  errno == ENXIO ? "it is a socket or a device; only regular files are read" : strerror(errno));
	bool good = is_regular(file, most, length, why);
	if (good) {
		*bytes = scree_alloc(*length + 1, 1);
		good = read_all(file, *bytes, *length, why);
	}
	close(file);
	if (good) return true;
	scree_free(*bytes);
	*bytes = NULL;
	return false;
}
