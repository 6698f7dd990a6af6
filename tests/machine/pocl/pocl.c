/* pocl SOURCES [KERNELS [PLATFORM]]: steps of touching spheres on the host and on an OpenCL device, from the same
 * headers: laws, sums and motion must have the same bits. SOURCES: src and the folder of grains.cl that the host was
 * built with; KERNELS: src for the device, if different; PLATFORM: PoCL by default. Prints a line for each law; exits
 * with 1 if any bit differs, and with 2 if there is no such device. */
#define CL_TARGET_OPENCL_VERSION 120
#include "grains.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 16, GRAINS = SIDE * SIDE * SIDE, NEIGHBOURS = 13, MEETINGS = GRAINS * NEIGHBOURS, STEPS = 12 };
enum { SUMS = 8, ENERGIES = 6 };

__extension__ typedef __int128 int128;

/* ------------------------------------------------------------------ a random packing */

static uint64_t stream = 1;
static real draw(real low, real high) /* splitmix64 */
{
	uint64_t z = (stream += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return low + (high - low) * (real)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}
static vec3 draw3(real size)
{
	real x = draw(-size, size), y = draw(-size, size), z = draw(-size, size);
	return v3(x, y, z);
}

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

/* those 13 of the 26 lattice neighbours that have larger indices */
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
	uint64_t energy[ENERGIES][2]; /* the lower word comes first */
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

static void need(cl_int error, const char *what)
{
	if (error == CL_SUCCESS) return;
	printf("OpenCL: %s: error %d\n", what, (int)error);
	exit(2);
}

typedef struct device {
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel contacts, drifts, kicks;
	cl_mem grain, meeting, rule, sum, energy;
} device;

static cl_device_id find_device(const char *wanted)
{
	cl_platform_id platform[16];
	cl_uint count = 0;
	need(clGetPlatformIDs(16, platform, &count), "no platform");
	for (cl_uint k = 0; k < count && k < 16; ++k) {
		char name[128] = "", device_name[128] = "", driver[128] = "";
		cl_device_id id;
		clGetPlatformInfo(platform[k], CL_PLATFORM_NAME, sizeof name, name, NULL);
		if (strcmp(name, wanted) || clGetDeviceIDs(platform[k], CL_DEVICE_TYPE_ALL, 1, &id, NULL)) continue;
		clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof device_name, device_name, NULL);
		clGetDeviceInfo(id, CL_DRIVER_VERSION, sizeof driver, driver, NULL);
		printf("%s, driver %s\n", device_name, driver);
		return id;
	}
	need(CL_DEVICE_NOT_FOUND, "no such platform");
	return NULL;
}

static cl_program build(cl_context context, cl_device_id id, const char *source, const char *kernels)
{
	static const char text[] = "#include \"grains.cl\"\n";
	const char *line = text;
	char options[4096], log[20000] = "";
	cl_int error;
	snprintf(options, sizeof options, "-cl-std=CL1.2 -I %s -I %s/../tests/machine/pocl", kernels, source);
	cl_program p = clCreateProgramWithSource(context, 1, &line, NULL, &error);
	need(error, "program");
	if (clBuildProgram(p, 1, &id, options, NULL, NULL) == CL_SUCCESS) return p;
	clGetProgramBuildInfo(p, id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
	puts(log);
	need(CL_BUILD_PROGRAM_FAILURE, "the kernels do not compile");
	return NULL;
}

static cl_mem room(const device *d, size_t bytes)
{
	cl_int error;
	cl_mem m = clCreateBuffer(d->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
	need(error, "memory");
	return m;
}

static device open_device(const char *source, const char *kernels, const char *platform)
{
	device d;
	cl_int error;
	cl_device_id id = find_device(platform);
	d.context = clCreateContext(NULL, 1, &id, NULL, NULL, &error);
	need(error, "context");
	d.queue = clCreateCommandQueue(d.context, id, 0, &error);
	need(error, "queue");
	d.program = build(d.context, id, source, kernels);
	d.grain = room(&d, sizeof((packing *)0)->grain);
	d.meeting = room(&d, sizeof((packing *)0)->meeting);
	d.rule = room(&d, sizeof(rule));
	d.sum = room(&d, sizeof((packing *)0)->sum);
	d.energy = room(&d, sizeof((packing *)0)->energy);
	d.contacts = clCreateKernel(d.program, "contacts", &error);
	need(error, "contacts");
	d.drifts = clCreateKernel(d.program, "drifts", &error);
	need(error, "drifts");
	d.kicks = clCreateKernel(d.program, "kicks", &error);
	need(error, "kicks");
	return d;
}

static void close_device(device *d)
{
	cl_mem memory[] = {d->grain, d->meeting, d->rule, d->sum, d->energy};
	for (int k = 0; k < 5; ++k) clReleaseMemObject(memory[k]);
	clReleaseKernel(d->contacts);
	clReleaseKernel(d->drifts);
	clReleaseKernel(d->kicks);
	clReleaseProgram(d->program);
	clReleaseCommandQueue(d->queue);
	clReleaseContext(d->context);
}

static void launch(const device *d, cl_kernel k, size_t items, const cl_mem *with, cl_uint count)
{
	for (cl_uint n = 0; n < count; ++n) need(clSetKernelArg(k, n, sizeof *with, with + n), "argument");
	need(clEnqueueNDRangeKernel(d->queue, k, 1, NULL, &items, NULL, 0, NULL, NULL), "launch");
}

static void put(const device *d, cl_mem to, const void *from, size_t bytes)
{
	need(clEnqueueWriteBuffer(d->queue, to, CL_TRUE, 0, bytes, from, 0, NULL, NULL), "write");
}
static void get(const device *d, void *to, cl_mem from, size_t bytes)
{
	need(clEnqueueReadBuffer(d->queue, from, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "read");
}

static void put_packing(const device *d, const packing *p, const rule *r)
{
	put(d, d->grain, p->grain, sizeof p->grain);
	put(d, d->meeting, p->meeting, sizeof p->meeting);
	put(d, d->rule, r, sizeof *r);
	put(d, d->sum, p->sum, sizeof p->sum);
	put(d, d->energy, p->energy, sizeof p->energy);
}

static void get_packing(const device *d, packing *p)
{
	get(d, p->grain, d->grain, sizeof p->grain);
	get(d, p->meeting, d->meeting, sizeof p->meeting);
	get(d, p->sum, d->sum, sizeof p->sum);
	get(d, p->energy, d->energy, sizeof p->energy);
}

static void step_on_device(const device *d)
{
	const uint64_t zero = 0;
	launch(d, d->drifts, GRAINS, (cl_mem[]){d->grain, d->rule, d->sum}, 3);
	need(clEnqueueFillBuffer(d->queue, d->sum, &zero, sizeof zero, 0, sizeof((packing *)0)->sum, 0, NULL, NULL),
		 "fill");
	launch(d, d->contacts, MEETINGS, (cl_mem[]){d->grain, d->meeting, d->rule, d->sum, d->energy}, 5);
	launch(d, d->kicks, GRAINS, (cl_mem[]){d->grain, d->rule, d->sum}, 3);
}

/* ------------------------------------------------------------------ both */

/* number of 64-bit words that differ, including NaN */
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

/* cases covered: contacts that touch, slide, begin, end and pull; numbers that are NaN or out of bounds */
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

static bool compare(const device *d, const char *name, const rule *r)
{
	static packing host, there;
	static int64_t touched[MEETINGS];
	seen s = {0};
	long wrong = 0;
	make(&host);
	put_packing(d, &host, r);
	for (int step = 0; step < STEPS; ++step) {
		for (int k = 0; k < MEETINGS; ++k) touched[k] = host.meeting[k].touches;
		step_on_host(&host, r);
		step_on_device(d);
		get_packing(d, &there);
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
	device d = open_device(argv[1], argc > 2 ? argv[2] : argv[1], argc > 3 ? argv[3] : "Portable Computing Language");
	bool ok = true;
	for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
		rule r = rule_of(row[k].law, row[k].extra, row[k].cohesion, row[k].surface);
		ok &= compare(&d, row[k].name, &r);
	}
	close_device(&d);
	return ok ? 0 : 1;
}
