/* trajectory: the column names are those that OVITO maps to its own properties when it opens a file. */
#include "format/tables.h"

#include "base/memory.h"
#include "shape/shape_axes.h"
#include "shape/shape_forms.h"
#include "world/world.h"

/* ------------------------------------------------------------------ the cell */

typedef struct frame_cell {
	vec3 low;
	vec3 edge[3];
	bool periodic[3];
} frame_cell;

/* The bounding box of the bodies, or a box of 1 m if there are no bodies. */
static void bound_bodies(const scree_world *w, vec3 *low, vec3 *high)
{
	const bodies *b = &w->state.body;
	*low = v3(INFINITY, INFINITY, INFINITY);
	*high = v3_neg(*low);
	for (int32_t i = 0; i < b->owned; ++i) {
		const vec3 at = body_position(b, i), r = v3(b->radius[i], b->radius[i], b->radius[i]);
		*low = v3_min(*low, v3_sub(at, r));
		*high = v3_max(*high, v3_add(at, r));
	}
	if (b->owned) return;
	*low = v3((real)-0.5, (real)-0.5, (real)-0.5);
	*high = v3_neg(*low);
}

/* The box of a frame: periods; along other axes the domain, or without a domain the bounding box of the bodies. */
static frame_cell cell_of(const scree_world *w)
{
	const periods *p = &w->model.period;
	vec3 low, high;
	bound_bodies(w, &low, &high);
	if (w->model.guard.bounded) {
		const real depth[2] = {low.z, high.z};
		low = w->model.guard.low, high = w->model.guard.high;
		if (w->model.flat) low.z = depth[0], high.z = depth[1];
	}
	frame_cell c = {.low = low};
	for (int d = 0; d < 3; ++d) {
		c.periodic[d] = p->axis[d];
		*v3_along(c.edge + d, d) = p->axis[d] ? v3_part(w->state.images.size, d) : v3_part(high, d) - v3_part(low, d);
		if (p->axis[d]) *v3_along(&c.low, d) = v3_part(w->state.images.low, d);
	}
	if (p->shears) *v3_along(c.edge + p->gradient, p->flow) = w->state.images.offset;
	return c;
}

/* ------------------------------------------------------------------ bodies */

/* Half the extent of a shape of size 1 along each of the user's axes: semi-axes of a sphere or an
 * ellipse, half the edges of a box. In the plane the third extent is the smaller of the other two. */
static vec3 half_extent(const shape *s, bool flat)
{
	const shape_form *form = scree_shape_forms + s->type;
	vec3 half = v3(0, 0, 0);
	for (int d = 0; d < (flat ? 2 : 3); ++d) {
		const vec3 n = quat_unrotate(s->frame, v3(d == 0, d == 1, d == 2));
		*v3_along(&half, d) = (form->reach(s, n) + form->reach(s, v3_neg(n))) / 2;
	}
	if (flat) half.z = real_min(half.x, half.y);
	return half;
}

typedef struct frame {
	const scree_world *w;
	frame_cell cell;
	int32_t count, *row;
	vec3 *half; /* [shapes] */
} frame;

static frame begin(const scree_world *w, int64_t up_to)
{
	const bodies *b = &w->state.body;
	const shapes *s = &w->model.shape;
	frame f = {w, cell_of(w), b->owned, scree_bodies_by_id(b), scree_alloc((size_t)s->count + 1, sizeof *f.half)};
	while (up_to && f.count && b->id[f.row[f.count - 1]] > (uint64_t)up_to) --f.count;
	for (int32_t k = 0; k < s->count; ++k) f.half[k] = half_extent(s->row + k, w->model.flat);
	return f;
}

static void end(frame *f) { SCREE_FREE_ALL(f->row, f->half); }

static void put3(csv *file, vec3 v) { scree_csv_print(file, " %.17g %.17g %.17g", v.x, v.y, v.z); }

/* Columns that follow the type in both formats, in this order. factor: multiplies the half extents */
static void put_body(csv *file, const frame *f, int32_t i, real factor)
{
	const scree_world *w = f->w;
	const bodies *b = &w->state.body;
	const shape *s = w->model.shape.row + b->shape[i];
	const quat q = shape_axes_out(s, body_orientation(b, i));
	put3(file, body_position(b, i));
	scree_csv_print(file, " %llu %d %.17g %.17g", (unsigned long long)b->id[i], (int)b->material[i] + 1, b->radius[i],
					b->mass[i]);
	scree_csv_print(file, " %.17g %.17g %.17g %.17g", q.x, q.y, q.z, q.w);
	put3(file, v3_mul(factor * b->size[i], f->half[b->shape[i]]));
	put3(file, body_velocity(b, i));
	put3(file, body_angular_velocity(b, i));
	put3(file, v3(b->fx[i], b->fy[i], b->fz[i]));
	put3(file, v3(b->tx[i], b->ty[i], b->tz[i]));
	if (body_temperatures(b)) scree_csv_print(file, " %.17g", body_temperatures(b)[i]);
	if (w->model.period.on) scree_csv_print(file, " %d %d %d", b->cell_x[i], b->cell_y[i], b->cell_z[i]);
	scree_csv_print(file, "\n");
}

void scree_xyz_frame(csv *file, const scree_world *w, int64_t up_to)
{
	frame f = begin(w, up_to);
	const frame_cell c = f.cell;
	scree_csv_print(file, "%d\nLattice=\"", f.count);
	for (int d = 0; d < 3; ++d)
		scree_csv_print(file, "%s%.17g %.17g %.17g", d ? " " : "", c.edge[d].x, c.edge[d].y, c.edge[d].z);
	scree_csv_print(file, "\" Origin=\"%.17g %.17g %.17g\" pbc=\"%c %c %c\"", c.low.x, c.low.y, c.low.z,
					c.periodic[0] ? 'T' : 'F', c.periodic[1] ? 'T' : 'F', c.periodic[2] ? 'T' : 'F');
	scree_csv_print(file,
					" Properties=species:S:1:pos:R:3:id:I:1:material:I:1:radius:R:1:mass:R:1:orientation:R:4:"
					"aspherical_shape:R:3:velo:R:3:omega:R:3:force:R:3:torque:R:3%s%s Time=%.17g Step=%lld\n",
					body_temperatures(&w->state.body) ? ":temperature:R:1" : "",
					w->model.period.on ? ":map_shift:I:3" : "", w->state.time, (long long)w->state.step);
	for (int32_t k = 0; k < f.count; ++k) {
		scree_csv_print(file, "%s", w->model.shape.row[w->state.body.shape[f.row[k]]].name);
		put_body(file, &f, f.row[k], 1);
	}
	end(&f);
}

/* ------------------------------------------------------------------ the dump of LAMMPS */

/* LAMMPS tilts the second edge along x, and the third edge along x and y. */
bool scree_dump_possible(const scree_world *w, fail *why)
{
	const periods *p = &w->model.period;
	return !p->shears || p->flow < p->gradient ||
		   scree_fail(why, FAIL_INPUT,
					  "output.dump: LAMMPS cannot shear a cell along %c across %c: choose axes of world.shear in the "
					  "order x, y, z, or write output.xyz",
					  "xyz"[p->flow], "xyz"[p->gradient]);
}

/* Bounds of the bounding box of a tilted cell, as LAMMPS writes them. */
static void put_bounds(csv *file, const frame_cell *c, bool tilted)
{
	const real xy = c->edge[1].x, xz = c->edge[2].x, yz = c->edge[2].y, tilt[3] = {xy, xz, yz};
	const real least[3] = {real_min(real_min(0, xy), real_min(xz, xy + xz)), real_min(0, yz), 0};
	const real most[3] = {real_max(real_max(0, xy), real_max(xz, xy + xz)), real_max(0, yz), 0};
	for (int d = 0; d < 3; ++d) {
		const real low = v3_part(c->low, d), high = low + v3_part(c->edge[d], d);
		scree_csv_print(file, "%.17g %.17g", low + least[d], high + most[d]);
		if (tilted) scree_csv_print(file, " %.17g", tilt[d]);
		scree_csv_print(file, "\n");
	}
}

void scree_dump_frame(csv *file, const scree_world *w, int64_t up_to)
{
	frame f = begin(w, up_to);
	const bool tilted = w->model.period.shears;
	/* whether the bounds are fixed by world.domain or shrunk to the bodies */
	const char *const open = w->model.guard.bounded ? "ff" : "ss";
	scree_csv_print(file, "ITEM: TIMESTEP\n%lld\nITEM: NUMBER OF ATOMS\n%d\nITEM: BOX BOUNDS%s",
					(long long)w->state.step, f.count, tilted ? " xy xz yz" : "");
	for (int d = 0; d < 3; ++d) scree_csv_print(file, " %s", f.cell.periodic[d] ? "pp" : open);
	scree_csv_print(file, "\n");
	put_bounds(file, &f.cell, tilted);
	scree_csv_print(file,
					"ITEM: ATOMS type x y z id material radius mass quati quatj quatk quatw shapex shapey shapez vx vy "
					"vz omegax omegay omegaz fx fy fz tqx tqy tqz%s%s\n",
					body_temperatures(&w->state.body) ? " temperature" : "", w->model.period.on ? " ix iy iz" : "");
	for (int32_t k = 0; k < f.count; ++k) {
		scree_csv_print(file, "%d", (int)w->state.body.shape[f.row[k]] + 1);
		put_body(file, &f, f.row[k], 2); /* diameters */
	}
	end(&f);
}
