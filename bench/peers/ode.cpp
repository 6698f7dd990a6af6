/* ode: the packing of cubes in ODE (double precision as packaged), as dBox with QuickStep and sweep and prune.
 *
 * usage: ode N SETTLE STEPS */
#include "cubes.h"

#include <ode/ode.h>
#include <vector>

namespace
{
struct packing {
	dWorldID world = dWorldCreate();
	dSpaceID space = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
	dJointGroupID joints = dJointGroupCreate(0);
	std::vector<dBodyID> bodies;
	long touching = 0, points = 0;
	double overlap = 0;
};

void near(void *data, dGeomID a, dGeomID b)
{
	auto *p = static_cast<packing *>(data);
	dBodyID x = dGeomGetBody(a), y = dGeomGetBody(b);
	if (!x && !y) return;
	dContact c[8];
	int n = dCollide(a, b, 8, &c[0].geom, sizeof *c);
	p->touching += n > 0;
	p->points += n;
	for (int i = 0; i < n; ++i) {
		c[i].surface.mode = dContactApprox1;
		c[i].surface.mu = bench::friction;
		if (c[i].geom.depth > p->overlap) p->overlap = c[i].geom.depth;
		dJointAttach(dJointCreateContact(p->world, p->joints, c + i), x, y);
	}
}

void step(packing &p)
{
	p.touching = p.points = 0;
	dSpaceCollide(p.space, &p, near);
	dWorldQuickStep(p.world, bench::dt);
	dJointGroupEmpty(p.joints);
}

double energy(const packing &p)
{
	double sum = 0;
	for (dBodyID b : p.bodies) {
		const dReal *v = dBodyGetLinearVel(b), *w = dBodyGetAngularVel(b);
		/* a cube of mass 1 and edge 1 has a moment of inertia of 1/6 about every axis */
		sum += 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) / 12;
		sum += bench::gravity * dBodyGetPosition(b)[2];
	}
	return sum;
}

void fill(packing &p, int n)
{
	dWorldSetAutoDisableFlag(p.world, 0);
	dWorldSetQuickStepNumIterations(p.world, 10);
	dWorldSetERP(p.world, 0.2);
	dWorldSetCFM(p.world, 1e-5);
	dWorldSetGravity(p.world, 0, 0, -bench::gravity);
	dMass mass;
	dMassSetBoxTotal(&mass, 1, 1, 1, 1);
	bench::lattice(n, [&](double x, double y, double z) {
		dBodyID b = dBodyCreate(p.world);
		dBodySetMass(b, &mass);
		dBodySetPosition(b, x, y, z);
		dGeomSetBody(dCreateBox(p.space, 1, 1, 1), b);
		p.bodies.push_back(b);
	});
	bench::room(n, [&](const double low[3], const double high[3]) {
		dGeomID g = dCreateBox(p.space, high[0] - low[0], high[1] - low[1], high[2] - low[2]);
		dGeomSetPosition(g, (low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2);
	});
}
} // namespace

int main(int words, char **word)
{
	if (words != 4) return std::fprintf(stderr, "usage: ode N SETTLE STEPS\n"), 2;
	int n = std::atoi(word[1]), settle = std::atoi(word[2]), steps = std::atoi(word[3]);
	dInitODE2(0);
	dAllocateODEDataForThread(dAllocateMaskAll);
	packing p;
	fill(p, n);
	for (int k = 0; k < settle; ++k) step(p);
	bench::figures f = {};
	f.energy_before = energy(p);
	p.overlap = 0;
	double began = bench::now();
	for (int k = 0; k < steps; ++k) step(p);
	f.seconds = bench::now() - began;
	f.energy_after = energy(p);
	f.touching = p.touching;
	f.points = p.points;
	f.overlap = p.overlap;
	bench::print(n * n * n, steps, bench::dt, f);
	dCloseODE();
}
