#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool scree_fail(fail *why, fail_code code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	why->code = code;
	why->error = 0;
	vsnprintf(why->text, sizeof why->text, format, args);
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

_Noreturn void scree_broken(const char *what, const char *file, int line)
{
	fprintf(stderr, "scree: internal error at %s:%d: %s\nThis is a fault of scree: please report it.\n", file, line,
			what);
	fflush(NULL);
	_Exit(FAIL_INTERNAL);
}
