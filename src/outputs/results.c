#include "outputs/outputs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool scree_results_same(const char *a, const char *b, bool *same, fail *why)
{
	struct stat about[2];
	const char *path[2] = {a, b};
	*same = false;
	for (int k = 0; k < 2; ++k) {
		if (stat(path[k], about + k) == 0) continue;
		return errno == ENOENT || errno == ENOTDIR || scree_file_failed(why, errno, "read", path[k]);
	}
	*same = about[0].st_dev == about[1].st_dev && about[0].st_ino == about[1].st_ino;
	return true;
}

bool scree_results_folder(const char *folder, fail *why)
{
	struct stat about;
	if (!scree_file_make_folder(folder, why)) return false;
	if (stat(folder, &about) != 0) return scree_file_failed(why, errno, "read the folder", folder);
	return S_ISDIR(about.st_mode) ||
		   scree_fail(why, FAIL_IO, "%s is a file, not a folder: results need a folder (-o of the command)", folder);
}

/* ------------------------------------------------------------------ lock */

static bool has_path(int file, const char *path)
{
	struct stat a, b;
	return fstat(file, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Locks of this process. The system would grant a process a lock twice, and release both when either file closes. */
static results_lock *all_held;
static atomic_flag changing_list = ATOMIC_FLAG_INIT;

static void begin_change(void)
{
	while (atomic_flag_test_and_set(&changing_list)) {
	}
}

static void end_change(void) { atomic_flag_clear(&changing_list); }

static bool is_held_here(const char *path)
{
	const pid_t here = getpid();
	for (const results_lock *l = all_held; l; l = l->next)
		if (l->owner == here && has_path(l->file, path)) return true;
	return false;
}

static int refuse_locked(int file, const char *folder, const char *name, fail *why)
{
	struct flock other = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char owner[64] = "another process";
	if (fcntl(file, F_GETLK, &other) == 0 && other.l_type != F_UNLCK && other.l_pid > 0)
		snprintf(owner, sizeof owner, "process %ld", (long)other.l_pid);
	close(file);
	scree_fail(why, FAIL_INPUT,
			   "%s is writing the files %s/%s..., and two runs would overwrite each other's files: wait for it, stop "
			   "it, or choose a different folder (option -o)",
			   owner, folder, name);
	return -1;
}

static int take_lock(const char *path, const char *folder, const char *name, fail *why)
{
	for (;;) {
		int file = scree_file_open_own(path, 0, why);
		if (file < 0) return -1;
		struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
		bool locked = fcntl(file, F_SETLK, &all) == 0;
		if (!locked && (errno == EACCES || errno == EAGAIN)) return refuse_locked(file, folder, name, why);
		if (!locked && errno != ENOLCK && errno != ENOTSUP && errno != ENOSYS) {
			scree_file_failed(why, errno, "lock", path);
			close(file);
			return -1;
		}
		/* the run that held the lock may have ended and removed the file between opening and locking */
		if (has_path(file, path)) return file;
		close(file);
	}
}

bool scree_results_lock(results_lock *lock, const char *folder, const char *name, fail *why)
{
	char path[SCREE_PATH_ROOM];
	int file = -1;
	scree_file_path(path, folder, name, ".lock");
	begin_change();
	if (is_held_here(path))
		scree_fail(why, FAIL_INPUT,
				   "another simulation of this process is writing the files %s/%s...: choose another folder", folder,
				   name);
	else
		file = take_lock(path, folder, name, why);
	if (file >= 0) {
		*lock = (results_lock){.held = true, .file = file, .owner = getpid(), .next = all_held};
		all_held = lock;
	}
	end_change();
	return file >= 0;
}

bool scree_results_locked(const char *folder, const char *name)
{
	char path[SCREE_PATH_ROOM];
	struct flock other = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	if (snprintf(path, sizeof path, "%s/%s.lock", folder, name) >= SCREE_PATH_ROOM) return false;
	const int file = scree_file_open_lock(path);
	const bool locked = file >= 0 && fcntl(file, F_GETLK, &other) == 0 && other.l_type != F_UNLCK;
	if (file >= 0) close(file);
	return locked;
}

void scree_results_unlock(results_lock *lock, const char *folder, const char *name)
{
	if (!lock->held) return;
	char path[SCREE_PATH_ROOM];
	scree_file_path(path, folder, name, ".lock");
	begin_change();
	results_lock **at = &all_held;
	while (*at != lock) at = &(*at)->next;
	*at = lock->next;
	/* before the lock is released, so that no other run's file is removed */
	if (lock->owner == getpid()) unlink(path);
	close(lock->file);
	end_change();
	*lock = (results_lock){0};
}

/* ------------------------------------------------------------------ files of an earlier run */

typedef enum part { PART_NONE, PART_WHOLE, PART_FRAME, PART_IMAGE, PART_FIELDS } part;

/* the text after a number of at least `least` digits; NULL if there is none */
static const char *after_number(const char *text, int least, int64_t *number)
{
	int digits = 0;
	for (*number = 0; text[digits] >= '0' && text[digits] <= '9' && digits < 18; ++digits)
		*number = 10 * *number + (text[digits] - '0');
	return digits >= least ? text + digits : NULL;
}

static bool is_numbered(const char *rest, const char *before, int digits, const char *ending, int64_t *number)
{
	size_t length = strlen(before);
	if (strncmp(rest, before, length) != 0) return false;
	const char *end = after_number(rest + length, digits, number);
	return end && !strcmp(end, ending);
}

static bool is_measure(const char *rest)
{
	static const char before[] = "_measure_", ending[] = ".csv";
	const size_t length = strlen(rest), start = sizeof before - 1, end = sizeof ending - 1;
	return length > start + end && !strncmp(rest, before, start) && !strcmp(rest + length - end, ending);
}

/* a frame, the file that names its pieces, or a piece */
static bool is_frame(const char *rest, const char *before, int64_t *number)
{
	int64_t piece;
	const size_t length = strlen(before);
	if (strncmp(rest, before, length) != 0) return false;
	const char *end = after_number(rest + length, 6, number);
	return end && (!strcmp(end, ".vtp") || !strcmp(end, ".pvtp") || is_numbered(end, "_", 4, ".vtp", &piece));
}

/* the kind of a file, from the text after the run's name */
static part part_of(const char *rest, int64_t *number)
{
	static const char *const whole[] = {
		"_history.csv", "_bodies.csv",	 ".resolved.scene.yaml", "_walls.csv", "_contacts.csv", "_shapes.vtm",
		".pvd",			".stopped.snap", "_stopped.png",		 ".xyz",	   ".lammpstrj",	"_report.html",
		".mp4"};
	static const char *const frames[] = {"_particles_", "_walls_", "_contacts_"};
	static const char *const images[] = {".png", ".svg", ".pdf"};
	*number = 0;
	for (size_t k = 0; k < sizeof whole / sizeof *whole; ++k)
		if (!strcmp(rest, whole[k])) return PART_WHOLE;
	for (size_t k = 0; k < sizeof frames / sizeof *frames; ++k)
		if (is_frame(rest, frames[k], number)) return PART_FRAME;
	if (is_measure(rest)) return PART_WHOLE;
	if (is_numbered(rest, "_fields_", 6, ".vti", number)) return PART_FIELDS;
	for (int k = 0; k < 3; ++k)
		if (is_numbered(rest, "_", 4, images[k], number)) return PART_IMAGE;
	return is_numbered(rest, "_shape_", 1, ".vtp", number) ? PART_WHOLE : PART_NONE;
}

static const char *const snapshots[2] = {".snap", ".old.snap"};

bool scree_results_look(const char *folder, const char *name, bool *there, fail *why)
{
	*there = false;
	for (int k = 0; k < 2 && !*there; ++k) {
		char path[SCREE_PATH_ROOM];
		scree_file_path(path, folder, name, snapshots[k]);
		if (!scree_file_look(path, there, why)) return false;
	}
	return true;
}

bool scree_results_remove(const char *folder, const char *name, const char *const ending[2], fail *why)
{
	for (int k = 0; k < 2; ++k) {
		char path[SCREE_PATH_ROOM];
		scree_file_path(path, folder, name, ending[k]);
		if (unlink(path) != 0 && errno != ENOENT) return scree_file_failed(why, errno, "remove", path);
	}
	return true;
}

/* Tests for a new file left by a run that was killed before renaming it; no other run is writing in the folder. */
static bool is_rest(const char *rest)
{
	char plain[NAME_MAX + 1];
	int64_t number;
	const size_t length = scree_file_unmarked(rest);
	if (!length || length >= sizeof plain) return false;
	memcpy(plain, rest, length);
	plain[length] = 0;
	return part_of(plain, &number) != PART_NONE || !strcmp(plain, snapshots[0]) || !strcmp(plain, snapshots[1]);
}

static bool is_stale(const results_count *kept, part p, int64_t number)
{
	return (p == PART_FRAME && number >= kept->frames) || (p == PART_IMAGE && number >= kept->images) ||
		   (p == PART_FIELDS && number >= kept->fields);
}

bool scree_results_clear(const char *folder, const char *name, const results_count *kept, fail *why)
{
	/* snapshots are removed first, before the files that they include */
	if (!kept && !scree_results_remove(folder, name, snapshots, why)) return false;
	DIR *list = opendir(folder);
	if (!list) return scree_file_failed(why, errno, "read the folder", folder);
	size_t length = strlen(name);
	bool ok = true;
	for (struct dirent *d; ok && (errno = 0, d = readdir(list)) != NULL;) {
		if (strncmp(d->d_name, name, length) != 0) continue;
		int64_t number;
		part p = part_of(d->d_name + length, &number);
		const bool rest = is_rest(d->d_name + length);
		if (!rest && (p == PART_NONE || (kept && !is_stale(kept, p, number)))) continue;
		if (unlinkat(dirfd(list), d->d_name, 0) != 0 && errno != ENOENT)
			ok = scree_file_failed(why, errno, "remove an older result,", d->d_name);
	}
	closedir(list);
	return ok;
}
