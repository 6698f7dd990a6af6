/* limits: limits on a run, tested before memory is allocated or a step is made: the volume of bodies in their region,
 * the memory of the machine, the precision of positions, and the numbers of steps and outputs. */
#include "scene/reader.h"

#include "world/world.h"

/* Memory per body in a dilute run: its state, boxes and neighbours (docs/scaling/figures.jsonl: 1.4 kB in a layer, 5 to
 * 6 kB in a packing). This is a lower bound, so scenes that would run are not refused. */
static const real BYTES_A_BODY = 1000;
/* Largest distance from the origin in radii; doubles resolve positions to 1e-16 of this distance, or 1e-7 radii. */
static const real FARTHEST = 1e9;
enum { SAMPLES = 1000 };

bool scree_limit_memory(reader *r, place at, const char *key, real bodies)
{
	real most = (real)scree_memory_most();
	if (bodies * BYTES_A_BODY <= most && bodies <= 2e9) return true;
	char number[40];
	snprintf(number, sizeof number, bodies < 1e12 ? "%.0f" : "%.3g", bodies);
	return scree_report(
		&r->r, at, "use fewer or larger bodies",
		"%s: %s bodies need about %.4g GB of memory; %.4g GB are available, enough for at most %.0f bodies", key,
		number, bodies * BYTES_A_BODY / 1e9, most / 1e9, real_min(most / BYTES_A_BODY, 2e9));
}

/* Space that a body occupies in its region: a volume, an area in the plane, or a length on a line. */
static real share_of(const reader *r, const region *g, const new_body *b)
{
	if (g->type == REGION_SEGMENT) return 2 * r->world->model.shape.row[b->shape].inradius * b->size;
	return scree_body_volume(r, b);
}

/* mean values of share_of and mass over a sample drawn from a separate random stream */
static real mean_share(const reader *r, const fill_spec *f, const region *g, const body_mix *of, real *mass)
{
	body_mix mix = *of; /* a copy, whose counts refer to the sample only */
	random_stream s = scree_random_start((uint64_t)f->seed, 1ull << 40);
	const size_t shapes = (size_t)r->spec.shapes.count;
	shape_rows *rows = scree_alloc(shapes, sizeof *rows); /* a copy, since the sample must not advance the real rows */
	memcpy(rows, r->shape, shapes * sizeof *rows);
	real sum = 0, masses = 0;
	for (int i = 0; i < SAMPLES; ++i) {
		new_body b = scree_fill_draw(r, f, &mix, rows, &s);
		sum += share_of(r, g, &b);
		masses += scree_body_mass(r, &b);
	}
	scree_free(rows);
	*mass = masses / SAMPLES;
	return sum / SAMPLES;
}

bool scree_limit_random(reader *r, const fill_spec *f, const body_mix *mix, int64_t before)
{
	region g = scree_build_region(r, &f->region);
	bool line = g.type == REGION_SEGMENT;
	real mass, room = line ? v3_norm(v3_sub(g.high, g.low)) : scree_region_volume(&g),
			   each = mean_share(r, f, &g, mix, &mass);
	real bodies = f->count ? (real)f->count : f->mass > 0 ? f->mass / mass : f->solid_fraction * room / each;
	/* on a line the outermost bodies may extend beyond its ends */
	real most = room / each + (line ? 1 : 0);
	if (f->count && bodies > most && most < 1e18)
		return REFUSE_VALUE(r, &f->h, "count", "use fewer bodies, smaller bodies or a larger region",
							"%s: %lld bodies requested, but the region has room for at most %lld, even without gaps",
							scree_fill_name(r, f), (long long)f->count, (long long)most);
	const char *key = scree_fill_amount(f);
	if (f->mass > 0 && bodies > most && most < 1e18)
		return REFUSE_VALUE(r, &f->h, key, "use a smaller mass or a larger region",
							"%s: %g kg requested, but the region has room for at most %.3g kg, even without gaps",
							scree_fill_name(r, f), f->mass, most * mass);
	return scree_limit_memory(r, scree_where(&f->h, key)->at, key, bodies + (real)before);
}

bool scree_limit_lattice(reader *r, const fill_spec *f, const region *g, real cells, real box, int64_t before)
{
	/* estimate for regions that are not boxes; `count` then keeps the lowest bodies */
	real bodies = g->type == REGION_BOX || g->type == REGION_SEGMENT ? cells : cells * scree_region_volume(g) / box;
	if (f->count) bodies = real_min(bodies, (real)f->count);
	return scree_limit_memory(r, scree_where(&f->h, "lattice")->at, "lattice", bodies + (real)before);
}

static bool is_in_domain(const guards *g, vec3 p)
{
	return !g->bounded || (p.x >= g->low.x && p.x <= g->high.x && p.y >= g->low.y && p.y <= g->high.y &&
						   p.z >= g->low.z && p.z <= g->high.z);
}

/* Refuses bodies that are outside the domain at the start. */
static bool limit_domain(reader *r, const fill_spec *f, const body_list *all, int64_t from)
{
	const guards *g = &r->world->model.guard;
	int64_t outside = 0, first = -1;
	for (int64_t i = from; i < all->count; ++i) {
		if (is_in_domain(g, all->row[i].position)) continue;
		if (first < 0) first = i;
		++outside;
	}
	if (!outside) return true;
	const vec3 p = all->row[first].position;
	return REFUSE(r, f->h.where, "move the fill, or enlarge world.domain",
				  "%s: %lld of its %lld bodies are outside world.domain, the first one at (%.4g, %.4g, %.4g) m",
				  scree_fill_name(r, f), (long long)outside, (long long)(all->count - from), p.x, p.y, p.z);
}

bool scree_limit_places(reader *r, const fill_spec *f, const body_list *all, int64_t from)
{
	range length = scree_range(&(key){.unit = "m", .range = "> 0"});
	for (int64_t i = from; i < all->count; ++i) {
		const new_body *b = &all->row[i];
		real radius = r->world->model.shape.row[b->shape].radius * b->size, away = v3_norm(b->position);
		if (!scree_range_holds(length, 2 * radius))
			return REFUSE(r, f->h.where, NULL, "%s: a body is %.3g m across: expected between %g and %g m",
						  scree_fill_name(r, f), 2 * radius, length.low, length.high);
		if (!(away <= FARTHEST * radius))
			return REFUSE(r, f->h.where, "move the scene to the origin",
						  "%s: a body %.3g m across is %.3g m from the origin, where positions are exact to %.1g m",
						  scree_fill_name(r, f), 2 * radius, away, away * 2e-16);
	}
	return limit_domain(r, f, all, from);
}

/* No memory limit applies to bodies of sources: they enter one by one, may leave, and a full region accepts none. */
static void limit_sources(reader *r)
{
	const fill_spec *f = r->spec.sources.item;
	for (int32_t k = 0; k < r->spec.sources.count; ++k, ++f) {
		real dt = r->world->model.dt, most = TRIES_A_STEP / dt;
		const source *s = r->world->model.population.source + k;
		if (s->rate > most && s->mass_rate > 0)
			REFUSE_VALUE(
				r, &f->h, "mass_rate", "put bodies that exist from the start under fill",
				"mass_rate: %.4g kg/s is more than a source can place: %d bodies per step of %.3g s, %.3g kg/s",
				s->mass_rate, TRIES_A_STEP, dt, most * s->mean_mass);
		else if (s->rate > most)
			REFUSE_VALUE(r, &f->h, "rate", "put bodies that exist from the start under fill",
						 "rate: %.4g 1/s is more than a source can place: %d bodies per step of %.3g s, %.3g 1/s",
						 f->rate, TRIES_A_STEP, dt, most);
	}
}

/* limits outputs that write one file per output time */
static void limit_files(reader *r, const head *h, real every)
{
	static const real FILES = 1e9;
	real until = r->spec.run.until, between = real_max(every, r->world->model.dt);
	if (!h->where || !(every > 0) || until / between <= FILES) return;
	REFUSE_VALUE(r, h, "every", NULL, "every: %.3g files until %g s; at most %g are allowed", until / between, until,
				 FILES);
}

void scree_limit_run(reader *r)
{
	static const real STEPS = 9e15; /* steps are counted in doubles, which represent whole numbers up to 2^53 exactly */
	const output_spec *o = &r->spec.output;
	real dt = r->world->model.dt, until = r->spec.run.until;
	if (!(dt > 0 && dt < INFINITY)) {
		REFUSE_VALUE(r, &r->spec.run.h, "step", "give run.step", "the time step would be %g s", dt);
		return;
	}
	if (until / dt > STEPS)
		REFUSE_VALUE(r, &r->spec.run.h, "until", NULL,
					 "until: %g s are %.3g steps of %.3g s; at most %g are allowed, until %.3g s", until, until / dt,
					 dt, STEPS, STEPS * dt);
	limit_files(r, &o->vtk.h, o->vtk.every);
	limit_files(r, &o->images.h, o->images.every);
	limit_sources(r);
}
