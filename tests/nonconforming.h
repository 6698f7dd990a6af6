/* nonconforming.h: a chute of flat panels, meshed either correctly or as in real files: with neighbours that are
 * divided differently (T junctions), corners displaced by rounding to the digits of the file (cracks), and duplicate or
 * overlapping sheets. */
#ifndef SCREE_TESTS_NONCONFORMING_H
#define SCREE_TESTS_NONCONFORMING_H

#include "test.h"

#include "base/fail.h"
#include "base/maths.h"
#include "kernel/quat.h"

enum { SOUP_MOST = 6000 };

typedef struct mesh_soup {
	int32_t triangles;
	vec3 vertex[3 * SOUP_MOST];
	int32_t corner[3 * SOUP_MOST]; /* 0, 1, 2, ...: each triangle has its own corners, as in STL */
} mesh_soup;

/* a parallelogram; normal along u x v */
typedef struct panel {
	vec3 at, u, v;
} panel;

/* Faults in the mesh. */
typedef struct mesh_faults {
	bool junctions, doubled;
	real off; /* maximum error of a corner along each axis, in m */
} mesh_faults;

SCREE_FN vec3 panel_point(const panel *p, real s, real t) { return v3_madd(v3_madd(p->at, s, p->u), t, p->v); }

SCREE_FN void soup_triangle(mesh_soup *m, vec3 a, vec3 b, vec3 c)
{
	const vec3 p[3] = {a, b, c};
	SCREE_ASSERT(m->triangles < SOUP_MOST);
	for (int k = 0; k < 3; ++k)
		m->vertex[3 * m->triangles + k] = p[k], m->corner[3 * m->triangles + k] = 3 * m->triangles + k;
	++m->triangles;
}

SCREE_FN vec3 soup_off(random_stream *r, vec3 p, real off)
{
	return v3_add(p, v3(scree_random_between(r, -off, off), scree_random_between(r, -off, off),
						scree_random_between(r, -off, off)));
}

SCREE_FN void soup_quad(mesh_soup *m, random_stream *r, vec3 a, vec3 b, vec3 c, vec3 d, const mesh_faults *f)
{
	const bool other = scree_random_bits(r) & 1;
	const vec3 p[6] = {a, b, other ? c : d, other ? a : b, c, d};
	vec3 q[6];
	for (int k = 0; k < 6; ++k) q[k] = f->off > 0 ? soup_off(r, p[k], f->off) : p[k];
	soup_triangle(m, q[0], q[1], q[2]);
	soup_triangle(m, q[3], q[4], q[5]);
}

/* a panel divided at x and y, both from 0 to 1 */
SCREE_FN void soup_grid(mesh_soup *m, random_stream *r, const panel *p, int nx, const real *x, int ny, const real *y,
						const mesh_faults *f)
{
	for (int i = 0; i < nx; ++i)
		for (int k = 0; k < ny; ++k)
			soup_quad(m, r, panel_point(p, x[i], y[k]), panel_point(p, x[i + 1], y[k]),
					  panel_point(p, x[i + 1], y[k + 1]), panel_point(p, x[i], y[k + 1]), f);
}

SCREE_FN int soup_cuts(random_stream *r, real *x)
{
	const int n = 1 + (int)(scree_random_bits(r) % 4);
	x[0] = 0, x[n] = 1;
	for (int k = 1; k < n; ++k) x[k] = (k + scree_random_between(r, (real)-0.3, (real)0.3)) / n;
	return n;
}

/* Panels with faults: each panel is divided into its own strips, each strip independently of the others, and parts may
 * be duplicated. */
SCREE_FN void soup_faulty(mesh_soup *m, random_stream *r, int panels, const panel *p, const mesh_faults *f)
{
	static const real one[2] = {0, 1};
	for (int i = 0; i < panels; ++i) {
		real x[8], y[8];
		const int strips = f->junctions ? soup_cuts(r, x) : 1;
		for (int k = 0; k < strips; ++k) {
			const real from = f->junctions ? x[k] : 0, to = f->junctions ? x[k + 1] : 1;
			const panel strip = {panel_point(p + i, from, 0), v3_mul(to - from, p[i].u), p[i].v};
			const int n = f->junctions ? soup_cuts(r, y) : 1;
			soup_grid(m, r, &strip, 1, one, n, f->junctions ? y : one, f);
		}
		if (!f->doubled) continue;
		const real a = scree_random_between(r, 0, (real)0.5), b = scree_random_between(r, 0, (real)0.5);
		const panel twice = {panel_point(p + i, a, b), v3_mul(scree_random_between(r, (real)0.1, (real)0.5), p[i].u),
							 v3_mul(scree_random_between(r, (real)0.1, (real)0.5), p[i].v)};
		soup_grid(m, r, scree_random_bits(r) % 3 ? &twice : p + i, 1, one, 1, one, f);
	}
}

/* The same panels without defects: one quadrilateral each, with shared edges. */
SCREE_FN void soup_right(mesh_soup *m, int panels, const panel *p)
{
	random_stream r = scree_random_start(1, 77);
	const mesh_faults none = {false, false, 0};
	soup_faulty(m, &r, panels, p, &none);
}

#endif
