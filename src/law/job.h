/* job.h: what a loop over contacts is given, and how it finds the two partners of a contact. The constants of a loop
 * (law, partner, extra) are known to the compiler: each loop is compiled for every value that they can have. */
#ifndef SCREE_LAW_JOB_H
#define SCREE_LAW_JOB_H

#include "kernel/contact_law.h"
#include "law/law.h"
#include "world/world.h"

typedef struct job {
	const body_record *record;
	pair_list *list;
	const thread_scratch *scratch;
	const law_constants *constants;
	const walls *wall;
	int32_t materials;
	real dt;
	real loose; /* W: what a patch may give beyond what it took: nothing, or anything where it is as a paper has it */
	const periods *period; /* NULL: space does not repeat */
} job;

typedef normal_part normal_fn(const contact_constants *k, real weight, real depth, real vn);
typedef contact_constants constants_fn(const law_constants *c, real radius, real mass);

/* What comes beside the normal force and friction, each with what stands before it: as few loops as will do. */
enum extra { EXTRA_NONE, EXTRA_TURNS, EXTRA_STICKS, EXTRAS };

/* the laws whose force is the gradient of an energy of the overlap (of spheres `overlap` is `hertz`) */
SCREE_FN bool is_energy(enum law_row law) { return law == LAW_VOLUME || law == LAW_AREA || law == LAW_OVERLAP; }

/* who meets a body; constants to the compiler */
typedef enum partner { OF_SPHERES, OF_BODIES, OF_WALL } partner;

/* a and b of one contact */
typedef struct partners {
	vec3 v, wa, wb; /* velocity of a against b (centres; of a wall at the centre of a), angular velocities */
	vec3 apart;		/* from the centre of b (wall: from the place of the wall) to the centre of a */
	real ra, rb;	/* radii */
	real ma, mb;	/* 1 / masses; on a wall ma is the mass of a */
	real image;		/* code of the image of b, of worlds with periods */
} partners;

/* the image of b that contact row k is with */
SCREE_FN int32_t image_at(const job *j, int64_t k)
{
	const pair_list *l = j->list;
	return image_met(j->period, l->met[l->slot[k]], j->record[l->ca[k]].cell, j->record[l->cb[k]].cell);
}

SCREE_FN int32_t rule_of(const job *j, int64_t k, bool on_wall)
{
	int32_t b = j->list->cb[k];
	int32_t mb = on_wall ? j->wall->row[j->wall->surface_wall[b]].material : j->record[b].material;
	return j->record[j->list->ca[k]].material * j->materials + mb;
}

SCREE_FN partners partners_of(const job *j, int64_t k, bool on_wall)
{
	const body_record *a = j->record + j->list->ca[k];
	partners p = {.wa = a->spin, .ra = a->round};
	if (on_wall) {
		const wall *w = j->wall->row + j->wall->surface_wall[j->list->cb[k]];
		p.apart = v3_sub(a->place, w->place);
		p.v = v3_sub(a->velocity, v3_add(w->velocity, v3_cross(w->spin, p.apart)));
		p.wb = w->spin;
		p.rb = a->round;
		p.ma = a->mass;
		p.mb = 0;
	} else {
		const body_record *b = j->record + j->list->cb[k];
		p.apart = v3_sub(a->place, b->place);
		p.v = v3_sub(a->velocity, b->velocity);
		if (j->period) {
			int32_t code = image_at(j, k);
			p.apart = v3_sub(p.apart, j->period->shift[code]);
			p.v = v3_sub(p.v, j->period->drift[code]);
			p.image = code;
		}
		p.wb = b->spin;
		p.rb = b->round;
		p.ma = a->inv_mass;
		p.mb = b->inv_mass;
	}
	return p;
}

SCREE_FN real reduced_radius(const partners *p, bool on_wall)
{
	return on_wall ? p->ra : p->ra * p->rb / (p->ra + p->rb);
}
SCREE_FN real reduced_mass(const partners *p, bool on_wall) { return on_wall ? p->ma : 1 / (p->ma + p->mb); }
SCREE_FN real overlap_part(const partners *p, real depth) { return depth / (2 * real_min(p->ra, p->rb)); }

/* velocity of a against b at the point `at` from the centre of a */
SCREE_FN vec3 slip_velocity(const partners *p, vec3 at, bool on_wall)
{
	vec3 from_b = on_wall ? at : v3_add(at, p->apart); /* the wall's velocity was taken at the centre of a */
	return v3_add(p->v, v3_sub(v3_cross(p->wa, at), v3_cross(p->wb, from_b)));
}

/* Partners lie anywhere: what they need is asked for some contacts ahead. */
enum { AHEAD = 16 };
SCREE_FN void fetch_soon(const job *j, int64_t k)
{
	const char *b = (const char *)(j->record + j->list->cb[k]);
	__builtin_prefetch(b);
	__builtin_prefetch(b + 64);
}

enum { ENDED = 2 }; /* of pair_list.touch, while the law looks at spheres */

/* Contact rows from .. from+count-1 of a list, or those in `listed`; of: their constants, or NULL where they differ.
 * Returns the greatest overlap over the smaller one's size. */
typedef real loop_fn(const job *j, int64_t from, int64_t count, const int32_t *listed, const law_constants *of);
/* for each kind of pair and extra of a law its loop, points_*.c; NULL where patches.c has it */
extern loop_fn *const scree_points_linear[PAIR_KINDS][EXTRAS], *const scree_points_hertz[PAIR_KINDS][EXTRAS],
																   *const scree_points_power[PAIR_KINDS][EXTRAS];
extern loop_fn *const scree_patch_loops[LAWS][PAIR_KINDS][EXTRAS];

#endif
