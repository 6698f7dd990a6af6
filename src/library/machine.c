/* machine: chooses the machine that makes the steps of a simulation. */
#include "library/internal.h"

#include "choices/choices.h"
#include "machine/machine.h"
#include "model/respond.h"
#include "resident/resident.h"
#include "world/world.h"

#include <string.h>

static const char *const CPU = "cpu", *const AUTO = "auto", *const CARD = "cuda";

static double megabytes(int64_t bytes) { return 1e-6 * (double)bytes; }

/* Adds a note or warning to those of the scene. */
static void note(scree_sim *s, const char *kind, const char *machine, const char *why)
{
	written_text t;
	FILE *to = scree_text_begin(&t);
	fprintf(to, "%s%s: machine %s: %s\n", s->notes_of_scene ? s->notes_of_scene : "", kind, machine, why);
	scree_free(s->notes_of_scene);
	s->notes_of_scene = scree_text_end(&t);
}

/* Tests whether a device has kernels for the present stage of the scene and the later ones. */
static bool takes(const scree_sim *s, const char *machine, fail *why)
{
	const scree_world *w = s->w;
	const bool divided = s->held || s->part;
	model then = w->model;
	bool good = scree_resident_takes(&then, &w->state, divided, machine, why);
	for (int k = w->state.stage.now + 1; good && k < scree_in_stages(s); ++k) {
		model_respond(&then, scree_response_row(s->stage[k].response));
		then.integrator = scree_integrator_row(s->stage[k].integrator);
		good = scree_resident_takes(&then, &w->state, divided, machine, why) ||
			   scree_fail_in(why, "stage %s", s->stage[k].name);
	}
	return good;
}

static bool open_device(const scree_sim *s, const char *name, device **to, fail *why)
{
	scree_world *w = s->w;
	const resident_ranks by = {scree_ranks_local(), scree_ranks_near(), s->held ? scree_ranks() : 1};
	if (!scree_machine_kind(name))
		return scree_refuse(why, "unknown machine %s: expected cpu, auto, opencl or cuda", name);
	return takes(s, name, why) && (*to = scree_resident_open(name, by, &w->model, &w->state, &w->work, why));
}

/* Opens the card if it takes the world; a note gives the reason. */
static void choose(scree_sim *s, device **to)
{
	enum { LEAST = 20000 };
	const int64_t bodies = scree_world_bodies(s->w);
	fail why;
	if (s->held || s->part)
		scree_refuse(&why, "of several processes, each uses a device only if it is named");
	else if (bodies < LEAST)
		scree_refuse(&why, "%lld bodies, and a card is faster from about %d on", (long long)bodies, LEAST);
	else if (!scree_machine_count(scree_machine_kind(CARD), &why))
		scree_fail_in(&why, "auto takes NVIDIA's cards only (opencl has others)");
	else
		open_device(s, CARD, to, &why);
	note(s, "note", *to ? CARD : CPU, *to ? "a card takes this world" : why.text);
}

static scree_code close_device(device *d, scree_code code)
{
	if (d) d->close(d);
	return code;
}

/* The name of a machine as a constant. */
static const char *kept(const char *name)
{
	const machine_kind *kind = scree_machine_kind(name);
	return kind ? scree_machine_kind_name(kind) : strcmp(name, CPU) ? AUTO : CPU;
}

enum { PACKED = 4 }; /* contact rows per body of a packing of spheres; cubes have five or six */

static void warn_of_memory(scree_sim *s)
{
	scree_world *w = s->w;
	const machine *on = scree_resident_counts(&w->work).on;
	const int64_t bytes = scree_resident_needs(&w->model, &w->state, &w->work, PACKED).bytes;
	const double packed = megabytes(s->held ? bytes / scree_ranks() : bytes), free = megabytes(scree_machine_free(on));
	char text[128];
	if (packed <= free) return;
	snprintf(text, sizeof text, "a packing of these bodies needs %.1f MB, but %.1f MB are free: the run may fail",
			 packed, free);
	note(s, "warning", scree_machine_kind_of(on), text);
}

/* Contact rows suit the machine, so a search for pairs comes first. */
scree_code scree_in_use_machine(scree_sim *s, const char *machine)
{
	work *w = &s->w->work;
	device *to = NULL;
	const char *of_scene = s->extra.run.machine ? s->extra.run.machine : CPU, *asked = machine ? machine : of_scene;
	const bool chooses = !strcmp(asked, AUTO), together = s->held || s->part;
	if (chooses) choose(s, &to);
	const bool good = chooses || !strcmp(asked, CPU) || open_device(s, asked, &to, &s->why);
	if (!(together ? scree_ranks_agree(good, &s->why) : good)) return close_device(to, scree_sim_code(&s->why));
	if (to || w->device) w->skin.stale = true;
	if (w->device) w->device->close(w->device);
	w->device = to;
	if (to) warn_of_memory(s);
	s->machine = kept(asked);
	s->placed = true;
	return SCREE_DONE;
}

scree_code scree_sim_place_steps(scree_sim *s) { return s->placed ? SCREE_DONE : scree_in_use_machine(s, NULL); }

void scree_sim_print_device(FILE *to, const scree_sim *s)
{
	const work *w = &s->w->work;
	const machine *on = w->device ? scree_resident_counts(w).on : NULL;
	if (on)
		fprintf(to, "machine %s%s\n", scree_machine_label(on),
				scree_machine_is_card(on) ? "" : " (a processor, not a card)");
}

void scree_sim_print_machine(FILE *to, const scree_sim *s)
{
	scree_world *w = s->w;
	if (!w->work.device) return;
	const machine *on = scree_resident_counts(&w->work).on;
	const double now = megabytes(scree_resident_needs(&w->model, &w->state, &w->work, 0).bytes);
	const double packed = megabytes(scree_resident_needs(&w->model, &w->state, &w->work, PACKED).bytes);
	const int64_t free = scree_machine_free(on), all = scree_machine_memory(on);
	fprintf(to, "machine %s: %.1f MB, %.1f MB as a packing, of %.1f MB", scree_machine_label(on), now, packed,
			megabytes(all));
	if (free < all) fprintf(to, ", of which %.1f MB are free", megabytes(free));
	fprintf(to, "\n");
}
