/* files: reading, writing and drawing for programs that use the library, without a simulation. */
#include "scree/files.h"

#include "base/input.h"
#include "library/internal.h"
#include "outputs/outputs.h"
#include "render/render.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A call in this thread. It is an attempt: all of its blocks are freed except the text that it has read. */
static _Thread_local struct {
	open_attempt made;
	fail why;
	memory_list *outer;
	locale_t before;
} call;

static jmp_buf *begin(void)
{
	call.why = (fail){0};
	call.outer = scree_memory_into(NULL);
	call.before = scree_locale_enter();
	return scree_attempt_begin(&call.made, &call.why);
}

static void copy_sentence(void *text) { *(char **)text = scree_copy_text(call.why.text); }

/* Ends the call and returns either the text that was read or the error message. */
static scree_code give(bool done, char *read, char **text)
{
	fail unused;
	*text = read;
	if (!done) *text = NULL;
	if (!done) scree_attempt(copy_sentence, text, &unused);
	scree_locale_leave(call.before);
	scree_memory_into(call.outer);
	return done ? SCREE_DONE : scree_sim_code(&call.why);
}

static scree_code end(bool done, char *read, char **text)
{
	scree_attempt_end(&call.made);
	return give(done, read, text);
}

typedef bool read_fn(const char *path, size_t most, char **bytes, size_t *length, fail *why);

/* there is no text: the file does not exist */
static scree_code read_by(read_fn *read, const char *path, uint64_t most, char **text, uint64_t *length)
{
	*length = 0;
	if (setjmp(*begin())) return give(false, NULL, text);
	char *bytes = NULL;
	size_t size = 0;
	if (read(path, (size_t)most, &bytes, &size, &call.why)) {
		*length = size;
		return end(true, bytes, text);
	}
	const bool none = call.why.error == ENOENT;
	if (!none) scree_fail_in(&call.why, "cannot read %s", path);
	return end(none, NULL, text);
}

scree_code scree_read_file(const char *path, uint64_t most, char **text, uint64_t *length)
{
	return read_by(scree_read_whole, path, most, text, length);
}

scree_code scree_read_file_end(const char *path, uint64_t most, char **text, uint64_t *length)
{
	return read_by(scree_read_end, path, most, text, length);
}

scree_code scree_write_file(const char *path, const void *bytes, uint64_t length, char **text)
{
	if (setjmp(*begin())) return give(false, NULL, text);
	return end(scree_file_write_alone(path, bytes, (size_t)length, &call.why), NULL, text);
}

scree_code scree_make_folder(const char *path, char **text)
{
	if (setjmp(*begin())) return give(false, NULL, text);
	if (strlen(path) < SCREE_PATH_ROOM) return end(scree_results_folder(path, &call.why), NULL, text);
	return end(scree_file_failed(&call.why, ENAMETOOLONG, "make the folder", path), NULL, text);
}

scree_code scree_append_file(const char *path, int *file, char **text)
{
	*file = -1;
	if (setjmp(*begin())) return give(false, NULL, text);
	*file = scree_file_open_own(path, O_APPEND, &call.why);
	return end(*file >= 0, NULL, text);
}

scree_code scree_remove_file(const char *path, char **text)
{
	if (setjmp(*begin())) return give(false, NULL, text);
	const bool done = unlink(path) == 0 || errno == ENOENT || scree_file_failed(&call.why, errno, "remove", path);
	return end(done, NULL, text);
}

int scree_is_writing(const char *folder, const char *name) { return scree_results_locked(folder, name); }

scree_code scree_draw(const char *path, int width, int height, int marks, const scree_mark *mark, char **text)
{
	if (setjmp(*begin())) return give(false, NULL, text);
	return end(scree_drawing_write(path, width, height, marks, mark, &call.why), NULL, text);
}
