/* law: computes the constants of a pair from materials and rules (docs/theory/laws.md). */
#include "model/law.h"

#include "base/maths.h"
#include "kernel/cohesion.h"
#include "kernel/contact_law.h"

/* Restitution of a clamped spring and dashpot (no attraction) with damping ratio z (Schwager and Poeschel 2007). It is
 * the same for the linear law and for Hertz with damping as the 1/4 power of the overlap, and falls with z, from 1. */
static real restitution_of(real z)
{
	if (z <= 0) return 1;
	if (z < 1) {
		real w = sqrt(1 - z * z);
		return scree_exp(-z / w * (SCREE_PI - scree_atan2(2 * z * w, 1 - 2 * z * z)));
	}
	real q = sqrt(z * z - 1);
	return q > 1e-9 ? scree_exp(-z / q * scree_log((z + q) / (z - q))) : scree_exp(-2);
}

/* Finds the damping ratio that gives this restitution, by bisection to the last bit. */
static real damping_for(real restitution)
{
	if (restitution >= 1) return 0;
	real low = 0, high = 1;
	while (restitution_of(high) > restitution && high < 1e6) high *= 2;
	for (int i = 0; i < 200; ++i) {
		real mid = (low + high) / 2;
		if (mid <= low || mid >= high) break;
		if (restitution_of(mid) > restitution)
			low = mid;
		else
			high = mid;
	}
	return (low + high) / 2;
}

static bool common(const contact_rule *rule, law_constants *out, fail *why)
{
	if (!(rule->restitution > 0 && rule->restitution <= 1))
		return scree_refuse(why, "restitution must be above 0 and at most 1, not %g", rule->restitution);
	if (!(rule->friction >= 0 && rule->rolling_friction >= 0 && rule->twisting_friction >= 0))
		return scree_refuse(why, "friction, rolling_friction and twisting_friction must not be negative");
	if (rule->cohesion != COHESION_NONE && !(rule->surface > 0))
		return scree_refuse(why, "cohesion needs a surface energy above 0");
	if (rule->cohesion != COHESION_NONE && !(scree_laws[rule->law].takes & TAKES_COHESION))
		return scree_refuse(why, "law %s does not support cohesion", scree_laws[rule->law].name);
	if (rule->cohesion == COHESION_CAPILLARY &&
		!(rule->bridge > 0 && rule->wetting >= 0 && rule->wetting < SCREE_PI / 2))
		return scree_refuse(why, "capillary cohesion needs a volume above 0 and a contact angle below 90 degrees");
	if (rule->cohesion == COHESION_JKR && !(scree_laws[rule->law].takes & TAKES_JKR))
		return scree_refuse(why, "cohesion jkr needs `law: hertz`");
	out->law = rule->law;
	out->damping = damping_for(rule->restitution);
	out->friction = rule->friction;
	out->rolling = rule->rolling_friction;
	out->twisting = rule->twisting_friction;
	out->cohesion = rule->cohesion;
	out->surface = rule->surface;
	if (rule->cohesion == COHESION_CAPILLARY) {
		out->surface = rule->surface * scree_cos(rule->wetting);
		out->volume = rule->bridge;
		out->ruptures = (1 + rule->wetting / 2) * cube_root(rule->bridge); /* Lian et al. (1993) */
	}
	return true;
}

static bool derive_power(const material *a, const material *b, const contact_rule *rule, law_constants *out, fail *why)
{
	const power_rule *p = &rule->power;
	if (!common(rule, out, why)) return false;
	if (!(p->stiffness > 0 && p->damping >= 0 && p->tangential >= 0))
		return scree_refuse(why, "the power law needs a force at an overlap for %s + %s", a->name, b->name);
	real quarters = 4 * p->exponent;
	if (!(quarters == 0 || quarters == 1 || quarters == 2 || quarters == 3 || quarters == 4))
		return scree_refuse(why, "the exponent of the power law must be 0, 0.25, 0.5, 0.75 or 1, not %g", p->exponent);
	out->stiffness = p->stiffness;
	out->damping = p->damping;
	out->shear = p->tangential;
	out->exponent = quarters;
	out->pulls = p->attraction ? 1 : 0;
	return true;
}

static bool derive_linear(const material *a, const material *b, const contact_rule *rule, law_constants *out, fail *why)
{
	if (!common(rule, out, why)) return false;
	if (!(rule->stiffness > 0))
		return scree_refuse(why, "the linear law needs a stiffness in N/m for %s + %s", a->name, b->name);
	out->stiffness = rule->stiffness;
	out->shear = rule->stiffness * (rule->tangential_ratio > 0 ? rule->tangential_ratio : (real)2 / 7);
	return true;
}

/* Friction, dashpots and time steps refer to the unloading spring, which is elastic. */
static bool derive_plastic(const material *a, const material *b, const contact_rule *rule, law_constants *out,
						   fail *why)
{
	const plastic_rule *p = &rule->plastic;
	if (!common(rule, out, why)) return false;
	if (!(rule->stiffness > 0))
		return scree_refuse(why, "the plastic law needs a stiffness in N/m for %s + %s", a->name, b->name);
	if (!(p->unloading >= rule->stiffness))
		return scree_refuse(
			why, "the plastic law for %s + %s: unloading must be at least as stiff as loading, %g N/m, not %g", a->name,
			b->name, rule->stiffness, p->unloading);
	if (!(p->adhesion >= 0 && p->depth >= 0))
		return scree_refuse(why, "adhesion and depth of the plastic law must not be negative");
	out->stiffness = p->unloading;
	out->shear = p->unloading * (rule->tangential_ratio > 0 ? rule->tangential_ratio : (real)2 / 7);
	out->loading = rule->stiffness;
	out->adhesion = p->adhesion;
	out->hardens = p->depth;
	return true;
}

/* Sets stiffness to E* and shear to G*: 1/E* and 1/G* are sums over both bodies. */
static bool moduli(const material *a, const material *b, const contact_rule *rule, law_constants *out, fail *why)
{
	if (!common(rule, out, why)) return false;
	const material *pair[2] = {a, b};
	for (int k = 0; k < 2; ++k) {
		if (!(pair[k]->young > 0))
			return scree_refuse(why, "the %s law needs young (Pa) for material %s",
								rule->law == LAW_HERTZ ? "Hertz" : scree_laws[rule->law].name, pair[k]->name);
		if (!(pair[k]->poisson > -1 && pair[k]->poisson <= (real)0.5))
			return scree_refuse(why, "poisson of material %s must be above -1 and at most 0.5, not %g", pair[k]->name,
								pair[k]->poisson);
	}
	real na = a->poisson, nb = b->poisson;
	out->stiffness = 1 / ((1 - na * na) / a->young + (1 - nb * nb) / b->young);
	out->shear = 1 / (2 * (2 - na) * (1 + na) / a->young + 2 * (2 - nb) * (1 + nb) / b->young);
	return true;
}

static bool derive_hertz(const material *a, const material *b, const contact_rule *rule, law_constants *out, fail *why)
{
	if (!moduli(a, b, rule, out, why)) return false;
	out->stiffness *= (real)4 / 3;
	out->shear *= 8;
	return true;
}

/* The ratio of tangential to normal stiffness is Mindlin's for a circular contact: 8 G* a over 2 E* a. */
static bool derive_volume(const material *a, const material *b, const contact_rule *rule, law_constants *out, fail *why)
{
	if (!moduli(a, b, rule, out, why)) return false;
	out->shear *= 4;
	return true;
}

/* Duration of a clamped linear contact, which ends when its force becomes zero. */
static real time_linear(const law_constants *c, real mass, real radius, real speed)
{
	(void)radius;
	(void)speed;
	real z = c->damping, w0 = sqrt(c->stiffness / mass);
	/* the undamped half period: an overdamped contact lasts longer */
	return SCREE_PI / w0 / (z < 1 ? sqrt(1 - z * z) : 1);
}

/* Duration of a Hertz contact: 2.9432 depth / speed, where depth = (15 m v^2 / (16 E* sqrt R))^(2/5). */
static real time_hertz(const law_constants *c, real mass, real radius, real speed)
{
	real k = c->stiffness * sqrt(radius); /* (4/3) E* sqrt R: depth^(5/2) = (5/4) m v^2 / k */
	real depth = scree_pow((real)1.25 * mass * speed * speed / k, (real)0.4);
	return (real)2.9432 * depth / speed;
}

/* Duration for a body flat on its largest face, with linear stiffness E* area^2/V0; edges and corners are softer. */
static real time_volume(const law_constants *c, real mass, real weight, real speed)
{
	law_constants flat = {.stiffness = c->stiffness * weight, .damping = c->damping};
	return time_linear(&flat, mass, 0, speed);
}

/* Duration for a body that lies flat on its largest face, with the linear stiffness E* weight. */
static real time_overlap(const law_constants *c, real mass, real weight, real speed)
{
	law_constants flat = {.stiffness = (real)0.75 * c->stiffness * weight, .damping = c->damping};
	return time_linear(&flat, mass, 0, speed);
}

/* Duration as for Hertz, but with the same stiffness for all radii. */
static real time_power(const law_constants *c, real mass, real radius, real speed)
{
	(void)radius;
	return time_hertz(c, mass, 1, speed);
}

real scree_law_damping_ratio(const law_constants *c, real mass, real speed)
{
	if (!scree_laws[c->law].viscous) return c->damping;
	real depth = scree_pow((real)1.25 * mass * speed * speed / c->stiffness, (real)0.4);
	real slope = (real)1.5 * c->stiffness * sqrt(depth);
	return c->damping * scree_pow(depth, c->exponent / 4) / (2 * sqrt(slope * mass));
}

real scree_law_power(int32_t row)
{
	return scree_laws[scree_laws[row].of_spheres].spring == SPRING_EVEN ? 1 : (real)1.5;
}

/* The force of the spring only, for a body on a flat body: dashpots and attraction add at most a few times this force,
 * unless they stop bodies immediately. Overlaps of faces are assumed to be as wide as the body. */
real scree_law_bears(const law_constants *c, real round, real radius, real depth)
{
	switch (c->law) {
	case LAW_LINEAR:
	case LAW_PLASTIC:
		return c->stiffness * depth;
	case LAW_HERTZ:
		return c->stiffness * sqrt(round * depth) * depth;
	case LAW_POWER:
		return c->stiffness * sqrt(depth) * depth;
	case LAW_AREA:
	case LAW_AREA_LITERAL:
		return 4 * c->stiffness * depth;
	default:
		return 8 * c->stiffness * radius * depth * (radius / round) * (radius / round) * (radius / round);
	}
}

/* Adds rolling and torsional springs to the normal spring. */
static void add_turning(const law_constants *c, real radius, real mass, real zeta, local_law *to)
{
	real inertia = mass * radius * radius, one = (real)2.25 * to->spring * radius * radius;
	real rolls = real_min(c->rolling, 1), twists = real_min(c->twisting, 1);
	to->roll = one * rolls * rolls;
	to->twist = one * twists * twists;
	to->roll_dashpot = 2 * zeta * sqrt(to->roll * (real)1.4 * inertia);
	to->twist_dashpot = 2 * zeta * sqrt(to->twist * (real)0.4 * inertia);
}

local_law scree_law_local(const law_constants *c, real radius, real mass, real scale, real elastic)
{
	bool rubs = c->friction > 0, hertz = c->law == LAW_HERTZ;
	local_law o = {.spring = c->stiffness};
	if (c->law == LAW_POWER) { /* elastic is (2/5) K d^(5/2) */
		real depth = scree_pow(elastic / ((real)0.4 * c->stiffness), (real)0.4);
		o.spring = (real)1.5 * c->stiffness * sqrt(depth);
		o.dashpot = c->damping * quarter_power(depth, c->exponent);
		o.shear_dashpot = rubs ? c->shear : 0;
		add_turning(c, radius, mass, 0, &o);
		return o;
	}
	contact_constants k = constants_of((enum law_row)c->law, c, radius, mass);
	o.spring = (hertz ? (real)1.5 : 1) * k.stiffness * scale;
	o.dashpot = k.damping * sqrt(mass * scale);
	o.shear = rubs ? k.shear * scale : 0;
	o.shear_dashpot = rubs ? k.shear_damping * sqrt(mass * scale) : 0;
	add_turning(c, radius, mass, c->damping, &o);
	return o;
}

real scree_law_pulled_in(const law_constants *c, real radius)
{
	bool hertz = c->law == LAW_HERTZ;
	real k = hertz ? c->stiffness * sqrt(radius) : c->stiffness;
	switch (c->cohesion) {
	case COHESION_JKR: /* the force is zero at y = 1 */
		return jkr_length(c->surface, (real)0.75 * c->stiffness, radius) / 3;
	case COHESION_CAPILLARY:
	case COHESION_DMT: { /* the pull at first contact in both cases is 4 pi gamma R */
		real pull = adhesion_dmt(c->surface, radius, 0).force;
		return hertz ? scree_pow(pull / k, (real)2 / 3) : pull / k;
	}
	case COHESION_SIMPLE: {
		real slope = adhesion_simple(c->surface, radius, 1).force / k;
		return hertz ? slope * slope : slope < 1 ? 0 : INFINITY;
	}
	default:
		return 0;
	}
}

enum { USUAL = TAKES_RESTITUTION, MODULI = TAKES_RESTITUTION | TAKES_YOUNG };

const law scree_laws[LAWS] = {
	[LAW_LINEAR] = {"linear", "spring and dashpot; stiffness in N/m", derive_linear, time_linear, OVERLAP_DEPTH, 0,
					USUAL | TAKES_STIFFNESS | TAKES_COHESION, LAW_LINEAR, SPRING_EVEN, 1, .rest = {1, 1, 1}},
	[LAW_HERTZ] = {"hertz", "Hertz and Mindlin: young and poisson of both materials, tangential history", derive_hertz,
				   time_hertz, OVERLAP_DEPTH, 0, MODULI | TAKES_COHESION | TAKES_JKR, LAW_HERTZ, SPRING_OF_RADIUS,
				   (real)1.5, .rest = {(real)2 / 3, (real)1 / 3, (real)1 / 2}},
	[LAW_POWER] =
		{"power", "normal force proportional to overlap^(3/2), viscous friction without history (Govender et al. 2014)",
		 derive_power, time_power, OVERLAP_DEPTH, 0, TAKES_POWER, LAW_POWER, SPRING_GROWS, 1,
		 .rest = {(real)2 / 3, (real)1 / 3, (real)1 / 2}, .viscous = true},
	[LAW_PLASTIC] = {"plastic", "spring that yields and is stiffer in unloading (Walton and Braun 1986, Luding 2008)",
					 derive_plastic, time_linear, OVERLAP_DEPTH, 3, USUAL | TAKES_STIFFNESS | TAKES_PLASTIC,
					 LAW_PLASTIC, SPRING_EVEN, 1, .rest = {1, 1, 1}, .round = true},
	[LAW_VOLUME] = {"volume",
					"for polyhedra: energy E* V^2/(2 V0), with the overlap volume V; conserves energy; faces do not "
					"resist tilting",
					derive_volume, time_volume, OVERLAP_VOLUME, 3, MODULI, LAW_HERTZ, SPRING_EVEN, 1,
					.rest = {(real)1 / 3, (real)1 / 3, 1}},
	[LAW_AREA] = {"area", "energy Y A^2/(2 l^2) of the overlap's area A; conserves energy, edges do not resist tilt",
				  derive_volume, time_volume, OVERLAP_VOLUME, 2, MODULI, LAW_HERTZ, SPRING_EVEN, 1,
				  .rest = {1, 1, (real)1 / 3}},
	[LAW_OVERLAP] =
		{"overlap",
		 "energy of the overlap's volume and thickness; hertz for spheres; conserves energy, faces resist tilt",
		 derive_hertz, time_overlap, OVERLAP_THICKNESS, 0, MODULI, LAW_HERTZ, SPRING_EVEN, (real)1.5,
		 .rest = {(real)2 / 3, (real)1 / 3, 1}, .tilts = 4},
	[LAW_AREA_LITERAL] = {"area/literal", "force Y A/l of the overlap's area A (Tillemans and Herrmann 1995)",
						  derive_volume, time_volume, OVERLAP_VOLUME, 2, MODULI, LAW_HERTZ, SPRING_EVEN, 1,
						  .rest = {1, 1, (real)1 / 3}, .literal = true},
};

int32_t scree_laws_same(const law_constants *c, int64_t count)
{
	for (int64_t k = 1; k < count; ++k)
		if (c[k].law != c->law) return -1;
	return c->law;
}

enum extra scree_laws_extra(const law_constants *c, int64_t count)
{
	enum extra most = EXTRA_NONE;
	for (int64_t k = 0; k < count; ++k) {
		if (c[k].cohesion != COHESION_NONE) return EXTRA_STICKS;
		if (c[k].rolling > 0 || c[k].twisting > 0) most = EXTRA_TURNS;
	}
	return most;
}
