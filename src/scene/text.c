/* text: an arena for the tree of a scene, and a growing text buffer. Reading a scene creates many small objects with
 * the same lifetime: nodes, names and lists. They are taken from blocks of 64 KiB, since scree_alloc aligns and zeroes
 * memory and would waste space for objects of 20 bytes. Objects need no owner, and the reader does not leak, however
 * broken the scene is. */
#include "scene/text.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/shown.h"

enum { BLOCK = 1 << 16 };

typedef struct arena_block {
	struct arena_block *next;
	size_t used, size;
	_Alignas(16) char bytes[];
} arena_block;

void *scree_arena_take(arena *a, size_t bytes)
{
	bytes = (bytes + 15) & ~(size_t)15;
	arena_block *b = a->block;
	if (!b || b->size - b->used < bytes) {
		size_t size = bytes > BLOCK / 2 ? bytes : BLOCK;
		arena_block *fresh = scree_alloc(1, sizeof *fresh + size);
		fresh->size = size;
		/* a large object has its own block behind the current block, which remains in use */
		if (b && size != BLOCK) {
			fresh->next = b->next;
			b->next = fresh;
		} else {
			fresh->next = b;
			a->block = fresh;
		}
		b = fresh;
	}
	void *taken = b->bytes + b->used;
	b->used += bytes;
	return taken;
}

char *scree_arena_text(arena *a, const char *text, size_t length)
{
	char *copy = scree_arena_take(a, length + 1);
	memcpy(copy, text, length);
	return copy;
}

char *scree_arena_print(arena *a, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	const int length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	SCREE_ASSERT(length >= 0);
	char *text = scree_arena_take(a, (size_t)length + 1);
	vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

void scree_arena_free(arena *a)
{
	while (a->block) {
		arena_block *next = a->block->next;
		scree_free(a->block);
		a->block = next;
	}
}

size_t scree_byte_order_mark(const char *bytes, size_t length)
{
	return length >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

const char *scree_other_encoding(const char *bytes, size_t length)
{
	if (length < 2 || (memcmp(bytes, "\xFF\xFE", 2) != 0 && memcmp(bytes, "\xFE\xFF", 2) != 0)) return NULL;
	return length >= 4 && !memcmp(bytes, "\xFF\xFE\0\0", 4) ? "UTF-32" : "UTF-16";
}

static void room(writing *t, size_t more)
{
	if (t->length + more + 1 <= t->capacity) return;
	size_t wanted = (t->length + more + 1) * 3 / 2 + 64;
	t->bytes = scree_grow(t->bytes, t->capacity, wanted, 1);
	t->capacity = wanted;
}

void scree_writing_bytes(writing *t, const char *bytes, size_t length)
{
	room(t, length);
	if (length) memcpy(t->bytes + t->length, bytes, length);
	t->length += length;
	t->bytes[t->length] = 0;
}

void scree_writing_add(writing *t, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	SCREE_ASSERT(length >= 0);
	room(t, (size_t)length);
	vsnprintf(t->bytes + t->length, (size_t)length + 1, format, again);
	va_end(again);
	t->length += (size_t)length;
}

void scree_writing_shown(writing *t, const char *text)
{
	for (size_t left = strlen(text), n; left; text += n, left -= n) {
		n = scree_plain_character(text, left);
		if (n)
			scree_writing_bytes(t, text, n);
		else
			scree_writing_add(t, "\\x%02x", (unsigned char)*text);
		n += !n;
	}
}

void scree_writing_quote(writing *t, const char *text)
{
	scree_writing_add(t, "\"");
	for (const char *p = text; *p; ++p) scree_writing_add(t, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
	scree_writing_add(t, "\"");
}

char *scree_writing_take(writing *t)
{
	room(t, 0);
	char *bytes = t->bytes;
	memset(t, 0, sizeof *t);
	return bytes;
}

/* the fewest digits, but at least the given number, that read back as the same number */
static void shortest(char text[40], int digits, double value)
{
	do snprintf(text, 40, "%.*g", digits, value);
	while (strtod(text, NULL) != value && ++digits <= 17);
}

void scree_writing_real(writing *t, double value)
{
	char digits[40];
	shortest(digits, 15, value);
	scree_writing_add(t, "%s", digits);
}

void scree_writing_plain(writing *t, double value)
{
	char text[40];
	shortest(text, 6, value);
	size_t mantissa = strcspn(text, "e");
	scree_writing_bytes(t, text, mantissa);
	if (text[mantissa]) scree_writing_add(t, "e%ld", strtol(text + mantissa + 1, NULL, 10));
}
