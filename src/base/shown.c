#include "base/shown.h"

#include "base/memory.h"

#include <stdarg.h>
#include <string.h>

size_t scree_plain_character(const char *p, size_t length)
{
	unsigned char c = (unsigned char)*p, next = length > 1 ? (unsigned char)p[1] : 0;
	size_t n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
	if (c < ' ' || c == 0x7F || (c == 0xC2 && next < 0xA0)) return 0; /* the second set is U+0080 to U+009F */
	for (size_t i = 1; i < n; ++i)
		if (i >= length || ((unsigned char)p[i] & 0xC0) != 0x80) return 0;
	return n;
}

static void print_shown(FILE *to, const char *text)
{
	for (size_t left = strlen(text), n; left; text += n, left -= n) {
		n = *text == '\n' || *text == '\t' ? 1 : scree_plain_character(text, left);
		if (n)
			fwrite(text, 1, n, to);
		else
			fprintf(to, "\\x%02x", (unsigned char)*text);
		n += !n;
	}
}

void scree_print(FILE *to, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length > 0) {
		char *text = scree_alloc((size_t)length + 1, 1);
		vsnprintf(text, (size_t)length + 1, format, again);
		print_shown(to, text);
		scree_free(text);
	}
	va_end(again);
}
