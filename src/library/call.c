/* call: each function of the handle that does work is an attempt (base/fail.h): a failure inside is returned as a
 * code, and leaves a simulation that can only be closed. Numbers in texts and files have decimal points. */
#include "library/ranks.h"

#include "base/locale.h"
#include "base/parallel.h"
#include "world/world.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct call {
	scree_sim *s;
	call_fn *work;
	void *of;
	scree_code code;
} call;

static void make(void *what)
{
	call *c = what;
	c->code = c->work(c->s, c->of);
}

scree_code scree_sim_call(scree_sim *s, call_fn *work, void *of)
{
	if (s->broken) return s->broken;
	call c = {.s = s, .work = work, .of = of};
	fail why;
	const int threads = scree_threads();
	memory_list *outer = scree_memory_into(&s->memory);
	const locale_t before = scree_locale_enter();
	if (threads != s->threads) scree_set_threads(s->threads);
	const bool whole = scree_attempt(make, &c, &why);
	if (threads != s->threads) scree_set_threads(threads);
	scree_locale_leave(before);
	scree_memory_into(outer);
	if (whole) return c.code;
	if (s->part || s->held) scree_ranks_tell(&why);
	s->why = s->stop = why;
	s->broken = scree_sim_code(&why);
	if (s->w) s->w->broken = true;
	return s->broken;
}

scree_code scree_sim_stopped(scree_sim *s)
{
	s->why = s->stop = s->w->work.why;
	if (s->w->broken) return s->broken = scree_sim_code(&s->why);
	s->stopped = true;
	return SCREE_GUARD;
}

scree_code scree_sim_call_undivided(scree_sim *s, call_fn *work, void *of)
{
	if (!s->part && !s->held) return scree_sim_call(s, work, of);
	return scree_sim_refuse(s, "a simulation that is divided among ranks does not support this call yet");
}

scree_code scree_sim_refuse(scree_sim *s, const char *format, ...)
{
	if (s->broken) return s->broken;
	const locale_t before = scree_locale_enter();
	va_list args;
	va_start(args, format);
	s->why = (fail){.code = FAIL_INPUT};
	vsnprintf(s->why.text, sizeof s->why.text, format, args);
	va_end(args);
	scree_locale_leave(before);
	return SCREE_BAD_INPUT;
}
