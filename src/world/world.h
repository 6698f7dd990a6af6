/* world.h: all the data of a simulation, and who does the work.
 *
 * State is what a snapshot holds: step(load(save(w))) == step(w), bit for bit, is its definition. Everything else is
 * derived and may be thrown away and made again. */
#ifndef SCREE_WORLD_WORLD_H
#define SCREE_WORLD_WORLD_H

#include "base/clock.h"
#include "base/fail.h"
#include "base/fixed.h"
#include "base/memory.h"
#include "base/real.h"
#include "broad/broad.h"
#include "domain/domain.h"
#include "state/facets.h"
#include "law/law.h"
#include "motion/integrator.h"
#include "narrow/narrow.h"
#include "narrow/sharing.h"
#include "narrow/surface/surface.h"
#include "solver/solver.h"
#include "state/bodies.h"
#include "state/contact_key.h"
#include "state/flights.h"
#include "state/energy_classes.h"
#include "state/fluid.h"
#include "state/ledger.h"
#include "state/materials.h"
#include "state/pairs.h"
#include "state/periods.h"
#include "state/record.h"
#include "state/shapes.h"
#include "state/sources.h"
#include "state/sums.h"
#include "state/walls.h"

/* Energy that is made or lost outside of what a law dissipates: read every so many steps (docs/theory/laws.md, "The
 * guard of energy"). All of it is state, so that a run that is resumed stops where the whole one does. */
enum { ENERGY_STEPS = 500, ENERGY_READINGS = 8 };

/* Stretches of ENERGY_STEPS steps, added up: those in which no more than the bound of a level was turned over. */
typedef struct energy_level {
	real wrong, made; /* J: residual and geometry; geometry alone */
	real turned;	  /* J: lost, and in motion or in springs of bodies that exchanged energy */
	int64_t steps;
} energy_level;

typedef struct energy_guard {
	real most;					 /* part; 0: not watched */
	bool tells;					 /* does not stop: laws that are as a paper has them */
	real held;					 /* J, greatest energy in motion and in springs so far, of bodies that took part */
	real busiest;				 /* J, greatest kinetic energy, and weight times size, so far of one of these bodies */
	real floor;					 /* J: from weights and sizes; less does not count */
	int32_t count;				 /* readings, the oldest first: */
	real wrong[ENERGY_READINGS]; /* J, residual and geometry */
	real made[ENERGY_READINGS];	 /* J, geometry alone */
	real lost[ENERGY_READINGS];	 /* J */
	energy_level level[ENERGY_LEVELS]; /* bounds grow by 16 from level to level */
	real worst, worst_time;			   /* the greatest part so far, and when, s */
	energy_class classes[ENERGY_LEVELS];
	real class_held[ENERGY_LEVELS]; /* J, greatest energy in motion so far of bodies of this class and those below */
} energy_guard;

/* What stops a run that has become nonsense. */
typedef struct guards {
	real overlap;		/* greatest overlap over the size of the smaller body (walls: of the body); 0: not watched */
	real speed;			/* m/s; 0: not watched */
	bool bounded;		/* is there a domain to leave? */
	bool lost_is_error; /* else bodies that leave the domain are taken out and counted */
	vec3 low, high;		/* the domain, m */
} guards;

/* Who asks most of the time step: a body with its contacts, beside what the integrator bears (docs/theory/motion.md,
 * "Packings and damping"). */
typedef struct step_load {
	real part; /* of what is borne, with the step as it is; above 1: the body may hum */
	int32_t body;
	uint64_t id;
	int64_t contacts;
	real time; /* s, when */
} step_load;

/* The slots of one body and one wall, which the narrow phase looks at together (seams). */
typedef struct wall_group {
	int32_t body, wall;
	int64_t slot; /* its slots are rows slot .. slot+slots-1 of the pair list, by rising surface */
	int32_t slots, facets;
	int64_t facet; /* its candidate facets are rows facet .. facet+facets-1 of wall_groups.facet */
	real apart;	   /* cache: m; the centre meets no facet of a wall at rest while the body's way is below this */
} wall_group;

typedef struct wall_groups {
	int64_t count, capacity, facets, facet_capacity;
	wall_group *group;
	int32_t *facet;
	int64_t *piece, piece_capacity; /* first group of each piece of the pair list, and the end */
} wall_groups;

/* One of the contacts of a slot, as it will stand in a row (narrow/many.c). */
typedef struct found_contact {
	int32_t slot;
	bool touches;
	uint64_t feature;
	vec3 normal, at;
	real depth, arm, part, ra, rb;
	int32_t points;
	uint64_t first;
} found_contact;

typedef struct many_scratch {
	int64_t count, capacity;
	found_contact *item; /* of a piece */
	patch_list patches;	 /* of a slot, or */
	point_list points;
	int32_t room;
	int32_t *of; /* [room] the old row of each new one */
	bool *kept;	 /* [room] old rows that go on */
	real *copy;	 /* [room] */
} many_scratch;

/* Surfaces that go through each other: of two bodies, or of a body and a wall. */
typedef struct crossing {
	bool found;
	bool soon;			/* in the step to come, at the speed of now */
	int32_t a, b, wall; /* b: -1 with a wall; wall: -1 of two bodies */
} crossing;

/* Of the bodies that there are, infinite where there is none: the thinnest halo, and the radius of the smallest ball,
 * in m. */
typedef struct halo_bounds {
	bool any; /* bodies with a halo */
	real thinnest, ball;
} halo_bounds;

/* What one thread works with; emptied every step. */
typedef struct thread_scratch {
	contact_points points;
	many_scratch many;
	touch_list touch;
	facet_list near;
	int32_t *was, *of; /* [room] slots that had a row before; the old row of each new one */
	real *copy;		   /* [room] */
	int32_t room;
	ledger ended;						 /* of contacts that ended */
	energy_class classes[ENERGY_LEVELS]; /* likewise, of patches */
	sum_rows rows;						 /* what contacts add to bodies and walls */
	law_tally tally;
	feature_counts features; /* of pairs of bodies in this step */
	struct known_cuts *cuts; /* of polyhedra, or NULL; kept from step to step */
	surface_scratch surface; /* of surfaces with a halo; its counts since made */
	point_list ahead; /* contacts that were found ahead of their pieces, of one kind of pairs (narrow/sharing.h) */
	crossing crossed;
} thread_scratch;

/* A body whose centre has come to the other side of a wall. */
typedef struct breach {
	bool found;
	bool from_behind; /* of a wall that acts on one side */
	int32_t body, wall;
	vec3 at; /* m, where on the wall */
} breach;

/* Two bodies that may come through each other: their overlap is too great beside their thickness, or a step hides an
 * overlap that neither its start nor its end shows. */
typedef struct passing {
	bool found;
	bool jumped; /* within one step; then: */
	real way;	 /* m: displacement against each other in this step, and */
	int32_t a, b;
	real depth, thick; /* m: overlap, and the thickness between the two (state/thickness.h) */
	real limit;		   /* part of the thickness that is allowed */
	vec3 at;		   /* m */
} passing;

/* Contacts that there are before the first step: what overlaps much or holds much energy was not laid out at rest. */
typedef struct start_look {
	int64_t contacts; /* that are worth a warning */
	real overlap;	  /* the greatest, over the diameter of the smaller body's sphere of the same volume; */
	uint64_t body;	  /* of this body, */
	uint64_t other;	  /* with this one, or 0: */
	int32_t wall;	  /* with this wall */
	real speed;		  /* m/s, at which its energy would drive these two apart */
	real elastic;	  /* J, of all contacts */
	real quantum;	  /* N, of forces, */
	real coarsest;	  /* over the weight of the lightest body, */
	uint64_t lightest;
} start_look;

/* The deepest contact of all that were deeper than DEEP_OVERLAP of the smaller body, which laws of contact are not made
 * for. It is found again only when the overlap has grown by a twentieth. */
#define DEEP_OVERLAP ((real)0.05)
typedef struct deep_look {
	real part;			  /* as greatest_overlap_part; 0: none was so deep */
	uint64_t body, other; /* ids; other 0: with */
	int32_t wall;
	int32_t material[2];
	real time; /* s */
} deep_look;

typedef struct scree_world {
	/* state */
	bool flat;		/* a world in the plane z = 0: bodies move in it and turn about z */
	real thickness; /* m, of its bodies along z; 1 elsewhere */
	real time, dt;
	int64_t step;
	uint64_t next_id;
	vec3 gravity;
	bodies body;
	shapes shape;
	materials material;
	walls wall;
	population people; /* sources, sinks and their counters */
	ledger energy;
	fluid fluid;
	guards guard;
	energy_guard energy_guard;
	periods period;
	impulses impulse; /* of worlds with a solver */
	/* state inside derived data: the history of pair[].  */
	pair_list pair[PAIR_KINDS];
	/* derived */
	mat3 *turn; /* [turns] orientations of this step as matrices, for polyhedra; NULL where there are poses */
	struct polygon_pose *pose; /* [turns] likewise, where polygons may be looked at many at once; else NULL */
	int32_t turns, records;
	body_record *record; /* [records] what stages ask of partners, packed */
	sums sums;
	real images_power;		 /* W, by images that move, in the last step */
	bool unbearable;		 /* in the last step: a contact's force, or a body's sum, is beyond what sums hold */
	thread_scratch *scratch; /* [scratches] one a thread */
	int32_t scratches;
	wall_groups near[PAIR_KINDS]; /* candidate facets, of kinds with walls */
	facet_grid **grid;			  /* [walls.count] */
	law_constants *constants;	  /* [materials.count squared], from the rules by scree_world_prepare */
	broad_skin skin;			  /* how far bodies may move before pairs must be found anew */
	flights flight;
	vec3 middle;				/* m: of the box around all bodies when pairs were found; */
	real reach;					/* m: no body and no way to a wall was farther from it */
	real paired_at;				/* s: time for which walls were placed in that search */
	real greatest_overlap_part; /* in the last step: overlap over the diameter of the smaller body's sphere of the same
								   volume; of two bodies over the thickness between them, if that is more */
	real greatest_overlap_ever; /* the same since the world was made or loaded */
	deep_look deepest;			/* since the world was made or loaded */
	real greatest_speed;		/* m/s, in the last step; NaN when anything is */
	bool not_a_number;			/* the place or the speed of a body, after its drift */
	breach breach;				/* in the last step, the first one by the body's id */
	crossing crossed;			/* in the last step, the first one by ids */
	passing passed;				/* in the last step, the first one by ids */
	real thinnest;				/* m: no two bodies have less thickness between them; derived, at each search */
	halo_bounds halo;			/* derived, at each search for pairs */
	bool left_domain;			/* a body is outside of guard.low .. high */
	int64_t touching;			/* contacts in the last step */
	int64_t rebuilds;
	feature_counts features, wall_features; /* of bodies with one another and with walls, since made or loaded */
	real drift_way; /* m: bound on the displacement of a body in the last drift, and half of that of sheared images */
	bool unsorted;	/* bodies are not put in the order of their places: to measure what that is worth */
	real usual_step, safe_step;	  /* s: that taken where none is given; longer ones are not known to be safe */
	real turning_step, drag_step; /* s: longer ones make energy of rolling friction, or of drag; infinite: no bound */
	real halo_step;				  /* s: in longer ones bodies may pass through halos; infinite: no bound */
	start_look start;			  /* of a scene, before its first step; else zero */
	real stiffest_drag;			  /* 1/s, in the last step: the fastest rate at which the fluid brakes a body */
	real contact_time;			  /* s: the shortest that may happen, between these two materials: */
	int32_t stiffest[2];
	bool unsafe;		/* a step that is longer than what is known to be safe was asked for; state */
	step_load heaviest; /* since made or loaded, of the moments at which scree_world_watch was called */
	int64_t lost;		/* bodies taken out because they left the domain; state */
	clock_table clock;
	fail why;
	bool broken;		/* what was done to it broke off: it is in any state, and can only be freed; `why` says what */
	memory_list memory; /* blocks of scree_world_attempt */
	domain parts;		/* which part of a divided world this is; numbers above are of all parts, but for `breach` */
	/* who does the work */
	const broad *search;
	broad_search finder;	   /* derived: what it remembers, and what it counted */
	const narrow *narrow;	   /* state */
	triangle_choice triangles; /* state: how the triangles of two surfaces are compared */
	const sharing *share;	   /* saved with the state: how threads share contacts of surfaces */
	points_found found;		   /* derived: which pairs have theirs in thread_scratch.ahead */
	const integrator *mover;   /* state: how bodies move and turn */
	const solver *solver;	   /* state: makes velocities from contacts; NULL: forces do */
} scree_world;

scree_world *scree_world_new(void);
void scree_world_free(scree_world *w);

/* Calls work(what), which may do anything to the world. False, with the sentence, when it broke off (base/fail.h), or
 * when the world is broken from before; it then can only be freed. Memory that is taken inside is the world's, and goes
 * with it, even that of a broken one, unless the thread has a list of its own (base/memory.h). scree_step is such an
 * attempt; a program that builds a world by itself does it in one. */
bool scree_world_attempt(scree_world *w, attempt_fn *work, void *what, fail *why);

/* A body to be added. Mass and inertia follow from shape, size and the material's density. */
typedef struct new_body {
	int32_t shape, material;
	real size;
	vec3 position;
	quat orientation; /* of the user's frame of the shape; scree_world_add turns it to the principal frame */
	vec3 velocity, angular_velocity;
	int32_t flags;
} new_body;

/* Adds bodies with rising ids; returns the first id. Pairs are found anew in the next step. */
uint64_t scree_world_add(scree_world *w, int64_t count, const new_body *body);
/* Takes bodies out by rows (ascending), histories too; what energy they had leaves the ledger. Ghosts go in silence. */
void scree_world_remove(scree_world *w, int64_t count, const int32_t *row);

/* Puts body i into the cell of the periods, with the velocity that it has there. */
void scree_world_wrap(scree_world *w, int32_t i);
/* Where body i would be if it had never been put back. */
vec3 scree_world_unwrapped(const scree_world *w, int32_t i);
/* Code of the image of body b that a meets, of slot `slot` of pair[kind] (state/periods.h). */
int32_t scree_world_image(const scree_world *w, int kind, int64_t slot);

/* One time step, by forces or by impulses. False with w->why set when a guard stops the run, or when the step broke
 * off: then the world is `broken`. Different worlds may be stepped by different threads at the same time. */
bool scree_step(scree_world *w);
/* So many of them, or as many as there are until the first that returns false. Nobody looks at the world in between,
 * which makes it faster where many bodies fly (state/flights.h). */
bool scree_steps(scree_world *w, int64_t steps);

/* What contact row k of pair[kind] is, for those who look at it between steps: not written by the step itself. */
typedef struct contact_look {
	vec3 normal, at;	 /* from b to a; m, from the centre of a */
	real depth;			 /* m */
	contact_force force; /* of contacts with one point by positions, velocities and springs of now */
	real elastic;		 /* J, in the normal spring */
} contact_look;
contact_look scree_contact_look(const scree_world *w, int kind, int64_t k);

/* Is contact row k counted here, or where the other body is owned? One with a wall is the body's. */
SCREE_FN bool scree_contact_counted(const scree_world *w, int kind, int64_t k)
{
	const pair_list *l = w->pair + kind;
	return pair_on_wall(kind) || bodies_counted(&w->body, l->ca[k], l->cb[k]);
}

/* The thickness of the bodies of contact row k, where they meet (state/thickness.h); infinite for walls, surfaces with
 * a halo and two spheres, which have other guards. */
struct two_thick scree_contact_thickness(const scree_world *w, int kind, int64_t k);

/* Part of the least thickness by which two bodies may move against each other in a step, so that it cannot hide more
 * than half of it (src/narrow/bodies_over_bodies.c). */
#define STEP_OF_THICKNESS ((real)0.125)
/* Did bodies move so far in this step that one could have come over another? By the fastest and the thinnest alone.
 * Solvers have a bound of their own. */
SCREE_FN bool scree_step_is_long(const scree_world *w)
{
	return !w->solver && 2 * real_max(w->drift_way, w->skin.step) > STEP_OF_THICKNESS * w->thinnest;
}

/* What names it. */
contact_key scree_contact_key(const scree_world *w, int kind, int64_t k);

/* What all bodies do to a wall in this step: N, and N m about its place. Moving walls have it in their row, too. */
typedef struct wall_load {
	vec3 force, torque;
	int64_t contacts;
} wall_load;
wall_load scree_wall_load(const scree_world *w, int32_t wall);

/* Contacts that slide: their friction is as great as the Coulomb cone lets it be. The others stick. */
int64_t scree_world_sliding(const scree_world *w);

/* Stress in the cell of a world with periods, Pa, compression positive: xx, yy, zz, xy, xz, yz
 * (docs/theory/periodic.md)
 */
void scree_world_stress(const scree_world *w, real stress[6]);

/* Of the contacts between two polyhedra in the last step those along a face's normal (Type 1 of Govender, Wilke and Kok
 * 2015) and those along the normal of two edges (Type 2). */
typedef struct contact_types {
	int64_t face, edge;
} contact_types;
contact_types scree_world_contact_types(const scree_world *w);

/* of this moment, at whatever step; of all parts */
energy_row scree_world_energy(const scree_world *w);

/* where its pairs are: what kinds of them there are (state/pair_kinds.h) */
SCREE_FN pair_place scree_world_place(const scree_world *w)
{
	return !w->flat ? PAIRS_IN_SPACE : w->narrow->gives ? PAIRS_IN_PLANE_BY_AREA : PAIRS_IN_PLANE;
}

/* Does x come before y by the ids of who crosses? */
SCREE_FN bool crossing_before(const bodies *b, const crossing *x, const crossing *y)
{
	if (!x->found || !y->found) return x->found;
	if (x->a != y->a) return b->id[x->a] < b->id[y->a];
	if (x->wall != y->wall) return x->wall < y->wall;
	return x->b != y->b && b->id[x->b] < b->id[y->b];
}
/* How pairs of triangles were told apart since the world was made or loaded. */
surface_counts scree_world_surfaces(const scree_world *w);

/* May a slot of this kind have several contacts? */
SCREE_FN bool scree_world_many(const scree_world *w, int kind)
{
	const pair_row *row = scree_pair_kinds + kind;
	return row->many || (w->narrow->many && !row->formula && !row->on_wall);
}

/* hash of the state, independent of the order of rows: by ids, and of how the world is divided */
uint64_t scree_world_hash(const scree_world *w);
/* Of the bodies from .. to-1: the sum of a hash of each, so that those of the parts of a world add up to that of the
 * whole. repeats: some axis does, and the cells that bodies have crossed are counted. */
uint64_t scree_bodies_hash(const bodies *b, int32_t from, int32_t to, bool repeats);

#endif
