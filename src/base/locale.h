/* locale: numbers are written and read with a decimal point, also in a program that has set another locale. */
#ifndef SCREE_BASE_LOCALE_H
#define SCREE_BASE_LOCALE_H

#include <locale.h>

/* The calling thread uses the C locale until `leave` gets the result of `enter`. Calls may be nested. */
locale_t scree_locale_enter(void);
void scree_locale_leave(locale_t before);

#endif
