/* stage_set: the world as Embree geometry. Polyhedra are one mesh of fans, spheres one set of sphere points, walls of
 * facets one mesh (they cast shadows); planes and tubes are a second scene that is looked through from behind. */
#include "render/picture.h"

#include "base/memory.h"
#include "kernel/quat.h"

#include <math.h>
#include <string.h>

enum { AROUND = 256 };

typedef struct triangles {
	int64_t vertices, vertex_room, count, room;
	float *vertex;
	unsigned *corner;
	owner *of;
} triangles;

static unsigned add_vertex(triangles *t, vec3 p)
{
	if (t->vertices == t->vertex_room) {
		int64_t room = t->vertex_room * 3 / 2 + 256;
		t->vertex = scree_grow(t->vertex, (size_t)(3 * t->vertices), (size_t)(3 * room), sizeof *t->vertex);
		t->vertex_room = room;
	}
	float *to = t->vertex + 3 * t->vertices;
	to[0] = (float)p.x;
	to[1] = (float)p.y;
	to[2] = (float)p.z;
	return (unsigned)t->vertices++;
}

static void add_triangle(triangles *t, unsigned a, unsigned b, unsigned c, owner of)
{
	if (t->count == t->room) {
		int64_t room = t->room * 3 / 2 + 256;
		t->corner = scree_grow(t->corner, (size_t)(3 * t->count), (size_t)(3 * room), sizeof *t->corner);
		t->of = scree_grow(t->of, (size_t)t->count, (size_t)room, sizeof *t->of);
		t->room = room;
	}
	unsigned *to = t->corner + 3 * t->count;
	to[0] = a;
	to[1] = b;
	to[2] = c;
	t->of[t->count++] = of;
}

/* hands the mesh to Embree and keeps only who owns its triangles */
static owner *attach(RTCDevice device, RTCScene scene, triangles *t, unsigned *id)
{
	owner *of = t->of;
	*id = RTC_INVALID_GEOMETRY_ID;
	if (t->count) {
		RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
		float *v = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
										   (size_t)t->vertices);
		unsigned *i = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned),
											  (size_t)t->count);
		memcpy(v, t->vertex, (size_t)(3 * t->vertices) * sizeof *v);
		memcpy(i, t->corner, (size_t)(3 * t->count) * sizeof *i);
		rtcCommitGeometry(g);
		*id = rtcAttachGeometry(scene, g);
		rtcReleaseGeometry(g);
	}
	scree_free(t->vertex);
	scree_free(t->corner);
	return of;
}

static bool cut_away(const image_plan *plan, vec3 p)
{
	return plan->has_cut && v3_dot(plan->cut_normal, v3_sub(p, plan->cut_point)) > 0;
}

static void add_polyhedron(triangles *t, const scree_world *w, int32_t i)
{
	const bodies *b = &w->body;
	const shape *s = w->shape.row + b->shape[i];
	mat3 m = quat_matrix(body_orientation(b, i));
	unsigned first = (unsigned)t->vertices;
	for (int32_t v = 0; v < s->vertices; ++v)
		add_vertex(t, v3_add(body_position(b, i), mat3_mul(m, v3_mul(b->size[i], v3(s->vx[v], s->vy[v], s->vz[v])))));
	for (int32_t f = 0; f < s->faces; ++f) {
		const int32_t *c = s->corner + s->first[f];
		for (int32_t k = 1; k + 1 < s->first[f + 1] - s->first[f]; ++k)
			add_triangle(t, first + (unsigned)c[0], first + (unsigned)c[k], first + (unsigned)c[k + 1],
						 (owner){i, f, -1});
	}
}

static void add_spheres(stage_set *s, const scree_world *w, const image_plan *plan)
{
	const bodies *b = &w->body;
	s->ball = scree_alloc((size_t)b->count + 1, sizeof *s->ball);
	s->ball_id = RTC_INVALID_GEOMETRY_ID;
	int32_t count = 0;
	for (int32_t i = 0; i < b->count; ++i)
		if (w->shape.row[b->shape[i]].type == SHAPE_SPHERE && !cut_away(plan, body_position(b, i)))
			s->ball[count++] = i;
	if (!count) return;
	RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
	float *v =
		rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, 4 * sizeof(float), (size_t)count);
	for (int32_t k = 0; k < count; ++k) {
		int32_t i = s->ball[k];
		const float sphere[4] = {(float)b->x[i], (float)b->y[i], (float)b->z[i], (float)b->radius[i]};
		memcpy(v + 4 * k, sphere, sizeof sphere);
	}
	rtcCommitGeometry(g);
	s->ball_id = rtcAttachGeometry(s->solid, g);
	rtcReleaseGeometry(g);
}

static vec3 world_point(const wall *o, vec3 p) { return v3_add(o->place, quat_rotate(o->turn, p)); }

static void add_facets(triangles *t, const scree_world *w, int32_t k)
{
	const wall *o = w->wall.row + k;
	for (int32_t f = o->first_facet; f < o->first_facet + o->facets; ++f) {
		const facet *x = w->wall.facet + f;
		unsigned first = (unsigned)t->vertices;
		for (int32_t c = 0; c < x->corners; ++c) add_vertex(t, world_point(o, w->wall.corner[x->first + c]));
		for (int32_t c = 1; c + 1 < x->corners; ++c)
			add_triangle(t, first, first + (unsigned)c, first + (unsigned)c + 1, (owner){-1, f, k});
	}
}

/* planes as large as needed to look endless; what lies behind other walls is dropped when a ray meets it */
static void add_form(triangles *t, const wall *o, int32_t k, vec3 middle, real radius)
{
	vec3 c = quat_unrotate(o->turn, v3_sub(middle, o->place));
	vec3 u = v3_across(o->axis), v = v3_cross(o->axis, u);
	real along = v3_dot(v3_sub(c, o->point), o->axis);
	unsigned first = (unsigned)t->vertices;
	if (o->type == WALL_PLANE) {
		c = v3_madd(c, -along, o->axis);
		for (int q = 0; q < 4; ++q) {
			real a = q == 0 || q == 3 ? -3 * radius : 3 * radius, b = q < 2 ? -3 * radius : 3 * radius;
			add_vertex(t, world_point(o, v3_madd(v3_madd(c, a, u), b, v)));
		}
		add_triangle(t, first, first + 1, first + 2, (owner){-1, -1, k});
		add_triangle(t, first, first + 2, first + 3, (owner){-1, -1, k});
		return;
	}
	bool endless = !(o->length < INFINITY);
	real from = endless ? along - 3 * radius : 0, to = endless ? along + 3 * radius : o->length;
	for (int end = 0; end < 2; ++end) {
		real r = end && o->type == WALL_CONE ? o->radius2 : o->radius;
		for (int q = 0; q < AROUND; ++q) {
			real a = 2 * SCREE_PI * q / AROUND;
			add_vertex(t, world_point(o, v3_madd(v3_madd(v3_madd(o->point, end ? to : from, o->axis), r * cos(a), u),
												 r * sin(a), v)));
		}
	}
	for (unsigned q = 0; q < AROUND; ++q) {
		unsigned next = (q + 1) % AROUND;
		add_triangle(t, first + q, first + next, first + AROUND + next, (owner){-1, -1, k});
		add_triangle(t, first + q, first + AROUND + next, first + AROUND + q, (owner){-1, -1, k});
	}
}

static void measure(const scree_world *w, vec3 *middle, real *radius, real *size)
{
	const bodies *b = &w->body;
	vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
	*size = 0;
	for (int32_t i = 0; i < b->count; ++i) {
		vec3 p = body_position(b, i);
		low = v3(real_min(low.x, p.x), real_min(low.y, p.y), real_min(low.z, p.z));
		high = v3(real_max(high.x, p.x), real_max(high.y, p.y), real_max(high.z, p.z));
		*size += 2 * b->round[i];
	}
	if (!b->count) low = v3(-1, -1, -1), high = v3(1, 1, 1), *size = 0.1;
	if (b->count) *size /= b->count;
	*middle = v3_mul(0.5, v3_add(low, high));
	*radius = v3_norm(v3_sub(high, low)) / 2 + 2 * *size;
}

bool scree_stage_set_build(stage_set *s, const scree_world *w, const image_plan *plan, fail *why)
{
	s->device = rtcNewDevice("threads=1");
	if (!s->device) return scree_fail(why, FAIL_IO, "Embree could not start (error %d)", (int)rtcGetDeviceError(NULL));
	s->solid = rtcNewScene(s->device);
	s->shell = rtcNewScene(s->device);
	rtcSetSceneFlags(s->solid, RTC_SCENE_FLAG_ROBUST);
	s->up = v3_norm2(w->gravity) > 0 ? v3_unit(v3_neg(w->gravity)) : v3(0, 0, 1);
	vec3 middle;
	real radius;
	measure(w, &middle, &radius, &s->size);
	triangles mesh = {0}, facets = {0}, forms = {0};
	for (int32_t i = 0; i < w->body.count; ++i)
		if (w->shape.row[w->body.shape[i]].type == SHAPE_CONVEX && !cut_away(plan, body_position(&w->body, i)))
			add_polyhedron(&mesh, w, i);
	for (int32_t k = 0; k < w->wall.count && plan->walls != LOOK_HIDDEN; ++k) {
		const wall *o = w->wall.row + k;
		if (o->removed) continue;
		if (o->type == WALL_FACETS)
			add_facets(&facets, w, k);
		else
			add_form(&forms, o, k, middle, radius);
	}
	unsigned unused;
	s->mesh = attach(s->device, s->solid, &mesh, &s->mesh_id);
	s->facets = attach(s->device, s->solid, &facets, &s->facet_id);
	s->forms = attach(s->device, s->shell, &forms, &unused);
	add_spheres(s, w, plan);
	rtcCommitScene(s->solid);
	rtcCommitScene(s->shell);
	return true;
}

void scree_stage_set_free(stage_set *s)
{
	if (s->solid) rtcReleaseScene(s->solid);
	if (s->shell) rtcReleaseScene(s->shell);
	if (s->device) rtcReleaseDevice(s->device);
	scree_free(s->mesh);
	scree_free(s->facets);
	scree_free(s->forms);
	scree_free(s->ball);
}
