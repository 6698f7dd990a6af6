/* pocl SOURCES [KERNELS [PLATFORM [EVERY]]]: makes some steps of touching spheres on the host and on an OpenCL device,
 * with the same headers: law, sums and motion are bitwise identical. SOURCES: the src directory that the host was built
 * with, in the tree that contains grains.cl; KERNELS: the src directory for the device, if different; PLATFORM: PoCL by
 * default; EVERY: to run only every EVERY-th law. Prints a line for each law, and exits with 1 if any bit differs, and
 * with 2 if there is no OpenCL device. */
#include "cl.h"
#include "grains.h"

enum { SIDE = 16, GRAINS = SIDE * SIDE * SIDE, NEIGHBOURS = 13, MEETINGS = GRAINS * NEIGHBOURS, STEPS = 12 };
enum { SUMS = 8, ENERGIES = 6 };

__extension__ typedef __int128 int128;

/* ------------------------------------------------------------------ a random packing */

static grain grain_at(int i, int j, int k)
{
	const real apart = 2e-3, density = 2500;
	grain g = {.radius = draw(0.95e-3, 1.1e-3)};
	real volume = 4 * SCREE_PI / 3 * g.radius * g.radius * g.radius;
	g.inv_mass = 1 / (density * volume);
	g.inertia = (real)0.4 * density * volume * g.radius * g.radius;
	g.position = v3_add(v3(apart * i, apart * j, apart * k), draw3(2e-5));
	g.velocity = draw3(3e-2);
	g.spin = draw3(10);
	g.momentum = v3_mul(g.inertia, g.spin);
	g.orientation = quat_unit(quat_of(draw(-1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)));
	return g;
}

/* half of the contacts have a history */
static contact_history history_at_random(void)
{
	contact_history h = {.scale = 0};
	if (draw(0, 1) < 0.5) return h;
	h.scale = draw(1e-6, 1e-4);
	h.spring = draw3(1e-6);
	h.stored = draw(0, 1e-9);
	h.rolling = draw3(1e-4);
	h.rolled = draw(0, 1e-10);
	h.twist = draw(-1e-4, 1e-4);
	h.twisted = draw(0, 1e-10);
	return h;
}

/* the 13 of the 26 lattice neighbours that have larger indices */
static int after(int place, int which)
{
	int step = which + 14, x = place % SIDE, y = place / SIDE % SIDE, z = place / SIDE / SIDE;
	x = (x + step % 3 + SIDE - 1) % SIDE;
	y = (y + step / 3 % 3 + SIDE - 1) % SIDE;
	z = (z + step / 9 + SIDE - 1) % SIDE;
	return x + SIDE * (y + SIDE * z);
}

typedef struct packing {
	grain grain[GRAINS];
	meeting meeting[MEETINGS];
	int64_t sum[GRAINS][SUMS];
	uint64_t energy[ENERGIES][2]; /* the lower word is stored first */
} packing;

static void make(packing *p)
{
	for (int i = 0; i < GRAINS; ++i) p->grain[i] = grain_at(i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE);
	for (int k = 0; k < MEETINGS; ++k) {
		int a = k / NEIGHBOURS, b = after(a, k % NEIGHBOURS);
		p->meeting[k] = (meeting){.a = a < b ? a : b, .b = a < b ? b : a, .history = history_at_random()};
	}
	memset(p->sum, 0, sizeof p->sum);
	memset(p->energy, 0, sizeof p->energy);
}

/* ------------------------------------------------------------------ the host */

static void add(int64_t *to, int64_t quanta) { *to = (int64_t)((uint64_t)*to + (uint64_t)quanta); }
static void add_to(int64_t to[SUMS], int64_t sign, const meeting *m, quanta3 torque)
{
	quanta3 f = m->quanta.force;
	int64_t q[SUMS] = {sign * f.x, sign * f.y, sign * f.z,		 torque.x,
					   torque.y,   torque.z,   m->quanta.forces, m->quanta.torques};
	for (int c = 0; c < SUMS; ++c) add(to + c, q[c]);
}
static void add_wide(uint64_t to[2], int64_t quanta)
{
	int128 sum;
	memcpy(&sum, to, sizeof sum);
	sum += quanta;
	memcpy(to, &sum, sizeof sum);
}

static void step_on_host(packing *p, const rule *r)
{
	for (int i = 0; i < GRAINS; ++i) p->grain[i] = drift(p->grain[i], load_of(p->sum[i], r), r);
	memset(p->sum, 0, sizeof p->sum);
	for (int k = 0; k < MEETINGS; ++k) {
		meeting *m = p->meeting + k;
		*m = meet(*m, p->grain + m->a, p->grain + m->b, r);
		add_to(p->sum[m->a], 1, m, m->quanta.torque_a);
		add_to(p->sum[m->b], -1, m, m->quanta.torque_b);
		const int64_t e[ENERGIES] = {m->tally.normal, m->tally.friction, m->tally.rolling,
									 m->tally.made,	  m->tally.power,	 m->tally.heat};
		for (int t = 0; t < ENERGIES; ++t) add_wide(p->energy[t], e[t]);
	}
	for (int i = 0; i < GRAINS; ++i) p->grain[i] = kick(p->grain[i], load_of(p->sum[i], r), r);
}

/* ------------------------------------------------------------------ the device */

typedef struct grains_there {
	device device;
	cl_kernel contacts, drifts, kicks;
	cl_mem grain, meeting, rule, sum, energy;
} grains_there;

static grains_there open_grains(const char *source, const char *kernels, const char *platform)
{
	grains_there g = {.device = open_device("grains.cl", source, kernels, platform)};
	const device *d = &g.device;
	g.grain = room(d, sizeof((packing *)0)->grain);
	g.meeting = room(d, sizeof((packing *)0)->meeting);
	g.rule = room(d, sizeof(rule));
	g.sum = room(d, sizeof((packing *)0)->sum);
	g.energy = room(d, sizeof((packing *)0)->energy);
	g.contacts = kernel(d, "contacts");
	g.drifts = kernel(d, "drifts");
	g.kicks = kernel(d, "kicks");
	return g;
}

static void close_grains(grains_there *g)
{
	cl_mem memory[] = {g->grain, g->meeting, g->rule, g->sum, g->energy};
	for (int k = 0; k < 5; ++k) clReleaseMemObject(memory[k]);
	clReleaseKernel(g->contacts);
	clReleaseKernel(g->drifts);
	clReleaseKernel(g->kicks);
	close_device(&g->device);
}

static void put_packing(const grains_there *g, const packing *p, const rule *r)
{
	put(&g->device, g->grain, p->grain, sizeof p->grain);
	put(&g->device, g->meeting, p->meeting, sizeof p->meeting);
	put(&g->device, g->rule, r, sizeof *r);
	put(&g->device, g->sum, p->sum, sizeof p->sum);
	put(&g->device, g->energy, p->energy, sizeof p->energy);
}

static void get_packing(const grains_there *g, packing *p)
{
	get(&g->device, p->grain, g->grain, sizeof p->grain);
	get(&g->device, p->meeting, g->meeting, sizeof p->meeting);
	get(&g->device, p->sum, g->sum, sizeof p->sum);
	get(&g->device, p->energy, g->energy, sizeof p->energy);
}

static void step_on_device(const grains_there *g)
{
	const uint64_t zero = 0;
	launch(&g->device, g->drifts, GRAINS, 0, (cl_mem[]){g->grain, g->rule, g->sum}, 3);
	need(clEnqueueFillBuffer(g->device.queue, g->sum, &zero, sizeof zero, 0, sizeof((packing *)0)->sum, 0, NULL, NULL),
		 "fill");
	launch(&g->device, g->contacts, MEETINGS, 0, (cl_mem[]){g->grain, g->meeting, g->rule, g->sum, g->energy}, 5);
	launch(&g->device, g->kicks, GRAINS, 0, (cl_mem[]){g->grain, g->rule, g->sum}, 3);
}

/* ------------------------------------------------------------------ both */

/* number of 64-bit words that differ, including words that are NaN */
static long differences(const void *a, const void *b, size_t bytes)
{
	const uint64_t *x = a, *y = b;
	long n = 0;
	for (size_t k = 0; k < bytes / sizeof *x; ++k) n += x[k] != y[k];
	return n;
}

static long differ(const packing *p, const packing *q)
{
	long n = differences(p->grain, q->grain, sizeof p->grain) + differences(p->meeting, q->meeting, sizeof p->meeting);
	return n + differences(p->sum, q->sum, sizeof p->sum) + differences(p->energy, q->energy, sizeof p->energy);
}

/* number of cases of each kind: contacts that exist, slide, begin, end or pull; values that are NaN or out of bounds
 */
typedef struct seen {
	long touch, rub, begin, end, pull, lost;
} seen;

static void look(seen *s, const packing *p, const int64_t *touched)
{
	for (int k = 0; k < MEETINGS; ++k) {
		const meeting *m = p->meeting + k;
		s->touch += m->touches;
		s->rub += m->result.tally.friction > 0;
		s->begin += m->touches && !touched[k];
		s->end += !m->touches && touched[k];
		s->pull += m->result.normal < 0;
		s->lost += !(m->quanta.most < QUANTA_MOST) || !(m->tally.most < QUANTA_MOST);
	}
	for (int i = 0; i < GRAINS; ++i) s->lost += !(p->grain[i].way > 0 && p->grain[i].way < 1e-3);
}

static bool compare(const grains_there *g, const char *name, const rule *r)
{
	static packing host, there;
	static int64_t touched[MEETINGS];
	seen s = {0};
	long wrong = 0;
	make(&host);
	put_packing(g, &host, r);
	for (int step = 0; step < STEPS; ++step) {
		for (int k = 0; k < MEETINGS; ++k) touched[k] = host.meeting[k].touches;
		step_on_host(&host, r);
		step_on_device(g);
		get_packing(g, &there);
		wrong += differ(&host, &there);
		if (step > 0) look(&s, &host, touched);
	}
	bool sticks = r->extra == EXTRA_STICKS, ok = s.touch > MEETINGS && s.rub > 1000 && s.begin > 10 && s.end > 10;
	ok &= s.lost == 0 && (!sticks || s.pull > 0) && wrong == 0;
	printf("%s %s: %ld words differ; %ld touch, %ld rub, %ld begin, %ld end, %ld pull, %ld lost\n",
		   ok ? "same" : "wrong", name, wrong, s.touch, s.rub, s.begin, s.end, s.pull, s.lost);
	return ok;
}

static rule rule_of(enum law_row law, enum extra extra, cohesion_kind cohesion, real surface)
{
	law_constants c = {.law = law, .damping = 0.3, .friction = 0.4, .cohesion = cohesion, .surface = surface};
	c.stiffness = law == LAW_LINEAR ? 3000 : law == LAW_POWER ? 3e5 : 1.3e7;
	c.shear = law == LAW_LINEAR ? 2000 : 1.5e7;
	if (extra != EXTRA_NONE) c.rolling = 0.05, c.twisting = 0.02;
	if (law == LAW_POWER) c.damping = 5, c.shear = 0.4, c.exponent = 2;
	if (law == LAW_PLASTIC) c.stiffness = 6000, c.shear = 2000, c.loading = 3000, c.adhesion = 1000, c.hardens = 0.05;
	rule r = {c, law, extra, {0.1, 0.2, -9.81}, 4e-6, 0x1p-50, 0x1p-60, 0x1p-66};
	return r;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		enum law_row law;
		enum extra extra;
		cohesion_kind cohesion;
		real surface;
	} row[] = {
		{"linear", LAW_LINEAR, EXTRA_NONE, COHESION_NONE, 0},
		{"linear, rolling", LAW_LINEAR, EXTRA_TURNS, COHESION_NONE, 0},
		{"linear, DMT", LAW_LINEAR, EXTRA_STICKS, COHESION_DMT, 0.01},
		{"linear, cohesion by volume", LAW_LINEAR, EXTRA_STICKS, COHESION_SIMPLE, 1e5},
		{"hertz", LAW_HERTZ, EXTRA_NONE, COHESION_NONE, 0},
		{"hertz, rolling", LAW_HERTZ, EXTRA_TURNS, COHESION_NONE, 0},
		{"hertz, JKR", LAW_HERTZ, EXTRA_STICKS, COHESION_JKR, 0.05},
		{"hertz, DMT", LAW_HERTZ, EXTRA_STICKS, COHESION_DMT, 0.01},
		{"hertz, cohesion by volume", LAW_HERTZ, EXTRA_STICKS, COHESION_SIMPLE, 1e5},
		{"plastic", LAW_PLASTIC, EXTRA_NONE, COHESION_NONE, 0},
		{"plastic, rolling", LAW_PLASTIC, EXTRA_TURNS, COHESION_NONE, 0},
		{"power", LAW_POWER, EXTRA_NONE, COHESION_NONE, 0},
		{"power, rolling", LAW_POWER, EXTRA_TURNS, COHESION_NONE, 0},
	};
	if (argc < 2) return 2;
	grains_there g = open_grains(argv[1], argc > 2 ? argv[2] : argv[1], argc > 3 ? argv[3] : POCL);
	bool ok = true;
	const size_t every = argc > 4 ? (size_t)atoi(argv[4]) : 1;
	for (size_t k = 0; k < sizeof row / sizeof *row; k += every) {
		rule r = rule_of(row[k].law, row[k].extra, row[k].cohesion, row[k].surface);
		ok &= compare(&g, row[k].name, &r);
	}
	close_grains(&g);
	return ok ? 0 : 1;
}
