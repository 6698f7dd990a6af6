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
	if (bodies < LEAST)
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
	if (scree_ranks_have_begun())
		return scree_refuse(&s->why, "machine %s: a device steps undivided worlds only", name);
	return scree_resident_takes(&w->model, &w->state, &w->work, name, &s->why) &&
		   (*to = scree_resident_open(name, &s->why));
}

/* Contact rows suit the machine, so a search for pairs comes first. */
scree_code scree_in_use_machine(scree_sim *s, const char *machine)
{
	work *w = &s->w->work;
	device *to = NULL;
	const char *of_scene = s->extra.run.machine ? s->extra.run.machine : CPU, *asked = machine ? machine : of_scene;
	const char *name = strcmp(asked, "auto") ? asked : chosen(s);
	if (strcmp(name, CPU) && !open_device(s, name, &to)) return SCREE_BAD_INPUT;
	if (to || w->device) w->skin.stale = true;
	if (w->device) w->device->close(w->device);
	w->device = to;
	s->placed = true;
	return SCREE_DONE;
}

scree_code scree_sim_place_steps(scree_sim *s) { return s->placed ? SCREE_DONE : scree_in_use_machine(s, NULL); }
