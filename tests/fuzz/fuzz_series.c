/* Arbitrary bytes are read as a table from a run, as `scree plot`, `report` and `sweep` do, and drawn as charts in SVG,
 * text and pictures. The first byte selects the kind of table and what is drawn. Seed inputs: tests/fuzz/fuzz_series/.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../prog/panels.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

const char *command_name = "fuzz";
enum { LABELLED = 1, GROUP = 2, LOG = 4, TEXT = 8, PICTURE = 16, MOST_DRAWN = 8 };
enum { RARELY = 0xf0 }; /* drawing takes a hundred times as long as the rest, so only these bits enable it */

static void draw(const panels *p, int how)
{
	char *page = NULL;
	size_t length;
	FILE *to = open_memstream(&page, &length);
	if (!to) abort();
	const int count = p->count < MOST_DRAWN ? p->count : MOST_DRAWN;
	for (int k = 0; k < count; ++k) p->chart[k].log = how & LOG;
	put_svg(to, count, p->chart);
	for (int k = 0; k < count && (how & TEXT); ++k) put_text_chart(to, p->chart + k, 80, how & LOG);
	if (fclose(to) != 0 || length == 0) abort();
	if (!(how & TEXT) && strstr(page, "<script")) abort();
	free(page);
	static char path[64];
	snprintf(path, sizeof path, "/dev/shm/fuzz_series_%ld.png", (long)getpid());
	if ((how & PICTURE) && (how & RARELY) == RARELY && count) {
		if (write_charts(path, count < 3 ? count : 3, p->chart) != 0) abort();
		unlink(path);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	run_series all = {0};
	if (!length) return 0;
	const int how = bytes[0];
	char *text = malloc(length);
	if (!text) abort();
	memcpy(text, bytes + 1, length - 1);
	text[length - 1] = 0;
	parse_table(&all, how & LABELLED ? "walls" : how & GROUP ? "measures.m" : "", how & LABELLED, text, length - 1);
	panels p = all_panels(&all);
	draw(&p, how);
	free_panels(&p);
	const series **chosen = malloc(((size_t)all.count + 1) * sizeof *chosen);
	if (!chosen) abort();
	for (int k = 0; k < all.count; ++k) chosen[k] = all.of + k;
	p = chosen_panels(all.count, chosen, how & LOG);
	draw(&p, how & ~PICTURE);
	free_panels(&p);
	free((void *)chosen);
	free_series(&all);
	free(text);
	return 0;
}
