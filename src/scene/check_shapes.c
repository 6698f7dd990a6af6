/* check_shapes: keys that apply to another variant of a shape. They are refused, since they would be ignored. */
#include "scene/reader.h"

static place key_of(const head *h, const char *name) { return scree_where(h, name)->key_at; }

/* Refuses a key that is not allowed, since it applies only together with `needs`. */
static void check_key(reader *r, const char *what, head *h, const char *key, bool allowed, const char *needs)
{
	if (allowed) return;
	scree_forget(h, key);
	if (scree_given(h, key))
		scree_report(&r->r, key_of(h, key), "remove it", "%s: '%s' does not apply without %s", what, key, needs);
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
		scree_report(&r->r, key_of(h, "centers"), "add radii: [0.5], say", "clump: 'radii' is missing");
}

/* The exponent of rounded edges and the number of flats exclude each other. */
static void check_cylinder(reader *r, cylinder_shape_spec *c)
{
	if (!c->h.where || !scree_given(&c->h, "facets")) return;
	scree_forget(&c->h, "n"); /* the resolved scene omits it */
	if (scree_given(&c->h, "n"))
		scree_report(&r->r, key_of(&c->h, "n"), "remove one of the two",
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

void scree_check_shapes(reader *r) { EACH(shape_spec, o, r->spec.shapes) check_shape(r, o); }
