#include "run/notes.h"

#include <stdio.h>

/* What is damped by many contacts at once does not come to rest with long steps, and the integration makes energy of it
 * (docs/theory/motion.md, "Packings and damping"). */
void scree_notes_print(const scree_world *w)
{
	scree_notes_print_start(w);
	scree_notes_print_sources(w);
	if (w->solver || !(w->calm_step > 0) || !(w->dt > w->calm_step)) return;
	printf("note: step %.3g s: bodies that rest on several damped contacts may hum and gain energy; at most %.3g s is "
		   "safe (docs/theory/motion.md)\n",
		   w->dt, w->calm_step);
}
