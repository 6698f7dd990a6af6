/* files: prints the names of the results. */
#include "run.h"

#include "scree/outputs.h"
#include "scree/print.h"

#include <string.h>
#include <sys/stat.h>

static void print_name(const char *what, const char *path, const char *after)
{
	print_safely(stdout, "%-8s  %s%s\n", what, path, after);
}

static void print_frames(const char *path)
{
	char viewer[4096];
	print_safely(stdout, "ParaView  %s", path);
	if (find_viewer(viewer, sizeof viewer)) {
		printf("   (set up: SCREE_PVD=");
		scree_print_word(stdout, path);
		printf(" paraview --script=");
		scree_print_word(stdout, viewer);
		printf(")");
	}
	printf("\n");
}

/* writes a size such as "1.2 MB"; false if there is no such file */
static bool size_text(const char *path, char text[16])
{
	static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
	struct stat about;
	int k = 0;
	if (stat(path, &about) != 0) return false;
	double size = (double)about.st_size;
	for (; size >= 999.5 && k < 4; ++k) size /= 1000;
	snprintf(text, 16, "%.3g %s", size, unit[k]);
	return true;
}

/* prints a snapshot and the previous one, with their sizes */
static void print_snapshot(const char *path)
{
	char now[16], before[16], old[4096 + 8], after[80] = "";
	snprintf(old, sizeof old, "%.*s.old.snap", (int)(strlen(path) - strlen(".snap")), path);
	if (size_text(path, now)) {
		if (size_text(old, before))
			snprintf(after, sizeof after, "   (%s; the previous one, .old.snap, %s)", now, before);
		else
			snprintf(after, sizeof after, "   (%s)", now);
	}
	print_name("snapshot", path, after);
}

/* prints the first pictures and the last one */
static void print_pictures(const scree_file *file, int64_t count)
{
	for (int64_t k = 0; k < count; ++k) {
		if (count > 6 && k == 2) {
			printf("          ... %lld more\n", (long long)(count - 4));
			k = count - 2;
		}
		print_name(k ? "" : "pictures", file[k].path, "");
	}
}

void print_files(scree_sim *s)
{
	static const char *const name[] = {
		[SCREE_FILE_SNAPSHOT] = "snapshot", [SCREE_FILE_STOPPED_SNAPSHOT] = "stopped",
		[SCREE_FILE_STOPPED_PICTURE] = "",	[SCREE_FILE_HISTORY] = "energies",
		[SCREE_FILE_TABLE] = "table",		[SCREE_FILE_FILM] = "film",
	};
	const scree_file *file;
	int64_t count;
	if (scree_sim_outputs_files(s, &count, &file)) return;
	for (int64_t k = 0; k < count; ++k) {
		const scree_file_kind kind = file[k].kind;
		if (kind == SCREE_FILE_PICTURE) {
			print_pictures(file + k, count - k);
			break;
		}
		if (kind == SCREE_FILE_SNAPSHOT)
			print_snapshot(file[k].path);
		else if (kind == SCREE_FILE_PARAVIEW)
			print_frames(file[k].path);
		else
			print_name(name[kind], file[k].path,
					   kind == SCREE_FILE_STOPPED_SNAPSHOT ? "   (only for inspection; a run cannot continue from it)"
														   : "");
	}
	fflush(stdout);
}
