/* tube_plane: planes that touch a tube along a straight line, and contacts between bodies and a tube. */
#include "base/maths.h"
#include "narrow/smooth/smooth.h"

tube_plane scree_tube_plane(const tube *o, real angle)
{
	real s, c;
	tube_plane p = {.angle = angle};
	scree_sincos(angle, &s, &c);
	p.radial = v3_add(v3_mul(c, o->x), v3_mul(s, o->y));
	p.out = v3_madd(v3_mul(o->c, p.radial), -o->sine, o->w->axis);
	const vec3 across = v3_sub(v3_mul(c, o->y), v3_mul(s, o->x));
	const smooth_plane t = scree_smooth_plane(o->s, o->inside ? p.out : v3_neg(p.out), across);
	const vec3 at = v3_add(o->beside, t.at);
	const real off = v3_dot(p.out, o->beside) - o->level;
	p.at = t.at;
	p.depth = t.reach + (o->inside ? off : -off);
	p.off = v3_dot(p.radial, at);
	p.aside = v3_dot(across, at);
	return p;
}

void scree_tube_touch(const tube *o, vec3 normal, vec3 deepest, real depth, real angle)
{
	const int32_t before = o->out->count;
	smooth_touch(o->out, o->w->first_surface, normal, deepest, depth);
	if (o->out->count == before) return;
	const real turn = 2 * SCREE_PI;
	o->out->item[before].place = angle - turn * scree_floor(angle / turn);
}
