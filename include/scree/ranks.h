/* ranks.h: simulations divided among processes started by an MPI launcher (`mpirun -n 4 PROGRAM`). A *rank* is one of
 * these processes. The results, including files, are bitwise identical to the results of a single process.
 *
 * All ranks open the same scene or snapshot, and divide it before its first step; after that, each rank has the bodies
 * in its part of space. All ranks make the same calls in the same order, except for calls that only return a value.
 * Rank 0 writes the files. A failing call returns the same code and message on all ranks. */
#ifndef SCREE_RANKS_H
#define SCREE_RANKS_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Initialises MPI if a launcher has started several processes; has no effect in a single process. It must be called
 * once, before simulations are opened. Returns SCREE_BAD_INPUT if this library was built without MPI. */
SCREE_API scree_code scree_ranks_begin(void);
/* Number of this process, counted from 0, and number of processes, according to the launcher; also valid before
 * scree_ranks_begin. */
SCREE_API int scree_rank(void);
SCREE_API int scree_ranks(void);
/* Replaces each number with its maximum over all ranks. */
SCREE_API scree_code scree_ranks_greatest(int count, double *x);
/* The error message of the last of these functions that failed. */
SCREE_API const char *scree_ranks_error(void);
/* Waits for all ranks and ends MPI; no other call may follow. If only some ranks have failed, for example because one
 * ran out of memory, the function terminates all processes with this exit code. */
SCREE_API void scree_ranks_end(int code);
/* Terminates all processes immediately, with this exit code. A failure handler (scree_on_failure) may call it. */
SCREE_API void scree_ranks_abort(int code);

/* Like scree_sim_open and scree_sim_restore, for a simulation that will be divided: only rank 0 reads and creates it,
 * and no other rank ever holds more than its own bodies. All ranks call these functions with the same arguments, except
 * for progress and problems. Until the first step, rank 0 has all bodies and the others have none. Calls that change
 * the simulation are refused, except for scree_sim_on_force and scree_sim_change_plan, which can change physics only
 * after the division; arrays must not be written to. The other ranks receive a single error message for all problems.
 * In a single process, the functions are the same as scree_sim_open and scree_sim_restore. */
SCREE_API scree_sim *scree_ranks_open(const scree_open_options *options, scree_problems **problems);
SCREE_API scree_sim *scree_ranks_restore(const char *path, int threads, scree_problems **problems);
/* Divides an opened or restored simulation, before its outputs are opened; has no effect in a single process.
 * partition: "rcb" for boxes of equal work; "grid" for boxes of equal size; "grid:4x2x1" for this number of parts along
 * each axis; "hexagons" for columns on 1, 7, 19, ... ranks; any of these followed by "/pe" (which requires
 * run.response: ffd/pe) for the communication scheme of the paper on pe; NULL for rcb if the build found Zoltan, and
 * otherwise for a grid. The partition does not affect results. Returns SCREE_BAD_INPUT if simulations of this kind
 * cannot be divided yet, or if ranks have opened different simulations.
 *
 * After the division, each rank has access only to its own arrays, contacts and bodies. Calls that change, save or draw
 * the simulation are refused; outputs are written as usual. Forces set by a program (scree_sim_on_force,
 * scree_sim_set_force) must be set before the division, on all ranks; forces on copies are added to the forces on the
 * bodies themselves. */
SCREE_API scree_code scree_ranks_divide(scree_sim *s, const char *partition);

#ifdef __cplusplus
}
#endif

#endif
