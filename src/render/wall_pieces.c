/* wall_pieces: walls that have neither facets nor a closed form in wall_forms.c, as the triangles that their row in the
 * table of forms draws (wall/forms.h). A new form of walls therefore appears in pictures without further code. */
#include "base/memory.h"
#include "render/picture.h"
#include "wall/forms.h"

static int64_t add_point(void *to, vec3 p)
{
	wall_pieces *o = to;
	o->point = scree_room(o->point, o->points, &o->point_capacity, sizeof *o->point);
	o->point[o->points] = p;
	return o->points++;
}

static void add_cell(void *to, int64_t corners, const int64_t *corner)
{
	wall_pieces *o = to;
	for (int64_t k = 1; k + 1 < corners; ++k) {
		if (o->triangles == o->capacity) {
			int64_t capacity = o->capacity ? 2 * o->capacity : 256;
			o->corner = scree_grow(o->corner, 3 * (size_t)o->triangles, 3 * (size_t)capacity, sizeof *o->corner);
			o->wall = scree_grow(o->wall, (size_t)o->triangles, (size_t)capacity, sizeof *o->wall);
			o->capacity = capacity;
		}
		int64_t *to_corner = o->corner + 3 * o->triangles;
		to_corner[0] = corner[0], to_corner[1] = corner[k], to_corner[2] = corner[k + 1];
		o->wall[o->triangles++] = o->row;
	}
}

wall_pieces scree_wall_pieces(const scree_world *w, bool endless, vec3 middle, real radius)
{
	wall_pieces o = {0};
	wall_canvas c = {&o, add_point, add_cell, &w->model.shape, middle, radius, w->model.flat};
	for (o.row = 0; o.row < w->model.wall.count; ++o.row) {
		const wall *l = w->model.wall.row + o.row;
		if (l->removed || scree_wall_view_has(l->type) || (!endless && scree_wall_is_endless(l))) continue;
		scree_wall_forms[l->type].draw(&w->model.wall, l, w->state.wall + o.row, &c);
	}
	return o;
}

void scree_wall_pieces_free(wall_pieces *o) { SCREE_FREE_ALL(o->point, o->corner, o->wall); }
