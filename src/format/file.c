/* file: files that are there whole or not at all.
 *
 * The recipe of every database that survives a loss of power: write a temporary file beside the target, fsync it,
 * rename it over the target (atomic in POSIX), fsync the folder so that the name is on disk too. A write that is cut
 * short by a signal goes on where it stopped. The temporary name holds the process's number, so that two runs in one
 * folder do not write into each other's temporaries. */
#include "format/file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 4096, LARGEST_WRITE = 1 << 30 };

static bool temporary_name(const char *path, char out[PATH_ROOM], fail *why)
{
	int n = snprintf(out, PATH_ROOM, "%s.%ld.tmp", path, (long)getpid());
	if (n > 0 && n < PATH_ROOM) return true;
	return scree_fail(why, FAIL_IO, "cannot write %.200s...: the path has more than %d bytes", path, PATH_ROOM - 32);
}

static bool cannot(fail *why, const char *what, const char *path, int error)
{
	return scree_fail(why, FAIL_IO, "cannot %s %s: %s", what, path, strerror(error));
}

static bool write_all(int file, const char *bytes, size_t length)
{
	while (length) {
		ssize_t n = write(file, bytes, length < LARGEST_WRITE ? length : LARGEST_WRITE);
		if (n < 0 && errno == EINTR) continue;
		if (n == 0) errno = EIO; /* no progress and no reason: not a loop for ever */
		if (n <= 0) return false;
		bytes += n;
		length -= (size_t)n;
	}
	return true;
}

static bool sync_file(int file)
{
	while (fsync(file) != 0) {
		if (errno == EINTR) continue;
		/* pipes and some folders of networks cannot be synced; that is no fault of the file */
		return errno == EINVAL || errno == EROFS;
	}
	return true;
}

/* so that the name survives a loss of power, too */
static bool sync_folder(const char *path, fail *why)
{
	char folder[PATH_ROOM];
	snprintf(folder, sizeof folder, "%s", path);
	char *slash = strrchr(folder, '/');
	if (!slash)
		snprintf(folder, sizeof folder, ".");
	else
		slash[slash == folder] = 0;
	int file = open(folder, O_RDONLY | O_CLOEXEC);
	if (file < 0) return errno == EACCES ? true : cannot(why, "open folder", folder, errno);
	bool ok = sync_file(file);
	int error = errno;
	close(file);
	return ok ? true : cannot(why, "sync folder", folder, error);
}

static bool write_temporary(const char *path, const void *bytes, size_t length, fail *why)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (file < 0) return cannot(why, "create", path, errno);
	bool ok = write_all(file, bytes, length) && sync_file(file);
	int error = errno;
	if (close(file) != 0 && ok && errno != EINTR) {
		ok = false;
		error = errno;
	}
	return ok ? true : cannot(why, "write", path, error);
}

bool scree_file_write(const char *path, const void *bytes, size_t length, fail *why)
{
	char temporary[PATH_ROOM];
	if (!temporary_name(path, temporary, why)) return false;
	bool ok = write_temporary(temporary, bytes, length, why);
	if (ok && rename(temporary, path) != 0) ok = cannot(why, "put the new file in place of", path, errno);
	if (!ok) {
		unlink(temporary);
		return false;
	}
	return sync_folder(path, why);
}

bool scree_file_keep(const char *path, const char *second_name, fail *why)
{
	char temporary[PATH_ROOM];
	if (!temporary_name(second_name, temporary, why)) return false;
	unlink(temporary);
	if (link(path, temporary) != 0) {
		if (errno == ENOENT) return true;
		return scree_fail(why, FAIL_IO, "cannot keep %s as %s: %s", path, second_name, strerror(errno));
	}
	bool ok = rename(temporary, second_name) == 0;
	if (!ok) cannot(why, "put the kept file in place of", second_name, errno);
	unlink(temporary); /* also when both names were one file already: then rename does nothing */
	return ok && sync_folder(second_name, why);
}

static bool read_all(int file, size_t room, unsigned char **bytes, size_t *length)
{
	size_t used = 0;
	for (;;) {
		if (used == room) { /* longer than it said, as the files of /proc are */
			*bytes = scree_grow(*bytes, room, 2 * room, 1);
			room *= 2;
		}
		ssize_t n = read(file, *bytes + used, room - used < LARGEST_WRITE ? room - used : LARGEST_WRITE);
		if (n < 0 && errno == EINTR) continue;
		if (n < 0) return false;
		if (n == 0) break;
		used += (size_t)n;
	}
	(*bytes)[used] = 0; /* used < room */
	*length = used;
	return true;
}

bool scree_file_read(const char *path, unsigned char **bytes, size_t *length, fail *why)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return cannot(why, "open", path, errno);
	struct stat s;
	bool ok = fstat(file, &s) == 0;
	if (ok && S_ISDIR(s.st_mode)) {
		ok = false;
		errno = EISDIR;
	}
	*bytes = NULL;
	if (ok) {
		size_t room = s.st_size > 0 ? (size_t)s.st_size + 1 : 4096;
		*bytes = scree_alloc(room, 1);
		ok = read_all(file, room, bytes, length);
	}
	int error = errno;
	close(file);
	if (ok) return true;
	scree_free(*bytes);
	*bytes = NULL;
	return cannot(why, "read", path, error);
}
