/* now: finds contacts and forces at the current positions of bodies, before the first step and between steps. */
#include "step/step.h"

#include "broad/stage.h"
#include "guard/guard.h"
#include "model/integrator.h"
#include "model/response.h"
#include "motion/stage.h"
#include "narrow/stage.h"
#include "sum/stage.h"
#include "world/world.h"

void scree_contacts_of_now(const model *m, state *s, work *w)
{
	if (scree_domain_any(&w->domain, w->skin.stale)) {
		scree_bodies_to_pairs(m, s, w);
		w->paired_at = s->time; /* walls have not been moved yet */
	}
	scree_bodies_to_records(m, s, w);
	scree_halos_renew(m, s, w);
	scree_thinnest_renew(m, s, w);
	scree_pairs_to_rows(m, s, w);
	scree_sums_prepare(m, s, w, true);
	m->response->steps->find(m, s, w);
}

void scree_contacts_read(const model *m, state *s, work *w)
{
	if (!s->begun || m->solver) return;
	/* correctors have moved bodies in the meantime */
	if (m->integrator->gear || scree_domain_any(&w->domain, !w->rebuilds)) scree_contacts_of_now(m, s, w);
}

void scree_contacts_answer(const model *m, state *s, work *w, real time)
{
	m->response->steps->answer(m, s, w, time);
	scree_join(m, s, w);
}

void scree_forces_of_now(const model *m, state *s, work *w)
{
	m->response->steps->load(m, s, w);
	scree_join(m, s, w);
}

void scree_overlaps_of_now(const model *m, state *s, work *w)
{
	scree_bodies_into_bodies(m, s, w);
	scree_join(m, s, w);
}
