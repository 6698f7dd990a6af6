/* draw: code shared by all fills: the list of bodies, and random bodies, drawn according to the keys of a fill */
#include "scene/reader.h"

#include "kernel/quat.h"
#include "world/world.h"

void scree_body_list_add(body_list *l, new_body b)
{
	if (l->count == l->capacity) {
		int64_t capacity = l->capacity * 3 / 2 + 256;
		l->row = scree_grow(l->row, (size_t)l->capacity, (size_t)capacity, sizeof *l->row);
		l->capacity = capacity;
	}
	l->row[l->count++] = b;
}

const char *scree_fill_name(const reader *r, const fill_spec *f)
{
	const fill_spec *first = r->spec.fill.item;
	return f->name ? scree_arena_print(r->r.memory, "fill '%.47s'", f->name)
				   : scree_arena_print(r->r.memory, "fill %d", (int)(f - first) + 1);
}

real scree_body_volume(const reader *r, const new_body *b)
{
	return r->world->model.shape.row[b->shape].volume * b->size * b->size *
		   (r->flat ? 1 : b->size); /* area in the plane */
}

real scree_body_mass(const reader *r, const new_body *b)
{
	const model *m = &r->world->model;
	return m->material.row[b->material].density * m->thickness * scree_body_volume(r, b);
}

/* mean volume of a shape of size 1 (its area in the plane), or of the grains of a family */
static real mean_volume(const reader *r, int32_t shape)
{
	const shape_rows *of = r->shape + shape;
	real sum = 0;
	for (int32_t k = 0; k < of->count; ++k) sum += r->world->model.shape.row[of->first + k].volume;
	return sum / of->count;
}

/* scale: factor applied to the sizes */
static spread spread_of_sieve(const reader *r, const sieve_spec *s, real scale)
{
	const int32_t sieves = s->size.count;
	const real *given = s->size.item, *passing = s->passing.item;
	real size[SIEVE_CLASSES + 1];
	for (int32_t k = 0; k < sieves; ++k) size[k] = scale * given[k];
	return scree_sieve(sieves, size, passing, s->interpolation == 0, s->by == 1 ? 0 : r->flat ? 2 : 3);
}

spread scree_build_spread(const reader *r, const size_spec *s, int32_t shape)
{
	real f = r->shape[shape].scale;
	const normal_spec *n = s->normal.h.where ? &s->normal : &s->lognormal;
	if (s->sieve.h.where) return spread_of_sieve(r, &s->sieve, f);
	if (n->h.where)
		return (spread){.type = n == &s->normal ? SPREAD_NORMAL : SPREAD_LOGNORMAL,
						.a = f * n->mean,
						.b = f * n->sd,
						.cut = n->cut};
	if (scree_node_child(s->h.where, "uniform"))
		return (spread){.type = SPREAD_UNIFORM, .a = f * s->uniform[0], .b = f * s->uniform[1]};
	return (spread){.type = SPREAD_ONE, .a = f * s->value};
}

static void set_classes(const reader *r, const spread *size, quota *class)
{
	const bool by_mass = size->b >= 2;
	for (int32_t k = 0; k < size->classes; ++k) {
		const real mean = by_mass ? scree_sieve_moment(size, k, r->flat ? 2 : 3) : 1;
		class[k] = (quota){.share = size->share[k] * mean, .mean = mean};
	}
}

static void set_part(const reader *r, mix_part part, int32_t k, body_mix *out)
{
	const model *m = &r->world->model;
	out->part[k] = part;
	out->mass[k] = m->material.row[part.material].density * m->thickness * mean_volume(r, part.shape) *
				   scree_spread_moment(&part.size, r->flat ? 2 : 3);
	out->kind[k] = (quota){.share = part.share, .mean = out->mass[k]};
	if (part.size.type == SPREAD_SIEVE) set_classes(r, &part.size, out->class[k]);
}

void scree_single_mix(const reader *r, int32_t shape, int32_t material, spread size, body_mix *out)
{
	memset(out, 0, sizeof *out);
	out->parts = 1;
	set_part(r, (mix_part){.shape = shape, .material = material, .share = 1, .size = size}, 0, out);
}

void scree_build_mix(const reader *r, const fill_spec *f, body_mix *out)
{
	const mix_spec *m = f->mix.item;
	if (!m) {
		scree_single_mix(r, f->shape, f->material, scree_build_spread(r, &f->size, f->shape), out);
		return;
	}
	memset(out, 0, sizeof *out);
	out->parts = f->mix.count;
	out->by_mass = f->by == 1;
	for (int32_t k = 0; k < f->mix.count; ++k) {
		const bool own = scree_node_child(m[k].h.where, "material") != NULL;
		const mix_part part = {.shape = m[k].shape,
							   .material = own ? m[k].material : f->material,
							   .share = m[k].share,
							   .size = scree_build_spread(r, &m[k].size, m[k].shape)};
		set_part(r, part, k, out);
	}
}

bool scree_mix_is_ordered(const body_mix *m)
{
	bool ordered = m->by_mass;
	for (int32_t k = 0; k < m->parts; ++k) ordered |= m->part[k].size.type == SPREAD_SIEVE;
	return ordered;
}

/* Half a body is added to each sum, so that shares of both large and small bodies deviate by at most half a body. */
static int32_t furthest_behind(const quota *q, int32_t count)
{
	int32_t least = -1;
	real behind = INFINITY;
	for (int32_t k = 0; k < count; ++k) {
		if (!(q[k].share > 0)) continue;
		const real now = (q[k].sum + q[k].mean / 2) / q[k].share;
		if (now < behind) least = k, behind = now;
	}
	return least;
}

static int32_t draw_part(const body_mix *m, random_stream *s)
{
	real all = 0, sum = 0;
	if (m->by_mass) return furthest_behind(m->kind, m->parts);
	for (int32_t k = 0; k < m->parts; ++k) all += m->part[k].share;
	real u = all * scree_random_real(s);
	for (int32_t k = 0; k < m->parts - 1; ++k) {
		sum += m->part[k].share;
		if (u < sum) return k;
	}
	return m->parts - 1;
}

static real draw_size(const reader *r, body_mix *m, int32_t part, random_stream *s)
{
	const spread *size = &m->part[part].size;
	if (size->type != SPREAD_SIEVE) return scree_spread_draw(size, s);
	const int32_t k = furthest_behind(m->class[part], size -> classes);
	const real drawn = scree_sieve_draw(size, k, s);
	m->class[part][k].sum += size->b < 2 ? 1 : drawn * drawn * (r->flat ? 1 : drawn);
	return drawn;
}

const char *scree_fill_amount(const fill_spec *f)
{
	return f->count ? "count" : f->mass > 0 ? "mass" : "solid_fraction";
}

new_body scree_fill_draw(const reader *r, const fill_spec *f, body_mix *mix, shape_rows *rows, random_stream *s)
{
	const int32_t drawn = draw_part(mix, s);
	const mix_part *p = mix->part + drawn;
	shape_rows *of = rows + p->shape;
	new_body b = {.shape = of->first + (int32_t)(of->taken++ % of->count),
				  .material = p->material,
				  .velocity = f->velocity,
				  .angular_velocity = f->angular_velocity};
	b.flags = (f->held ? BODY_HELD : 0) | (f->locked ? BODY_LOCKED : 0);
	b.temperature = scree_given(&f->h, "body_temperature") ? f->body_temperature : 0;
	b.size = draw_size(r, mix, drawn, s);
	mix->kind[drawn].sum += scree_body_mass(r, &b);
	b.orientation = f->orientation.type == ORIENT_RANDOM  ? r->flat ? scree_random_turn(s) : scree_random_rotation(s)
					 : f->orientation.type == ORIENT_GIVEN ? quat_unit(f->orientation.q)
														  : quat_one();
	return b;
}

bool scree_passes_mass(const reader *r, const fill_spec *f, real mass, const new_body *last)
{
	return mass - scree_body_mass(r, last) / 2 > f->mass;
}

bool scree_too_little_mass(reader *r, const fill_spec *f, const body_mix *mix)
{
	return REFUSE_VALUE(r, &f->h, scree_fill_amount(f), NULL,
						"%s: mass: %g kg is less than half the mass of one body (%.3g kg)", scree_fill_name(r, f),
						f->mass, mix->mass[0]);
}

/* Sets random velocities in a fill with a temperature. The components are normally distributed. The mass-weighted mean
 * of the velocities is subtracted, so that, up to rounding, the fill has the momentum of its mean velocity; then the
 * components are scaled to the exact temperature. All sums are computed in the order of the bodies. */

static vec3 normal_vector(random_stream *s, bool flat)
{
	const real x = scree_random_normal(s), y = scree_random_normal(s);
	return v3(x, y, flat ? 0 : scree_random_normal(s));
}

/* m2/s2, mass-weighted mean square deviation */
static real part_for(real wanted, real squares, real masses, int dimensions)
{
	return squares > 0 ? sqrt(wanted * dimensions * masses / squares) : 0;
}

static void heat_velocities(const reader *r, real temperature, random_stream *s, int64_t count, const real *mass,
							new_body *body)
{
	vec3 *v = scree_alloc((size_t)count, sizeof *v), mean = v3(0, 0, 0);
	real masses = 0, squares = 0;
	for (int64_t k = 0; k < count; ++k) {
		v[k] = normal_vector(s, r->flat);
		mean = v3_madd(mean, mass[k], v[k]);
		masses += mass[k];
	}
	mean = v3_mul(1 / masses, mean);
	for (int64_t k = 0; k < count; ++k) {
		v[k] = v3_sub(v[k], mean);
		squares += mass[k] * v3_norm2(v[k]);
	}
	const real part = part_for(temperature, squares, masses, r->flat ? 2 : 3);
	for (int64_t k = 0; k < count; ++k) body[k].velocity = v3_madd(body[k].velocity, part, v[k]);
	scree_free(v);
}

static void heat_rotations(const reader *r, real temperature, random_stream *s, int64_t count, new_body *body)
{
	vec3 *w = scree_alloc((size_t)count, sizeof *w);
	real squares = 0;
	for (int64_t k = 0; k < count; ++k) {
		w[k] = r->flat ? v3(0, 0, scree_random_normal(s)) : normal_vector(s, false);
		squares += v3_norm2(w[k]);
	}
	const real part = part_for(temperature, squares, (real)count, r->flat ? 1 : 3);
	for (int64_t k = 0; k < count; ++k) body[k].angular_velocity = v3_madd(body[k].angular_velocity, part, w[k]);
	scree_free(w);
}

bool scree_build_heat(reader *r, const fill_spec *f, int32_t number, body_list *all, int64_t from)
{
	const int64_t count = all->count - from;
	random_stream s =
		scree_random_start((uint64_t)f->seed, (8ull << 32) + (uint64_t)number); /* a stream not used for bodies */
	if (!(f->temperature > 0 || f->angular_temperature > 0)) return true;
	if (count < 2)
		return REFUSE_VALUE(r, &f->h, "temperature", NULL, "%s: a temperature needs at least two bodies",
							scree_fill_name(r, f));
	real *mass = scree_alloc((size_t)count, sizeof *mass);
	for (int64_t k = 0; k < count; ++k) mass[k] = scree_body_mass(r, all->row + from + k);
	if (f->temperature > 0) heat_velocities(r, f->temperature, &s, count, mass, all->row + from);
	if (f->angular_temperature > 0) heat_rotations(r, f->angular_temperature, &s, count, all->row + from);
	scree_free(mass);
	return true;
}

/* Sieve curves of a scene: values from a file, checks, and the resulting size distribution. */

/* positions of a curve's values, for messages */
typedef struct curve {
	reader *r;
	const sieve_spec *s;
	const place *row; /* rows of the table, or NULL if the values are in the scene */
} curve;

static place at_value(const curve *c, const char *key, int32_t k)
{
	return c->row ? c->row[k] : scree_entry(&c->s->h, key, k);
}

/* reads a table into the lists of the curve; the lists are not written into the resolved scene, which names the file */
static bool read_table(reader *r, sieve_spec *s, place **row)
{
	number_column column[2] = {{.of = {.name = "size", .unit = "m", .range = "> 0"}},
							   {.of = {.name = "passing", .range = "[0, 100]"}}};
	const int32_t rows = scree_read_columns(r, scree_where(&s->h, "file"), s->file, 2, column, row);
	if (rows < 0) return false;
	s->size = (spec_list){.item = column[0].value, .count = rows};
	s->passing = (spec_list){.item = column[1].value, .count = rows};
	return true;
}

static bool check_curve(const curve *c)
{
	const sieve_spec *s = c->s;
	const real *size = s->size.item, *passing = s->passing.item;
	const int32_t last = s->size.count - 1;
	report *to = &c->r->r;
	const place whole = scree_where(&s->h, c->row ? "file" : "size")->at;
	if (s->passing.count != s->size.count)
		return scree_report(to, scree_where(&s->h, "passing")->at, NULL, "passing: %d values for %d sieves",
							s->passing.count, s->size.count);
	const int32_t most = SIEVE_CLASSES + (passing[0] == 0); /* grains that pass the finest sieve form a class */
	if (last < 1 || last >= most)
		return scree_report(to, whole, NULL, "sieve: %d sieves; at least 2 and at most %d are expected", last + 1,
							most);
	for (int32_t k = 1; k <= last; ++k) {
		if (size[k - 1] >= size[k])
			return scree_report(to, at_value(c, "size", k), "begin with the smallest sieve",
								"size: %g m is not above the previous sieve, %g m", size[k], size[k - 1]);
		if (passing[k - 1] > passing[k])
			return scree_report(to, at_value(c, "passing", k), NULL, "passing: %g is below the previous value, %g",
								passing[k], passing[k - 1]);
	}
	if (passing[last] != 1 && passing[last] != 100)
		return scree_report(to, at_value(c, "passing", last), "add the largest size of all after it",
							"passing: the last value must be 1 or 100 %%, not %g: the curve does not say how large the "
							"coarsest bodies are",
							passing[last]);
	return true;
}

void scree_check_sieve(reader *r, sieve_spec *s)
{
	curve c = {r, s, NULL};
	place *row = NULL;
	const bool given = s->passing.item != NULL;
	if (!s->h.where || s->h.where->type != NODE_MAP) return;
	if (s->file && given)
		REFUSE_KEY(r, &s->h, "passing", "remove it",
				   "sieve: 'passing' belongs to 'size': the file "
				   "has a column of this name");
	if (s->size.item && !given && !scree_excused(&s->h))
		REFUSE(r, s->h.where, NULL, "sieve: the key 'passing' is missing");
	if (r->r.total || r->plan_only) return;
	if (s->file && !read_table(r, s, &row)) return;
	c.row = row;
	check_curve(&c);
}

static void note_curve(reader *r, const char *whose, const sieve_spec *s)
{
	const real *size = s->size.item, *passing = s->passing.item;
	if (!s->h.where || !(passing[0] > 0)) return;
	scree_writing_add(&r->notes,
					  "note: %s: %.4g %% of the %s pass the finest sieve of %.4g m; these bodies have this size\n",
					  whose, 100 * passing[0] / passing[s->passing.count - 1], s->by == 1 ? "bodies" : "mass", size[0]);
}

void scree_note_sieves(reader *r, const char *whose, const fill_spec *f)
{
	note_curve(r, whose, &f->size.sieve);
	EACH(const mix_spec, m, f->mix) note_curve(r, whose, &m->size.sieve);
}
