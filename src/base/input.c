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

/* Opens a regular file; other files give -1 and an error message: opening a pipe without a writer would block. */
static int open_regular(const char *path, size_t *size, fail *why)
{
	struct stat about = {0};
	const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	const bool known = file >= 0 && fstat(file, &about) == 0;
	why->error = 0;
	if (known && S_ISREG(about.st_mode)) {
		*size = (size_t)about.st_size;
		return file;
	}
	const int error = errno;
	if (known)
		scree_fail(why, FAIL_IO, "it is %s, but only regular files can be read: write its content to a file first",
				   scree_kind_of_file(about.st_mode));
	else
		scree_fail(why, FAIL_IO, "%s",
				   error == ENXIO ? "it is a socket or a device, but only regular files can be read" : strerror(error));
	if (!known) why->error = error;
	if (file >= 0) close(file);
	return -1;
}

static bool may_be_taken(size_t size, size_t most, fail *why)
{
	const size_t memory = (size_t)scree_memory_most();
	if (size > most)
		return scree_fail(why, FAIL_IO, "it has %zu bytes; at most %zu (%zu MiB) are allowed", size, most, most >> 20);
	return size < memory ||
		   scree_fail(why, FAIL_IO, "it has %zu bytes, which is more than the memory of this machine", size);
}

static bool read_all(int file, char *bytes, size_t length, fail *why)
{
	for (size_t got = 0; got < length;) {
		ssize_t n = read(file, bytes + got, length - got);
		if (n < 0 && errno == EINTR) continue;
		if (n < 0) return scree_fail(why, FAIL_IO, "%s", strerror(errno));
		if (n == 0) return scree_fail(why, FAIL_IO, "only %zu of %zu bytes could be read", got, length);
		got += (size_t)n;
	}
	return true;
}

/* Reads `length` bytes from the current position, and closes the file. */
static bool take(int file, size_t length, char **bytes, fail *why)
{
	*bytes = scree_alloc(length + 1, 1);
	const bool good = read_all(file, *bytes, length, why);
	close(file);
	if (good) return true;
	scree_free(*bytes);
	*bytes = NULL;
	return false;
}

bool scree_read_whole(const char *path, size_t most, char **bytes, size_t *length, fail *why)
{
	*bytes = NULL;
	const int file = open_regular(path, length, why);
	if (file < 0) return false;
	if (may_be_taken(*length, most, why)) return take(file, *length, bytes, why);
	close(file);
	return false;
}

bool scree_read_start(const char *path, size_t most, char **bytes, size_t *length, size_t *size, fail *why)
{
	*bytes = NULL;
	const int file = open_regular(path, size, why);
	if (file < 0) return false;
	*length = *size < most ? *size : most;
	return take(file, *length, bytes, why);
}

bool scree_read_end(const char *path, size_t most, char **bytes, size_t *length, fail *why)
{
	size_t size;
	*bytes = NULL;
	const int file = open_regular(path, &size, why);
	if (file < 0) return false;
	*length = size < most ? size : most;
	if (lseek(file, (off_t)(size - *length), SEEK_SET) >= 0) return take(file, *length, bytes, why);
	scree_fail(why, FAIL_IO, "%s", strerror(errno));
	close(file);
	return false;
}
