/* svg: renumbers the items of an SVG. Cairo counts its surfaces and images from the start of the process. This file
 * renumbers them from the beginning of each SVG, so that the same picture has the same bytes. */
#include "render/page.h"

#include <stdio.h>

/* Numbers in this file, in the order in which they appear. */
typedef struct numbers {
	unsigned long long *seen;
	size_t count;
} numbers;

static size_t new_number(numbers *of, unsigned long long number)
{
	size_t k = 0;
	while (k < of->count && of->seen[k] != number) ++k;
	if (k == of->count) {
		of->seen = scree_grow(of->seen, of->count, of->count + 1, sizeof *of->seen);
		of->seen[of->count++] = number;
	}
	return k;
}

/* Length of a name, after `"` or `#`, before a number counted from the start of the process; 0 if there is none. */
static size_t name_length(const unsigned char *at, size_t left)
{
	static const char *const names[] = {"surface", "image", "source-"};
	if (*at != '"' && *at != '#') return 0;
	for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
		const size_t length = strlen(names[k]);
		if (left > length + 1 && !memcmp(at + 1, names[k], length) && at[1 + length] >= '0' && at[1 + length] <= '9')
			return 1 + length;
	}
	return 0;
}

void scree_svg_renumber(page_bytes *file)
{
	page_bytes out = {0};
	numbers of = {0};
	for (size_t k = 0; k < file->used;) {
		const unsigned char *at = file->bytes + k, *end = file->bytes + file->used;
		const size_t name = name_length(at, file->used - k);
		if (!name) {
			const unsigned char *next = at + 1;
			while (next < end && *next != '"' && *next != '#') ++next;
			page_append(&out, at, (size_t)(next - at));
			k += (size_t)(next - at);
			continue;
		}
		char text[24];
		unsigned long long number = 0;
		page_append(&out, at, name);
		for (at += name; at < end && *at >= '0' && *at <= '9'; ++at) number = 10 * number + (unsigned)(*at - '0');
		const int length = snprintf(text, sizeof text, "%zu", new_number(&of, number));
		page_append(&out, text, (size_t)length);
		k = (size_t)(at - file->bytes);
	}
	SCREE_FREE_ALL(of.seen, file->bytes);
	*file = out;
}
