/* trace: rays from the camera into the scene, and lighting. The bodies form one Embree scene (Wald et al. 2014): one
 * geometry holds all spheres, and one the triangles of all polyhedra. Facets of walls form a second scene, so that rays
 * may pass through walls. A ray from the camera collects layers: it passes through cut-open walls, is dimmed by
 * translucent walls, and ends at a body. There is one soft key light above the viewer's left shoulder, and light from
 * the sky, which is dimmed near bodies and walls (ambient occlusion). The direction of a light ray depends only on
 * pixel and sample, so that the picture does not depend on the number of threads. Edges of polyhedra are rounded only
 * in their normals and drawn as thin, darker lines, so that cubes can be recognised. */
#include "base/memory.h"
#include "base/parallel.h"
#include "kernel/quat.h"
#include "render/embree.h"
#include "render/picture.h"
#include "shape/shape_forms.h"
#include "shape/shapes.h"

#include <math.h>
#include <string.h>

enum { TILE = 16, LAYERS = 64 };

struct tracer {
	const scree_world *w;
	const image_plan *plan;
	camera view;
	picture_frame frame;
	const vec3 *colour;
	wall_view walls;
	RTCDevice device;
	RTCScene bodies, facets;
	unsigned spheres;				/* geometry of balls */
	int32_t *sphere, *solid, *face; /* row of the body of each sphere; row of the body and the face of each triangle */
	vec3 *ball;						/* centres of spheres */
	real *round, widest;			/* radii of spheres; the largest radius of a body */
	int32_t *facet;					/* facet of each triangle, or -1 - wall if the wall has no facets */
	real eps, near_by;				/* distance from the surface at which rays start; range of ambient occlusion */
	vec3 light, light1, light2, up;
	vec3 cut, cut_normal;
	vec3 middle; /* centre of the bodies */
	bool failed; /* Embree could not allocate a buffer */
};

/* ---- the scenes ---- */

static void put(float *to, vec3 p)
{
	to[0] = (float)p.x;
	to[1] = (float)p.y;
	to[2] = (float)p.z;
}

static unsigned attach(RTCScene scene, RTCGeometry g)
{
	rtcCommitGeometry(g);
	unsigned id = rtcAttachGeometry(scene, g);
	rtcReleaseGeometry(g);
	return id;
}

/* Allocates a buffer. NULL if memory is exhausted; the tracer is then marked as failed. */
static void *new_buffer(tracer *t, RTCGeometry g, enum RTCBufferType type, enum RTCFormat format, size_t stride,
						int64_t count)
{
	void *made = g ? rtcSetNewGeometryBuffer(g, type, 0, format, stride, (size_t)count) : NULL;
	t->failed |= !made;
	return made;
}

static int32_t balls_of(const shape *s)
{
	const shape_form *f = scree_shape_forms + s->type;
	return f->balls ? f->balls(s) : 0;
}

static void add_spheres(tracer *t, int32_t count)
{
	const bodies *b = &t->w->state.body;
	RTCGeometry g = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
	float *v = new_buffer(t, g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, 16, count);
	if (!v) return;
	t->sphere = scree_alloc((size_t)count, sizeof *t->sphere);
	int32_t n = 0;
	t->ball = scree_alloc((size_t)count, sizeof *t->ball);
	t->round = scree_alloc((size_t)count, sizeof *t->round);
	for (int32_t i = 0; i < b->count; ++i) {
		const shape *s = t->w->model.shape.row + b->shape[i];
		const mat3 m = quat_matrix(body_orientation(b, i));
		for (int32_t k = 0; k < balls_of(s); ++k, ++n) {
			const shape_ball ball = scree_shape_forms[s->type].ball(s, k);
			const vec3 at = v3_madd(body_position(b, i), b->size[i], mat3_mul(m, ball.at));
			t->ball[n] = to_picture(&t->frame, at);
			put(v + 4 * n, t->ball[n]);
			v[4 * n + 3] = (float)(ball.radius * b->size[i] * t->frame.scale);
			t->round[n] = ball.radius * b->size[i] * t->frame.scale;
			t->sphere[n] = i;
		}
	}
	t->spheres = attach(t->bodies, g);
}

static int32_t triangles_of(const shape *s)
{
	return shape_surface(s) ? shape_surface(s)->triangles : s->corners - 2 * s->faces;
}
static int32_t vertices_of(const shape *s) { return shape_surface(s) ? shape_surface(s)->vertices : s->vertices; }
static vec3 vertex_of(const shape *s, int32_t k)
{
	return shape_surface(s) ? shape_surface(s)->vertex[k] : shape_vertex(s, k);
}

static void add_solids(tracer *t, int64_t vertices, int64_t triangles)
{
	const bodies *b = &t->w->state.body;
	RTCGeometry g = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_TRIANGLE);
	float *v = new_buffer(t, g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, 12, vertices);
	unsigned *index = new_buffer(t, g, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, 12, triangles);
	if (!v || !index) return;
	t->solid = scree_alloc((size_t)triangles, sizeof *t->solid);
	t->face = scree_alloc((size_t)triangles, sizeof *t->face);
	int64_t nv = 0, nt = 0;
	for (int32_t i = 0; i < b->count; ++i) {
		const shape *s = &t->w->model.shape.row[b->shape[i]];
		if (!triangles_of(s)) continue;
		mat3 m = quat_matrix(body_orientation(b, i));
		for (int32_t k = 0; k < vertices_of(s); ++k) {
			vec3 p = v3_mul(b->size[i], vertex_of(s, k));
			put(v + 3 * (nv + k), to_picture(&t->frame, v3_add(body_position(b, i), mat3_mul(m, p))));
		}
		for (int32_t f = 0; f < s->faces; ++f)
			for (int32_t k = s->first[f] + 1; k + 1 < s->first[f + 1]; ++k, ++nt) {
				index[3 * nt] = (unsigned)(nv + s->corner[s->first[f]]);
				index[3 * nt + 1] = (unsigned)(nv + s->corner[k]);
				index[3 * nt + 2] = (unsigned)(nv + s->corner[k + 1]);
				t->solid[nt] = i;
				t->face[nt] = f;
			}
		const trimesh *mesh = shape_surface(s);
		for (int32_t k = 0; mesh && k < 3 * mesh->triangles; ++k) {
			index[3 * nt + k % 3] = (unsigned)(nv + mesh->corner[k]);
			t->solid[nt] = i;
			t->face[nt] = k / 3;
			nt += k % 3 == 2;
		}
		nv += vertices_of(s);
	}
	attach(t->bodies, g);
}

/* Appends pieces of walls; their corners are stored after the corners of all facets. */
static void add_pieces(tracer *t, const wall_pieces *o, float *v, unsigned *index, int32_t *facet)
{
	for (int64_t k = 0; k < o->points; ++k) put(v + 3 * k, to_picture(&t->frame, o->point[k]));
	for (int64_t k = 0; k < 3 * o->triangles; ++k) index[k] = (unsigned)(t->w->model.wall.corners + o->corner[k]);
	for (int64_t k = 0; k < o->triangles; ++k) facet[k] = -1 - o->wall[k];
}

/* other: pieces of walls without facets, which are among the triangles */
static void put_facets(tracer *t, const wall_pieces *other, int64_t triangles)
{
	const walls *l = &t->w->model.wall;
	int64_t n = 0;
	RTCGeometry g = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_TRIANGLE);
	float *v = new_buffer(t, g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, 12, l->corners + other->points);
	unsigned *index = new_buffer(t, g, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, 12, triangles);
	if (!v || !index) return;
	t->facet = scree_alloc((size_t)triangles, sizeof *t->facet);
	for (int32_t f = 0; f < l->facets; ++f) {
		const facet *at = &l->facet[f];
		const wall *of = &l->row[at->wall];
		for (int32_t k = 0; k < at->corners; ++k)
			put(v + 3 * (at->first + k), to_picture(&t->frame, wall_point(t->w, of, l->corner[at->first + k])));
		for (int32_t k = 1; !of->removed && k + 1 < at->corners; ++k, ++n) {
			index[3 * n] = (unsigned)at->first;
			index[3 * n + 1] = (unsigned)(at->first + k);
			index[3 * n + 2] = (unsigned)(at->first + k + 1);
			t->facet[n] = f;
		}
	}
	add_pieces(t, other, v + 3 * (int64_t)l->corners, index + 3 * n, t->facet + n);
	attach(t->facets, g);
}

static void add_facets(tracer *t)
{
	const walls *l = &t->w->model.wall;
	wall_pieces other = scree_wall_pieces(t->w, true, t->frame.centre, 1 / t->frame.scale);
	int64_t triangles = other.triangles;
	for (int32_t f = 0; f < l->facets; ++f) triangles += l->row[l->facet[f].wall].removed ? 0 : l->facet[f].corners - 2;
	if (triangles) put_facets(t, &other, triangles);
	scree_wall_pieces_free(&other);
}

static RTCScene new_scene(RTCDevice device)
{
	RTCScene s = rtcNewScene(device);
	rtcSetSceneFlags(s, RTC_SCENE_FLAG_ROBUST);
	return s;
}

static void build(tracer *t)
{
	const bodies *b = &t->w->state.body;
	int32_t spheres = 0;
	int64_t vertices = 0, triangles = 0;
	real sum = 0, least = 1e300;
	t->bodies = new_scene(t->device);
	t->facets = new_scene(t->device);
	t->spheres = RTC_INVALID_GEOMETRY_ID;
	const bool drawn = t->plan->bodies != BODIES_HIDDEN;
	for (int32_t i = 0; i < b->count; ++i) {
		const shape *s = &t->w->model.shape.row[b->shape[i]];
		spheres += drawn ? balls_of(s) : 0;
		vertices += vertices_of(s);
		triangles += drawn ? triangles_of(s) : 0;
		sum += b->radius[i];
		least = real_min(least, b->radius[i]);
		t->widest = real_max(t->widest, b->radius[i] * t->frame.scale);
		t->middle = v3_madd(t->middle, 1 / (real)b->count, to_picture(&t->frame, body_position(b, i)));
	}
	if (spheres) add_spheres(t, spheres);
	if (triangles) add_solids(t, vertices, triangles);
	if (t->plan->walls != LOOK_HIDDEN) {
		add_facets(t);
		t->walls = scree_wall_view(t->w, &t->frame);
	}
	rtcCommitScene(t->bodies);
	rtcCommitScene(t->facets);
	t->eps = b->count ? real_clamp(0.005 * least * t->frame.scale, 4e-6, 1e-4) : 1e-4;
	t->near_by = b->count ? real_clamp(10 * sum / b->count * t->frame.scale, 0.02, 1) : 0.5;
}

bool scree_tracer_built(fail *why)
{
	(void)why;
	return true;
}

/* Describes the error, if any. */
static bool refuse(bool failed, enum RTCError code, fail *why)
{
	if (failed || code == RTC_ERROR_OUT_OF_MEMORY)
		return scree_fail(
			why, FAIL_IO,
			"no memory for a picture: allow more (ulimit -v), or leave out output.images; pictures can be "
			"made from snapshots by scree render");
	if (code != RTC_ERROR_NONE)
		return scree_fail(why, FAIL_IO, "Embree, which traces rays, does not work here (its error %d)", (int)code);
	return true;
}

tracer *scree_tracer_new(const scree_world *w, const image_plan *plan, const camera *view, const picture_frame *frame,
						 const vec3 *colour, vec3 up, fail *why)
{
	/* one thread builds the tree, so that it and the choice of equally distant hits are the same on every machine */
	RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
	if (!device) {
		const enum RTCError code = rtcGetDeviceError(NULL);
		refuse(false, code == RTC_ERROR_NONE ? RTC_ERROR_UNKNOWN : code, why);
		return NULL;
	}
	tracer *t = scree_alloc(1, sizeof *t);
	t->w = w;
	t->plan = plan;
	t->view = *view;
	t->frame = *frame;
	t->colour = colour;
	t->device = device;
	t->up = up;
	t->light = v3_unit(v3_madd(v3_madd(v3_mul(-0.42, view->right), 0.85, view->up), -0.62, view->dir));
	t->light1 = v3_across(t->light);
	t->light2 = v3_cross(t->light, t->light1);
	t->cut = to_picture(frame, plan->cut_point);
	t->cut_normal = v3_unit(plan->cut_normal);
	build(t);
	if (refuse(t->failed, rtcGetDeviceError(device), why)) return t;
	scree_tracer_free(t);
	return NULL;
}

void scree_tracer_free(tracer *t)
{
	if (!t) return;
	rtcReleaseScene(t->bodies);
	rtcReleaseScene(t->facets);
	rtcReleaseDevice(t->device);
	scree_wall_view_free(&t->walls);
	SCREE_FREE_ALL(t->sphere, t->ball, t->round, t->solid, t->face, t->facet, t);
}

/* ---- rays ---- */

static struct RTCRay ray_of(vec3 from, vec3 dir, real low, real high)
{
	struct RTCRay r = {.tnear = (float)low, .tfar = (float)high, .mask = ~0u};
	r.org_x = (float)from.x, r.org_y = (float)from.y, r.org_z = (float)from.z;
	r.dir_x = (float)dir.x, r.dir_y = (float)dir.y, r.dir_z = (float)dir.z;
	return r;
}

static bool nearest(RTCScene scene, vec3 from, vec3 dir, real low, real high, struct RTCRayHit *rh)
{
	rh->ray = ray_of(from, dir, low, high);
	rh->hit.geomID = RTC_INVALID_GEOMETRY_ID;
	embree_first(scene, rh);
	return rh->hit.geomID != RTC_INVALID_GEOMETRY_ID;
}

static bool blocked(RTCScene scene, vec3 from, vec3 dir, real high)
{
	struct RTCRay r = ray_of(from, dir, 0, high);
	embree_any(scene, &r);
	return r.tfar < 0;
}

/* Two uniformly distributed numbers in [0, 1) for each use of each sample: points of the R2 sequence (Roberts 2018).
 * Pixels along a Hilbert curve use consecutive points, so that neighbouring pixels have different errors. Noise in soft
 * shadows is then fine and even, whereas with independent random numbers it would look like sand. */
typedef struct sampler {
	uint32_t at;	 /* index in the sequence */
	uint32_t lights; /* pairs of light rays per ray from the camera */
} sampler;

enum { HILBERT = 64 };

/* Index along a curve that fills a square of HILBERT pixels; the squares tile the picture. */
static uint32_t along_curve(uint32_t x, uint32_t y)
{
	uint32_t at = 0;
	for (uint32_t half = HILBERT / 2; half; half /= 2) {
		uint32_t rx = (x & half) != 0, ry = (y & half) != 0;
		at += half * half * (3 * rx ^ ry);
		if (ry) continue;
		if (rx) {
			x = ~x;
			y = ~y;
		}
		uint32_t swap = x;
		x = y;
		y = swap;
	}
	return at;
}

static uint32_t mix(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

/* The two numbers for one use; each use starts at a different offset in the sequence. */
static void even(const sampler *s, uint32_t use, real out[2])
{
	uint32_t a = mix(2 * use + 1), b = mix(2 * use + 2);
	uint32_t x = a + s->at * 3242174889u, y = b + s->at * 2447445414u;
	out[0] = x / 4294967296.0;
	out[1] = y / 4294967296.0;
}

/* Maximum length of a ray that starts in the part of the scene that remains after the cut. */
static real until_cut(const tracer *t, vec3 from, vec3 dir)
{
	if (!t->plan->has_cut) return 1e30;
	real along = v3_dot(t->cut_normal, dir), off = v3_dot(t->cut_normal, v3_sub(t->cut, from));
	return along > 1e-12 ? real_max(off / along, 0) : 1e30;
}

/* ---- light ---- */

/* The point where a ray from the camera ends: its walls, its body or the face of a body, and the normal. */
typedef struct sight {
	uint64_t name;
	vec3 normal;
	real far; /* distance along the ray to a body or an opaque wall */
} sight;

static void sight_add(sight *o, uint64_t what, vec3 normal)
{
	o->name = (o->name ^ what) * 0x9E3779B97F4A7C15ull + 1;
	o->normal = normal;
}

typedef struct spot {
	vec3 at, normal, flat; /* normal: for lighting; flat: normal of the true surface */
	vec3 centre;		   /* centre of the body */
	vec3 colour;		   /* linear */
	real gloss, radius;	   /* radius of the body */
	real behind;		   /* fraction of sky light transmitted by a wall through which the body pokes; 0 if none */
	bool wall;
	uint64_t name; /* identifies body and face */
} spot;

static vec3 sky(const tracer *t, vec3 dir)
{
	real h = 0.5 + 0.5 * v3_dot(dir, t->up);
	return v3_mix(v3(0.50, 0.48, 0.46), v3(0.92, 0.97, 1.05), h);
}

static vec3 ambient(const tracer *t, const spot *s, const sampler *draw)
{
	real u[2];
	even(draw, 1, u);
	real r = sqrt(u[0]), a = 2 * SCREE_PI * u[1];
	vec3 e1 = v3_across(s->normal), e2 = v3_cross(s->normal, e1);
	vec3 dir = v3_madd(v3_madd(v3_mul(sqrt(1 - u[0]), s->normal), r * cos(a), e1), r * sin(a), e2);
	if (v3_dot(dir, s->flat) <= 0) return v3(0, 0, 0);
	vec3 from = v3_madd(s->at, t->eps, s->flat), light = sky(t, dir);
	real far = real_min(t->near_by, until_cut(t, from, dir));
	if (blocked(t->bodies, from, dir, far)) return v3_mul(0.16, light);
	if (s->behind > 0) return v3_mul(s->behind, light);
	if (t->facet && blocked(t->facets, from, dir, far)) return v3_mul(0.5, light);
	wall_hit hit;
	if (!s->wall && scree_wall_view_hit(&t->walls, from, dir, 10 * t->eps, far, &hit)) return v3_mul(0.6, light);
	return light;
}

static real lit(const tracer *t, const spot *s, const sampler *draw, vec3 *dir)
{
	real u[2];
	even(draw, 2, u);
	real r = 0.2 * sqrt(u[0]), a = 2 * SCREE_PI * u[1];
	*dir = v3_unit(v3_madd(v3_madd(t->light, r * cos(a), t->light1), r * sin(a), t->light2));
	if (v3_dot(*dir, s->flat) <= 0 || v3_dot(*dir, s->normal) <= 0) return 0;
	vec3 from = v3_madd(s->at, t->eps, s->flat);
	real far = real_min(1e6, until_cut(t, from, *dir));
	if (blocked(t->bodies, from, *dir, far)) return 0;
	return t->facet && blocked(t->facets, from, *dir, real_min(far, t->near_by)) ? 0.55 : 1;
}

/* Light from one pair of rays: to the sky and to the key light. */
static vec3 shade_once(const tracer *t, const spot *s, vec3 view, const sampler *draw)
{
	vec3 dir, out = v3_mul(0.70, v3_times(s->colour, ambient(t, s, draw)));
	real shown = lit(t, s, draw, &dir);
	if (shown <= 0) return out;
	real cosine = v3_dot(s->normal, dir) * shown;
	out = v3_madd(out, 0.92 * cosine, v3_times(s->colour, v3(1.0, 0.975, 0.93)));
	vec3 half = v3_unit(v3_sub(dir, view));
	real c = real_max(v3_dot(half, s->normal), 0), c2 = c * c, c8 = c2 * c2 * c2 * c2, c16 = c8 * c8;
	real shine = c16 * c16 * c16 * s->gloss * shown;
	return v3_add(out, v3(shine, shine, shine));
}

static vec3 shade(const tracer *t, const spot *s, vec3 view, const sampler *draw)
{
	vec3 sum = v3(0, 0, 0);
	for (uint32_t k = 0; k < draw->lights; ++k) {
		sampler one = {draw->lights * draw->at + k, 1};
		sum = v3_add(sum, shade_once(t, s, view, &one));
	}
	return v3_mul(1.0 / draw->lights, sum);
}

/* ---- the end of a ray ---- */

/* Near edges, bends the normal towards the neighbouring face and darkens the colour. pixel: size at this distance */
static void round_edges(const tracer *t, int32_t i, int32_t f, real pixel, spot *s)
{
	const bodies *b = &t->w->state.body;
	const shape *h = &t->w->model.shape.row[b->shape[i]];
	mat3 m = quat_matrix(body_orientation(b, i));
	real size = b->size[i] * t->frame.scale;
	vec3 p = v3_mul(1 / size, mat3_tmul(m, v3_sub(s->at, to_picture(&t->frame, body_position(b, i)))));
	vec3 n = v3(h->nx[f], h->ny[f], h->nz[f]), bent = n;
	real least = 1e300, bevel = real_max(0.09 * h->inradius, 1.2 * pixel / size);
	bevel = real_min(bevel, 0.35 * h->inradius);
	for (int32_t k = h->first[f]; k < h->first[f + 1]; ++k) {
		int32_t a = h->corner[k], c = h->corner[k + 1 < h->first[f + 1] ? k + 1 : h->first[f]];
		vec3 pa = v3(h->vx[a], h->vy[a], h->vz[a]), edge = v3_unit(v3_sub(v3(h->vx[c], h->vy[c], h->vz[c]), pa));
		real off = real_max(v3_dot(v3_cross(n, edge), v3_sub(p, pa)), 0);
		least = real_min(least, off);
		int32_t g = h->across[k];
		if (off < bevel) {
			real part = 1 - off / bevel;
			bent = v3_madd(bent, part * part, v3(h->nx[g], h->ny[g], h->nz[g]));
		}
	}
	s->normal = v3_unit(mat3_mul(m, v3_unit(bent)));
	real line = real_min(1.3 * pixel / size, 0.08 * h->inradius);
	s->colour = v3_mul(1 - 0.55 * (1 - smooth_step(0.35 * line, line, least)), s->colour);
}

/* The normal of a curved surface where a ray meets one of its triangles. */
static vec3 smooth_normal(const tracer *t, int32_t i, vec3 at)
{
	const bodies *b = &t->w->state.body;
	const quat turn = body_orientation(b, i);
	const vec3 from = v3_sub(at, to_picture(&t->frame, body_position(b, i)));
	const vec3 p = v3_mul(1 / (b->size[i] * t->frame.scale), quat_unrotate(turn, from));
	const shape *s = t->w->model.shape.row + b->shape[i];
	return quat_rotate(turn, s->type == SHAPE_CAPSULE ? scree_capsule_normal(s, p) : scree_superquadric_normal(s, p));
}

/* Normal of a face of a body. */
static vec3 flat_of(const tracer *t, int32_t i, int32_t f)
{
	const shape *h = &t->w->model.shape.row[t->w->state.body.shape[i]];
	const trimesh *mesh = shape_surface(h);
	const vec3 normal = mesh ? mesh->normal[f] : v3(h->nx[f], h->ny[f], h->nz[f]);
	return quat_rotate(body_orientation(&t->w->state.body, i), normal);
}

static spot body_spot(const tracer *t, const struct RTCRayHit *rh, vec3 from, vec3 dir)
{
	const real far = (real)rh->ray.tfar;
	const int32_t k = (int32_t)rh->hit.primID;
	const bool ball = rh->hit.geomID == t->spheres;
	const int32_t i = ball ? t->sphere[k] : t->solid[k];
	spot s = {.at = v3_madd(from, far, dir), .colour = t->colour[i], .gloss = ball ? 0.22 : 0.10};
	s.radius = t->w->state.body.radius[i] * t->frame.scale;
	if (ball) {
		s.centre = t->ball[k];
		s.name = 1 + (uint64_t)k;
		s.flat = s.normal = v3_unit(v3_sub(s.at, t->ball[k]));
		return s;
	}
	s.centre = to_picture(&t->frame, body_position(&t->w->state.body, i));
	s.name = ((uint64_t)i + 1) << 32 | (uint32_t)t->face[k];
	const shape *h = &t->w->model.shape.row[t->w->state.body.shape[i]];
	s.flat = s.normal = flat_of(t, i, t->face[k]);
	if (shape_is_curved(h)) s.normal = smooth_normal(t, i, s.at);
	if (!shape_surface(h)) round_edges(t, i, t->face[k], camera_pixel(&t->view, far), &s);
	if (v3_dot(s.normal, dir) > -0.02) s.normal = s.flat;
	return s;
}

/* ---- the cut ----
 * A ray that starts at the cut, inside a body, shows the section of this body. Where bodies overlap, the ray may pass
 * through the surfaces of other bodies before it leaves this body, or may start in several bodies. The ray is therefore
 * followed through all surfaces within a diameter. Whether a ball contains the start follows from the ball's equation;
 * any other body contains the start if the ray leaves the body more often than it enters. If there are several bodies,
 * the one whose bounding sphere contains the start most deeply is shown: two sections then meet in a straight line. */

enum { CROSSED = 16, CROSSINGS = 64 };

typedef struct crossed {
	int32_t count, body[CROSSED], entered[CROSSED];
} crossed;

/* Tests whether the ray leaves a body that it never entered. */
static bool leaves(crossed *c, int32_t body, bool out)
{
	int k = 0;
	while (k < c->count && c->body[k] != body) ++k;
	if (k == CROSSED) return false;
	if (k == c->count) c->body[c->count] = body, c->entered[c->count++] = 0;
	if (out && c->entered[k] == 0) return true;
	c->entered[k] += out ? -1 : 1;
	return false;
}

/* Row of the body in which a ray with this hit starts, or -1; depth: how deep it starts in the bounding sphere */
static int32_t section_at(const tracer *t, const struct RTCRayHit *rh, vec3 start, vec3 dir, real low, crossed *c,
						  real *depth)
{
	const unsigned k = rh->hit.primID;
	const bool ball = rh->hit.geomID == t->spheres;
	const int32_t i = ball ? t->sphere[k] : t->solid[k];
	const vec3 centre = ball ? t->ball[k] : to_picture(&t->frame, body_position(&t->w->state.body, i));
	const real radius = ball ? t->round[k] : t->w->state.body.radius[i] * t->frame.scale;
	*depth = radius * radius - v3_norm2(v3_sub(start, centre));
	if (!ball) return leaves(c, i, v3_dot(flat_of(t, i, t->face[k]), dir) > 0) ? i : -1;
	const vec3 hit = v3_madd(start, (real)rh->ray.tfar - low, dir);
	const bool left = leaves(c, -1 - (int32_t)k, v3_dot(v3_sub(hit, centre), dir) > 0);
	/* at the rim, the equation and the ray may disagree because of rounding errors */
	return *depth > 0 || (left && *depth > -1e-3 * radius * radius) ? i : -1;
}

/* Shows the section of a body at the start of the ray, if the ray starts in a body. */
static bool find_section(const tracer *t, vec3 from, vec3 dir, real low, spot *s)
{
	if (!t->plan->has_cut || low <= 0) return false;
	const real step = 1e-6 * (1 + low);
	const vec3 start = v3_madd(from, low, dir);
	crossed c = {0};
	int32_t body = -1;
	real deepest = 0, at = low;
	struct RTCRayHit rh;
	for (int k = 0; k < CROSSINGS && nearest(t->bodies, from, dir, at, low + 2.001 * t->widest, &rh); ++k) {
		real depth;
		const int32_t i = section_at(t, &rh, start, dir, low, &c, &depth);
		if (i >= 0 && (body < 0 || depth > deepest)) body = i, deepest = depth;
		at = real_max((real)rh.ray.tfar, at) + step;
	}
	if (body < 0) return false;
	*s = (spot){.at = start, .flat = t->cut_normal, .normal = t->cut_normal};
	s->colour = v3_mul(0.8, t->colour[body]);
	s->centre = to_picture(&t->frame, body_position(&t->w->state.body, body));
	s->radius = t->w->state.body.radius[body] * t->frame.scale;
	s->name = ((uint64_t)body + 1) << 32 | UINT32_MAX;
	return true;
}

/* both sides look the same, since the triangles do not show on which side the bodies are */
static bool piece_hit(const struct RTCRayHit *rh, int32_t wall, wall_hit *hit)
{
	vec3 n = v3_unit(v3((real)rh->hit.Ng_x, (real)rh->hit.Ng_y, (real)rh->hit.Ng_z));
	*hit = (wall_hit){.t = (real)rh->ray.tfar, .normal = n, .both = true, .alpha = 1, .wall = wall};
	return true;
}

static bool facet_hit(const tracer *t, vec3 from, vec3 dir, real low, real high, wall_hit *hit)
{
	struct RTCRayHit rh;
	if (!t->facet || !nearest(t->facets, from, dir, low, high, &rh)) return false;
	int32_t row = t->facet[rh.hit.primID];
	if (row < 0) return piece_hit(&rh, -1 - row, hit);
	const facet *f = &t->w->model.wall.facet[row];
	const wall *l = &t->w->model.wall.row[f->wall];
	*hit = (wall_hit){.t = (real)rh.ray.tfar,
					  .normal = quat_rotate(wall_now(t->w, l)->orientation, f->normal),
					  .alpha = 1,
					  .wall = f->wall};
	hit->both = l->two_sided && l->facets < 6;
	hit->edge = l->facets < 6;
	if (l->two_sided && !hit->both) {
		/* on a mesh that acts on both sides, bodies are assumed to be on the inner side */
		vec3 at = v3_madd(from, hit->t, dir);
		if (v3_dot(hit->normal, v3_sub(t->middle, at)) < 0) hit->normal = v3_neg(hit->normal);
	}
	return true;
}

/* Opacity of a wall at a hit. */
static real wall_alpha(const tracer *t, const wall_hit *hit, vec3 dir)
{
	real facing = -v3_dot(hit->normal, dir);
	if (t->plan->walls == LOOK_SOLID || hit->both || facing > 0) return hit->alpha;
	if (t->plan->walls == LOOK_CUT) return 0;
	const real grazing = 1 - real_min(-facing, 1), least = t->w->model.wall.row[hit->wall].two_sided ? 0.4 : 0.07;
	return hit->alpha * (least + 0.55 * grazing * grazing * grazing * grazing);
}

/* Walls that act on both sides, such as blades and screens, are darker than the walls behind them. */
static vec3 wall_colour(const tracer *t, const wall_hit *hit)
{
	const wall *l = t->w->model.wall.row + hit->wall;
	const vec3 *own = scree_colour_of_wall(t->plan, l->name);
	if (own) return scree_linear(*own);
	if (l->two_sided) return v3(0.14, 0.20, 0.28);
	return hit->edge ? v3(0.30, 0.34, 0.39) : v3(0.53, 0.56, 0.60);
}

/* deep: depth of a body that pokes through the wall; the wall must not darken the body */
static vec3 wall_shade(const tracer *t, const wall_hit *hit, real deep, vec3 from, vec3 dir, const sampler *draw)
{
	spot s = {.at = v3_madd(from, hit->t, dir), .normal = hit->normal, .gloss = 0.04, .wall = true};
	if (v3_dot(s.normal, dir) > 0) s.normal = v3_neg(s.normal);
	s.flat = s.normal;
	s.at = v3_madd(s.at, deep, s.normal);
	s.colour = v3_mul(1 - 0.35 * hit->mark, wall_colour(t, hit));
	return shade(t, &s, dir, draw);
}

/* Light that arrives along a ray, and the fraction of background light that it would let through. */
typedef struct seen {
	vec3 light;
	real clear;
} seen;

/* The nearest wall with t in (low, high); `facet`: whether it is made of triangles. */
static bool next_wall(const tracer *t, vec3 from, vec3 dir, real low, real high, wall_hit *hit, bool *facet)
{
	wall_hit other;
	bool any = scree_wall_view_hit(&t->walls, from, dir, low, high, hit);
	*facet = facet_hit(t, from, dir, low, any ? hit->t : high, &other);
	if (*facet) *hit = other;
	return any || *facet;
}

/* Fraction of the radius by which a body drawn behind a wall may poke through it, since soft contacts overlap */
static const real POKES = 0.2;

/* Tests whether a wall hides a body that pokes through it by at most this depth. The viewer must be outside the wall
 * or, if the wall acts on both sides, not on the side of the body's centre. */
static bool is_poked(const wall_hit *hit, vec3 from, vec3 dir, const spot *s, real end, real deep)
{
	if (hit->t <= end) return true;
	real along = v3_dot(hit->normal, dir);
	if (hit->both) {
		const real behind = v3_dot(hit->normal, v3_sub(s->centre, v3_madd(from, hit->t, dir)));
		along = behind * along > 0 ? real_abs(along) : 0;
	}
	return along > 0 && (hit->t - end) * along < deep;
}

static seen look(const tracer *t, vec3 from, vec3 dir, const sampler *draw, sight *met)
{
	*met = (sight){.far = 1e6};
	real low = 0, high = 1e6, clear = 1;
	if (t->plan->has_cut) {
		real along = v3_dot(t->cut_normal, dir), off = v3_dot(t->cut_normal, v3_sub(t->cut, from));
		if (off < 0 && along >= 0) return (seen){.clear = 1};
		if (off < 0)
			low = off / along;
		else if (along > 0)
			high = off / along;
	}
	vec3 light = v3(0, 0, 0);
	struct RTCRayHit rh;
	bool body = nearest(t->bodies, from, dir, low, high, &rh);
	spot s = {0};
	real end = high, at = low;
	if (body) {
		const bool section = find_section(t, from, dir, low, &s);
		if (!section) s = body_spot(t, &rh, from, dir);
		end = section ? low : (real)rh.ray.tfar;
	}
	const real deep = body && end > low ? POKES * s.radius : 0;
	for (int k = 0; k < LAYERS && clear > 0.01; ++k) {
		wall_hit hit;
		bool facet;
		if (!next_wall(t, from, dir, at, real_min(end + 4 * deep, high), &hit, &facet)) break;
		if (!is_poked(&hit, from, dir, &s, end, deep)) break;
		if (hit.t > end) s.behind = facet ? 0.65 : 0.8;
		real alpha = wall_alpha(t, &hit, dir);
		if (alpha > 0) {
			light = v3_madd(light, clear * alpha, wall_shade(t, &hit, hit.t > end ? deep : 0, from, dir, draw));
			sight_add(met, 0x100000000000000ull + (uint64_t)(2 * hit.wall + (hit.mark > 0.5)), hit.normal);
		}
		if (alpha > 0.9 && met->far > hit.t) met->far = hit.t;
		clear *= 1 - alpha;
		at = hit.t + t->eps;
	}
	if (clear <= 0.01) return (seen){light, 0};
	if (!body) return (seen){light, clear};
	met->far = real_min(met->far, end);
	sight_add(met, s.name, s.normal);
	return (seen){v3_madd(light, clear, shade(t, &s, dir, draw)), 0};
}

/* ---- pixels ----
 * First, one ray is sent through the middle of each pixel. Inside a face, where neighbouring pixels saw the same
 * surface, light is averaged over these pixels: their light rays differ, since pixels use consecutive points of one
 * sequence. At edges, and where surfaces are curved, a pixel is drawn again with all its rays. Outlines are therefore
 * smooth, while most pixels need only one ray. */

enum { NEAR = 3, FEWEST_LIGHTS = 2, LIGHTS_PART = 4 };
static const float ALIKE = 0.99f; /* smallest cosine between the normals of pixels on the same surface */

typedef struct pass {
	const tracer *t;
	canvas *out;
	int32_t across;
	struct first *first; /* [pixels] of the first rays */
	void (*each)(const struct pass *p, int32_t x, int32_t y);
} pass;

/* The object that a pixel's first ray hits, and the ray's end; single precision, to touch fewer memory pages */
typedef struct first {
	uint64_t name;
	float normal[3], light[3], clear;
} first;

static seen seen_first(const first *f) { return (seen){v3(f->light[0], f->light[1], f->light[2]), f->clear}; }

/* clipped before averaging, so that edges against bright areas stay smooth */
static vec3 clipped(vec3 c) { return v3(real_min(c.x, 1), real_min(c.y, 1), real_min(c.z, 1)); }

/* Colour of a ray through this point of the picture, composited over the background unless that is transparent. */
static seen look_through(const pass *p, real x, real y, const sampler *draw, sight *met)
{
	const camera *c = &p->t->view;
	const real px = (2 * x / p->out->width - 1) * c->half_width, py = (1 - 2 * y / p->out->height) * c->half_height;
	const vec3 aside = v3_madd(v3_mul(px, c->right), py, c->up);
	seen s = c->parallel ? look(p->t, v3_add(c->eye, aside), c->dir, draw, met)
						 : look(p->t, c->eye, v3_unit(v3_add(c->dir, aside)), draw, met);
	const picture_ground ground = p->t->plan->ground;
	if (ground != GROUND_TRANSPARENT && s.clear > 0) {
		s.light = v3_madd(s.light, s.clear, scree_background(ground, y / p->out->height));
		s.clear = 0;
	}
	s.light = clipped(s.light);
	return s;
}

/* Distance along the camera's direction per unit length of a ray. */
static real depth_of_ray(const pass *p, real x, real y)
{
	const camera *c = &p->t->view;
	const real px = (2 * x / p->out->width - 1) * c->half_width, py = (1 - 2 * y / p->out->height) * c->half_height;
	return c->parallel ? 1 : 1 / sqrt(1 + px * px + py * py);
}

static void first_ray(const pass *p, int32_t x, int32_t y)
{
	const size_t at = (size_t)y * (size_t)p->out->width + (size_t)x;
	const int32_t samples = p->t->plan->samples;
	/* a draft uses one pair of light rays */
	sampler draw = {along_curve((uint32_t)x, (uint32_t)y), samples > 1 ? FEWEST_LIGHTS : 1};
	if (samples / LIGHTS_PART > FEWEST_LIGHTS) draw.lights = (uint32_t)(samples / LIGHTS_PART);
	sight met;
	const seen s = look_through(p, x + 0.5, y + 0.5, &draw, &met);
	p->out->depth[at] = (float)(met.far * depth_of_ray(p, x + 0.5, y + 0.5));
	p->first[at].name = met.name;
	p->first[at].clear = (float)s.clear;
	put(p->first[at].normal, met.normal);
	put(p->first[at].light, s.light);
}

static void add_seen(seen *to, seen s)
{
	to->light = v3_add(to->light, s.light);
	to->clear += s.clear;
}

static seen mean_of(seen sum, int32_t count) { return (seen){v3_mul(1.0 / count, sum.light), sum.clear / count}; }

/* Mean over all rays of a pixel. */
static seen all_rays(const pass *p, int32_t x, int32_t y)
{
	int32_t count = p->t->plan->samples, side = (int32_t)(sqrt((real)count) + 0.5);
	uint32_t first = along_curve((uint32_t)x, (uint32_t)y) * (uint32_t)count;
	seen sum = {0};
	for (int32_t k = 0; k < count; ++k) {
		sampler draw = {first + (uint32_t)k, 1};
		sight met;
		real u[2];
		even(&draw, 0, u);
		if (side * side == count) {
			u[0] = (k % side + 0.5) / side;
			u[1] = (k / side + 0.5) / side;
		}
		add_seen(&sum, look_through(p, x + u[0], y + u[1], &draw, &met));
	}
	return mean_of(sum, count);
}

static bool alike(const first *a, const first *b)
{
	if (a->name != b->name) return false;
	return !a->name || a->normal[0] * b->normal[0] + a->normal[1] * b->normal[1] + a->normal[2] * b->normal[2] >= ALIKE;
}

/* Tests whether a pixel and its neighbours saw the same surface. */
static bool is_inside(const pass *p, int32_t x, int32_t y)
{
	const int32_t w = p->out->width, h = p->out->height;
	const first *own = p->first + (size_t)y * (size_t)w + (size_t)x;
	for (int32_t j = y > 0 ? y - 1 : 0; j <= y + 1 && j < h; ++j)
		for (int32_t i = x > 0 ? x - 1 : 0; i <= x + 1 && i < w; ++i)
			if (!alike(p->first + (size_t)j * (size_t)w + (size_t)i, own)) return false;
	return true;
}

/* Mean over the first rays of all surrounding pixels that saw the same surface. */
static seen mean_around(const pass *p, int32_t x, int32_t y)
{
	const int32_t w = p->out->width, h = p->out->height;
	const first *own = p->first + (size_t)y * (size_t)w + (size_t)x;
	seen sum = {0};
	int32_t count = 0;
	for (int32_t j = y > NEAR ? y - NEAR : 0; j <= y + NEAR && j < h; ++j)
		for (int32_t i = x > NEAR ? x - NEAR : 0; i <= x + NEAR && i < w; ++i) {
			const size_t at = (size_t)j * (size_t)w + (size_t)i;
			if (!alike(p->first + at, own)) continue;
			add_seen(&sum, seen_first(p->first + at));
			++count;
		}
	return mean_of(sum, count);
}

static void last_rays(const pass *p, int32_t x, int32_t y)
{
	const size_t at = (size_t)y * (size_t)p->out->width + (size_t)x;
	seen s = seen_first(p->first + at);
	if (is_inside(p, x, y))
		s = p->first[at].name ? mean_around(p, x, y) : s;
	else if (p->t->plan->samples > 1)
		s = all_rays(p, x, y);
	const real cover = 1 - s.clear;
	const vec3 colour = cover > 0 ? v3_mul(cover, scree_encode(v3_mul(1 / cover, s.light))) : v3(0, 0, 0);
	put(p->out->rgba + 4 * at, colour);
	p->out->rgba[4 * at + 3] = (float)cover;
}

static void tiles(void *what, int64_t from, int64_t to, int thread)
{
	const pass *p = what;
	(void)thread;
	for (int64_t k = from; k < to; ++k) {
		int32_t x0 = (int32_t)(k % p->across) * TILE, y0 = (int32_t)(k / p->across) * TILE;
		for (int32_t y = y0; y < y0 + TILE && y < p->out->height; ++y)
			for (int32_t x = x0; x < x0 + TILE && x < p->out->width; ++x) p->each(p, x, y);
	}
}

void scree_trace(const tracer *t, canvas *out)
{
	const size_t pixels = (size_t)out->width * (size_t)out->height;
	pass p = {t, out, (out->width + TILE - 1) / TILE, scree_alloc(pixels, sizeof(first)), first_ray};
	const int64_t count = (int64_t)p.across * ((out->height + TILE - 1) / TILE);
	scree_parallel(tiles, &p, count, 1);
	p.each = last_rays;
	scree_parallel(tiles, &p, count, 1);
	scree_free(p.first);
}
