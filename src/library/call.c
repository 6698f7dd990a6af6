/* call: every function of the handle that does work is an attempt (base/fail.h): an internal failure becomes a code,
 * after which the simulation can only be closed. Calls use the C locale, for decimal points in texts and files. */
#include "library/internal.h"

#include "base/parallel.h"
#include "world/world.h"

#include <stdarg.h>

jmp_buf *scree_sim_begin_call(scree_sim *s)
{
	sim_call *c = &s->call;
	c->threads = scree_threads();
	c->outer = scree_memory_into(&s->memory);
	c->before = scree_locale_enter();
	if (c->threads != s->threads) scree_set_threads(s->threads);
	return scree_attempt_begin(&c->made, &c->why);
}

static void end(const scree_sim *s)
{
	const sim_call *c = &s->call;
	if (c->threads != s->threads) scree_set_threads(c->threads);
	scree_locale_leave(c->before);
	scree_memory_into(c->outer);
	scree_sim_log_end();
}

scree_code scree_sim_end_call(scree_sim *s, scree_code code)
{
	scree_attempt_end(&s->call.made);
	end(s);
	return code;
}

scree_code scree_sim_break_call(scree_sim *s)
{
	end(s);
	if (s->part || s->held) scree_ranks_tell(&s->call.why);
	s->why = s->stop = s->call.why;
	s->broken = scree_sim_code(&s->why);
	if (s->w) s->w->broken = true;
	return s->broken;
}

scree_code scree_sim_call(scree_sim *s, call_fn *work, void *of)
{
	if (s->broken) return s->broken;
	if (setjmp(*scree_sim_begin_call(s))) return scree_sim_break_call(s);
	return scree_sim_end_call(s, work(s, of));
}

scree_code scree_sim_stopped(scree_sim *s)
{
	s->why = s->stop = s->w->work.why;
	if (s->w->broken) return s->broken = scree_sim_code(&s->why);
	s->stopped = true;
	return SCREE_GUARD;
}

scree_code scree_sim_undivided(scree_sim *s)
{
	if (!s->part && !s->held) return SCREE_DONE;
	return scree_sim_refuse(s, "this call is not supported yet for a simulation that is divided among ranks");
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
