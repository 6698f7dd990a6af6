/* table: reads bodies from a table (table_lines.c). The first line names the columns: x, y, z (required), size, shape,
 * material, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, temperature (in scenes with heat), in any order; in dimension 2 x,
 * y, size, shape, material, angle, vx, vy, wz. A unit may follow a name, as in x [mm]; without a unit, numbers are in
 * SI units. Values without a column are taken from the keys of the fill.
 *
 * Tables written by a run (NAME_bodies.csv) have further columns. Only one of their output times (`time`) is read;
 * `mass` is compared with the body's mass; ids, forces and torques are ignored, since the scene determines its own. In
 * dimension 2, these tables also have the columns for three dimensions. */
#include "scene/reader.h"

#include "kernel/quat.h"
#include "world/world.h"

enum { COL_X, COL_Y, COL_Z, COL_SIZE, COL_SHAPE, COL_MATERIAL, COL_QW, COL_QX, COL_QY, COL_QZ };
enum { COL_VX = COL_QZ + 1, COL_VY, COL_VZ, COL_WX, COL_WY, COL_WZ, COL_ANGLE, COL_TEMPERATURE };
enum { COL_TIME = COL_TEMPERATURE + 1, COL_MASS, COL_ID, COLUMNS = COL_ID + 7 }; /* id, force, torque: ignored */

/* with the same units and ranges as keys with the same meaning */
static const column_name columns[COLUMNS] = {{"x", "m", NULL},		{"y", "m", NULL},		{"z", "m", NULL},
											 {"size", "m", "> 0"},	{"shape", NULL, NULL},	{"material", NULL, NULL},
											 {"qw", NULL, NULL},	{"qx", NULL, NULL},		{"qy", NULL, NULL},
											 {"qz", NULL, NULL},	{"vx", "m/s", NULL},	{"vy", "m/s", NULL},
											 {"vz", "m/s", NULL},	{"wx", "rad/s", NULL},	{"wy", "rad/s", NULL},
											 {"wz", "rad/s", NULL}, {"angle", "rad", NULL}, {"temperature", "K", "> 0"},
											 {"time", "s", NULL},	{"mass", "kg", NULL},	{"id", NULL, NULL},
											 {"fx", NULL, NULL},	{"fy", NULL, NULL},		{"fz", NULL, NULL},
											 {"tx", NULL, NULL},	{"ty", NULL, NULL},		{"tz", NULL, NULL}};

typedef struct table {
	reader *r;
	const fill_spec *f;
	table_lines in;
	random_stream random;
	body_mix **mix;		/* [shapes of the scene] sizes of the bodies with each shape; NULL if not used yet */
	int64_t other_mass; /* number of bodies whose mass differs from the mass in the table */
} table;

/* rows with the same value of the column `time` */
typedef struct moment {
	real time;
	const char *at;
	int32_t line;
} moment;

/* Tests whether the table was written by a run. */
static bool is_own(const table *t) { return t->in.has[COL_TIME] && t->in.has[COL_ID]; }

static bool read_header(table *t)
{
	static const char others[] = "columns: x, y, z, size, shape, material, qw .. qz, vx .. vz, wx .. wz, temperature";
	static const table_names known = {columns, sizeof *columns, COLUMNS, others, "", false};
	if (!scree_lines_names(&t->in, &known)) return false;
	const place at = scree_lines_at(&t->in);
	for (int32_t c = 0; t->r->flat && !is_own(t) && c < COLUMNS; ++c) {
		bool out_of_plane = c == COL_Z || (c >= COL_QW && c <= COL_QZ) || c == COL_VZ || c == COL_WX || c == COL_WY;
		if (out_of_plane && t->in.has[c])
			return scree_report(&t->r->r, at, "columns: x, y, angle, size, shape, material, vx, vy, wz",
								"there is no '%s' in dimension 2", columns[c].name);
	}
	if (t->in.has[COL_TEMPERATURE] && !is_own(t) && !t->r->world->model.heat)
		return scree_report(&t->r->r, at, "remove it, or give a material conductivity and heat_capacity",
							"the column 'temperature' needs a material with a conductivity");
	if (!t->r->flat && t->in.has[COL_ANGLE])
		return scree_report(&t->r->r, at, "write qw, qx, qy, qz", "the column 'angle' belongs to dimension 2");
	for (int32_t c = COL_X; c <= (t->r->flat ? COL_Y : COL_Z); ++c)
		if (!t->in.has[c]) return scree_report(&t->r->r, at, NULL, "the column '%s' is missing", columns[c].name);
	int32_t turns = 0;
	for (int32_t c = COL_QW; c <= COL_QZ; ++c) turns += t->in.has[c] ? 1 : 0;
	if (turns % 4) return scree_report(&t->r->r, at, NULL, "give all four of qw, qx, qy and qz, or none of them");
	if (!t->in.has[COL_SHAPE] && !scree_given(&t->f->h, "shape"))
		return scree_report(&t->r->r, at, "or give the fill a shape", "the column 'shape' is missing");
	if (!t->in.has[COL_SIZE] && !scree_given(&t->f->h, "size"))
		return scree_report(&t->r->r, at, "or give the fill a size", "the column 'size' is missing");
	if (!t->in.has[COL_MATERIAL] && !scree_given(&t->f->h, "material"))
		return scree_report(&t->r->r, at, "or give the fill a material", "the column 'material' is missing");
	return true;
}

static int32_t find_name(table *t, const spec_list *list, size_t stride, const table_cell *c)
{
	const int32_t found = scree_entry_named(list, stride, c->at, c->length);
	if (found >= 0) return found;
	scree_report(&t->r->r, scree_lines_cell_at(&t->in, c), NULL, "there is no '%.*s' in the scene",
				 (int)(c->length < 60 ? c->length : 60), c->at);
	return -1;
}

/* Finds a shape, or a member of a family: NAME.k, as in tables of runs. member: its number in the family, or -1 */
static int32_t find_shape(table *t, const table_cell *c, int32_t *member)
{
	const spec_list *list = &t->r->spec.shapes;
	const char *from = c->at;
	const size_t length = c->length;
	size_t stem = length;
	int64_t k = 0, power = 1;
	*member = -1;
	if (scree_entry_named(list, sizeof(shape_spec), from, length) < 0) {
		for (; stem && from[stem - 1] >= '0' && from[stem - 1] <= '9' && power < 1000000; power *= 10)
			k += power * (from[--stem] - '0');
		const int32_t family = stem > 1 && stem < length && from[stem - 1] == '.'
								   ? scree_entry_named(list, sizeof(shape_spec), from, stem - 1)
								   : -1;
		if (family >= 0 && t->r->shape[family].count > 1 && k < t->r->shape[family].count) {
			*member = (int32_t)k;
			return family;
		}
	}
	return find_name(t, list, sizeof(shape_spec), c);
}

static bool read_number(table *t, int32_t n, const table_cell *c, double *out)
{
	if (scree_lines_value(&t->in, n, c, out)) return true;
	return scree_report(&t->r->r, scree_lines_cell_at(&t->in, c),
						c->length && memchr(c->at, ',', c->length) ? "write it with a decimal point" : NULL,
						"'%.*s' is not a number", (int)(c->length < 63 ? c->length : 63), c->at);
}

/* reads cells with numbers into v */
static bool read_cells(table *t, double v[COLUMNS], int32_t *form, int32_t *member, int32_t *of)
{
	static const char cure[] = "write numbers with a decimal point, or separate them with semicolons";
	table_cell cell;
	bool right;
	for (int32_t n = 0; scree_lines_cell(&t->in, n, cure, &cell, &right); ++n) {
		const int32_t c = t->in.column[n];
		if (c == COL_SHAPE) {
			if ((*form = find_shape(t, &cell, member)) < 0) return false;
		} else if (c == COL_MATERIAL) {
			if ((*of = find_name(t, &t->r->spec.materials, sizeof(material_spec), &cell)) < 0) return false;
		} else if (!read_number(t, n, &cell, &v[c])) {
			return false;
		} else if (c < COL_TIME && !scree_lines_in_range(&t->in, columns + c, &cell, v[c])) {
			return false;
		}
	}
	return right;
}

/* Tests whether a row describes a body in the plane. */
static bool lies_in_plane(table *t, const double v[COLUMNS])
{
	static const int32_t across[] = {COL_Z, COL_QX, COL_QY, COL_VZ, COL_WX, COL_WY};
	for (size_t k = 0; t->r->flat && k < sizeof across / sizeof *across; ++k)
		if (t->in.has[across[k]] && v[across[k]] != 0)
			return scree_report(&t->r->r, scree_lines_at(&t->in), NULL, "%s: 0 was expected in dimension 2, not %g",
								columns[across[k]].name, v[across[k]]);
	return true;
}

static bool turn_of(table *t, const double v[COLUMNS], quat *out)
{
	if (t->in.has[COL_ANGLE]) {
		quat q = {0, 0, 0, 0};
		scree_sincos(v[COL_ANGLE] / 2, &q.z, &q.w);
		*out = q;
	}
	if (!t->in.has[COL_QW]) return true;
	quat q = {v[COL_QW], v[COL_QX], v[COL_QY], v[COL_QZ]};
	real length2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
	if (!(length2 > 1e-20 && length2 < 1e20))
		return scree_report(&t->r->r, scree_lines_at(&t->in), NULL, "this quaternion is not a rotation");
	*out = quat_unit(q);
	return true;
}

/* Components are along the world's axes; without columns for velocities, bodies move with the flow of the cell. */
static void set_velocities(const table *t, const double v[COLUMNS], new_body *out)
{
	real *to[] = {&out->velocity.x,			&out->velocity.y,		  &out->velocity.z,
				  &out->angular_velocity.x, &out->angular_velocity.y, &out->angular_velocity.z};
	const periods *period = &t->r->world->model.period;
	if (periods_flow_any(period))
		out->velocity = v3_add(out->velocity, scree_periods_flow(period, &t->r->world->state.images, out->position));
	for (int i = 0; i < 6; ++i)
		if (t->in.has[COL_VX + i]) *to[i] = v[COL_VX + i];
}

static void compare_mass(table *t, const double v[COLUMNS], const new_body *b)
{
	const scree_world *w = t->r->world;
	if (!t->in.has[COL_MASS]) return;
	const real mass = scree_body_volume(t->r, b) * w->model.thickness * w->model.material.row[b->material].density;
	if (!(real_abs(v[COL_MASS] - mass) <= (real)1e-9 * mass)) ++t->other_mass;
}

static body_mix *mix_of(table *t, int32_t shape)
{
	const spread one = {.type = SPREAD_ONE, .a = 1};
	if (!t->mix) t->mix = scree_arena_take(&t->r->memory, (size_t)t->r->spec.shapes.count * sizeof(body_mix *));
	if (t->mix[shape]) return t->mix[shape];
	t->mix[shape] = scree_arena_take(&t->r->memory, sizeof(body_mix));
	scree_single_mix(t->r, shape, 0, t->in.has[COL_SIZE] ? one : scree_build_spread(t->r, &t->f->size, shape),
					 t->mix[shape]);
	return t->mix[shape];
}

static bool read_row(table *t, new_body *out)
{
	double v[COLUMNS];
	int32_t form = t->f->shape, member = -1, of = t->f->material;
	if (!read_cells(t, v, &form, &member, &of) || !lies_in_plane(t, v)) return false;
	*out = scree_fill_draw(t->r, t->f, mix_of(t, form), t->r->shape, &t->random);
	if (member >= 0) out->shape = t->r->shape[form].first + member;
	if (t->in.has[COL_SIZE]) out->size = v[COL_SIZE] * t->r->shape[form].scale;
	out->material = of;
	out->position = v3(v[COL_X], v[COL_Y], t->r->flat ? 0 : v[COL_Z]);
	if (!turn_of(t, v, &out->orientation)) return false;
	set_velocities(t, v, out);
	if (t->in.has[COL_TEMPERATURE]) out->temperature = v[COL_TEMPERATURE];
	compare_mass(t, v, out);
	return true;
}

static bool read_time(table *t, real *time)
{
	table_cell c = {0};
	int32_t n = 0;
	while (scree_table_cell(&t->in.rest, false, &c) && ++n < t->in.has[COL_TIME]) {
	}
	if (n == t->in.has[COL_TIME]) return read_number(t, n - 1, &c, time);
	return scree_report(&t->r->r, scree_lines_cell_at(&t->in, &(table_cell){t->in.rest.end, 1}), NULL,
						"%d values instead of %d", n, t->in.columns);
}

/* Lists all output times in the order of the table, in an arena's memory. */
static bool list_moments(table *t, moment **out, int32_t *count)
{
	int32_t room = 0;
	*out = NULL;
	*count = 0;
	while (scree_lines_next(&t->in)) {
		moment m = {0, t->in.start, t->in.line - 1};
		if (!read_time(t, &m.time)) return false;
		if (*count && (*out)[*count - 1].time == m.time) continue;
		if (*count == room) {
			moment *wide = scree_arena_take(&t->r->memory, (size_t)(room = 2 * room + 64) * sizeof *wide);
			if (*count) memcpy(wide, *out, (size_t)*count * sizeof *wide);
			*out = wide;
		}
		(*out)[(*count)++] = m;
	}
	return true;
}

/* Chooses the output time nearest to the fill's `time`, by default the last one; -1 if an error was reported. */
static int32_t choose_moment(table *t, const moment *m, int32_t count)
{
	const real wanted = t->f->time;
	int32_t best = count - 1;
	if (!scree_given(&t->f->h, "time")) return best;
	for (int32_t k = 0; k < count; ++k)
		if (real_abs(m[k].time - wanted) < real_abs(m[best].time - wanted)) best = k;
	const real first = m[0].time, last = m[count - 1].time;
	const real slack = count > 1 ? (last - first) / (real)(count - 1) / 2 : (real)1e-6 * last;
	if (wanted >= first - slack && wanted <= last + slack) return best;
	REFUSE_VALUE(t->r, &t->f->h, "time", NULL,
				 "time: '%.200s' has bodies at %d times from %.6g to %.6g s, not at %.6g s", t->f->from_table, count,
				 first, last, wanted);
	return -1;
}

/* Selects the rows of one output time. */
static bool keep_moment(table *t, real *time)
{
	moment *m;
	int32_t count;
	const char *stop = t->in.stop;
	if (!list_moments(t, &m, &count)) return false;
	if (!count) return true;
	const int32_t k = choose_moment(t, m, count);
	if (k < 0) return false;
	*time = m[k].time;
	t->in.next = m[k].at;
	t->in.line = m[k].line;
	t->in.stop = k + 1 < count ? m[k + 1].at : stop;
	return true;
}

/* adds a note with the number of bodies, the time, and the state that a table does not contain */
static void note_table(table *t, int64_t bodies, real time)
{
	writing *n = &t->r->notes;
	const char *name = scree_fill_name(t->r, t->f);
	if (is_own(t)) {
		scree_writing_add(n, "note: %s: %lld bodies of ", name, (long long)bodies);
		scree_writing_shown(n, t->f->from_table);
		scree_writing_add(
			n,
			" at t = %.6g s; a table has no histories of contacts (springs of friction and rolling begin at zero)%s%s "
			"and does not mark held or locked bodies; a snapshot has all of them: from: NAME.snap\n",
			time, t->r->world->model.period.on ? ", no counts of crossed periods" : "",
			t->r->world->model.period.shears ? ", no shift of sheared images (it begins at zero)" : "");
	}
	if (t->other_mass)
		scree_writing_add(n,
						  "warning: %s: the mass of %lld bodies differs from the table: shape, size or density differs "
						  "from the run that wrote it\n",
						  name, (long long)t->other_mass);
}

static bool read_rows(table *t, body_list *out)
{
	bool ok = true;
	while (scree_lines_next(&t->in)) {
		new_body b;
		if (read_row(t, &b))
			scree_body_list_add(out, b);
		else
			ok = false;
		if (!ok && t->r->r.total > REPORT_KEPT) return false;
	}
	return ok;
}

static int64_t count_lines(const table *t)
{
	int64_t lines = 1;
	for (const char *p = t->in.next; p < t->in.stop && (p = memchr(p, '\n', (size_t)(t->in.stop - p))); ++p) ++lines;
	return lines;
}

bool scree_build_table(reader *r, const fill_spec *f, body_list *out)
{
	const node *at = scree_where(&f->h, "from");
	const fill_spec *first = r->spec.fill.item;
	table t = {.r = r, .f = f, .random = scree_random_start((uint64_t)f->seed, (uint64_t)(f - first))};
	if (!scree_lines_open(r, at, f->from_table, (size_t)1 << 30, &t.in)) return false;
	const int64_t before = out->count;
	real time = 0;
	if (scree_lines_next(&t.in)) {
		if (!read_header(&t) || (t.in.has[COL_TIME] && !keep_moment(&t, &time))) return false;
		if (!t.in.has[COL_TIME] && scree_given(&f->h, "time"))
			return REFUSE_VALUE(r, &f->h, "time", "remove it", "time: '%.200s' has no column 'time'", f->from_table);
	}
	if (!scree_limit_memory(r, at->at, "from", (real)(before + count_lines(&t)))) return false;
	if (!read_rows(&t, out)) return false;
	if (out->count == before) return REFUSE(r, at, NULL, "from: '%.200s' contains no bodies", f->from_table);
	note_table(&t, out->count - before, time);
	return true;
}
