#include "run/loading.h"

#include <stdio.h>

#include "base/progress.h"
#include "base/shown.h"

static void say(const char *text)
{
	fflush(stdout);
	scree_print(stderr, "%s\n", text);
}

bool scree_load_scene(const char *path, int sets, const char *const *set, bool repair, bool quiet, scene *out,
					  char **report)
{
	scree_progress_to(quiet ? NULL : say);
	const bool good = (repair ? scree_scene_repair : scree_scene_load)(path, sets, set, out, report);
	scree_progress_to(NULL);
	return good;
}
