/* ffd.h: fast frictional dynamics as in Iglberger and Ruede (Computer Science - Research and Development 23, 2009,
 * 159-167), the solver of their engine pe (docs/theory/ffd.md). */
#ifndef SCREE_PAPERS_IGLBERGER2009_FFD_H
#define SCREE_PAPERS_IGLBERGER2009_FFD_H

#include "base/parallel.h"
#include "base/sort.h"
#include "model/declared.h"
#include "model/response.h"
#include "papers/iglberger2009/one_body.h"
#include "ranks/together/domain.h"

/* A contact point between two bodies, or between a body and a wall. Side 0 is body a; side 1 is body b or the wall. */
enum { FFD_WALL = -1, FFD_ELSEWHERE = -2 };
typedef struct ffd_contact {
	uint64_t key[3]; /* the key of its ffd_meeting */
	int32_t point;
	int32_t kind;
	int64_t row;
	int32_t body[2]; /* FFD_WALL: the second side is a wall; FFD_ELSEWHERE: another rank has this side (exchanges.h) */
	int32_t from;	 /* rank that has this side */
	vec3 normal;	 /* unit normal, from side 1 to side 0 */
	vec3 arm[2];	 /* contact point relative to the centre of each side, in m */
	vec3 moves;		 /* velocity of the wall at the contact point, in m/s */
	real overlap, friction, restitution;
	/* the problem of each side and its solution; closing < 0 if the contact does not act */
	real closing[2], wants[2], press[2];
	vec3 aim[2], rub[2];
} ffd_contact;

/* A touching point and its sort keys: the ids of both bodies and their image, or the id of the body and the surface of
 * a wall. Points of a row are found one after another, and sorting keeps their order. */
typedef struct ffd_meeting {
	uint64_t key[3];
	int64_t row;
	int32_t kind, point;
} ffd_meeting;

typedef struct ffd_meetings {
	int64_t count, capacity;
	ffd_meeting *item;
} ffd_meetings;

typedef struct ffd_work {
	ffd_meetings found[SCREE_MOST_THREADS];
	ffd_room room[SCREE_MOST_THREADS];
	int64_t count, capacity; /* contacts, in an order that depends only on the state */
	ffd_contact *contact;
	sort_item *sort[2];	   /* [capacity] */
	int64_t *side;		   /* [2 capacity] contacts of each body: 2 * contact + side */
	int32_t bodies;		   /* capacity of the arrays below */
	int64_t *first;		   /* [bodies + 1] first entry of a body in `side` */
	vec3 *velocity, *spin; /* [bodies] velocities before the response */
	real *rubbed;		   /* [bodies] energy that friction gave to a body in this step, in J; pe only */
	uint8_t *end;		   /* [bodies] ffd_end */
	ffd_rules rules;
	bool
		finite; /* results from other ranks must be finite; forces from a program may be NaN, which the guards report */
} ffd_work;

ffd_work *scree_ffd_work(work *w);

bool scree_ffd_takes(const model *m, const state *s, const work *w, fail *why);
/* Sends the results of owned bodies at contacts with ghosts (impulses and velocities) to the owners of the ghosts.
 * Ghosts get theirs. By pe's rule, results at contacts of other ranks are sent back to these ranks for the ledger,
 * which pe does not have. */
void scree_ffd_share_results(state *s, const work *w, ffd_work *of);
/* Makes room for `count` contacts; keeps existing ones. */
void scree_ffd_room(ffd_work *o, int64_t count);
/* Lists the contacts of each body, in the same order. */
void scree_ffd_contacts_to_bodies(ffd_work *to, const bodies *b);

/* The result for one body at a contact, to be sent to other ranks. */
typedef struct ffd_result {
	uint64_t key[3];
	int32_t point, side;
	real press;
	vec3 rub, velocity, spin;
} ffd_result;

/* Order of contacts a and b, for sorting. */
int scree_ffd_order(const void *a, const void *b);

void scree_ffd_prepare(const model *m, state *s, work *w);
bool scree_ffd_sweep_pe(const model *m, state *s, work *w);
bool scree_ffd_sweep_corrected(const model *m, state *s, work *w);
void scree_ffd_done(const model *m, state *s, work *w);

#endif
