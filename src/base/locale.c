/* locale: the C locale of a thread. */
#include "base/locale.h"

locale_t scree_locale_enter(void)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	return plain ? uselocale(plain) : (locale_t)0;
}

void scree_locale_leave(locale_t before)
{
	if (before) freelocale(uselocale(before));
}
