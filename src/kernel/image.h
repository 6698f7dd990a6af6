/* image.h: images of a body in periodic space, and their codes (model/periods.h). All functions are pure. */
#ifndef SCREE_KERNEL_IMAGE_H
#define SCREE_KERNEL_IMAGE_H

#include "base/real.h"

enum { IMAGE_MOST = 2, IMAGE_SIDE = 2 * IMAGE_MOST + 1, IMAGE_CODES = IMAGE_SIDE * IMAGE_SIDE * IMAGE_SIDE };

/* An image, in whole periods. The number along the flow is counted from the offset, so that it stays small. */
typedef struct image {
	int32_t x, y, z;
} image;

SCREE_FN int32_t image_code(image e)
{
	int32_t code = ((e.x + IMAGE_MOST) * IMAGE_SIDE + e.y + IMAGE_MOST) * IMAGE_SIDE + e.z + IMAGE_MOST;
	return code;
}
enum { IMAGE_NONE = IMAGE_CODES / 2 }; /* the body itself */
SCREE_FN image image_of_code(int32_t code)
{
	image e = {code / (IMAGE_SIDE * IMAGE_SIDE) - IMAGE_MOST, code / IMAGE_SIDE % IMAGE_SIDE - IMAGE_MOST,
			   code % IMAGE_SIDE - IMAGE_MOST};
	return e;
}
/* image of a relative to b, from the image of b relative to a */
SCREE_FN int32_t image_reverse(int32_t code) { return IMAGE_CODES - 1 - code; }

/* order of two images: < 0, 0 or > 0 */
SCREE_FN int image_order(image p, image q)
{
	if (p.x != q.x) return p.x < q.x ? -1 : 1;
	if (p.y != q.y) return p.y < q.y ? -1 : 1;
	return (p.z > q.z) - (p.z < q.z);
}

SCREE_FN int32_t image_along(image e, int32_t axis) { return axis == 0 ? e.x : axis == 1 ? e.y : e.z; }

#endif
