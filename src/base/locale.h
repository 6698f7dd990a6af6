/* locale: numbers are written and read with a decimal point, even in a program that has set another locale. */
#ifndef SCREE_BASE_LOCALE_H
#define SCREE_BASE_LOCALE_H

#include <locale.h>

/* The calling thread uses the C locale until it passes the result of `enter` to `leave`. Calls may be nested. */
static inline locale_t scree_locale_enter(void)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	return plain ? uselocale(plain) : (locale_t)0;
}
static inline void scree_locale_leave(locale_t before)
{
	if (before) freelocale(uselocale(before));
}

#endif
