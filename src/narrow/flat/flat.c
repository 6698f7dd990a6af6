#include "narrow/flat/flat.h"

#include "narrow/flat/round.h"
#include "narrow/touch_list.h"

typedef void pair_fn(const placed *a, const placed *b, int32_t hint, patch *out);
typedef void line_fn(const placed *body, vec3 point, vec3 normal, patch *out);
typedef void circle_fn(const placed *body, vec3 centre, real radius, bool inside, patch *out);

/* Contact functions for one measure of the overlap; index 0 is for round bodies, and index 1 for polygons. */
typedef struct measure {
	pair_fn *pair[3]; /* indexed by the number of polygons in the pair */
	line_fn *line[2];
	circle_fn *circle[2];
} measure;

static const measure by_depth = {
	{scree_flat_depth_round_round, scree_flat_depth_round_polygon, scree_polygon_patch},
	{scree_flat_depth_round_line, scree_flat_depth_polygon_line},
	{scree_flat_depth_round_circle, scree_flat_depth_polygon_circle},
};
static const measure by_area = {
	{scree_flat_area_round_round, scree_flat_area_round_polygon, scree_polygon_overlap},
	{scree_flat_area_round_line, scree_flat_area_polygon_line},
	{scree_flat_area_round_circle, scree_flat_area_polygon_circle},
};

/* Round bodies use the functions for depth, but weight the points differently. */
static const measure by_thickness = {
	{scree_flat_depth_round_round, scree_flat_depth_round_polygon, scree_flat_thickness_polygons},
	{scree_flat_depth_round_line, scree_flat_thickness_polygon_line},
	{scree_flat_depth_round_circle, scree_flat_thickness_polygon_circle},
};

SCREE_FN int is_polygon(const placed *p) { return p->shape->type == SHAPE_POLYGON ? 1 : 0; }

/* The second body's position is relative to the first. Types are in ascending order: round bodies before polygons. */
void scree_flat_depth(const placed *a, const placed *b, int32_t hint, patch *out)
{
	by_depth.pair[is_polygon(a) + is_polygon(b)](a, b, hint, out);
}

void scree_flat_area(const placed *a, const placed *b, int32_t hint, patch *out)
{
	by_area.pair[is_polygon(a) + is_polygon(b)](a, b, hint, out);
}

void scree_flat_thickness(const placed *a, const placed *b, int32_t hint, patch *out)
{
	by_thickness.pair[is_polygon(a) + is_polygon(b)](a, b, hint, out);
	if (!is_polygon(a)) flat_stiff_as_disc(out);
}

/* The wall is the second body, relative to the centre of the first, in the wall's frame. */
static void with_polygon(const measure *m, const placed *body, const wall *w, patch *out)
{
	placed a = *body, b = {w->form, v3_sub(w->form->centre, body->at), UPRIGHT, 1};
	a.at = v3(0, 0, 0);
	m->pair[is_polygon(body) + 1](&a, &b, 0, out);
}

static void with_line(const measure *m, const placed *body, const wall *w, patch *out)
{
	vec3 n = w->axis;
	if (w->two_sided && v3_dot(n, v3_sub(body->at, w->point)) < 0) n = v3_neg(n);
	m->line[is_polygon(body)](body, w->point, n, out);
}

static void with_wall(const measure *m, const placed *body, const wall *w, touch_list *out)
{
	patch p;
	p.features = (feature_counts){0};
	out->count = out->points = 0;
	if (w->removed) return;
	if (w->type == WALL_POLYGON)
		with_polygon(m, body, w, &p);
	else if (w->type == WALL_PLANE)
		with_line(m, body, w, &p);
	else
		m->circle[is_polygon(body)](body, w->point, w->radius, w->side == SIDE_INSIDE, &p);
	if (m == &by_thickness && !is_polygon(body)) flat_stiff_as_disc(&p);
	features_move(&out->features, &p.features);
	if (p.points) scree_touch_patch(out, w->first_surface, &p);
}

void scree_flat_depth_wall(const placed *body, const near_wall *to, touch_list *out)
{
	with_wall(&by_depth, body, to->s->row + to->wall, out);
}

void scree_flat_area_wall(const placed *body, const near_wall *to, touch_list *out)
{
	with_wall(&by_area, body, to->s->row + to->wall, out);
}

void scree_flat_thickness_wall(const placed *body, const near_wall *to, touch_list *out)
{
	with_wall(&by_thickness, body, to->s->row + to->wall, out);
}

void scree_flat_disc_wall(vec3 centre, real radius, const wall *w, touch_list *out)
{
	static const shape disc = {.type = SHAPE_SPHERE, .radius = 0.5, .inradius = 0.5};
	placed body = {&disc, centre, UPRIGHT, 2 * radius};
	with_wall(&by_depth, &body, w, out);
}

const char *scree_flat_refuses(const walls *s, int32_t wall)
{
	if (s->row[wall].internal) return "class needs a world of dimension 3";
	return NULL;
}
