#include "ranks/mpi/mpi_ranks.h"

#include "base/clock.h"
#include "base/memory.h"

#include <limits.h>
#include <mpi.h>
#include <string.h>
#include <time.h>

typedef struct mpi_ranks {
	MPI_Comm all; /* a copy of the communicator that only scree uses */
	MPI_Op greatest, both;
	MPI_Datatype term;	  /* a `joint_term` */
	MPI_Request *request; /* [requests] sends that have not completed */
	int32_t requests, capacity;
	void *terms; /* [size] result of a reduction, which MPI may still change after the wait for it has been given up */
	size_t size;
	/* if a sum takes long, each rank that has reached it notifies the others once, so that late ranks can be named */
	bool *come;		  /* [ranks] which ranks have reached the present sum */
	uint64_t come_to; /* number of the present sum */
	uint64_t told;	  /* number of the last sum about which this rank has notified the others */
} mpi_ranks;

static void check(int code, const char *call)
{
	char text[MPI_MAX_ERROR_STRING];
	int length = 0;
	if (code == MPI_SUCCESS) return;
	MPI_Error_string(code, text, &length);
	scree_break_off(FAIL_IO, "%s: %.*s", call, length, text);
}

/* ------------------------------------------------------------------ messages */

static MPI_Request *new_request(mpi_ranks *o)
{
	if (o->requests == o->capacity) {
		const int32_t capacity = 2 * o->capacity + 16;
		o->request = scree_grow_apart(o->request, (size_t)o->requests, (size_t)capacity, sizeof *o->request);
		o->capacity = capacity;
	}
	return o->request + o->requests++;
}

static void send(channel *c, int32_t to, int32_t tag, const void *bytes, size_t count)
{
	mpi_ranks *o = c->at;
	if (count > INT_MAX)
		scree_break_off(FAIL_IO, "a message of %zu bytes for rank %d: MPI can send at most %d; use more ranks", count,
						to, INT_MAX);
	check(MPI_Isend(bytes, (int)count, MPI_BYTE, to, tag, o->all, new_request(o)), "MPI_Isend");
}

/* Tests whether a message with this tag has arrived. */
static bool is_there(const mpi_ranks *o, int32_t tag, int32_t *from, size_t *count)
{
	MPI_Status s;
	int there = 0, bytes = 0;
	check(MPI_Iprobe(MPI_ANY_SOURCE, tag, o->all, &there, &s), "MPI_Iprobe");
	if (!there) return false;
	check(MPI_Get_count(&s, MPI_BYTE, &bytes), "MPI_Get_count");
	*from = s.MPI_SOURCE;
	*count = (size_t)bytes;
	return true;
}

enum { RARELY = 64 }; /* number of tests between two checks for messages that only a failure can cause */

/* Pauses between two checks: not at all at first, and later by yielding the processor to ranks that may share it. */
static void pause_after(int64_t looks)
{
	enum { SPINS = 1000, YIELDS = 20000 };
	const struct timespec now = {0, 0}, soon = {0, 50000};
	if (looks > SPINS) nanosleep(looks > YIELDS ? &soon : &now, NULL);
}

/* MPI_Probe has no time limit. */
static int32_t probe(channel *c, int32_t tag, real patience, int32_t *from, size_t *count)
{
	const mpi_ranks *o = c->at;
	const double began = scree_now();
	for (int64_t looks = 0;; ++looks) {
		if (is_there(o, tag, from, count)) return tag;
		if (looks % RARELY == RARELY - 1 && is_there(o, TAG_FAILURE, from, count)) return TAG_FAILURE;
		if (!(scree_now() - began < patience)) break;
		pause_after(looks);
	}
	return is_there(o, TAG_FAILURE, from, count) ? TAG_FAILURE : -1;
}

static void receive(channel *c, int32_t from, int32_t tag, void *bytes, size_t count)
{
	const mpi_ranks *o = c->at;
	check(MPI_Recv(bytes, (int)count, MPI_BYTE, from, tag, o->all, MPI_STATUS_IGNORE), "MPI_Recv");
}

static void sent(channel *c)
{
	mpi_ranks *o = c->at;
	check(MPI_Waitall(o->requests, o->request, MPI_STATUSES_IGNORE), "MPI_Waitall");
	o->requests = 0;
}

/* ------------------------------------------------------------------ largest, sums */

static void join_greatest(void *other, void *x, int *count, MPI_Datatype *type)
{
	(void)type;
	greatest_join(*count, x, other);
}

/* MPI's own memory need not be aligned for integers of 128 bits. */
static void join_both(void *other, void *x, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int k = 0; k < *count; ++k) {
		joint_term to, from;
		memcpy(&to, (char *)x + (size_t)k * sizeof to, sizeof to);
		memcpy(&from, (char *)other + (size_t)k * sizeof from, sizeof from);
		scree_joint_terms_join(1, &to, &from);
		memcpy((char *)x + (size_t)k * sizeof to, &to, sizeof to);
	}
}

static void room_for_terms(mpi_ranks *o, size_t size)
{
	if (o->size >= size) return;
	o->terms = scree_grow_apart(o->terms, 0, size, 1);
	o->size = size;
}

/* ------------------------------------------------------------------ ranks that have reached a sum */

/* Reads notes from other ranks; returns true if one of these ranks is waiting in the present sum. */
static bool read_notes(const channel *c)
{
	mpi_ranks *o = c->at;
	bool any = false;
	int32_t from;
	size_t count;
	if (o->come_to != c->number) memset(o->come, 0, (size_t)c->ranks * sizeof *o->come);
	o->come_to = c->number;
	o->come[c->rank] = true;
	while (is_there(o, TAG_WAITING, &from, &count)) {
		uint64_t number = 0;
		SCREE_ASSERT(count == sizeof number);
		check(MPI_Recv(&number, (int)count, MPI_BYTE, from, TAG_WAITING, o->all, MPI_STATUS_IGNORE), "MPI_Recv");
		if (number == c->number) any = o->come[from] = true;
	}
	return any;
}

static void tell_others(channel *c)
{
	mpi_ranks *o = c->at;
	if (o->told == c->number) return;
	sent(c); /* the number of an earlier note may change */
	o->told = c->number;
	for (int32_t k = 0; k < c->ranks; ++k)
		if (k != c->rank) send(c, k, TAG_WAITING, &o->told, sizeof o->told);
}

/* After half of the longest wait, or a note from a rank that waited so long, tells others that this rank waits. */
static void ask_and_answer(channel *c, double waited)
{
	if (read_notes(c) || waited > c->patience / 2) tell_others(c);
}

/* Tests whether the reduction ends before the longest wait is over and before a rank fails. */
static bool ends(channel *c, MPI_Request *r)
{
	const mpi_ranks *o = c->at;
	const double began = scree_now();
	for (int64_t looks = 0; scree_now() - began < c->patience; ++looks) {
		int done = 0, failed = 0;
		if (looks % RARELY == RARELY - 1) ask_and_answer(c, scree_now() - began);
		check(MPI_Test(r, &done, MPI_STATUS_IGNORE), "MPI_Test");
		if (done) return true;
		check(MPI_Iprobe(MPI_ANY_SOURCE, TAG_FAILURE, o->all, &failed, MPI_STATUS_IGNORE), "MPI_Iprobe");
		if (failed) return false;
		pause_after(looks);
	}
	return false;
}

typedef struct reduction {
	message_phase phase;
	MPI_Datatype type;
	MPI_Op op;
	size_t size; /* bytes of a term */
} reduction;

static bool reduce(channel *c, const reduction *of, int32_t count, void *x, fail *why)
{
	mpi_ranks *o = c->at;
	const size_t size = (size_t)count * of->size;
	MPI_Request r;
	if (!count) return true;
	c->number += 1;
	room_for_terms(o, size);
	memcpy(o->terms, x, size);
	check(MPI_Iallreduce(MPI_IN_PLACE, o->terms, count, of->type, of->op, o->all, &r), "MPI_Iallreduce");
	if (!ends(c, &r)) {
		read_notes(c);
		return scree_channel_give_up(c, of->phase, o->come, why);
	}
	memcpy(x, o->terms, size);
	return true;
}

static bool greatest(channel *c, int32_t count, real *x, fail *why)
{
	const mpi_ranks *o = c->at;
	const reduction of = {PHASE_GREATEST, MPI_DOUBLE, o->greatest, sizeof *x};
	return reduce(c, &of, count, x, why);
}

static bool both(channel *c, int32_t mosts, real *most, int32_t sums, fixed *sum, fail *why)
{
	const mpi_ranks *o = c->at;
	const int32_t count = mosts + sums;
	joint_term *term = scree_alloc((size_t)count, sizeof *term);
	const reduction of = {PHASE_ADD, o->term, o->both, sizeof *term};
	scree_joint_terms_pack(term, mosts, most, sums, sum);
	const bool good = reduce(c, &of, count, term, why);
	if (good) scree_joint_terms_unpack(term, mosts, most, sums, sum);
	scree_free(term);
	return good;
}

static bool add(channel *c, int32_t count, fixed *x, fail *why) { return both(c, 0, NULL, count, x, why); }

const transport_row scree_transport_mpi = {
	.send = send, .probe = probe, .receive = receive, .sent = sent, .greatest = greatest, .add = add, .both = both};

/* ------------------------------------------------------------------ begin and end */

bool scree_mpi_begin(channel *c, real patience, fail *why)
{
	int threads = 0;
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &threads) != MPI_SUCCESS)
		return scree_fail(why, FAIL_IO, "MPI cannot be initialized");
	mpi_ranks *o = scree_alloc(1, sizeof *o);
	check(MPI_Comm_dup(MPI_COMM_WORLD, &o->all), "MPI_Comm_dup");
	check(MPI_Comm_set_errhandler(o->all, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
	check(MPI_Op_create(join_greatest, 1, &o->greatest), "MPI_Op_create");
	check(MPI_Op_create(join_both, 1, &o->both), "MPI_Op_create");
	check(MPI_Type_contiguous((int)sizeof(joint_term), MPI_BYTE, &o->term), "MPI_Type_contiguous");
	check(MPI_Type_commit(&o->term), "MPI_Type_commit");
	*c = (channel){.by = &scree_transport_mpi, .at = o, .patience = patience};
	check(MPI_Comm_rank(o->all, &c->rank), "MPI_Comm_rank");
	check(MPI_Comm_size(o->all, &c->ranks), "MPI_Comm_size");
	o->come = scree_alloc((size_t)c->ranks, sizeof *o->come);
	return true;
}

void scree_mpi_end(channel *c, int code)
{
	mpi_ranks *o = c->at;
	if (code) MPI_Abort(MPI_COMM_WORLD, code);
	read_notes(c); /* reads notes about a sum that took long but ended */
	MPI_Type_free(&o->term);
	MPI_Op_free(&o->both);
	MPI_Op_free(&o->greatest);
	MPI_Comm_free(&o->all);
	MPI_Finalize();
	scree_free(o->request);
	scree_free(o->terms);
	scree_free(o->come);
	scree_free(o);
	scree_channel_free(c);
}
