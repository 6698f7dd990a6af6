/* scales: one range of colours per quantity for all pictures of a run, from the scene at its start: gravity; the height
 * through which bodies can fall; the speeds of bodies, sources and walls; and sizes, masses and temperatures. The
 * ranges are saved in snapshots, so that pictures of a resumed run or of its snapshots have the same colours. Ranges of
 * magnitudes begin at 0. The ends of ranges are typical values, not bounds: for example half of the fall height,
 * because most bodies are slower than the fastest one. Values outside the range are marked in the legend. */
#include "render/picture.h"
#include "render/render.h"

#include <math.h>

/* Lengths, speeds and masses of the initial scene. */
typedef struct facts {
	real gravity;		   /* m/s^2 */
	real low, high;		   /* height of the scene along the direction up, in m */
	real top;			   /* height of the highest body or source, in m */
	real fall;			   /* longest fall from `top`, in m */
	real speed, spin;	   /* speed of the fastest body, source or wall, in m/s or rad/s */
	real presses;		   /* speed of the fastest wall or cell border driven by a servo, in m/s */
	real stress;		   /* largest prescribed stress of a periodic cell, in Pa */
	real diameter, mass;   /* means over spheres with the volumes of the bodies, in m and kg */
	real size[2], heat[2]; /* m, K: least and largest */
	vec3 middle;
	real reach;
} facts;

static void widen(real pair[2], real low, real high)
{
	pair[0] = real_min(pair[0], low);
	pair[1] = real_max(pair[1], high);
}

static void note_bodies(facts *f, const scree_world *w, vec3 up)
{
	const bodies *b = &w->state.body;
	const real *heat = body_temperatures(b);
	for (int32_t i = 0; i < b->count; ++i) {
		const real size = b->size[i] / w->model.shape.row[b->shape[i]].scale;
		f->top = real_max(f->top, v3_dot(up, body_position(b, i)) + b->radius[i]);
		f->speed = real_max(f->speed, v3_norm(body_velocity(b, i)));
		f->spin = real_max(f->spin, v3_norm(body_angular_velocity(b, i)));
		f->diameter += 2 * b->round[i] / b->count;
		f->mass += b->mass[i] / b->count;
		widen(f->size, size, size);
		if (heat) widen(f->heat, heat[i], heat[i]);
	}
}

static void note_sources(facts *f, const scree_world *w, vec3 up)
{
	for (int32_t k = 0; k < w->model.population.sources; ++k) {
		const source *s = w->model.population.source + k;
		vec3 box[2];
		scree_region_reach(&s->where, box, box + 1);
		for (int c = 0; c < 8; ++c) {
			const real at = v3_dot(up, v3(box[c & 1].x, box[c >> 1 & 1].y, box[c >> 2].z));
			f->low = real_min(f->low, at);
			f->high = real_max(f->high, at);
			f->top = real_max(f->top, at);
		}
		f->speed = real_max(f->speed, v3_norm(s->velocity));
		f->spin = real_max(f->spin, v3_norm(s->angular_velocity));
		if (s->temperature > 0) widen(f->heat, s->temperature, s->temperature);
		for (int32_t p = 0; p < s->parts; ++p) {
			const shape *form = w->model.shape.row + s->part[p].shape;
			const real low = scree_spread_smallest(&s->part[p].size), high = scree_spread_largest(&s->part[p].size);
			widen(f->size, low / form->scale, high / form->scale);
			if (!w->state.body.count) f->diameter = real_max(f->diameter, 2 * high * form->radius);
		}
		if (!w->state.body.count) f->mass = real_max(f->mass, s->mean_mass);
	}
}

/* A plane has no extent, but bodies fall onto it. */
static void note_plane(facts *f, const scree_world *w, const wall *l, vec3 up)
{
	const vec3 n = wall_axis(w, l), top = v3_madd(f->middle, f->top - v3_dot(f->middle, up), up);
	const real upward = v3_dot(n, up);
	if (upward < 0.3) return;
	f->fall = real_max(f->fall, v3_dot(n, v3_sub(top, wall_point(w, l, l->point))) / upward);
}

static void note_walls(facts *f, const scree_world *w, vec3 up)
{
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		const wall *l = w->model.wall.row + k;
		const wall_motion *m = &l->motion;
		const bool turned = motion_is_turned(m->type), driven = motion_is_driven(m->type);
		if (l->removed) continue;
		if (l->type == WALL_PLANE) note_plane(f, w, l, up);
		f->speed = real_max(f->speed, scree_wall_fastest(l, f->middle, f->reach));
		if (m->type == MOTION_SURFACE) f->speed = real_max(f->speed, v3_norm(m->velocity));
		if (driven) f->speed = real_max(f->speed, real_abs(m->servo.speed) * (turned ? f->reach : 1));
		if (driven) f->presses = real_max(f->presses, l->servo.max_speed * (turned ? f->reach : 1));
		if (l->conducts) widen(f->heat, l->temperature, l->temperature);
	}
	f->speed = real_max(f->speed, real_abs(w->state.images.speed) / 2);
}

/* A cell of variable size moves bodies by up to half of its change in size; a cell with a servo compresses them. */
static void note_cell(facts *f, const scree_world *w)
{
	const cell_rule *c = &w->model.cell;
	for (int32_t axis = 0; w->model.period.deforms && axis < 3; ++axis) {
		const real half = v3_part(w->model.period.size, axis) / 2;
		if (!w->model.period.axis[axis]) continue;
		if (c->servo[axis]) f->stress = real_max(f->stress, real_abs(v3_part(c->stress, axis)));
		if (c->servo[axis]) f->presses = real_max(f->presses, c->limit * half);
		if (!c->servo[axis]) f->speed = real_max(f->speed, real_abs(v3_part(c->rate, axis)) * half);
	}
}

static facts facts_of(const scree_world *w)
{
	const vec3 up = scree_render_up(w);
	facts f = {.gravity = v3_norm(w->model.gravity), .low = INFINITY, .high = -INFINITY, .top = -INFINITY};
	f.size[0] = f.heat[0] = INFINITY;
	f.size[1] = f.heat[1] = -INFINITY;
	extent e = {0};
	scree_render_extent(&e, w, true, false);
	for (int32_t k = 0; k < e.count; ++k) {
		const real at = v3_dot(up, e.at[k]);
		f.low = real_min(f.low, at - e.radius[k]);
		f.high = real_max(f.high, at + e.radius[k]);
	}
	const picture_frame frame = scree_render_frame(&e);
	f.middle = frame.centre;
	f.reach = 1 / frame.scale;
	scree_render_extent_free(&e);
	note_bodies(&f, w, up);
	note_sources(&f, w, up);
	if (f.top > f.low) f.fall = f.top - f.low;
	note_walls(&f, w, up);
	note_cell(&f, w);
	return f;
}

/* The smallest number of the form 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power of ten that is at least x. */
static real round_above(real x)
{
	static const real part[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
	real unit = 1e-30;
	while (unit * 10 <= x && unit < 1e30) unit *= 10;
	for (size_t k = 0; k < sizeof part / sizeof *part; ++k)
		if (x <= part[k] * unit * (1 + 1e-9)) return part[k] * unit;
	return 10 * unit;
}

/* A range from 0 to a round value. */
static void end_at(real range[2], real x)
{
	range[0] = 0;
	range[1] = round_above(x > 0 && isfinite(x) ? x : 1);
}

/* A range from one value to another; if both are equal, the range is centred on this value. */
static void between(real range[2], real low, real high)
{
	if (!(isfinite(low) && isfinite(high))) low = 0, high = 1;
	const real width = high > low ? 0 : low != 0 ? 0.1 * real_abs(low) : 1;
	range[0] = low - width;
	range[1] = high + width;
}

void scree_render_scales(const scree_world *w, picture_scales *out)
{
	const facts f = facts_of(w);
	real speed = real_max(f.speed, sqrt(f.gravity * real_max(f.fall, f.diameter)));
	if (!(speed > 0)) speed = f.presses;
	const real size = f.diameter > 0 ? f.diameter : 1, density = f.mass / (size * size * (w->model.flat ? 1 : size));
	/* four times the weight of a body, or the force that stops a body within its diameter; only a fraction of the force
	 * due to a stress, since most contact forces cancel out */
	const real flying = f.gravity > 0 ? 4 * f.mass * f.gravity : f.mass * speed * speed / size;
	const real force = real_max(flying, f.stress * size * size / 100);
	/* weight of a column: mass divided by the cube of the diameter is about the density of a packing of spheres */
	const real falling = density * (f.gravity > 0 ? f.gravity * real_max(f.fall, size) : speed * speed);
	const real pressure = real_max(falling, 2 * f.stress);
	real(*range)[2] = out->range;
	end_at(range[SCALE_SPEED], speed);
	end_at(range[SCALE_SPIN], real_max(f.spin, speed / size));
	between(range[SCALE_SIZE], f.size[0], f.size[1]);
	end_at(range[SCALE_FORCE], force);
	between(range[SCALE_HEIGHT], f.low, f.high);
	end_at(range[SCALE_COORDINATION], w->model.flat ? 6 : 12);
	end_at(range[SCALE_BONDS], w->model.flat ? 6 : 12);
	end_at(range[SCALE_PRESSURE], pressure);
	end_at(range[SCALE_SHEAR_STRESS], pressure / 2);
	between(range[SCALE_TEMPERATURE], f.heat[0], f.heat[1]);
	out->on = true;
}
