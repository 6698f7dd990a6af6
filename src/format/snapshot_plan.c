/* snapshot_plan: what a resumed run needs besides the state. */
#include "format/snapshot_parts.h"

#include <string.h>

static void words(snap_io *s, int32_t *count, char (*word)[32])
{
	scree_snap_int_in(s, "number of names", count, 0, PLAN_FIELDS);
	for (int32_t k = 0; s->ok && k < *count; ++k) scree_snap_name(s, word[k], sizeof word[k]);
}

static void images_of(snap_io *s, image_plan *p)
{
	scree_snap_bool(s, &p->on);
	scree_snap_real(s, &p->every);
	scree_snap_int_in(s, "number of moments", &p->times, 0, sizeof p->at / sizeof *p->at);
	for (int32_t k = 0; s->ok && k < p->times; ++k) scree_snap_real(s, p->at + k);
	scree_snap_int_in(s, "width of pictures", &p->width, 0, 1 << 20);
	scree_snap_int_in(s, "height of pictures", &p->height, 0, 1 << 20);
	scree_snap_name(s, p->color, sizeof p->color);
	scree_snap_bool(s, &p->has_range);
	scree_snap_real(s, &p->range[0]);
	scree_snap_real(s, &p->range[1]);
	scree_snap_bool(s, &p->has_camera);
	scree_snap_vec3(s, &p->eye);
	scree_snap_vec3(s, &p->target);
	scree_snap_vec3(s, &p->up);
	scree_snap_real(s, &p->fov);
	int32_t look = (int32_t)p->walls;
	scree_snap_int_in(s, "look of walls", &look, 0, LOOK_HIDDEN);
	p->walls = (wall_look)look;
	scree_snap_bool(s, &p->has_cut);
	scree_snap_vec3(s, &p->cut_point);
	scree_snap_vec3(s, &p->cut_normal);
	scree_snap_int_in(s, "rays a pixel", &p->samples, 0, 1 << 20);
}

void scree_snap_plan(snap_io *s, snapshot_extra *e)
{
	scree_snap_text(s, &e->scene_path);
	scree_snap_text(s, &e->title);
	scree_snap_text(s, &e->resolved);
	scree_snap_real_or_inf(s, &e->run.until);
	scree_snap_real(s, &e->run.step_part);
	scree_snap_real(s, &e->run.step);
	scree_snap_real(s, &e->run.snapshot_every);
	scree_snap_i32(s, &e->run.snapshots_kept);
	scree_snap_bool(s, &e->output.vtk.on);
	scree_snap_real(s, &e->output.vtk.every);
	words(s, &e->output.vtk.fields, e->output.vtk.field);
	scree_snap_bool(s, &e->output.history.on);
	scree_snap_real(s, &e->output.history.every);
	words(s, &e->output.history.values, e->output.history.value);
	images_of(s, &e->output.images);
	scree_snap_i64(s, &e->frames);
	scree_snap_i64(s, &e->images);
	scree_snap_i64(s, &e->history_rows);
	if (s->reading && s->ok && (e->frames < 0 || e->images < 0 || e->history_rows < 0))
		scree_snap_refuse(s, "a count of outputs is negative");
}
