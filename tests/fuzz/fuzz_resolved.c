/* Arbitrary bytes, used as the resolved scene of a run from which reports are made and runs are repeated, must not
 * cause a crash. An accepted scene resolves to a text that resolves to itself. Seed inputs: tests/fuzz/fuzz_resolved/.
 */
#include <stdio.h>

#include "../../prog/chart.h"
#include "again.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Writes the text to a page, which must not contain a character that opens a tag. */
static void show(const char *text)
{
	char *page = NULL;
	size_t length;
	FILE *to = open_memstream(&page, &length);
	if (!to) abort();
	put_xml(to, text);
	if (fclose(to) != 0 || strpbrk(page, "<>\"'")) abort();
	free(page);
}

static char *resolve(const char *text, size_t length)
{
	scene s;
	char *report = NULL, *out = NULL;
	if (read_scene("fuzz", text, length, 0, NULL, true, &s, &report)) {
		out = strdup(s.resolved);
		scree_scene_free(&s);
	}
	scree_free(report);
	return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	char *text = malloc(length + 1), *once = resolve((const char *)bytes, length), *twice = NULL;
	if (!text) abort();
	if (length) memcpy(text, bytes, length);
	text[length] = 0;
	show(text);
	if (once) twice = resolve(once, strlen(once));
	if (once && (!twice || strcmp(once, twice) != 0)) {
		fprintf(stderr, "---\n%s---\n%s", once, twice ? twice : "refused\n");
		abort();
	}
	free(once);
	free(twice);
	free(text);
	return 0;
}
