/* viewer: finds the script for ParaView that belongs to this program. */
#include "run.h"

#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 1024, LEVELS = 3 };

/* makes a path relative to the current folder if it is inside that folder */
static void shorten(char *path)
{
	char here[PATH_ROOM];
	if (!getcwd(here, sizeof here)) return;
	size_t n = strlen(here);
	if (!strncmp(path, here, n) && path[n] == '/') memmove(path, path + n + 1, strlen(path + n + 1) + 1);
}

/* Searches upwards from the program's folder: PREFIX/bin is next to PREFIX/share/scree, and SOURCE/build/release is two
 * levels below SOURCE/share. */
bool find_viewer(char *path, size_t room)
{
	static const char *const place[] = {"share/scree/paraview/scree_view.py", "share/paraview/scree_view.py"};
	char folder[PATH_ROOM];
	ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
	if (n <= 0) return false;
	folder[n] = 0;
	for (int level = 0; level <= LEVELS; ++level) {
		char *slash = strrchr(folder, '/');
		if (!slash) return false;
		*slash = 0;
		for (int k = 0; k < 2; ++k) {
			if (snprintf(path, room, "%s/%s", folder, place[k]) >= (int)room || access(path, R_OK) != 0) continue;
			shorten(path);
			return true;
		}
	}
	return false;
}
