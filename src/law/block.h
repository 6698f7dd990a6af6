/* block.h: the gather: what the law needs of the partners of some contacts, and their constants where they differ,
 * copied side by side. */
#ifndef SCREE_LAW_BLOCK_H
#define SCREE_LAW_BLOCK_H

#include "law/job.h"

/* The partners of some contacts, copied so that the loop over contacts reads what lies side by side: gathering from
 * records within the loop costs several times as much. */
enum { BLOCK = 64 };
typedef struct block {
	real vx[BLOCK], vy[BLOCK], vz[BLOCK], wax[BLOCK], way[BLOCK], waz[BLOCK], wbx[BLOCK], wby[BLOCK], wbz[BLOCK];
	real x[BLOCK], y[BLOCK], z[BLOCK], ra[BLOCK], rb[BLOCK], ma[BLOCK], mb[BLOCK];
	real image[BLOCK];
	/* where they differ */
	real stiffness[BLOCK], shear[BLOCK], damping[BLOCK], friction[BLOCK], rolling[BLOCK], exponent[BLOCK], pulls[BLOCK];
	real twisting[BLOCK], surface[BLOCK];
	int32_t cohesion[BLOCK];
	real fx[BLOCK], fy[BLOCK], fz[BLOCK], tx[BLOCK], ty[BLOCK], tz[BLOCK], normal[BLOCK]; /* what comes out */
} block;

SCREE_FN void put_partners(block *o, int64_t i, partners p)
{
	o->vx[i] = p.v.x, o->vy[i] = p.v.y, o->vz[i] = p.v.z;
	o->wax[i] = p.wa.x, o->way[i] = p.wa.y, o->waz[i] = p.wa.z;
	o->wbx[i] = p.wb.x, o->wby[i] = p.wb.y, o->wbz[i] = p.wb.z;
	o->x[i] = p.apart.x, o->y[i] = p.apart.y, o->z[i] = p.apart.z;
	o->ra[i] = p.ra, o->rb[i] = p.rb, o->ma[i] = p.ma, o->mb[i] = p.mb;
	o->image[i] = p.image;
}

SCREE_FN partners get_partners(const block *o, int64_t i)
{
	partners p = {v3(o->vx[i], o->vy[i], o->vz[i]),
				  v3(o->wax[i], o->way[i], o->waz[i]),
				  v3(o->wbx[i], o->wby[i], o->wbz[i]),
				  v3(o->x[i], o->y[i], o->z[i]),
				  o->ra[i],
				  o->rb[i],
				  o->ma[i],
				  o->mb[i],
				  0};
	return p;
}

SCREE_FN void put_force(block *o, int64_t i, contact_force f)
{
	o->fx[i] = f.force.x, o->fy[i] = f.force.y, o->fz[i] = f.force.z;
	o->tx[i] = f.torque.x, o->ty[i] = f.torque.y, o->tz[i] = f.torque.z;
	o->normal[i] = f.normal;
}

SCREE_FN contact_force get_force(const block *o, int64_t i)
{
	return (contact_force){v3(o->fx[i], o->fy[i], o->fz[i]), v3(o->tx[i], o->ty[i], o->tz[i]), o->normal[i],
						   o->image[i]};
}

SCREE_FN void put_constants(block *o, int64_t i, const law_constants *c)
{
	o->stiffness[i] = c->stiffness, o->shear[i] = c->shear, o->damping[i] = c->damping;
	o->friction[i] = c->friction, o->rolling[i] = c->rolling;
	o->exponent[i] = c->exponent, o->pulls[i] = c->pulls;
	o->twisting[i] = c->twisting, o->surface[i] = c->surface, o->cohesion[i] = c->cohesion;
}

SCREE_FN law_constants get_constants(const block *o, int64_t i)
{
	law_constants c = {.stiffness = o->stiffness[i],
					   .shear = o->shear[i],
					   .damping = o->damping[i],
					   .friction = o->friction[i],
					   .rolling = o->rolling[i],
					   .exponent = o->exponent[i],
					   .pulls = o->pulls[i],
					   .twisting = o->twisting[i],
					   .cohesion = o->cohesion[i],
					   .surface = o->surface[i]};
	return c;
}

#endif
