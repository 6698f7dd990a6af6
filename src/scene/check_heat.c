/* check_heat: materials that conduct heat have both keys, and all that speaks of heat needs such a material. */
#include "measure/measure.h"
#include "scene/reader.h"

static const char *const CURE = "for example, give a material conductivity: 1 W/m/K and heat_capacity: 800 J/kg/K";

static bool conducts(const material_spec *m) { return scree_given(&m->h, "conductivity"); }

static void check_material(reader *r, const material_spec *m)
{
	const bool holds = scree_given(&m->h, "heat_capacity");
	if (conducts(m) && !holds)
		REFUSE_KEY(r, &m->h, "conductivity", "for example, add heat_capacity: 800 J/kg/K",
				   "%s: the key 'heat_capacity' is missing; conduction of heat needs both", m->h.name);
	if (holds && !conducts(m))
		REFUSE_KEY(r, &m->h, "heat_capacity", "for example, add conductivity: 1 W/m/K",
				   "%s: the key 'conductivity' is missing; conduction of heat needs both", m->h.name);
	if (!conducts(m) && scree_given(&m->h, "conduction_young"))
		REFUSE_KEY(r, &m->h, "conduction_young", "remove it",
				   "%s: 'conduction_young' belongs to materials with a conductivity", m->h.name);
}

static void check_wall(reader *r, const wall_spec *w)
{
	const material_spec *all = r->spec.materials.item;
	if (!scree_given(&w->h, "temperature")) return;
	if (w->material < 0 || w->material >= r->spec.materials.count || conducts(all + w->material)) return;
	REFUSE_KEY(r, &w->h, "temperature", "add conductivity and heat_capacity to the material",
			   "%s: a wall with a temperature needs a material with a conductivity; '%s' has none", w->h.name,
			   all[w->material].h.name);
}

/* Reports a key that has no effect without heat. */
static void refuse(reader *r, const head *h, const char *key, const char *of)
{
	if (scree_given(h, key)) REFUSE_KEY(r, h, key, CURE, "%s: '%s' needs a material with a conductivity", of, key);
}

/* Reports measures of temperatures. */
static void refuse_measures(reader *r, const measure_spec *m)
{
	const int32_t *word = m->words.item;
	for (int32_t k = 0; k < m->words.count; ++k)
		if (word[k] >= 0 && scree_measures[word[k]].needs_heat)
			scree_report(&r->r, scree_entry(&m->h, "values", k), CURE,
						 "values: %s needs a material with a conductivity", scree_measures[word[k]].name);
}

static void refuse_all(reader *r)
{
	const image_spec *images = &r->spec.output.images;
	const char *color = images->h.where && images->color >= 0 ? scree_words_colors(NULL, images->color) : "";
	if (!strcmp(color, "temperature"))
		REFUSE_VALUE(r, &images->h, "color", CURE, "color: temperature needs a material with a conductivity");
	EACH(const measure_spec, m, r->spec.output.measures) refuse_measures(r, m);
	refuse(r, &r->spec.world.h, "temperature", "world");
	EACH(const rule_spec, c, r->spec.contacts)
	if (c->friction_heat > 0) refuse(r, &c->h, "friction_heat", c->h.name);
	EACH(const fill_spec, f, r->spec.fill) refuse(r, &f->h, "body_temperature", "fill");
	EACH(const fill_spec, f, r->spec.sources) refuse(r, &f->h, "body_temperature", "source");
}

void scree_check_heat_keys(reader *r)
{
	bool any = false;
	EACH(const material_spec, m, r->spec.materials)
	{
		if (!m->h.where) continue;
		check_material(r, m);
		any |= conducts(m);
	}
	EACH(const wall_spec, w, r->spec.walls) if (w->h.where) check_wall(r, w);
	if (!any) refuse_all(r);
}
