/* Arbitrary bytes are used as the file that `scree compare --resume` reads, and the table and JSON output for its runs
 * are produced. Seed inputs: tests/fuzz/fuzz_kept/. */
#include <stdlib.h>
#include <string.h>

#include "../../prog/compare.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

const char *command_name = "fuzz";

/* Compares all runs that have the same walls as the first run. */
static void take_all(comparison *c)
{
	c->walls = c->kept[0].walls;
	c->wall = room((size_t)c->walls, sizeof *c->wall);
	for (int k = 0; k < c->walls; ++k) c->wall[k] = "wall";
	for (int k = 0; k < c->kepts; ++k) {
		piece *p = c->piece + c->pieces;
		p->response = c->kept[k].run.response;
		p->repeat = c->kept[k].run.repeat;
		p->scene = c->kept[k].run.scene;
		snprintf(p->name, sizeof p->name, "%s", c->kept[k].run.name);
		c->pieces += take_kept(c, p);
	}
}

static void show(comparison *c)
{
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);
	if (!to) abort();
	judge(c);
	print_table(to, c);
	print_json(to, c);
	if (fclose(to) != 0 || !length) abort();
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	comparison *c = calloc(1, sizeof *c);
	char *text = malloc(length + 1);
	if (!c || !text) abort();
	c->scene = "fuzz", c->title = "";
	if (length) memcpy(text, bytes, length);
	text[length] = 0;
	if (parse_kept(c, text, length) && c->kepts) {
		take_all(c);
		show(c);
		free(c->wall);
	}
	for (int k = 0; k < c->pieces; ++k) {
		free(c->piece[k].warnings);
		free(c->piece[k].wall);
	}
	free_kept(c);
	free(text);
	free(c);
	return 0;
}
