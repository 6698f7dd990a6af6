/* film: runs ffmpeg in a separate process, on all pictures of the run, so that interruptions have no effect. */
#include "outputs/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Finds the program in the folders of PATH; returns false if none contains it. */
static bool find_program(char path[SCREE_PATH_ROOM])
{
	const char *at = getenv("PATH");
	for (; at && *at; at += *at == ':') {
		const int length = (int)strcspn(at, ":");
		if (length > 0 && length < SCREE_PATH_ROOM - 16) {
			snprintf(path, SCREE_PATH_ROOM, "%.*s/ffmpeg", length, at);
			if (access(path, X_OK) == 0) return true;
		}
		at += length;
	}
	return false;
}

bool scree_film_possible(void)
{
	char path[SCREE_PATH_ROOM];
	return find_program(path);
}

/* Runs the program without input and output; returns its exit code, or -1 with errno. */
static int call(const char *program, char *const *word)
{
	posix_spawn_file_actions_t files;
	pid_t process;
	int status = 0;
	if (posix_spawn_file_actions_init(&files) != 0) return -1;
	for (int k = 0; k < 3; ++k) posix_spawn_file_actions_addopen(&files, k, "/dev/null", O_RDWR, 0);
	const int failed = posix_spawn(&process, program, &files, NULL, word, environ);
	posix_spawn_file_actions_destroy(&files);
	errno = failed;
	if (failed) return -1;
	while (waitpid(process, &status, 0) < 0)
		if (errno != EINTR) return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* "file:FOLDER/NAME_%04d.png", with % in the names doubled; false if too long */
static bool name_pictures(const char *folder, const char *name, char to[SCREE_PATH_ROOM])
{
	char plain[SCREE_PATH_ROOM];
	size_t used = (size_t)snprintf(to, SCREE_PATH_ROOM, "file:");
	scree_file_path(plain, folder, name, "");
	for (const char *p = plain; *p; ++p) {
		if (used + 16 > SCREE_PATH_ROOM) return false;
		to[used++] = *p;
		if (*p == '%') to[used++] = '%';
	}
	snprintf(to + used, SCREE_PATH_ROOM - used, "_%%04d.png");
	return true;
}

bool scree_film_write(const char *folder, const char *name, int64_t first, int64_t count, real rate, fail *why)
{
	char program[SCREE_PATH_ROOM], pictures[SCREE_PATH_ROOM], path[SCREE_PATH_ROOM], part[SCREE_PATH_ROOM + 8];
	new_file to;
	char from[24], number[24], speed[32];
	scree_file_path(path, folder, name, ".mp4");
	if (!find_program(program))
		return scree_fail(why, FAIL_IO, "ffmpeg is not installed (Debian: ffmpeg): %s is not written", path);
	if (!name_pictures(folder, name, pictures)) return scree_fail(why, FAIL_IO, "the path of the film is too long");
	if (!scree_file_begin(&to, path, why)) return false;
	snprintf(part, sizeof part, "file:%s", to.name);
	snprintf(from, sizeof from, "%lld", (long long)first);
	snprintf(number, sizeof number, "%lld", (long long)count);
	snprintf(speed, sizeof speed, "%.6g", rate);
	/* H.264 needs even sizes; a single thread and the absence of version marks make the bytes reproducible */
	char *const even = "pad=ceil(iw/2)*2:ceil(ih/2)*2";
	char *const word[] = {"ffmpeg",	   "-nostdin",	 "-loglevel", "error",		   "-y",		 "-f",
						  "image2",	   "-framerate", speed,		  "-start_number", from,		 "-i",
						  pictures,	   "-frames:v",	 number,	  "-vf",		   even,		 "-c:v",
						  "libx264",   "-pix_fmt",	 "yuv420p",	  "-threads",	   "1",			 "-fflags",
						  "+bitexact", "-flags:v",	 "+bitexact", "-movflags",	   "+faststart", "-f",
						  "mp4",	   part,		 NULL};
	const int code = call(program, word);
	if (code < 0) scree_file_failed(why, errno, "start", program);
	if (code > 0)
		scree_fail(why, FAIL_IO, "ffmpeg could not make %s (exit code %d); its pictures are kept", path, code);
	/* ffmpeg has overwritten an unfinished file */
	if (code == 0 && scree_file_sync(&to, path, why) && scree_file_end(&to, path, NULL, why)) return true;
	scree_file_drop(&to);
	return false;
}
