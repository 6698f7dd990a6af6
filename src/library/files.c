/* files: the reader, the writer and drawings for programs next to the library. They belong to no simulation. */
#include "scree/files.h"

#include "base/input.h"
#include "base/locale.h"
#include "format/file.h"
#include "library/internal.h"
#include "outputs/results.h"
#include "render/drawing.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef bool read_fn(const char *path, size_t most, char **bytes, size_t *length, fail *why);

/* A call, with its arguments and results. */
typedef struct file_call {
	const char *path;
	uint64_t most, length; /* length: of bytes */
	read_fn *read;
	const void *bytes;
	int file, width, height, marks;
	const scree_mark *mark;
	char *text; /* that was read */
	bool done;
	fail why;
} file_call;

static void copy_sentence(void *what)
{
	file_call *c = what;
	c->text = scree_copy_text(c->why.text);
}

/* Makes the call as an attempt, whose blocks are freed but for the text that it has read. */
static scree_code made(attempt_fn *work, file_call *c, char **text)
{
	fail why;
	memory_list *outer = scree_memory_into(NULL);
	const locale_t before = scree_locale_enter();
	if (!scree_attempt(work, c, &why)) {
		c->done = false;
		c->why = why;
	}
	if (!c->done) c->text = NULL;
	if (!c->done) scree_attempt(copy_sentence, c, &why);
	scree_locale_leave(before);
	scree_memory_into(outer);
	*text = c->text;
	return c->done ? SCREE_DONE : scree_sim_code(&c->why);
}

/* ------------------------------------------------------------------ reading */

static void read_bytes(void *what)
{
	file_call *c = what;
	char *bytes;
	size_t length;
	const bool good = c->read(c->path, (size_t)c->most, &bytes, &length, &c->why);
	c->done = good || c->why.error == ENOENT;
	c->text = good ? bytes : NULL;
	c->length = good ? length : 0;
	if (!c->done) scree_fail_in(&c->why, "cannot read %s", c->path);
}

static scree_code read_by(read_fn *read, const char *path, uint64_t most, char **text, uint64_t *length)
{
	file_call c = {.path = path, .most = most, .read = read};
	const scree_code code = made(read_bytes, &c, text);
	*length = c.length;
	return code;
}

scree_code scree_read_file(const char *path, uint64_t most, char **text, uint64_t *length)
{
	return read_by(scree_read_whole, path, most, text, length);
}

scree_code scree_read_file_end(const char *path, uint64_t most, char **text, uint64_t *length)
{
	return read_by(scree_read_end, path, most, text, length);
}

/* ------------------------------------------------------------------ writing */

static void write_bytes(void *what)
{
	file_call *c = what;
	c->done = scree_file_write_alone(c->path, c->bytes, (size_t)c->length, &c->why);
}

scree_code scree_write_file(const char *path, const void *bytes, uint64_t length, char **text)
{
	return made(write_bytes, &(file_call){.path = path, .bytes = bytes, .length = length}, text);
}

static void make_folder(void *what)
{
	file_call *c = what;
	c->done = strlen(c->path) < SCREE_PATH_ROOM ? scree_results_folder(c->path, &c->why)
												: scree_file_failed(&c->why, ENAMETOOLONG, "make the folder", c->path);
}

scree_code scree_make_folder(const char *path, char **text)
{
	return made(make_folder, &(file_call){.path = path}, text);
}

static void open_to_append(void *what)
{
	file_call *c = what;
	c->file = scree_file_open_own(c->path, O_APPEND, &c->why);
	c->done = c->file >= 0;
}

scree_code scree_append_file(const char *path, int *file, char **text)
{
	file_call c = {.path = path, .file = -1};
	const scree_code code = made(open_to_append, &c, text);
	*file = c.file;
	return code;
}

static void remove_file(void *what)
{
	file_call *c = what;
	c->done = unlink(c->path) == 0 || errno == ENOENT || scree_file_failed(&c->why, errno, "remove", c->path);
}

scree_code scree_remove_file(const char *path, char **text)
{
	return made(remove_file, &(file_call){.path = path}, text);
}

int scree_is_writing(const char *folder, const char *name) { return scree_results_locked(folder, name); }

/* ------------------------------------------------------------------ drawings */

static void draw(void *what)
{
	file_call *c = what;
	c->done = scree_drawing_write(c->path, c->width, c->height, c->marks, c->mark, &c->why);
}

scree_code scree_draw(const char *path, int width, int height, int marks, const scree_mark *mark, char **text)
{
	return made(draw, &(file_call){.path = path, .width = width, .height = height, .marks = marks, .mark = mark}, text);
}
