#include "base/shown.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

/* what the second byte must be, so that no character is written in more bytes than it needs, or is none */
static bool second_fits(unsigned char first, unsigned char second)
{
	unsigned char least = first == 0xC2 ? 0xA0 : first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
	unsigned char most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
	return second >= least && second <= most;
}

size_t scree_plain_character(const char *p, size_t length)
{
	unsigned char c = (unsigned char)*p;
	if (c < 0x80) return c >= ' ' && c != 0x7F;
	size_t n = c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
	if (!n || n > length || !second_fits(c, (unsigned char)p[1])) return 0; /* U+0080 to U+009F are control, too */
	for (size_t i = 2; i < n; ++i)
		if (((unsigned char)p[i] & 0xC0) != 0x80) return 0;
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
