#include "base/shown.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

/* tests the second byte to reject overlong encodings and invalid characters */
static bool second_is_valid(unsigned char first, unsigned char second)
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
	if (!n || n > length || !second_is_valid(c, (unsigned char)p[1]))
		return 0; /* U+0080 to U+009F are also control characters */
	for (size_t i = 2; i < n; ++i)
		if (((unsigned char)p[i] & 0xC0) != 0x80) return 0;
	return n;
}

static void print_bytes(FILE *to, const char *text, size_t length)
{
	for (size_t left = length, n; left; text += n, left -= n) {
		n = *text == '\n' || *text == '\t' ? 1 : scree_plain_character(text, left);
		if (n)
			fwrite(text, 1, n, to);
		else
			fprintf(to, "\\x%02x", (unsigned char)*text);
		n += !n;
	}
}

void scree_shown(FILE *to, const char *text) { print_bytes(to, text, strlen(text)); }

/* the caller frees */
__attribute__((format(printf, 1, 0))) static char *formatted(const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	size_t room = length > 0 ? (size_t)length + 1 : 1;
	char *text = scree_alloc(room, 1);
	if (length > 0) vsnprintf(text, room, format, args);
	return text;
}

void scree_print(FILE *to, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = formatted(format, args);
	va_end(args);
	scree_shown(to, text);
	scree_free(text);
}

static bool is_plain_word(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
	return *text && !text[strspn(text, plain)];
}

/* inside single quotes, every character except a quote is literal */
static void print_quoted(FILE *to, const char *text)
{
	fputc('\'', to);
	for (const char *quote; (quote = strchr(text, '\'')) != NULL; text = quote + 1) {
		print_bytes(to, text, (size_t)(quote - text));
		fputs("'\\''", to);
	}
	scree_shown(to, text);
	fputc('\'', to);
}

void scree_shown_word(FILE *to, const char *text)
{
	if (is_plain_word(text))
		fputs(text, to);
	else
		print_quoted(to, text);
}
