/* machine: chooses the machine that makes the steps of a simulation. */
#include "library/internal.h"

#include "machine/machine.h"
#include "resident/resident.h"
#include "world/world.h"

#include <string.h>

static const char *const CPU = "cpu", *const CARD = "cuda";

/* Adds a note to those of the scene. */
static void note(scree_sim *s, const char *machine, const char *why)
{
	written_text t;
	FILE *to = scree_text_begin(&t);
	fprintf(to, "%snote: machine %s: %s\n", s->notes_of_scene ? s->notes_of_scene : "", machine, why);
	scree_free(s->notes_of_scene);
	s->notes_of_scene = scree_text_end(&t);
}

/* The card, if it takes the world, or the processor; a note gives the reason. */
static const char *chosen(scree_sim *s)
{
	enum { LEAST = 20000 };
	const scree_world *w = s->w;
	const int64_t bodies = scree_world_bodies(w);
	fail why;
	bool card = false;
	if (s->held || s->part)
		scree_refuse(&why, "of several processes, each uses a device only if it is named");
	else if (bodies < LEAST)
		scree_refuse(&why, "%lld bodies, and a card is faster from about %d on", (long long)bodies, LEAST);
	else
		card = scree_machine_count(scree_machine_kind(CARD), &why) &&
			   scree_resident_takes(&w->model, &w->state, &w->work, CARD, &why);
	note(s, card ? CARD : CPU, card ? "a card takes this world" : why.text);
	return card ? CARD : CPU;
}

static bool open_device(scree_sim *s, const char *name, device **to)
{
	scree_world *w = s->w;
	if (!scree_machine_kind(name))
		return scree_refuse(&s->why, "unknown machine %s: expected cpu, auto, opencl or cuda", name);
	return scree_resident_takes(&w->model, &w->state, &w->work, name, &s->why) &&
		   (*to = scree_resident_open(name, scree_ranks_local(), &w->model, &w->state, &w->work, &s->why));
}

static scree_code close_device(device *d, scree_code code)
{
	if (d) d->close(d);
	return code;
}

/* Contact rows suit the machine, so a search for pairs comes first. */
scree_code scree_in_use_machine(scree_sim *s, const char *machine)
{
	work *w = &s->w->work;
	device *to = NULL;
	const char *of_scene = s->extra.run.machine ? s->extra.run.machine : CPU, *asked = machine ? machine : of_scene;
	const char *name = strcmp(asked, "auto") ? asked : chosen(s);
	const bool good = !strcmp(name, CPU) || open_device(s, name, &to), together = s->held || s->part;
	if (!(together ? scree_ranks_agree(good, &s->why) : good)) return close_device(to, scree_sim_code(&s->why));
	if (to || w->device) w->skin.stale = true;
	if (w->device) w->device->close(w->device);
	w->device = to;
	s->placed = true;
	return SCREE_DONE;
}

scree_code scree_sim_place_steps(scree_sim *s) { return s->placed ? SCREE_DONE : scree_in_use_machine(s, NULL); }

static double megabytes(int64_t bytes) { return 1e-6 * (double)bytes; }

void scree_sim_print_machine(FILE *to, const scree_sim *s)
{
	enum { PACKED = 4 }; /* contact rows per body of a packing */
	scree_world *w = s->w;
	if (!w->work.device) return;
	const machine *on = scree_resident_counts(&w->work).on;
	const double now = megabytes(scree_resident_bytes(&w->model, &w->state, &w->work, 0));
	const double packed = megabytes(scree_resident_bytes(&w->model, &w->state, &w->work, PACKED));
	fprintf(to, "machine %s: %.1f MB, %.1f MB as a packing, of %.1f MB\n", scree_machine_label(on), now, packed,
			megabytes(scree_machine_memory(on)));
}
