/* forces_to_bodies: each body gathers the forces of its contacts in the order of the partner's id, so that the sum has
 * the same bits for any number of threads and any storage order. Forces on walls are summed in fixed point, which no
 * order changes. */
#include "stages.h"

#include "base/parallel.h"

enum { GRAIN = 1024 };

/* Body b of a contact through an image: the law left its code. */
SCREE_FN vec3 apart_of(const scree_world *w, const contact_force *c, int32_t a, vec3 b, bool repeats)
{
	vec3 apart = v3_sub(w->record[a].place, b);
	return repeats ? v3_sub(apart, w->period.shift[(int32_t)c->image]) : apart;
}

/* Rows without contact hold zeros, which change no sum. Where there are many of them (grains that fly close together)
 * it pays to ask a byte first (few); else the question costs more than the zeros. */
SCREE_FN void gather(scree_world *w, int64_t from, int64_t to, bool repeats, bool few)
{
	bodies *b = &w->body;
	const incidence *m = &w->meets;
	const contact_force *force = w->force;
	const uint8_t *acts = w->acts;
	for (int64_t i = from; i < to; ++i) {
		vec3 f = v3(0, 0, 0), t = v3(0, 0, 0), here = w->record[i].place;
		for (const pull *p = m->pulls + m->row[i], *end = p + m->used[i]; p < end; ++p) {
			if (few && !acts[p->row]) continue;
			if (!few) __builtin_prefetch(force + p[SCREE_PULLS_AHEAD].row); /* they lie anywhere */
			const contact_force *c = force + p->row;
			if (p->partner >= 0) {
				f = v3_sub(f, c->force);
				t = v3_add(t, torque_on_b(c, apart_of(w, c, p->partner, here, repeats)));
			} else {
				f = v3_add(f, c->force);
				t = v3_add(t, c->torque);
			}
		}
		b->fx[i] = f.x;
		b->fy[i] = f.y;
		b->fz[i] = f.z;
		b->tx[i] = t.x;
		b->ty[i] = t.y;
		b->tz[i] = t.z;
	}
}

static void gather_plain(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	gather(what, from, to, false, false);
}

static void gather_few(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	gather(what, from, to, false, true);
}

static void gather_images(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	gather(what, from, to, true, false);
}

static void add3(fixed sum[3], vec3 v)
{
	scree_fixed_add(sum + 0, v.x);
	scree_fixed_add(sum + 1, v.y);
	scree_fixed_add(sum + 2, v.z);
}

static vec3 value3(const fixed sum[3])
{
	return v3(scree_fixed_value(sum[0]), scree_fixed_value(sum[1]), scree_fixed_value(sum[2]));
}

wall_load scree_wall_load(const scree_world *w, int32_t wall)
{
	fixed force[3] = {0}, torque[3] = {0};
	int64_t contacts = 0;
	for (int kind = PAIR_SPHERE_WALL; kind <= PAIR_CONVEX_WALL; ++kind) {
		const pair_list *l = w->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			int64_t k = c.row;
			if (w->wall.surface_wall[l->cb[k]] != wall) continue;
			vec3 apart = v3_sub(body_position(&w->body, l->ca[k]), w->wall.row[wall].place);
			++contacts;
			add3(force, v3_neg(l->force[k].force));
			add3(torque, torque_on_b(l->force + k, apart));
		}
	}
	return (wall_load){value3(force), value3(torque), contacts};
}

static void forces_to_walls(scree_world *w)
{
	for (int32_t k = 0; k < w->wall.count; ++k) {
		wall *o = w->wall.row + k;
		if (o->motion.type == MOTION_STILL) continue;
		wall_load s = scree_wall_load(w, k);
		o->force = s.force;
		o->torque = s.torque;
		o->servo.contacts = s.contacts;
	}
}

/* what moving walls did on the bodies, each step counted whole: the ledger takes off the half step ahead */
static void walls_work(scree_world *w)
{
	real power = 0;
	bool any = false;
	for (int32_t k = 0; k < w->wall.count; ++k) {
		const wall *o = w->wall.row + k;
		if (o->motion.type == MOTION_STILL) continue;
		any = true;
		power -= v3_dot(o->force, o->velocity) + v3_dot(o->torque, o->spin);
	}
	if (!any) return;
	w->energy.wall_power = power;
	scree_fixed_add(&w->energy.wall_work, w->dt * power);
}

/* What images that move did on the bodies, likewise: a contact's forces do work on the velocity of b's image, too.
 * There are no walls where space shears. */
static void images_work(scree_world *w)
{
	fixed power = {0};
	for (int kind = 0; kind < PAIR_SPHERE_WALL; ++kind) {
		const pair_list *l = w->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			const contact_force *f = l->force + c.row;
			scree_fixed_add(&power, v3_dot(f->force, w->period.drift[(int32_t)f->image]));
		}
	}
	w->energy.wall_power = scree_fixed_value(power);
	scree_fixed_add(&w->energy.wall_work, w->dt * w->energy.wall_power);
}

void scree_forces_to_bodies(scree_world *w)
{
	bool few = 4 * w->touching < w->meets.contact_rows;
	scree_parallel(w->period.on ? gather_images : few ? gather_few : gather_plain, w, w->body.count, GRAIN);
	forces_to_walls(w);
	walls_work(w);
	if (w->period.shears) images_work(w);
}
