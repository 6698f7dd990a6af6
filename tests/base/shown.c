/* Untrusted text printed on a terminal: control characters (C0 and C1) and broken UTF-8 are shown as bytes, and
 * all other text is unchanged. */
#include "base/shown.h"
#include "test.h"

#include <stdio.h>

static void check_shown(const char *text, const char *wanted)
{
	char got[256] = "";
	FILE *file = tmpfile();
	assert_non_null(file);
	scree_print(file, "%s", text);
	rewind(file);
	got[fread(got, 1, sizeof got - 1, file)] = 0;
	fclose(file);
	CHECK(!strcmp(got, wanted), "'%s' is not '%s'", got, wanted);
}

static void control_characters_are_shown(void **state)
{
	(void)state;
	check_shown("plain, 7 mm", "plain, 7 mm");
	check_shown("two\n\tlines", "two\n\tlines");
	check_shown("\x1b[31mred\x1b]0;title\a", "\\x1b[31mred\\x1b]0;title\\x07");
	check_shown("a\rb\bc\x7f", "a\\x0db\\x08c\\x7f");
	check_shown("gr\xc3\xbc\xc3\x9f \xce\xbc \xe2\x82\x82 \xf0\x9f\xaa\xa8",
				"gr\xc3\xbc\xc3\x9f \xce\xbc \xe2\x82\x82 \xf0\x9f\xaa\xa8");
	check_shown("\xc2\x9b"
				"31m",
				"\\xc2\\x9b"
				"31m"); /* U+009B also starts an escape sequence */
	check_shown("\x9b"
				"31m",
				"\\x9b"
				"31m");
	check_shown("\xff\xc3", "\\xff\\xc3");
	check_shown("\xc0\x9b", "\\xc0\\x9b"); /* ESC encoded in too many bytes (overlong) */
	check_shown("\xe0\x82\x9b", "\\xe0\\x82\\x9b");
	check_shown("\xed\xa0\x80 \xf5", "\\xed\\xa0\\x80 \\xf5");
	check_shown("\xc2\xa0", "\xc2\xa0");
	check_shown("", "");
}

static void check_word(const char *text, const char *wanted)
{
	char got[256] = "";
	FILE *file = tmpfile();
	assert_non_null(file);
	scree_shown_word(file, text);
	rewind(file);
	got[fread(got, 1, sizeof got - 1, file)] = 0;
	fclose(file);
	CHECK(!strcmp(got, wanted), "%s is not %s", got, wanted);
}

static void a_shell_reads_one_word(void **state)
{
	(void)state;
	check_word("out/drum-2/a.b_c.snap", "out/drum-2/a.b_c.snap");
	check_word("my results/a.snap", "'my results/a.snap'");
	check_word("it's", "'it'\\''s'");
	check_word("'", "''\\'''");
	check_word("$HOME", "'$HOME'");
	check_word("a\x1b", "'a\\x1b'");
	check_word("", "''");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(control_characters_are_shown),
									   cmocka_unit_test(a_shell_reads_one_word)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
