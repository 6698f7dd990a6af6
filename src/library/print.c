/* print: safe printing, for programs that print messages of the library. */
#include "scree/print.h"

#include "base/shown.h"

void scree_print_text(FILE *to, const char *text)
{
	if (to) scree_shown(to, text ? text : "");
}

void scree_print_word(FILE *to, const char *text)
{
	if (to) scree_shown_word(to, text ? text : "");
}
