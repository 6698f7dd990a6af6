/* bullet: the packing of cubes in Bullet (single precision as packaged), as btBoxShape or as a hull of eight points.
 *
 * usage: bullet box|hull N SETTLE STEPS */
#include "cubes.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

namespace
{
constexpr double margin = 0.02; // Bullet adds this margin around a hull, so its points are moved inwards

class packing
{
  public:
	packing(bool hull, int n) : count(n * n * n)
	{
		btDefaultCollisionConstructionInfo pools;
		pools.m_defaultMaxPersistentManifoldPoolSize = 8 * count + 1024;
		pools.m_defaultMaxCollisionAlgorithmPoolSize = 8 * count + 1024;
		configuration.reset(new btDefaultCollisionConfiguration(pools));
		dispatcher.reset(new btCollisionDispatcher(configuration.get()));
		world.reset(new btDiscreteDynamicsWorld(dispatcher.get(), &broad, &solver, configuration.get()));
		world->setGravity(btVector3(0, 0, -bench::gravity));
		shapes.emplace_back(hull ? make_hull()
								 : static_cast<btCollisionShape *>(new btBoxShape(btVector3(0.5, 0.5, 0.5))));
		btCollisionShape *cube = shapes.back().get();
		bench::lattice(n, [&](double x, double y, double z) { add(cube, btVector3(x, y, z), 1); });
		bench::room(n, [&](const double low[3], const double high[3]) {
			btVector3 a(low[0], low[1], low[2]), b(high[0], high[1], high[2]);
			shapes.emplace_back(new btBoxShape((b - a) * 0.5));
			add(shapes.back().get(), (a + b) * 0.5, 0);
		});
	}

	~packing()
	{
		for (auto &body : bodies) world->removeRigidBody(body.get());
	}

	void step() { world->stepSimulation(bench::dt, 0); }

	double energy() const
	{
		double sum = 0;
		for (int i = 0; i < count; ++i) {
			const btRigidBody &b = *bodies[i];
			btVector3 spin = b.getWorldTransform().getBasis().transpose() * b.getAngularVelocity();
			sum += 0.5 * b.getLinearVelocity().length2() + 0.5 * spin.dot(spin / b.getInvInertiaDiagLocal());
			sum += bench::gravity * b.getWorldTransform().getOrigin().z();
		}
		return sum;
	}

	void contacts(bench::figures &f) const
	{
		f.touching = f.points = 0;
		for (int k = 0; k < dispatcher->getNumManifolds(); ++k) {
			const btPersistentManifold *m = dispatcher->getManifoldByIndexInternal(k);
			f.touching += m->getNumContacts() > 0;
			f.points += m->getNumContacts();
			for (int c = 0; c < m->getNumContacts(); ++c)
				if (-m->getContactPoint(c).getDistance() > f.overlap) f.overlap = -m->getContactPoint(c).getDistance();
		}
	}

	const int count;

  private:
	static btCollisionShape *make_hull()
	{
		const double h = 0.5 - margin;
		auto *hull = new btConvexHullShape;
		for (int i = 0; i < 8; ++i) hull->addPoint(btVector3(i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h));
		hull->setMargin(margin);
		hull->optimizeConvexHull();
		return hull;
	}

	void add(btCollisionShape *shape, const btVector3 &at, double mass)
	{
		btVector3 inertia(0, 0, 0);
		if (mass > 0) shape->calculateLocalInertia(mass, inertia);
		btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
		info.m_startWorldTransform = btTransform(btQuaternion::getIdentity(), at);
		info.m_friction = btScalar(std::sqrt(bench::friction)); // Bullet multiplies the coefficients of both bodies
		info.m_linearSleepingThreshold = info.m_angularSleepingThreshold = 0;
		bodies.emplace_back(new btRigidBody(info));
		bodies.back()->setActivationState(DISABLE_DEACTIVATION);
		world->addRigidBody(bodies.back().get());
	}

	std::unique_ptr<btDefaultCollisionConfiguration> configuration;
	std::unique_ptr<btCollisionDispatcher> dispatcher;
	btDbvtBroadphase broad;
	btSequentialImpulseConstraintSolver solver;
	std::unique_ptr<btDiscreteDynamicsWorld> world;
	std::vector<std::unique_ptr<btCollisionShape>> shapes;
	std::vector<std::unique_ptr<btRigidBody>> bodies;
};
} // namespace

int main(int words, char **word)
{
	if (words != 5) return std::fprintf(stderr, "usage: bullet box|hull N SETTLE STEPS\n"), 2;
	int n = std::atoi(word[2]), settle = std::atoi(word[3]), steps = std::atoi(word[4]);
	packing p(!std::strcmp(word[1], "hull"), n);
	for (int k = 0; k < settle; ++k) p.step();
	bench::figures f = {};
	f.energy_before = p.energy();
	for (int k = 0; k < steps; ++k) {
		double began = bench::now();
		p.step();
		f.seconds += bench::now() - began;
		p.contacts(f);
	}
	f.energy_after = p.energy();
	bench::print(p.count, steps, bench::dt, f);
}
