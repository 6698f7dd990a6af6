/* none: replaces mpi_ranks.c in builds without MPI. */
#include "ranks/mpi/mpi_ranks.h"

bool scree_mpi_begin(channel *c, real patience, fail *why)
{
	(void)c, (void)patience;
	return scree_fail(why, FAIL_INPUT,
					  "this scree was built without MPI (SCREE_MPI=OFF), so all of its processes would run the same "
					  "scene and overwrite each other's files: start one process, or use a build with MPI");
}

void scree_mpi_end(channel *c, int code) { (void)c, (void)code; }
