/* build_rules: rules of the contacts of each pair of materials. */
#include "scene/reader.h"

#include "kernel/cohesion.h"
#include "kernel/contact_law.h"
#include "model/law.h"
#include "model/response.h"

/* The coefficient would have a unit with powers of 3/2, so a scene gives the force at one overlap instead. */
static power_rule power_of(const power_spec *p)
{
	power_rule o = {.exponent = p->exponent, .tangential = p->tangential, .attraction = p->attraction};
	if (!p->h.where) return (power_rule){0};
	o.stiffness = p->force / (p->overlap * sqrt(p->overlap));
	o.damping = p->damping / quarter_power(p->overlap, 4 * p->exponent);
	return o;
}

static bond_rule bond_of(const bond_spec *s)
{
	return (bond_rule){.young = s->young,
					   .ratio = s->ratio,
					   .tension = s->tension,
					   .shear = s->shear,
					   .deviation = s->deviation,
					   .factor = s->factor,
					   .damping = s->damping,
					   .gap = s->gap,
					   .from = s->from,
					   .seed = s->seed};
}

static contact_rule rule_of(const rule_spec *s)
{
	uint32_t takes = scree_laws[s->law].takes;
	bool power = takes & TAKES_POWER, damps = takes & TAKES_RESTITUTION;
	const cohesion_spec *o = &s->cohesion;
	const bool some = o->jkr > 0 || o->dmt > 0 || o->simple > 0 || o->capillary.h.where;
	bool sticks = takes & TAKES_COHESION && o->h.where && some;
	const bool wet = sticks && o->capillary.h.where;
	contact_rule c = {.law = s->law,
					  .restitution = damps ? s->restitution : 1,
					  .friction = s->friction,
					  .rolling_friction = damps ? s->rolling_friction : 0,
					  .twisting_friction = damps ? s->twisting_friction : 0,
					  .cohesion = !sticks	   ? COHESION_NONE
								  : o->jkr > 0 ? COHESION_JKR
								  : o->dmt > 0 ? COHESION_DMT
								  : wet		   ? COHESION_CAPILLARY
											   : COHESION_SIMPLE,
					  .surface = !sticks	  ? 0
								 : o->jkr > 0 ? o->jkr
								 : o->dmt > 0 ? o->dmt
								 : wet		  ? o->capillary.tension
											  : o->simple,
					  .bridge = wet ? o->capillary.volume : 0,
					  .wetting = wet ? o->capillary.angle : 0,
					  .stiffness = s->stiffness,
					  .tangential_ratio = s->tangential_ratio,
					  .friction_heat = s->friction_heat,
					  .power = power ? power_of(&s->power) : (power_rule){0},
					  .plastic = {s->plastic.unloading, s->plastic.adhesion, s->plastic.depth}};
	if (!(takes & TAKES_PLASTIC)) c.plastic = (plastic_rule){0};
	if (s->bond.h.where) c.bond = bond_of(&s->bond);
	return c;
}

/* the properties of a pair of materials that impulses use */
static contact_rule hard_rule_of(const rule_spec *s, const response *solver)
{
	return (contact_rule){.restitution = s->restitution, .friction = solver->rubs ? s->friction : 0};
}

void scree_build_rules(reader *r, materials *m)
{
	const scene_spec *s = &r->spec;
	const rule_spec *rule = s->contacts.item;
	const response *solver = scree_scene_solver(&s->run);
	for (int32_t k = 0; k < s->contacts.count; ++k) {
		contact_rule c = solver ? hard_rule_of(rule + k, solver) : rule_of(rule + k);
		int32_t pair[2];
		if (!k) {
			for (int32_t i = 0; i < m->count; ++i)
				for (int32_t j = i; j < m->count; ++j) scree_materials_set_rule(m, i, j, c);
		} else if (scree_pair_of(r, scree_node_child(scree_node_child(r->root, "contacts"), rule[k].h.name), pair)) {
			scree_materials_set_rule(m, pair[0], pair[1], c);
		}
	}
}
