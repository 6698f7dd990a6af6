/* blocks: memory of a device, and launches of kernels (blocks.h). */
#include "resident/blocks.h"

/* Searches use memory of steps that has nothing between two of these. */
static block *block_of(resident *r, int which)
{
	switch (which) {
	case STARTS:
		return r->of + SUMS;
	case BOXES: /* not at the same time */
	case MOVED:
		return r->of + (r->solids ? PATCHES + LIST_SOLIDS : which);
	case FOUND:
		return r->of + (r->solids ? BODY_POSES : FOUND);
	case CELLS:
		return r->of + (r->solids ? RECORDS : CELLS);
	default:
		return r->of + which;
	}
}

void scree_block_need(bool done, const fail *why)
{
	if (!done) scree_break_off(why->code, "%s", why->text);
}

/* A block that has grown will grow again, in a packing that settles. */
void scree_block_room(resident *r, int which, int64_t bytes)
{
	block *o = block_of(r, which);
	fail why;
	if (o->bytes >= bytes && (o->at || !r->on)) return;
	o->bytes = o->at ? bytes + bytes / 8 : bytes;
	if (!r->on) return;
	scree_machine_release(r->on, o->at);
	o->at = scree_machine_allocate(r->on, o->bytes, &why);
	scree_block_need(o->at != NULL, &why);
}

void scree_block_put(resident *r, int which, int64_t at, const void *from, int64_t bytes)
{
	fail why;
	if (r->on && bytes)
		scree_block_need(scree_machine_write(r->on, block_of(r, which)->at, at, from, bytes, &why), &why);
}

void scree_block_put_all(resident *r, int which, const void *from, int64_t bytes)
{
	scree_block_room(r, which, bytes);
	scree_block_put(r, which, 0, from, bytes);
}

void scree_block_get(resident *r, int which, int64_t at, void *to, int64_t bytes)
{
	fail why;
	if (r->on && bytes) scree_block_need(scree_machine_read(r->on, block_of(r, which)->at, at, to, bytes, &why), &why);
}

void scree_block_clear(resident *r, int which, int64_t bytes)
{
	fail why;
	scree_block_room(r, which, bytes);
	if (r->on) scree_block_need(scree_machine_clear(r->on, block_of(r, which)->at, 0, bytes, &why), &why);
}

enum { MOST_ARGUMENTS = 32 };

void scree_block_launch(resident *r, const char *kernel, int64_t items, int blocks, const int *block, int numbers,
						const int32_t *number)
{
	machine_argument with[MOST_ARGUMENTS];
	fail why;
	for (int k = 0; k < blocks; ++k) with[k] = (machine_argument){.block = block_of(r, block[k])->at};
	for (int k = 0; k < numbers; ++k)
		with[blocks + k] = (machine_argument){.value = number + k, .bytes = sizeof *number};
	if (!r->on) return;
	scree_block_need(scree_machine_launch(r->on, kernel, items, 0, blocks + numbers, with, &why), &why);
}
