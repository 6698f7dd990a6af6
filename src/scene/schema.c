/* schema: helpers of the table of keys. */
#include "scene/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *scree_key_names(const void *what, int i)
{
	const section *s = what;
	return i < s->rows ? s->row[i].name : NULL;
}

range scree_range(const char *words)
{
	range r = {-INFINITY, INFINITY, true, true};
	if (!words) return r;
	if (*words == '>') {
		r.open_low = words[1] != '=';
		r.low = strtod(words + 1 + !r.open_low, NULL);
		return r;
	}
	char *rest;
	r.open_low = *words == '(';
	r.low = strtod(words + 1, &rest);
	r.high = strtod(rest + 1, &rest);
	r.open_high = *rest == ')';
	return r;
}

bool scree_range_holds(range r, double x)
{
	return (r.open_low ? x > r.low : x >= r.low) && (r.open_high ? x < r.high : x <= r.high);
}
