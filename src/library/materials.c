/* materials: gravity, and properties of materials and of their contacts, with the names and ranges of scene keys. */
#include "library/internal.h"

#include "model/law.h"
#include "scene/schema.h"
#include "world/world.h"

#include <string.h>

scree_code scree_in_set_gravity(scree_sim *s, const double g[3])
{
	const vec3 before = s->w->model.gravity;
	if (!scree_sim_is_vector(g)) return scree_sim_refuse(s, "gravity must be three numbers of at most 1e30");
	if (s->w->model.flat && g[2] != 0) return scree_sim_refuse(s, "gravity points out of the plane of the world");
	if (scree_sim_undivided(s) || scree_sim_check_rows(s, false)) return SCREE_BAD_INPUT;
	scree_sim_testing_now(s);
	s->w->model.gravity = v3(g[0], g[1], g[2]);
	if (scree_sim_is_possible(s, &s->why)) return scree_sim_changed_now(s, CHANGED_MATERIALS);
	s->w->model.gravity = before;
	scree_sim_prepare_again(s);
	return SCREE_BAD_INPUT;
}

/* A number of a material or a contact rule, its scene key, and the laws that use it (model/law.h, TAKES_..). */
typedef struct property {
	const char *name;
	size_t at;
	uint32_t takes; /* 0: all */
} property;

static const property of_materials[] = {{"density", offsetof(material, density), 0},
										{"young", offsetof(material, young), TAKES_YOUNG},
										{"poisson", offsetof(material, poisson), TAKES_YOUNG}};
static const property of_rules[] = {{"restitution", offsetof(contact_rule, restitution), TAKES_RESTITUTION},
									{"friction", offsetof(contact_rule, friction), 0},
									{"rolling_friction", offsetof(contact_rule, rolling_friction), TAKES_RESTITUTION},
									{"twisting_friction", offsetof(contact_rule, twisting_friction), TAKES_RESTITUTION},
									{"stiffness", offsetof(contact_rule, stiffness), TAKES_STIFFNESS},
									{"tangential_ratio", offsetof(contact_rule, tangential_ratio), TAKES_STIFFNESS}};

const char *scree_in_material_name(const scree_sim *s, int k)
{
	return k >= 0 && k < s->w->model.material.count ? s->w->model.material.row[k].name : NULL;
}

static const property *find(const property *all, size_t count, const char *name)
{
	for (size_t k = 0; name && k < count; ++k)
		if (!strcmp(all[k].name, name)) return all + k;
	return NULL;
}

/* refuses values that a scene may not have, with the reader's error message */
static scree_code check_range(scree_sim *s, const section *of, const char *name, double value)
{
	writing text = {0};
	scree_code code = SCREE_DONE;
	for (int32_t k = 0; k < of->rows; ++k) {
		if (strcmp(of->row[k].name, name) != 0 || scree_range_holds(scree_range(of->row + k), value)) continue;
		scree_range_text(&text, scree_range(of->row + k), of->row[k].unit);
		code = scree_sim_refuse(s, "%s: %g, expected %s", name, value, text.bytes);
	}
	scree_free(scree_writing_take(&text));
	return code;
}

typedef struct asked {
	int32_t a, b; /* rows of materials; b is -1 for a property of a itself */
	const property *of;
	double value;
} asked;

static real *number_of(void *row, const property *of) { return (real *)((char *)row + of->at); }

/* reads the number, from a material or from a rule */
static double value_of(scree_sim *s, const asked *o)
{
	materials *m = &s->w->model.material;
	return o->b < 0 ? *number_of(m->row + o->a, o->of) : *number_of(scree_materials_rule(m, o->a, o->b), o->of);
}

static void put_value(scree_sim *s, const asked *o, double value)
{
	materials *m = &s->w->model.material;
	if (o->b < 0) {
		*number_of(m->row + o->a, o->of) = value;
		return;
	}
	contact_rule rule = *scree_materials_rule(m, o->a, o->b);
	*number_of(&rule, o->of) = value;
	scree_materials_set_rule(m, o->a, o->b, rule);
}

static bool law_takes(const scree_sim *s, const asked *o)
{
	const model *m = &s->w->model;
	if (!o->of->takes || o->b < 0) return true;
	return scree_laws[scree_materials_rule(&m->material, o->a, o->b)->law].takes & o->of->takes;
}

static scree_code set_value(scree_sim *s, const asked *o)
{
	const double before = value_of(s, o);
	const scree_code range =
		check_range(s, o->b < 0 ? &scree_section_material : &scree_section_rule, o->of->name, o->value);
	if (range || scree_sim_check_rows(s, false)) return SCREE_BAD_INPUT;
	if (!law_takes(s, o)) return scree_sim_refuse(s, "%s: the law of this contact does not use it", o->of->name);
	scree_sim_testing_now(s);
	put_value(s, o, o->value);
	if (scree_sim_is_possible(s, &s->why)) return scree_sim_changed_now(s, CHANGED_MATERIALS);
	put_value(s, o, before);
	scree_sim_prepare_again(s);
	return SCREE_BAD_INPUT;
}

/* finds the row of a material; returns false, with an error message, if there is none */
static bool find_material(scree_sim *s, const char *name, int32_t *row)
{
	*row = name ? scree_materials_find(&s->w->model.material, name) : -1;
	if (*row < 0) scree_sim_refuse(s, "there is no material '%s'", name ? name : "");
	return *row >= 0;
}

/* b: the other material of a rule; rule: whether a rule is meant, rather than a property of a itself */
static scree_code ask(scree_sim *s, bool rule, const char *a, const char *b, const char *key, asked *o)
{
	if (s->broken) return s->broken;
	o->b = -1;
	if (!find_material(s, a, &o->a) || (rule && !find_material(s, b, &o->b))) return SCREE_BAD_INPUT;
	o->of = rule ? find(of_rules, sizeof of_rules / sizeof *of_rules, key)
				 : find(of_materials, sizeof of_materials / sizeof *of_materials, key);
	if (o->of) return SCREE_DONE;
	return scree_sim_refuse(s, "a %s has no number '%s'", rule ? "contact" : "material", key ? key : "");
}

static scree_code get(scree_sim *s, bool rule, const char *a, const char *b, const char *key, double *value)
{
	asked o;
	const scree_code code = ask(s, rule, a, b, key, &o);
	if (!code) *value = value_of(s, &o);
	return code;
}

static scree_code set(scree_sim *s, bool rule, const char *a, const char *b, const char *key, double value)
{
	asked o;
	const scree_code code = ask(s, rule, a, b, key, &o);
	o.value = value;
	if (code) return code;
	return scree_sim_undivided(s) ? SCREE_BAD_INPUT : set_value(s, &o);
}

scree_code scree_in_material(scree_sim *s, const char *material, const char *property, double *value)
{
	return get(s, false, material, NULL, property, value);
}

scree_code scree_in_set_material(scree_sim *s, const char *material, const char *property, double value)
{
	return set(s, false, material, NULL, property, value);
}

scree_code scree_in_contact_rule(scree_sim *s, const char *a, const char *b, const char *property, double *value)
{
	return get(s, true, a, b, property, value);
}

scree_code scree_in_set_contact_rule(scree_sim *s, const char *a, const char *b, const char *property, double value)
{
	return set(s, true, a, b, property, value);
}
