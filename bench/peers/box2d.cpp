/* box2d: polygons at rest and a gas of discs in Box2D 2.4 (single precision as packaged), with 8 sweeps for velocities
 * and 3 for positions per step. Box2D's polygons have at most 8 corners and a skin of 0.01, at whose surface overlaps
 * start.
 *
 * usage: box2d packing CORNERS STEPS | gas STEPS */
#include "flat.h"

#include <box2d/box2d.h>

namespace
{
class world_of_bodies
{
  public:
	void step() { world.Step((float)bench::dt, 8, 3); }

	double energy() const
	{
		double sum = 0;
		for (const b2Body *b : bodies)
			sum += 0.5 * b->GetMass() * b->GetLinearVelocity().LengthSquared() +
				   0.5 * b->GetInertia() * b->GetAngularVelocity() * b->GetAngularVelocity() -
				   b->GetMass() * world.GetGravity().y * b->GetPosition().y;
		return sum;
	}

	double height() const
	{
		double sum = 0;
		for (const b2Body *b : bodies) sum += b->GetPosition().y;
		return sum / (double)bodies.size();
	}

	void contacts(bench::figures &f)
	{
		f.touching = f.points = 0;
		for (const b2Contact *c = world.GetContactList(); c; c = c->GetNext()) {
			int points = c->IsTouching() ? c->GetManifold()->pointCount : 0;
			f.touching += points > 0;
			f.points += points;
			b2WorldManifold at;
			if (points > 0) c->GetWorldManifold(&at);
			for (int k = 0; k < points; ++k)
				if (-at.separations[k] > f.overlap) f.overlap = -at.separations[k];
		}
	}

  protected:
	world_of_bodies(double gravity, double friction, double restitution)
		: world(b2Vec2(0, (float)-gravity)), friction((float)friction), restitution((float)restitution)
	{
		world.SetAllowSleeping(false);
		world.SetContinuousPhysics(false);
	}

	void wall(double left, double bottom, double right, double top)
	{
		b2PolygonShape box;
		b2Vec2 middle((float)(left + right) / 2, (float)(bottom + top) / 2);
		box.SetAsBox((float)(right - left) / 2, (float)(top - bottom) / 2, middle, 0);
		b2BodyDef still;
		add(still, box);
	}

	void body(const b2Shape &shape, bench::point at, bench::point velocity)
	{
		b2BodyDef moving;
		moving.type = b2_dynamicBody;
		moving.position.Set((float)at.x, (float)at.y);
		moving.linearVelocity.Set((float)velocity.x, (float)velocity.y);
		bodies.push_back(add(moving, shape));
	}

  private:
	b2Body *add(const b2BodyDef &what, const b2Shape &shape)
	{
		b2Body *b = world.CreateBody(&what);
		b2FixtureDef f;
		f.shape = &shape;
		f.density = 1;
		f.friction = friction;
		f.restitution = restitution;
		f.restitutionThreshold = 0;
		b->CreateFixture(&f);
		return b;
	}

	b2World world;
	float friction, restitution;
	std::vector<b2Body *> bodies;
};

class packing : public world_of_bodies
{
  public:
	explicit packing(int corners) : world_of_bodies(bench::gravity, bench::friction, 0)
	{
		if (corners > b2_maxPolygonVertices) {
			std::fprintf(stderr, "box2d: at most %d corners\n", b2_maxPolygonVertices);
			std::exit(2);
		}
		wall(-5, -5, bench::wide + 5, 0);
		wall(-5, 0, 0, bench::high);
		wall(bench::wide, 0, bench::wide + 5, bench::high);
		bench::packing(corners, [&](bench::point at, const std::vector<bench::point> &outline) {
			b2Vec2 corner[b2_maxPolygonVertices];
			for (int k = 0; k < corners; ++k) corner[k].Set((float)outline[k].x, (float)outline[k].y);
			b2PolygonShape stone;
			stone.Set(corner, corners);
			body(stone, at, {0, 0});
		});
	}
};

class gas : public world_of_bodies
{
  public:
	gas() : world_of_bodies(0, 0, 1)
	{
		wall(-5, -5, bench::gas_wide + 5, 0);
		wall(-5, bench::gas_high, bench::gas_wide + 5, bench::gas_high + 5);
		wall(-5, 0, 0, bench::gas_high);
		wall(bench::gas_wide, 0, bench::gas_wide + 5, bench::gas_high);
		b2CircleShape disc;
		disc.m_radius = bench::radius;
		bench::gas([&](bench::point at, bench::point velocity) { body(disc, at, velocity); });
	}
};
} // namespace

int main(int words, char **word) { return bench::run<packing, gas>(words, word); }
