#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 3, 0))) static void put(fail *why, fail_code code, const char *format, va_list args)
{
	why->code = code;
	why->error = 0;
	vsnprintf(why->text, sizeof why->text, format, args);
}

bool scree_fail(fail *why, fail_code code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	put(why, code, format, args);
	va_end(args);
	return false;
}

bool scree_refuse(fail *why, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	put(why, FAIL_INPUT, format, args);
	va_end(args);
	return false;
}

bool scree_fail_in(fail *why, const char *format, ...)
{
	char prefix[512], rest[sizeof why->text];
	va_list args;
	va_start(args, format);
	vsnprintf(prefix, sizeof prefix, format, args);
	va_end(args);
	memcpy(rest, why->text, sizeof rest);
	size_t used = (size_t)snprintf(why->text, sizeof why->text, "%s: ", prefix);
	snprintf(why->text + used, sizeof why->text - used, "%s", rest);
	return false;
}

static _Thread_local open_attempt *innermost;
static struct {
	failure_fn *call;
	void *context;
} handler;

void scree_failure_handler(failure_fn *call, void *context)
{
	handler.call = call;
	handler.context = context;
}

jmp_buf *scree_attempt_begin(open_attempt *here, fail *why)
{
	here->outer = innermost;
	here->why = why;
	innermost = here;
	return &here->back;
}

void scree_attempt_end(const open_attempt *here) { innermost = here->outer; }

bool scree_attempt(attempt_fn *work, void *what, fail *why)
{
	open_attempt here;
	if (setjmp(*scree_attempt_begin(&here, why)) != 0) return false; /* `innermost` was reset before the jump */
	work(what);
	scree_attempt_end(&here);
	return true;
}

_Noreturn void scree_break_again(const fail *why)
{
	open_attempt *to = innermost;
	if (!to) {
		fprintf(stderr, "scree: %s\n", why->text);
		abort();
	}
	innermost = to->outer;
	if (to->why != why) *to->why = *why;
	longjmp(to->back, 1);
}

_Noreturn void scree_break_off(fail_code code, const char *format, ...)
{
	fail why = {.code = code};
	va_list args;
	va_start(args, format);
	vsnprintf(why.text, sizeof why.text, format, args);
	va_end(args);
	if (handler.call) handler.call((int)code, why.text, handler.context);
	scree_break_again(&why);
}

_Noreturn void scree_broken(const char *what, const char *file, int line)
{
	scree_break_off(FAIL_INTERNAL, "internal error at %s:%d: %s\nThis is a bug in scree: please report it.", file, line,
					what);
}
