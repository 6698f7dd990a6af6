/* check: rules that the table of keys cannot express: keys of different groups that require or rule out each other, the
 * order of corners, nonzero vectors, and names of pairs. The checks also run after loading errors, so that all errors
 * are reported at once; hence they read only keys that were given. */
#include "scene/reader.h"

#include "format/colour_names.h"
#include "measure/measure.h"
#include "model/law.h"
#include "model/narrow.h"

bool scree_pair_of(reader *r, const node *n, int32_t pair[2])
{
	const node *map = scree_node_child(r->root, "materials");
	if (map && map->type != NODE_MAP) return false; /* already reported */
	const char *plus = strchr(n->key, '+');
	if (!plus)
		return scree_report(&r->r, n->key_at, "a pair is written 'a + b'",
							"contacts: '%.60s' is neither default nor a pair of materials", n->key);
	for (int side = 0; side < 2; ++side) {
		const char *from = side ? plus + 1 : n->key, *to = side ? n->key + strlen(n->key) : plus;
		while (from < to && *from == ' ') ++from;
		while (to > from && to[-1] == ' ') --to;
		const char *name = scree_arena_text(&r->memory, from, (size_t)(to - from));
		const node *c = map ? map->first : NULL;
		for (pair[side] = 0; c && strcmp(c->key, name); c = c->next) ++pair[side];
		if (c) continue;
		if (!map && r->strange) return false;
		return scree_report(&r->r, n->key_at, NULL, "contacts: there is no '%.60s' under materials%s", name,
							map ? scree_meant(&r->r, name, scree_node_keys, map) : "");
	}
	if (pair[0] > pair[1]) {
		int32_t swap = pair[0];
		pair[0] = pair[1];
		pair[1] = swap;
	}
	return true;
}

/* keys of a rule, and the laws that use them */
static const struct {
	const char *key;
	uint32_t bit;
} rule_keys[] = {
	{"stiffness", TAKES_STIFFNESS},
	{"tangential_ratio", TAKES_STIFFNESS},
	{"restitution", TAKES_RESTITUTION},
	{"rolling_friction", TAKES_RESTITUTION},
	{"twisting_friction", TAKES_RESTITUTION},
	{"cohesion", TAKES_COHESION},
	{"power", TAKES_POWER},
	{"plastic", TAKES_PLASTIC},
};
enum { RULE_KEYS = sizeof rule_keys / sizeof *rule_keys };

/* Removes keys that belong to other laws from the resolved scene. */
static void forget_other_laws(rule_spec *rule)
{
	uint32_t takes = rule->law >= 0 ? scree_laws[rule->law].takes : TAKES_RESTITUTION | TAKES_COHESION;
	for (int i = 0; i < RULE_KEYS; ++i)
		if (!(takes & rule_keys[i].bit)) scree_forget(&rule->h, rule_keys[i].key);
}

/* the first law that uses this key, which is the default law if that law uses it */
static const char *law_with(uint32_t bit)
{
	int k = 0;
	while (k + 1 < LAWS && !(scree_laws[k].takes & bit)) ++k;
	return scree_laws[k].name;
}

/* Reports keys that are given but not used by the law, and names the law that uses them if there is only one. */
static void check_keys(reader *r, const rule_spec *rule)
{
	const law *l = scree_laws + rule->law;
	const head *h = &rule->h;
	for (int i = 0; i < RULE_KEYS; ++i) {
		const char *key = rule_keys[i].key;
		uint32_t bit = rule_keys[i].bit;
		if (l->takes & bit || !scree_given(h, key)) continue;
		if (bit == TAKES_STIFFNESS || bit == TAKES_POWER || bit == TAKES_PLASTIC) {
			char cure[64];
			snprintf(cure, sizeof cure, "set law: %s, or remove it", law_with(bit));
			REFUSE_KEY(r, h, key, cure, "%s: '%s' belongs to the law %s, not to %s", h->name, key, law_with(bit),
					   l->name);
		} else {
			REFUSE_KEY(r, h, key, "remove it", "%s: '%s' does not apply to the law %s", h->name, key, l->name);
		}
	}
}

static void check_power(reader *r, const rule_spec *rule)
{
	const head *h = &rule->h;
	const power_spec *p = &rule->power;
	const law *l = scree_laws + rule->law;
	if (l->takes & TAKES_POWER && !p->h.where)
		REFUSE_KEY(r, h, "law", "for example, add power: {overlap: 1 cm, force: 10 kN}",
				   "%s: the law %s needs the key power", h->name, l->name);
	real quarters = 4 * p->exponent;
	if (scree_node_child(p->h.where, "exponent") && quarters - quarters == 0 && quarters != scree_floor(quarters))
		REFUSE_VALUE(r, &p->h, "exponent", NULL, "exponent: 0, 0.25, 0.5, 0.75 or 1 was expected");
}

static void check_plastic(reader *r, const rule_spec *rule)
{
	const head *h = &rule->h;
	const plastic_spec *p = &rule->plastic;
	const law *l = scree_laws + rule->law;
	if (!(l->takes & TAKES_PLASTIC)) return;
	if (!p->h.where)
		REFUSE_KEY(r, h, "law", "for example, add plastic: {unloading: 40 kN/m}",
				   "%s: the law %s needs the key plastic", h->name, l->name);
	else if (p->unloading < rule->stiffness)
		REFUSE_VALUE(r, &p->h, "unloading", NULL, "%s: unloading: expected at least the stiffness of loading, %g N/m",
					 h->name, rule->stiffness);
}

static void check_rule(reader *r, const rule_spec *rule)
{
	const head *h = &rule->h;
	if (rule->law < 0) return;
	const law *l = scree_laws + rule->law;
	int32_t only = l->dimension;
	if (only && (only == 2) != r->flat)
		REFUSE_KEY(r, h, "law",
				   !r->flat		 ? "write volume"
				   : l->overlaps ? "write area"
								 : "write linear",
				   "%s: the law %s is available only in worlds of dimension %d", h->name, l->name, only);
	if (l->takes & TAKES_STIFFNESS && !(rule->stiffness > 0) && !scree_given(h, "stiffness"))
		REFUSE_KEY(r, h, "law", "for example, add stiffness: 10 kN/m", "%s: the law %s needs a stiffness", h->name,
				   l->name);
	check_power(r, rule);
	check_plastic(r, rule);
	bool jkr = rule->cohesion.h.where && rule->cohesion.jkr > 0 && scree_given(h, "cohesion");
	if (jkr && l->takes & TAKES_COHESION && !(l->takes & TAKES_JKR))
		REFUSE_VALUE(r, &rule->cohesion.h, "jkr", "set law: hertz, or use dmt or simple", "%s: jkr needs the law hertz",
					 h->name);
	check_keys(r, rule);
}

/* tests whether a law is named for the pair; the first rule is the default and supplies missing keys */
static bool law_is_named(const reader *r, const rule_spec *rule)
{
	const rule_spec *first = r->spec.contacts.item;
	return scree_given(&rule->h, "law") || scree_given(&first->h, "law");
}

/* Chooses laws where none is named. Contacts based on depth and on energy cannot be mixed, and the law overlap has no
 * cohesion. So hertz is chosen if a pair has cohesion, or if a named law or narrow phase is based on depth. */
static void choose_laws(reader *r)
{
	const run_spec *run = &r->spec.run;
	bool depth = scree_given(&run->h, "narrow_phase") && run->narrow_phase >= 0 &&
				 scree_narrow_row(run->narrow_phase)->gives == OVERLAP_DEPTH;
	EACH(rule_spec, rule, r->spec.contacts)
	{
		bool named = law_is_named(r, rule) && rule->law >= 0;
		depth |= rule->cohesion.h.where || (named && scree_laws[rule->law].overlaps == OVERLAP_DEPTH);
	}
	EACH(rule_spec, rule, r->spec.contacts)
	if (depth && !law_is_named(r, rule)) rule->law = LAW_HERTZ;
}

static void check_contacts(reader *r)
{
	const spec_list *list = &r->spec.contacts;
	int32_t(*pair)[2] = scree_arena_take(&r->memory, (size_t)(list->count + 1) * sizeof *pair);
	int32_t pairs = 0;
	EACH(rule_spec, rule, *list)
	{
		if (!scree_scene_solver(&r->spec.run)) { /* impulse-based responses use no law; check_run.c checks their keys */
			if (rule->h.where && rule->h.where->type == NODE_MAP) check_rule(r, rule);
			forget_other_laws(rule);
		}
		if (!strcmp(rule->h.name, "default")) continue;
		const node *n = scree_node_child(scree_node_child(r->root, "contacts"), rule->h.name);
		if (!scree_pair_of(r, n, pair[pairs])) continue;
		for (int32_t i = 0; i < pairs; ++i)
			if (!memcmp(pair[i], pair[pairs], sizeof *pair)) {
				scree_report(&r->r, n->key_at, "remove one of the two", "contacts: the pair '%.90s' is given twice",
							 n->key);
				break;
			}
		++pairs;
	}
}

static void check_box(reader *r, const box_spec *b)
{
	const head *h = &b->h;
	const vec3 low = b->min, high = b->max;
	if (!h->where || (h->given & 3) != 3) return; /* min and max are the first two keys */
	vec3 d = v3_sub(high, low);
	if (d.x + d.y + d.z - (d.x + d.y + d.z) != 0) return; /* NaN: already reported */
	int32_t wrong = !(low.x < high.x) ? 0 : !(low.y < high.y) ? 1 : !r->flat && !(low.z < high.z) ? 2 : -1;
	if (wrong >= 0)
		scree_report(&r->r, scree_entry(h, "max", wrong), NULL, "max: must be above min in x%s",
					 r->flat ? " and y" : ", y and z");
}

static void check_direction(reader *r, const head *h, const char *name, vec3 v)
{
	real length = v3_norm(v);
	if (scree_node_child(h->where, name) && length == length && !(length > 1e-100 && length < 1e100))
		REFUSE_VALUE(r, h, name, NULL, "%s: this vector has no direction", name);
}

static void check_wall(reader *r, const wall_spec *w)
{
	check_direction(r, &w->plane.h, "normal", w->plane.normal);
	check_direction(r, &w->line.h, "normal", w->line.normal);
	const int32_t *open = w->box.open.item;
	for (int32_t k = 0; k < w->box.open.count; ++k)
		if (r->flat && open[k] >= 4)
			scree_report(&r->r, scree_entry(&w->box.h, "open", k), "remove it", "open: there is no %s in dimension 2",
						 scree_words_faces(NULL, open[k]));
	check_box(r, &w->box);
	scree_check_wall_motion(r, &w->motion);
	static const char *const times[] = {"from", "until"};
	const bool timed[] = {w->motion.from > 0, scree_given(&w->motion.h, "until")};
	for (int i = 0; !w->active && i < 2; ++i)
		if (timed[i])
			REFUSE_KEY(r, &w->motion.h, times[i], "remove it",
					   "motion: '%s' does not apply to a wall with active: false, which moves from the stage on that "
					   "makes it active",
					   times[i]);
	if (w->polygon.h.where && w->polygon.points.item && w->polygon.points.count < 3)
		REFUSE_VALUE(r, &w->polygon.h, "points", NULL, "points: a polygon has at least three corners");
	if (w->polygon.points.count > 1000)
		REFUSE_VALUE(r, &w->polygon.h, "points", "use a mesh", "points: a polygon has at most 1000 corners");
	if (w->cone.h.where && w->cone.radius == 0 && w->cone.radius2 == 0 && (w->cone.h.given & 3) == 3)
		REFUSE_VALUE(r, &w->cone.h, "radius2", NULL, "radius2: a cone cannot have radius 0 at both ends");
	const key *form = scree_form_given(&w->h);
	bool closed = r->flat && w->polygon.h.where;
	if (w->two_sided && form && (!form->make->two_sided || closed))
		REFUSE_VALUE(r, &w->h, "two_sided", "cylinders and cones have side: inside or outside",
					 "two_sided: only %s can be two-sided", r->flat ? "lines" : "planes, polygons and meshes");
	if (w->box.open.count == (r->flat ? 4 : 6))
		REFUSE_VALUE(r, &w->box.h, "open", NULL, "open: nothing is left of this box");
}

static bool all_have_materials(const fill_spec *f)
{
	bool all = f->mix.count > 0;
	EACH(const mix_spec, m, f->mix) all = all && scree_node_child(m->h.where, "material");
	return all;
}

/* Converts `mass_share` in a mix to `share` with `by: mass`, also in the resolved scene. */
static void check_mass_shares(reader *r, fill_spec *f)
{
	bool any = false;
	EACH(mix_spec, m, f->mix) any |= scree_given(&m->h, "mass_share");
	if (!any) return;
	EACH(mix_spec, m, f->mix)
	{
		const bool mass = scree_given(&m->h, "mass_share"), share = scree_given(&m->h, "share");
		if (!mass && share)
			REFUSE_KEY(r, &m->h, "share", "write mass_share in all entries, or share in all",
					   "mix: 'share' cannot be used when another entry uses 'mass_share'");
		else if (!mass && !scree_excused(&m->h))
			REFUSE(r, m->h.where, NULL, "mix: the key 'mass_share' is missing; another entry has it");
		m->share = m->mass_share;
		scree_forget(&m->h, share ? "mass_share" : "share");
	}
	if (scree_given(&f->h, "by") && f->by == 0)
		REFUSE_VALUE(r, &f->h, "by", "remove it, or write share",
					 "by: number cannot be used together with 'mass_share'");
	f->by = 1;
}

/* Checks the keys for shape and size of bodies, or for their mix, in fills and sources. */
static void check_bodies(reader *r, fill_spec *f, const char *what, bool needed)
{
	head *h = &f->h;
	bool shaped = scree_given(h, "shape"), mix = scree_given(h, "mix"), sized = scree_given(h, "size");
	place here = h->where->at;
	if (needed && !shaped && !mix && !scree_excused(h))
		scree_report(&r->r, here, NULL, "%s: give 'shape' and 'size', or 'mix'", what);
	if (needed && shaped && !sized && !scree_excused(h))
		scree_report(&r->r, here, "for example, add size: 4 mm", "%s: 'size' is missing", what);
	if (sized && mix)
		REFUSE_KEY(r, h, "size", "give each entry of mix its size", "%s: 'size' belongs to 'shape', not to 'mix'",
				   what);
	if (!mix) scree_forget(h, "by");
	if (!mix && scree_given(h, "by")) REFUSE_KEY(r, h, "by", "remove it", "%s: 'by' belongs to 'mix'", what);
	if (needed && !scree_given(h, "material") && !all_have_materials(f) && !scree_excused(h))
		REFUSE(r, h->where, NULL, "%s: the key 'material' is missing (material of the bodies)", what);
	scree_check_sieve(r, &f->size.sieve);
	EACH(mix_spec, m, f->mix) scree_check_sieve(r, &m->size.sieve);
	check_mass_shares(r, f);
	if (mix && f->mix.item && !f->mix.count) REFUSE_VALUE(r, h, "mix", NULL, "mix: is empty");
}

/* A snapshot determines its bodies: other keys are refused, and their defaults are removed from the resolved scene. */
static void check_snapshot(reader *r, fill_spec *f)
{
	static const char *const says[] = {"time",	   "material",		   "shape", "size",
									   "held",	   "locked",		   "dense", "orientation",
									   "velocity", "angular_velocity", "seed"};
	for (size_t i = 0; i < sizeof says / sizeof *says; ++i) {
		if (scree_given(&f->h, says[i]))
			REFUSE_KEY(r, &f->h, says[i], "remove it", "fill: '%s' cannot be used with a snapshot, which contains it",
					   says[i]);
		scree_forget(&f->h, says[i]);
	}
}

static const real MOST_SOLID = (real)0.74; /* solid fraction of the densest packing of equal spheres */

static void check_dense(reader *r, fill_spec *f, bool placed)
{
	head *h = &f->h;
	const bool dense = scree_given(h, "dense"), wide = f->region.segment.h.where;
	if (placed) scree_forget(h, "dense");
	if (dense && placed)
		REFUSE_KEY(r, h, "dense", "remove one of the two", "fill: 'dense' and '%s' cannot be used together",
				   scree_given(h, "lattice") ? "lattice" : "from");
	if (f->dense && wide)
		REFUSE_VALUE(r, h, "region", NULL, "region: a dense fill needs %s",
					 r->flat ? "a box or a disc" : "a box, a cylinder or a sphere");
	if (!f->dense && scree_given(h, "solid_fraction") && f->solid_fraction > MOST_SOLID)
		REFUSE_VALUE(r, h, "solid_fraction", "add dense: true",
					 "solid_fraction: %g is out of range: it must be above 0, at most %g at random positions",
					 f->solid_fraction, MOST_SOLID);
}

static void check_heat(reader *r, const fill_spec *f, bool table)
{
	static const char *const name[] = {"temperature", "angular_temperature"};
	const bool refused[] = {f->held || table, f->held || table || f->locked};
	for (int i = 0; i < 2; ++i)
		if (refused[i] && scree_given(&f->h, name[i]))
			REFUSE_KEY(r, &f->h, name[i], "remove one of the two", "fill: '%s' and '%s' cannot be used together",
					   name[i],
					   table	 ? "from"
					   : f->held ? "held"
								 : "locked");
}

static void check_fill(reader *r, fill_spec *f)
{
	head *h = &f->h;
	if (!h->where || h->where->type != NODE_MAP) return;
	bool table = scree_given(h, "from"), lattice = scree_given(h, "lattice"), counted = scree_given(h, "count"),
		 solid = scree_given(h, "solid_fraction"), weighed = scree_given(h, "mass");
	check_box(r, &f->region.box);
	check_bodies(r, f, "fill", !table);
	if (!table && !scree_given(h, "region") && !scree_excused(h))
		REFUSE(r, h->where, NULL, "fill: the key 'region' is missing (where bodies are placed)");
	if (lattice && solid)
		REFUSE_KEY(r, h, "solid_fraction", "remove one of the two",
				   "fill: 'solid_fraction' and 'lattice' cannot be used together");
	if (!table && scree_given(h, "time")) REFUSE_KEY(r, h, "time", "remove it", "fill: 'time' belongs to 'from'");
	if (!table && !lattice && !counted && !solid && !weighed && !scree_excused(h))
		REFUSE(r, h->where, NULL, "fill: 'count', 'solid_fraction', 'mass', 'lattice' or 'from' is missing");
	check_dense(r, f, table || lattice);
	check_heat(r, f, table);
	if (f->from_table && scree_is_snapshot(f->from_table)) check_snapshot(r, f);
	static const char *const not_with_table[] = {"region", "count", "solid_fraction", "mass", "mix"};
	for (int i = 0; i < 5 && table; ++i)
		if (scree_given(h, not_with_table[i]))
			REFUSE_KEY(r, h, not_with_table[i], "remove one of the two",
					   "fill: '%s' and 'from' cannot be used together: the table contains it", not_with_table[i]);
}

static void check_source(reader *r, fill_spec *f)
{
	if (!f->h.where || f->h.where->type != NODE_MAP) return;
	check_box(r, &f->region.box);
	check_bodies(r, f, "source", true);
	if (scree_given(&f->h, "until") && f->until <= f->from)
		REFUSE_VALUE(r, &f->h, "until", NULL, "until: must be later than from");
}

static dimension color_dimension(int32_t color)
{
	const char *word = scree_words_colors(NULL, color);
	if (!strcmp(word, "speed") || !strcmp(word, "velocity")) return (dimension){0, 1, -1, 0};
	if (!strcmp(word, "angular_velocity")) return (dimension){0, 0, -1, 0};
	if (!strcmp(word, "size") || !strcmp(word, "height")) return (dimension){0, 1, 0, 0};
	if (!strcmp(word, "force")) return (dimension){1, 1, -2, 0};
	if (!strcmp(word, "pressure") || !strcmp(word, "shear_stress")) return (dimension){1, -1, -2, 0};
	if (!strcmp(word, "temperature")) return (dimension){0, 0, 0, 1};
	return (dimension){0, 0, 0, 0};
}

static void check_colors(reader *r, const spec_list *colors)
{
	EACH(const color_spec, c, *colors)
	{
		vec3 srgb;
		if (!c->h.where) continue;
		const size_t length = strlen(c->h.name);
		if (scree_entry_named(&r->spec.materials, sizeof(material_spec), c->h.name, length) < 0 &&
			scree_entry_named(&r->spec.shapes, sizeof(shape_spec), c->h.name, length) < 0 &&
			scree_entry_named(&r->spec.walls, sizeof(wall_spec), c->h.name, length) < 0)
			REFUSE(r, c->h.where, NULL, "colors: there is no material, shape or wall '%s'", c->h.name);
		if (c->value && !plan_colour(c->value, &srgb))
			REFUSE(r, c->h.where, "write a name such as red, grey, tan or blue, or \"#rrggbb\"",
				   "colors: '%s' is not a colour", c->value);
	}
}

/* Tests whether the scene provides the quantity by which bodies are coloured. */
static void check_color(reader *r, const image_spec *m)
{
	const char *color = m->color >= 0 ? scree_words_colors(NULL, m->color) : "";
	bool bonds = false;
	EACH(const rule_spec, rule, r->spec.contacts) bonds |= rule->bond.h.where != NULL;
	if (!strcmp(color, "bonds") && !bonds)
		REFUSE_VALUE(r, &m->h, "color", "for example, color: coordination",
					 "color: no contact of this scene has a bond");
}

static void check_images(reader *r, const image_spec *m)
{
	if (!m->h.where || m->h.where->type != NODE_MAP) return;
	int64_t root = 1;
	while (root * root < m->samples) ++root;
	if (m->samples > 0 && root * root != m->samples)
		REFUSE_VALUE(r, &m->h, "samples", NULL, "samples: %lld is not a square number (1, 4, 9, 16, ..)",
					 (long long)m->samples);
	if (m->at.count > 64) REFUSE_VALUE(r, &m->h, "at", "use every", "at: at most 64 times are allowed");
	check_color(r, m);
	check_colors(r, &m->colors);
	if (r->flat && m->arrows == ARROWS_ANGULAR_VELOCITY)
		REFUSE_VALUE(r, &m->h, "arrows", "write color: angular_velocity",
					 "arrows: in dimension 2 angular velocities point at the viewer");
	check_direction(r, &m->cut.h, "normal", m->cut.normal);
	check_direction(r, &m->camera.h, "up", m->camera.up);
	vec3 way = v3_sub(m->camera.target, m->camera.eye);
	if (m->camera.h.where && (m->camera.h.given & 3) == 3 &&
		(v3_norm(v3_cross(way, m->camera.up)) <= 1e-9 * v3_norm(way) * v3_norm(m->camera.up)))
		REFUSE_VALUE(r, &m->camera.h, "target", NULL,
					 "camera: eye and target are the same point, or the direction between them is up");
	bool aside = !(v3_norm(v3(way.x, way.y, 0)) <= 1e-9 * v3_norm(way) && way.z < 0);
	if (r->flat && m->camera.h.where && (m->camera.h.given & 3) == 3 && v3_norm(way) > 0 && aside)
		REFUSE_VALUE(r, &m->camera.h, "eye", "write eye: [x, y, z] with the x and y of the target, z above",
					 "camera: in dimension 2 the eye must be straight above the target");
	bool ranged = m->color >= 0 && m->range.low < m->range.high;
	if (ranged && !scree_dimension_same(m->range.of, color_dimension(m->color)))
		REFUSE_VALUE(r, &m->h, "range", NULL, "range: %s was expected for color: %s",
					 scree_dimension_words(&r->r, color_dimension(m->color)), scree_words_colors(NULL, m->color));
}

/* Tests whether a value in the history refers to the periodic cell. */
static bool is_of_cell(const char *value)
{
	return !strncmp(value, "stress_", 7) || !strncmp(value, "cell_", 5) || !strncmp(value, "strain_", 7) ||
		   !strcmp(value, "void_ratio");
}

static void check_periods(reader *r, const world_spec *w)
{
	const int32_t *axis = w->periodic.item;
	bool is[3] = {false, false, false};
	for (int32_t k = 0; k < w->periodic.count; ++k)
		if (r->flat && axis[k] == 2)
			scree_report(&r->r, scree_entry(&w->h, "periodic", k), "remove z",
						 "periodic: there is no z in dimension 2");
	if (r->flat && w->shear.h.where && (w->shear.flow == 2 || w->shear.gradient == 2))
		REFUSE_VALUE(r, &w->h, "shear", NULL, "shear: there is no z in dimension 2");
	if (w->periodic.count && !w->domain.h.where)
		REFUSE_VALUE(r, &w->h, "periodic", "add domain: {min: [..], max: [..]}",
					 "periodic: the periods are those of world.domain, which is missing");
	EACH(const int32_t, d, w->periodic) if (*d >= 0) is[*d] = true;
	if (scree_given(&w->h, "shear") && w->shear.flow >= 0 && w->shear.gradient >= 0) {
		if (w->shear.flow == w->shear.gradient)
			REFUSE_VALUE(r, &w->h, "shear", NULL, "shear: flow and gradient must be different axes");
		else if (!is[w->shear.flow] || !is[w->shear.gradient])
			REFUSE_VALUE(r, &w->h, "shear", "add periodic: [x, y], say",
						 "shear: space must be periodic along both flow and gradient");
	}
	scree_check_cell(r, w, is);
	const series_spec *h = &r->spec.output.history;
	const int32_t *word = h->words.item;
	for (int32_t k = 0; k < h->words.count && !w->periodic.count; ++k)
		if (word[k] >= 0 && is_of_cell(scree_words_history(NULL, word[k])))
			scree_report(&r->r, scree_entry(&h->h, "values", k), NULL, "values: %s needs world.periodic",
						 scree_words_history(NULL, word[k]));
}

/* Chooses the narrow phase if the scene does not name it: the laws determine how overlaps are measured. */
static void choose_narrow_phase(reader *r)
{
	static const char *const wanted[2][3] = {{"separating-plane", "overlap-volume", "overlap-thickness"},
											 {"closest-features", "overlap-area", "overlap-thickness/plane"}};
	const rule_spec *rule = r->spec.contacts.item;
	bool any = r->spec.contacts.count > 0 && rule[0].law >= 0;
	overlap_kind kind = any ? scree_laws[rule[0].law].overlaps : OVERLAP_DEPTH;
	if (scree_given(&r->spec.run.h, "narrow_phase")) return;
	EACH(const rule_spec, c, r->spec.contacts)
	if (c->law < 0 || scree_laws[c->law].overlaps != kind) kind = OVERLAP_DEPTH;
	if (scree_scene_solver(&r->spec.run)) kind = OVERLAP_DEPTH; /* solvers use depths */
	const char *word;
	for (int32_t k = 0; (word = scree_choice_name(&scree_narrows, k)); ++k)
		if (!strcmp(word, wanted[r->flat][kind])) r->spec.run.narrow_phase = k;
}

/* Checks heat conduction: a material needs both keys, and other keys related to heat need a material with both. */

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

static void check_wall_heat(reader *r, const wall_spec *w)
{
	const material_spec *all = r->spec.materials.item;
	if (!scree_given(&w->h, "temperature")) return;
	if (w->material < 0 || w->material >= r->spec.materials.count || conducts(all + w->material)) return;
	REFUSE_KEY(r, &w->h, "temperature", "add conductivity and heat_capacity to the material",
			   "%s: a wall with a temperature needs a material with a conductivity; '%s' has none", w->h.name,
			   all[w->material].h.name);
}

static void refuse_without_heat(reader *r, const head *h, const char *key, const char *of)
{
	if (scree_given(h, key)) REFUSE_KEY(r, h, key, CURE, "%s: '%s' needs a material with a conductivity", of, key);
}

/* Reports measures that use temperature in scenes without heat. */
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
	refuse_without_heat(r, &r->spec.world.h, "temperature", "world");
	EACH(const rule_spec, c, r->spec.contacts)
	if (c->friction_heat > 0) refuse_without_heat(r, &c->h, "friction_heat", c->h.name);
	EACH(const fill_spec, f, r->spec.fill) refuse_without_heat(r, &f->h, "body_temperature", "fill");
	EACH(const fill_spec, f, r->spec.sources) refuse_without_heat(r, &f->h, "body_temperature", "source");
}

static void check_heat_keys(reader *r)
{
	bool any = false;
	EACH(const material_spec, m, r->spec.materials)
	{
		if (!m->h.where) continue;
		check_material(r, m);
		any |= conducts(m);
	}
	EACH(const wall_spec, w, r->spec.walls) if (w->h.where) check_wall_heat(r, w);
	if (!any) refuse_all(r);
}

/* Refuses a key that is not allowed and would be ignored, since it applies only together with `needs`. */
static void check_key(reader *r, const char *what, head *h, const char *key, bool allowed, const char *needs)
{
	if (allowed) return;
	scree_forget(h, key);
	if (scree_given(h, key)) REFUSE_KEY(r, h, key, "remove it", "%s: '%s' does not apply without %s", what, key, needs);
}

static void check_clump(reader *r, clump_spec *c)
{
	head *h = &c->h;
	const bool centers = scree_given(h, "centers"), file = scree_given(h, "file");
	if (!h->where || centers == file) return; /* already reported */
	check_key(r, "clump", h, "radii", centers, "centers");
	const bool table = file && scree_clump_is_listed(c);
	check_key(r, "clump", h, "count", file && !table, "the file of a mesh");
	check_key(r, "clump", h, "excess", file && !table, "the file of a mesh");
	check_key(r, "clump", h, "scale", table, "a table of spheres");
	if (centers && !scree_given(h, "radii") && !scree_excused(h))
		REFUSE_KEY(r, h, "centers", "add radii: [0.5], say", "clump: 'radii' is missing");
}

/* The exponent of rounded edges and the number of flats are mutually exclusive. */
static void check_cylinder(reader *r, round_spec *c)
{
	if (!c->h.where || !scree_given(&c->h, "facets")) return;
	scree_forget(&c->h, "n"); /* the resolved scene omits this key */
	if (scree_given(&c->h, "n"))
		REFUSE_KEY(r, &c->h, "n", "remove one of the two",
				   "cylinder: 'n' rounds the edges, and 'facets' makes them sharp");
}

static void check_shape(reader *r, shape_spec *o)
{
	static const char surface[] = "as: surface";
	if (o->hull.item && o->hull.count < 4)
		REFUSE_VALUE(r, &o->h, "hull", NULL, "hull: at least four points are needed, not %d", o->hull.count);
	if (o->mesh.h.where) check_key(r, "mesh", &o->mesh.h, "halo", o->mesh.as == MESH_SURFACE, surface);
	if (o->granulate.h.where)
		check_key(r, "granulate", &o->granulate.h, "halo", o->granulate.as == MESH_SURFACE, surface);
	check_cylinder(r, &o->cylinder);
	check_clump(r, &o->clump);
}

void scree_reader_check(reader *r)
{
	const scene_spec *s = &r->spec;
	choose_laws(r);
	check_contacts(r);
	choose_narrow_phase(r);
	check_box(r, &s->world.domain);
	check_periods(r, &s->world);
	EACH(shape_spec, o, s->shapes) check_shape(r, o);
	EACH(const wall_spec, w, s->walls) if (w->h.where) check_wall(r, w);
	EACH(fill_spec, f, s->fill) check_fill(r, f);
	EACH(fill_spec, f, s->sources) check_source(r, f);
	EACH(const sink_spec, k, s->sinks) check_box(r, &k->region.box);
	EACH(const measure_spec, k, s->output.measures) check_box(r, &k->region.box);
	check_images(r, &s->output.images);
	if (s->output.film.h.where && !s->output.images.h.where)
		REFUSE(r, s->output.film.h.where, "add images: {every: ...}",
			   "film: a film is made of pictures, but this scene has no output.images");
	if (s->output.film.h.where && s->output.images.h.where && s->output.images.format != FORMAT_PNG)
		REFUSE_VALUE(r, &s->output.images.h, "format", "write format: png, or leave out output.film",
					 "format: a film is made of PNG files");
	scree_check_measures(r);
	check_heat_keys(r);
	scree_check_response(r);
	scree_check_stages(r);
}
