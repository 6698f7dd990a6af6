#include "ranks/mpi/zoltan.h"

#include <stdio.h>
#include <stdlib.h>

#include <zoltan.h>

/* ------------------------------------------------------------------ points for Zoltan */

static int count(void *points, int *error)
{
	const weighted_points *p = points;
	*error = ZOLTAN_OK;
	return (int)p->count;
}

static void list(void *points, int ids, int locals, ZOLTAN_ID_PTR id, ZOLTAN_ID_PTR local, int weights, float *weight,
				 int *error)
{
	const weighted_points *p = points;
	(void)ids, (void)locals, (void)local, (void)weights;
	for (int64_t k = 0; k < p->count; ++k) id[k] = (ZOLTAN_ID_TYPE)k, weight[k] = (float)p->row[k].work;
	*error = ZOLTAN_OK;
}

static int dimensions(void *points, int *error)
{
	(void)points;
	*error = ZOLTAN_OK;
	return 3;
}

static void positions(void *points, int ids, int locals, int number, ZOLTAN_ID_PTR id, ZOLTAN_ID_PTR local, int size,
					  double *x, int *error)
{
	const weighted_points *p = points;
	(void)ids, (void)locals, (void)local;
	for (int k = 0; k < number; ++k)
		for (int32_t axis = 0; axis < 3; ++axis) x[k * size + axis] = v3_part(p->row[id[k]].at, axis);
	*error = ZOLTAN_OK;
}

/* ------------------------------------------------------------------ the cut */

static void end_mpi(void)
{
	int ended = 0;
	MPI_Finalized(&ended);
	if (!ended) MPI_Finalize();
}

static bool begin_mpi(void)
{
	int begun = 0, threads = 0;
	MPI_Initialized(&begun);
	if (begun) return true;
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &threads) != MPI_SUCCESS) return false;
	atexit(end_mpi);
	return true;
}

static bool set(struct Zoltan_Struct *z, int32_t parts)
{
	char number[16];
	snprintf(number, sizeof number, "%d", parts);
	const char *const values[][2] = {
		{"DEBUG_LEVEL", "0"}, /* must be first, because setting the other parameters prints text */
		{"LB_METHOD", "RCB"},		{"NUM_GLOBAL_PARTS", number},	 {"OBJ_WEIGHT_DIM", "1"},
		{"IMBALANCE_TOL", "1.001"}, {"RCB_RECTILINEAR_BLOCKS", "1"}, /* points on a plane stay together */
		{"RETURN_LISTS", "PARTS"}};
	for (size_t k = 0; k < sizeof values / sizeof *values; ++k)
		if (Zoltan_Set_Param(z, values[k][0], values[k][1]) != ZOLTAN_OK) return false;
	return true;
}

/* RETURN_LISTS: all points are listed as points to be sent. */
static bool find_parts(struct Zoltan_Struct *z, const weighted_points *p, int32_t *part)
{
	int changes, ids, locals, in, out, *in_rank, *in_part, *out_rank, *out_part;
	ZOLTAN_ID_PTR in_id, in_local, out_id, out_local;
	void *points = (void *)(uintptr_t)p; /* Zoltan only reads them */
	Zoltan_Set_Num_Obj_Fn(z, count, points);
	Zoltan_Set_Obj_List_Fn(z, list, points);
	Zoltan_Set_Num_Geom_Fn(z, dimensions, points);
	Zoltan_Set_Geom_Multi_Fn(z, positions, points);
	if (Zoltan_LB_Partition(z, &changes, &ids, &locals, &in, &in_id, &in_local, &in_rank, &in_part, &out, &out_id,
							&out_local, &out_rank, &out_part) != ZOLTAN_OK)
		return false;
	for (int k = 0; k < out; ++k) part[out_id[k]] = out_part[k];
	Zoltan_LB_Free_Part(&out_id, &out_local, &out_rank, &out_part);
	return out == p->count;
}

static bool cut(int32_t parts, const weighted_points *p, int32_t *part, fail *why)
{
	float version;
	struct Zoltan_Struct *z = NULL;
	const bool good = p->count > 0 && begin_mpi() && Zoltan_Initialize(0, NULL, &version) == ZOLTAN_OK &&
					  (z = Zoltan_Create(MPI_COMM_SELF)) && set(z, parts) && find_parts(z, p, part);
	if (z) Zoltan_Destroy(&z);
	return good || scree_fail(why, FAIL_INTERNAL, "Zoltan cannot divide %lld points among %d parts",
							  (long long)p->count, parts);
}

cut_fn *const scree_zoltan_cut = cut;
