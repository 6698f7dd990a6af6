/* grains.cl: the loops of grains.h on a device. Sums are 64-bit atomics; those of energies have 128 bits in two words. */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

#include "grains.h"

enum { ENERGIES = 6 };

void add(volatile __global ulong *to, long quanta) { atom_add(to, (ulong)quanta); }

/* the lower word first: it tells whether the upper one gets a carry */
void add_wide(volatile __global ulong *to, long quanta)
{
	ulong low = (ulong)quanta, before = atom_add(to, low), carry = before + low < before ? 1 : 0;
	atom_add(to + 1, (quanta < 0 ? ~(ulong)0 : 0) + carry);
}

void add3(volatile __global ulong *to, quanta3 q)
{
	add(to + 0, q.x);
	add(to + 1, q.y);
	add(to + 2, q.z);
}

__kernel void contacts(__global const grain *g, __global meeting *all, __global const rule *of, __global ulong *sums,
					   __global ulong *energies)
{
	size_t k = get_global_id(0);
	rule r = *of;
	meeting m = all[k];
	grain a = g[m.a], b = g[m.b];
	m = meet(m, &a, &b, &r);
	all[k] = m;
	const quanta3 f = m.quanta.force, back = {-f.x, -f.y, -f.z};
	__global ulong *to_a = sums + 8 * m.a, *to_b = sums + 8 * m.b;
	add3(to_a, f);
	add3(to_a + 3, m.quanta.torque_a);
	add3(to_b, back);
	add3(to_b + 3, m.quanta.torque_b);
	add(to_a + 6, m.quanta.forces);
	add(to_b + 6, m.quanta.forces);
	add(to_a + 7, m.quanta.torques);
	add(to_b + 7, m.quanta.torques);
	const long e[ENERGIES] = {m.tally.normal, m.tally.friction, m.tally.rolling,
							  m.tally.made,	  m.tally.power,	m.tally.heat};
	for (int t = 0; t < ENERGIES; ++t) add_wide(energies + 2 * t, e[t]);
}

load load_at(__global const long *sums, size_t i, const rule *r)
{
	long sum[6];
	for (int c = 0; c < 6; ++c) sum[c] = sums[8 * i + c];
	return load_of(sum, r);
}

__kernel void drifts(__global grain *g, __global const rule *of, __global const long *sums)
{
	size_t i = get_global_id(0);
	rule r = *of;
	g[i] = drift(g[i], load_at(sums, i, &r), &r);
}

__kernel void kicks(__global grain *g, __global const rule *of, __global const long *sums)
{
	size_t i = get_global_id(0);
	rule r = *of;
	g[i] = kick(g[i], load_at(sums, i, &r), &r);
}
