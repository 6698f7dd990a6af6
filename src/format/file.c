#include "format/file.h"

#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_TRIES = 64, MARK_DIGITS = 16 };

bool scree_file_failed(fail *why, int error, const char *what, const char *path)
{
	scree_fail(why, FAIL_IO, "cannot %s %s: %s", what, path, strerror(error));
	why->error = error;
	return false;
}

void scree_file_path(char path[SCREE_PATH_ROOM], const char *folder, const char *name, const char *rest)
{
	int n = snprintf(path, SCREE_PATH_ROOM, "%s/%s%s", folder, name, rest);
	SCREE_ASSERT(n >= 0 && n < SCREE_PATH_ROOM);
}

/* at: position in the file; if negative, the current position */
static bool put(int file, off_t at, const void *bytes, size_t length)
{
	const char *from = bytes;
	while (length) {
		const ssize_t n = at < 0 ? write(file, from, length) : pwrite(file, from, length, at);
		if (n < 0 && errno == EINTR) continue;
		if (n < 0) return false;
		from += n;
		if (at >= 0) at += n;
		length -= (size_t)n;
	}
	return true;
}

bool scree_file_put(int file, const void *bytes, size_t length) { return put(file, -1, bytes, length); }

static bool must_be_regular(const char *path, mode_t mode, fail *why)
{
	return S_ISREG(mode) || scree_fail(why, FAIL_IO, "cannot write %s: it is %s, and results go to regular files only",
									   path, scree_kind_of_file(mode));
}

void scree_file_folder(const char *path, char folder[SCREE_PATH_ROOM])
{
	const char *slash = strrchr(path, '/');
	const int length = slash ? (int)(slash - path) + !(slash - path) : 1;
	snprintf(folder, SCREE_PATH_ROOM, "%.*s", length, slash ? path : ".");
}

/* Resolves a symbolic link, following as many links as the system would; the target need not exist. */
static bool follow_links(const char *path, char target[SCREE_PATH_ROOM], fail *why)
{
	enum { MOST_LINKS = 40 };
	if (snprintf(target, SCREE_PATH_ROOM, "%s", path) >= SCREE_PATH_ROOM)
		return scree_fail(why, FAIL_IO, "%.100s...: the path is longer than %d bytes", path, SCREE_PATH_ROOM - 1);
	for (int k = 0; k < MOST_LINKS; ++k) {
		char next[SCREE_PATH_ROOM], folder[SCREE_PATH_ROOM];
		ssize_t n = readlink(target, next, sizeof next - 1);
		if (n < 0) return true; /* not a link, or the file does not exist */
		next[n] = 0;
		scree_file_folder(target, folder);
		int length = next[0] == '/' ? snprintf(target, SCREE_PATH_ROOM, "%s", next)
									: snprintf(target, SCREE_PATH_ROOM, "%s/%s", folder, next);
		if (length >= SCREE_PATH_ROOM) break;
	}
	return scree_file_failed(why, ELOOP, "follow the link", path);
}

/* Lets a rename survive a power failure. Some file systems cannot sync a folder, but the file is complete anyway. */
static bool sync_folder(const char *path)
{
	char folder[SCREE_PATH_ROOM];
	scree_file_folder(path, folder);
	int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file < 0) return errno == EACCES;
	bool ok = fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP;
	int error = errno;
	close(file);
	errno = error;
	return ok;
}

static bool name_beside(const char *path, uint64_t mark, char name[SCREE_PATH_ROOM], fail *why)
{
	const int length =
		mark ? snprintf(name, SCREE_PATH_ROOM, "%s.%0*llx.tmp", path, MARK_DIGITS, (unsigned long long)mark)
			 : snprintf(name, SCREE_PATH_ROOM, "%s.tmp", path);
	return length < SCREE_PATH_ROOM || scree_file_failed(why, ENAMETOOLONG, "write", path);
}

size_t scree_file_unmarked(const char *name)
{
	static const char digits[] = "0123456789abcdef", ending[] = ".tmp";
	const size_t length = strlen(name), part = sizeof ending - 1;
	if (length <= part || strcmp(name + length - part, ending) != 0) return 0;
	const size_t plain = length - part;
	if (plain <= MARK_DIGITS + 1 || name[plain - MARK_DIGITS - 1] != '.') return plain;
	return strspn(name + plain - MARK_DIGITS, digits) == MARK_DIGITS ? plain - MARK_DIGITS - 1 : plain;
}

/* Returns a number that other programs cannot predict. If the system has no source of random numbers, the names are
 * distinct but predictable; files are created exclusively in any case. */
static uint64_t random_mark(void)
{
	uint64_t mark = 0;
	struct timespec now = {0};
	while (!mark && getrandom(&mark, sizeof mark, 0) == (ssize_t)sizeof mark) {
	}
	if (mark) return mark;
	clock_gettime(CLOCK_REALTIME, &now);
	return ((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 48) | 1;
}

/* Makes the file. An existing file of this name is left alone, even if it is a link or belongs to another program. */
static bool make_new(new_file *o, const char *path, bool alone, fail *why)
{
	for (int k = 0; k < MOST_TRIES; ++k) {
		o->mark = alone || k ? random_mark() : 0;
		if (!name_beside(o->target, o->mark, o->name, why)) return false;
		o->file = open(o->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
		if (o->file >= 0) return true;
		if (errno != EEXIST) break;
	}
	const int error = errno;
	o->name[0] = 0;
	return scree_file_failed(why, error, "write", path);
}

/* Gives the file at `path` an unused second name, returned in `name`. */
static bool link_beside(const char *path, const char *second, char name[SCREE_PATH_ROOM], fail *why)
{
	for (int k = 0; k < MOST_TRIES; ++k) {
		if (!name_beside(second, k ? random_mark() : 0, name, why)) return false;
		if (link(path, name) == 0) return true;
		if (errno != EEXIST) break;
	}
	return false;
}

/* On file systems without hard links the file is renamed; until the new one is in place, only `second` exists. */
static bool keep_as(const char *path, const char *second, fail *why)
{
	char name[SCREE_PATH_ROOM];
	if (!link_beside(path, second, name, why))
		return rename(path, second) == 0 || errno == ENOENT || scree_file_failed(why, errno, "rename", path);
	bool ok = rename(name, second) == 0;
	int error = errno;
	unlink(name); /* rename keeps this name if both names already refer to the same file */
	return ok || scree_file_failed(why, error, "rename", name);
}

static bool find_target(new_file *o, const char *path, fail *why)
{
	struct stat about;
	o->file = -1;
	o->name[0] = 0;
	return follow_links(path, o->target, why) &&
		   (stat(o->target, &about) != 0 || must_be_regular(path, about.st_mode, why));
}

bool scree_file_begin(new_file *o, const char *path, fail *why)
{
	return find_target(o, path, why) && make_new(o, path, false, why);
}

bool scree_file_join(new_file *o, const char *path, uint64_t mark, fail *why)
{
	o->mark = mark;
	if (!find_target(o, path, why) || !name_beside(o->target, mark, o->name, why)) return false;
	o->file = open(o->name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return o->file >= 0 || scree_file_failed(why, errno, "write", path);
}

bool scree_file_put_at(const new_file *o, uint64_t at, const void *bytes, size_t length)
{
	return put(o->file, (off_t)at, bytes, length);
}

bool scree_file_sync(new_file *o, const char *path, fail *why)
{
	const bool synced = fsync(o->file) == 0;
	const int error = errno;
	const bool closed = close(o->file) == 0;
	o->file = -1;
	return (synced && closed) || scree_file_failed(why, synced ? errno : error, "write", path);
}

bool scree_file_end(new_file *o, const char *path, const char *second, fail *why)
{
	if (second && !keep_as(o->target, second, why)) return false;
	if (rename(o->name, o->target) != 0) return scree_file_failed(why, errno, "write", path);
	return sync_folder(o->target) || scree_file_failed(why, errno, "sync the folder of", path);
}

void scree_file_drop(new_file *o)
{
	const int error = errno;
	if (o->file >= 0) close(o->file);
	o->file = -1;
	if (*o->name) unlink(o->name);
	errno = error;
}

static bool fill(new_file *o, const char *path, const char *second, const void *bytes, size_t length, fail *why)
{
	const bool put = scree_file_put(o->file, bytes, length) ? scree_file_sync(o, path, why)
															: scree_file_failed(why, errno, "write", path);
	if (put && scree_file_end(o, path, second, why)) return true;
	scree_file_drop(o);
	return false;
}

bool scree_file_write_keeping(const char *path, const char *second, const void *bytes, size_t length, fail *why)
{
	new_file o;
	return scree_file_begin(&o, path, why) && fill(&o, path, second, bytes, length, why);
}

bool scree_file_write_alone(const char *path, const void *bytes, size_t length, fail *why)
{
	new_file o;
	return find_target(&o, path, why) && make_new(&o, path, true, why) && fill(&o, path, NULL, bytes, length, why);
}

bool scree_file_write(const char *path, const void *bytes, size_t length, fail *why)
{
	return scree_file_write_keeping(path, NULL, bytes, length, why);
}

static int open_in_place(const char *path, int flags, fail *why)
{
	struct stat about;
	/* without O_NONBLOCK, a pipe without a reader would block the run */
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | flags, 0666);
	if (file < 0 && errno == ELOOP && (flags & O_NOFOLLOW))
		return scree_fail(why, FAIL_IO, "cannot write %s: it is a link; remove it", path), -1;
	if (file < 0) return scree_file_failed(why, errno, "open", path), -1;
	if (fstat(file, &about) != 0)
		scree_file_failed(why, errno, "open", path);
	else if (must_be_regular(path, about.st_mode, why))
		return file;
	close(file);
	return -1;
}

int scree_file_open(const char *path, fail *why) { return open_in_place(path, 0, why); }

int scree_file_open_own(const char *path, int flags, fail *why) { return open_in_place(path, flags | O_NOFOLLOW, why); }

int scree_file_open_lock(const char *path)
{
	struct stat about;
	const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (file < 0 || (fstat(file, &about) == 0 && S_ISREG(about.st_mode))) return file;
	close(file);
	return -1;
}

bool scree_file_look(const char *path, bool *there, fail *why)
{
	*there = access(path, F_OK) == 0;
	return *there || errno == ENOENT || errno == ENOTDIR || scree_file_failed(why, errno, "look for", path);
}

bool scree_file_make_folder(const char *folder, fail *why)
{
	char part[SCREE_PATH_ROOM];
	snprintf(part, sizeof part, "%s", folder);
	for (char *p = part + 1;; ++p) {
		if (*p && *p != '/') continue;
		char kept = *p;
		*p = 0;
		if (mkdir(part, 0777) != 0 && errno != EEXIST) return scree_file_failed(why, errno, "make the folder", part);
		*p = kept;
		if (!kept) return true;
	}
}

bool scree_file_read(const char *path, size_t most, void **bytes, size_t *length, fail *why)
{
	char *read = NULL;
	bool good = scree_read_whole(path, most, &read, length, why);
	*bytes = read;
	return good || scree_fail_in(why, "cannot read %s", path);
}
