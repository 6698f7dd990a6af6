/* chipmunk: polygons at rest and a gas of discs in Chipmunk 7 (double precision; Debian's library has its assertions
 * enabled), with 10 sweeps per step and a slop of 0.005.
 *
 * usage: chipmunk packing CORNERS STEPS | gas STEPS */
#include "flat.h"

#include <chipmunk/chipmunk.h>

namespace
{
void count(cpBody *, cpArbiter *met, void *data)
{
	auto *f = static_cast<bench::figures *>(data);
	int points = cpArbiterGetCount(met);
	f->touching += points > 0;
	f->points += points;
	for (int k = 0; k < points; ++k)
		if (-cpArbiterGetDepth(met, k) > f->overlap) f->overlap = -cpArbiterGetDepth(met, k);
}

class world_of_bodies
{
  public:
	void step() { cpSpaceStep(space, bench::dt); }

	double energy() const
	{
		double sum = 0, fall = cpSpaceGetGravity(space).y;
		for (cpBody *b : bodies) {
			double spin = cpBodyGetAngularVelocity(b);
			sum += 0.5 * cpBodyGetMass(b) * cpvlengthsq(cpBodyGetVelocity(b)) + 0.5 * cpBodyGetMoment(b) * spin * spin -
				   cpBodyGetMass(b) * fall * cpBodyGetPosition(b).y;
		}
		return sum;
	}

	double height() const
	{
		double sum = 0;
		for (cpBody *b : bodies) sum += cpBodyGetPosition(b).y;
		return sum / (double)bodies.size();
	}

	void contacts(bench::figures &f)
	{
		f.touching = f.points = 0;
		for (cpBody *b : bodies) cpBodyEachArbiter(b, count, &f);
		long pairs = f.touching, points = f.points; // pairs of two bodies are counted twice
		bench::figures walls = {};
		cpBodyEachArbiter(cpSpaceGetStaticBody(space), count, &walls);
		f.touching = (pairs + walls.touching) / 2;
		f.points = (points + walls.points) / 2;
	}

  protected:
	world_of_bodies(double gravity, double friction, double restitution) : friction(friction), restitution(restitution)
	{
		cpSpaceSetGravity(space, cpv(0, -gravity));
		cpSpaceSetIterations(space, 10);
		cpSpaceSetCollisionSlop(space, 0.005);
	}

	// from a to b, with the surface at a distance of 1 from this line
	void wall(double xa, double ya, double xb, double yb)
	{
		add(cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(xa, ya), cpv(xb, yb), 1));
	}

	cpBody *body(double mass, double moment, bench::point at, bench::point velocity)
	{
		cpBody *b = cpBodyNew(mass, moment);
		cpBodySetPosition(b, cpv(at.x, at.y));
		cpBodySetVelocity(b, cpv(velocity.x, velocity.y));
		bodies.push_back(cpSpaceAddBody(space, b));
		return b;
	}

	void add(cpShape *s)
	{
		cpShapeSetFriction(s, friction);
		cpShapeSetElasticity(s, restitution);
		cpSpaceAddShape(space, s);
	}

  private:
	cpSpace *space = cpSpaceNew();
	double friction, restitution;
	std::vector<cpBody *> bodies;
};

class packing : public world_of_bodies
{
  public:
	explicit packing(int corners) : world_of_bodies(bench::gravity, std::sqrt(bench::friction), 0)
	{ // square root, since Chipmunk multiplies the coefficients of both bodies
		wall(-1, -1, bench::wide + 1, -1);
		wall(-1, -1, -1, bench::high);
		wall(bench::wide + 1, -1, bench::wide + 1, bench::high);
		bench::packing(corners, [&](bench::point at, const std::vector<bench::point> &outline) {
			std::vector<cpVect> corner;
			for (bench::point p : outline) corner.push_back(cpv(p.x, p.y));
			double mass = bench::area(corners);
			cpBody *b = body(mass, cpMomentForPoly(mass, corners, corner.data(), cpvzero, 0), at, {0, 0});
			add(cpPolyShapeNew(b, corners, corner.data(), cpTransformIdentity, 0));
		});
	}
};

class gas : public world_of_bodies
{
  public:
	gas() : world_of_bodies(0, 0, 1)
	{
		double right = bench::gas_wide + 1, top = bench::gas_high + 1;
		wall(-1, -1, right, -1);
		wall(-1, top, right, top);
		wall(-1, -1, -1, top);
		wall(right, -1, right, top);
		bench::gas([&](bench::point at, bench::point velocity) {
			cpBody *b = body(1, cpMomentForCircle(1, 0, bench::radius, cpvzero), at, velocity);
			add(cpCircleShapeNew(b, bench::radius, cpvzero));
		});
	}
};
} // namespace

int main(int words, char **word) { return bench::run<packing, gas>(words, word); }
