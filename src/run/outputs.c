#include "run/outputs.h"

#include "base/maths.h"
#include "base/memory.h"
#include "format/file.h"
#include "format/vtk.h"
#include "render/render.h"
#include "run/program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_ROOM = 1400 };

static const char *const table_endings[TABLES] = {"_bodies.csv", "_walls.csv"};

static void path_of(const outputs *o, char path[PATH_ROOM], const char *ending)
{
	snprintf(path, PATH_ROOM, "%s/%s%s", o->folder, o->name, ending);
}

/* how many moments k*every (k = 0, 1, ...) have come by this step */
static int64_t due_count(real every, const scree_world *w)
{
	return every > 0 ? (int64_t)scree_floor((w->time + w->dt / 2) / every) + 1 : 0;
}

/* pictures: the start, the moments asked for, multiples of every, the end: which is the next number? */
static int64_t due_images(const image_plan *p, const scree_world *w)
{
	int64_t due = p->every > 0 ? due_count(p->every, w) : 1;
	for (int32_t k = 0; k < p->times; ++k) due += p->at[k] > 0 && w->time + w->dt / 2 >= p->at[k] ? 1 : 0;
	return due;
}

static bool make_folders(const char *path, fail *why)
{
	char part[1024];
	snprintf(part, sizeof part, "%s", path);
	for (char *p = part + 1;; ++p) {
		if (*p && *p != '/') continue;
		char kept = *p;
		*p = 0;
		if (mkdir(part, 0777) != 0 && errno != EEXIST)
			return scree_fail(why, FAIL_IO, "cannot make folder %s: %s", part, strerror(errno));
		if (!kept) return true;
		*p = kept;
	}
}

bool scree_outputs_open(outputs *o, const scree_world *w, fail *why)
{
	char path[PATH_ROOM];
	if (o->extra.output.images.on && !scree_render_possible(w, why)) return false;
	if (!make_folders(o->folder, why)) return false;
	if (o->extra.resolved) {
		path_of(o, path, ".resolved.scene.yaml");
		if (!scree_file_write(path, o->extra.resolved, strlen(o->extra.resolved), why)) return false;
	}
	if (o->extra.output.history.on) {
		path_of(o, path, "_history.csv");
		o->history = scree_history_open(path, &o->extra.output.history, w, o->extra.history_rows, why);
		if (!o->history) return false;
	}
	for (int k = 0; k < TABLES; ++k) {
		if (!o->extra.output.table[k].on) continue;
		path_of(o, path, table_endings[k]);
		o->table[k] = scree_table_open(path, (table_kind)k, o->extra.table_end[k], why);
		if (!o->table[k]) return false;
	}
	o->last_snapshot = scree_now();
	return true;
}

static bool write_tables(outputs *o, const scree_world *w, fail *why)
{
	for (int k = 0; k < TABLES; ++k) {
		const table_plan *p = o->extra.output.table + k;
		if (!p->on || o->extra.table_frames[k] >= due_count(p->every, w)) continue;
		if (!scree_table_rows(o->table[k], w, p->up_to, why)) return false;
		o->extra.table_frames[k] += 1;
		o->extra.table_end[k] = scree_table_end(o->table[k]);
	}
	return true;
}

static bool write_image(outputs *o, const scree_world *w, fail *why)
{
	char path[PATH_ROOM], ending[32];
	snprintf(ending, sizeof ending, "_%04lld.png", (long long)o->extra.images);
	path_of(o, path, ending);
	if (!scree_render_png(w, &o->extra.output.images, o->extra.title, path, why)) return false;
	o->extra.images += 1;
	return true;
}

bool scree_outputs_write(outputs *o, const scree_world *w, bool last, fail *why)
{
	const output_plan *p = &o->extra.output;
	if (p->history.on && o->extra.history_rows < due_count(p->history.every, w)) {
		if (!scree_history_row(o->history, w, why)) return false;
		o->extra.history_rows += 1;
	}
	if (!write_tables(o, w, why)) return false;
	if (p->vtk.on && o->extra.frames < due_count(p->vtk.every, w)) {
		if (!scree_vtk_frame(w, &p->vtk, o->folder, o->name, o->extra.frames, why)) return false;
		o->extra.frames += 1;
	}
	if (p->images.on && (last || o->extra.images < due_images(&p->images, w))) {
		if (!write_image(o, w, why)) return false;
	}
	return true;
}

bool scree_outputs_snapshot_due(const outputs *o)
{
	real every = o->extra.run.snapshot_every;
	return every > 0 && scree_now() - o->last_snapshot > every;
}

bool scree_outputs_snapshot(outputs *o, const scree_world *w, fail *why)
{
	char path[PATH_ROOM], old[PATH_ROOM];
	path_of(o, path, ".snap");
	path_of(o, old, ".old.snap");
	double began = scree_now();
	/* the last one becomes the old one by a second name, so that at every instant a good one has its name */
	if (o->extra.run.snapshots_kept > 1 && !scree_file_keep(path, old, why)) return false;
	if (!scree_snapshot_write(w, &o->extra, path, why)) return false;
	o->last_snapshot = scree_now();
	o->snapshot_took = o->last_snapshot - began;
	return true;
}

void scree_outputs_list(const outputs *o)
{
	const output_plan *p = &o->extra.output;
	printf("snapshot  %s/%s.snap\n", o->folder, o->name);
	if (p->history.on) printf("energies  %s/%s_history.csv\n", o->folder, o->name);
	for (int k = 0; k < TABLES; ++k)
		if (p->table[k].on) printf("table     %s/%s%s\n", o->folder, o->name, table_endings[k]);
	if (p->vtk.on && o->extra.frames) {
		char viewer[PATH_ROOM];
		printf("ParaView  %s/%s.pvd", o->folder, o->name);
		if (scree_program_viewer(viewer, sizeof viewer))
			printf("   (set up: SCREE_PVD=%s/%s.pvd paraview --script=%s)", o->folder, o->name, viewer);
		printf("\n");
	}
	for (int64_t k = 0; p->images.on && k < o->extra.images; ++k) {
		if (o->extra.images > 6 && k == 2) {
			printf("          ... %lld more\n", (long long)o->extra.images - 4);
			k = o->extra.images - 2;
		}
		printf("%s  %s/%s_%04lld.png\n", k == 0 ? "pictures" : "        ", o->folder, o->name, (long long)k);
	}
	fflush(stdout);
}

void scree_outputs_close(outputs *o)
{
	scree_history_close(o->history);
	for (int k = 0; k < TABLES; ++k) scree_table_close(o->table[k]);
	scree_snapshot_extra_free(&o->extra);
	memset(o, 0, sizeof *o);
}
