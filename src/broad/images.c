/* images: in a periodic world, a body near a border of the cell meets other bodies through its image. Broad phases do
 * not handle periods: images that reach into the cell are added as ordinary boxes.
 *
 * A pair needs only one of two images (b next to a, or a next to b on the opposite side). Images are made for lattice
 * vectors that are lexicographically positive (gradient first, then the other two axes), so no pair is found twice. */
#include "broad/pair_lists.h"

#include "base/memory.h"
#include "model/model.h"
#include "state/state.h"

#include <string.h>

static bool is_upper(const periods *p, image e)
{
	int32_t first = image_along(e, p->gradient), second = image_along(e, (p->gradient + 1) % 3);
	if (first) return first > 0;
	return second ? second > 0 : image_along(e, (p->gradient + 2) % 3) > 0;
}

/* Tests whether image e may exist. Along the flow, images may be two periods away: the offset may be a period. */
static bool possible(const periods *p, image e)
{
	for (int32_t d = 0; d < 3; ++d) {
		int32_t most = !p->axis[d] ? 0 : p->shears && d == p->flow ? IMAGE_MOST : 1, n = image_along(e, d);
		if (n < -most || n > most) return false;
	}
	return is_upper(p, e);
}

static void bounds(const box_list *l, real low[3], real high[3])
{
	for (int d = 0; d < 3; ++d) {
		low[d] = INFINITY;
		high[d] = -INFINITY;
		for (int32_t i = 0; i < l->count; ++i) {
			low[d] = real_min(low[d], l->low[d][i]);
			high[d] = real_max(high[d], l->high[d][i]);
		}
	}
}

/* Returns the id of a copy of a body, which depends on its position in unbounded space. The id stays the same when the
 * body crosses a border and when images of a sheared world have moved by a period, so that the box of an id moves
 * continuously. Copies of one body in the same list are at most four cells apart. */
static uint64_t copy_id(const model *m, const state *s, int32_t i, int32_t code)
{
	image e = image_turned(&m->period, &s->images, image_of_code(code), -1), c = body_cell(&s->body, i);
	uint64_t x = (uint32_t)e.x - (uint32_t)c.x, y = (uint32_t)e.y - (uint32_t)c.y, z = (uint32_t)e.z - (uint32_t)c.z;
	return s->body.id[i] << 9 | (x & 7) << 6 | (y & 7) << 3 | (z & 7);
}

static void add(const model *m, const state *s, image_boxes *o, const box_list *l, int32_t i, int32_t code)
{
	int32_t k = o->count++;
	vec3 shift = s->images.shift[code];
	for (int d = 0; d < 3; ++d) {
		o->side[d][k] = l->low[d][i] + v3_part(shift, d);
		o->side[d + 3][k] = l->high[d][i] + v3_part(shift, d);
	}
	o->owner[k] = i;
	o->code[k] = (uint8_t)code;
	o->id[k] = copy_id(m, s, i, code);
}

/* Adds all images of boxes, or only counts the images. */
static int32_t each_image(const model *m, const state *s, const box_list *l, image_boxes *o)
{
	const periods *p = &m->period;
	real low[3], high[3];
	int32_t count = 0;
	bounds(l, low, high);
	for (int32_t code = 0; code < IMAGE_CODES; ++code) {
		if (!possible(p, image_of_code(code))) continue;
		vec3 off = s->images.shift[code];
		for (int32_t i = 0; i < l->count; ++i) {
			if (l->low[0][i] + off.x > high[0] || l->high[0][i] + off.x < low[0] || l->low[1][i] + off.y > high[1] ||
				l->high[1][i] + off.y < low[1] || l->low[2][i] + off.z > high[2] || l->high[2][i] + off.z < low[2])
				continue;
			++count;
			if (o) add(m, s, o, l, i, code);
		}
	}
	return count;
}

void scree_images_add(const model *m, const state *s, const box_list *l, image_boxes *out)
{
	size_t room = (size_t)l->count + (size_t)each_image(m, s, l, NULL);
	for (int d = 0; d < 6; ++d) out->side[d] = scree_alloc(room, sizeof *out->side[d]);
	out->owner = scree_alloc(room, sizeof *out->owner);
	out->code = scree_alloc(room, sizeof *out->code);
	out->id = scree_alloc(room, sizeof *out->id);
	out->count = 0;
	for (int32_t i = 0; i < l->count; ++i) add(m, s, out, l, i, IMAGE_NONE);
	each_image(m, s, l, out);
}

void scree_images_to_bodies(const image_boxes *o, int32_t bodies, candidates *c)
{
	box_pairs *found = &c->found;
	c->moved = scree_alloc((size_t)found->count, sizeof *c->moved);
	c->code = scree_alloc((size_t)found->count, sizeof *c->code);
	int64_t kept = 0;
	for (int64_t k = 0; k < found->count; ++k) {
		int32_t a = found->pair[k][0], b = found->pair[k][1];
		if (a >= bodies && b >= bodies) continue; /* both boxes are images; the two bodies also meet elsewhere */
		/* a body meets its own image only if the motion is unphysical */
		if (o->owner[a] == o->owner[b]) continue;
		int32_t of = a >= bodies ? a : b;
		found->pair[kept][0] = o->owner[a];
		found->pair[kept][1] = o->owner[b];
		c->moved[kept] = of >= bodies ? o->owner[of] : -1;
		c->code[kept++] = o->code[of];
	}
	found->count = kept;
}

void scree_images_free(image_boxes *o)
{
	for (int d = 0; d < 6; ++d) scree_free(o->side[d]);
	SCREE_FREE_ALL(o->owner, o->code, o->id);
	memset(o, 0, sizeof *o);
}
