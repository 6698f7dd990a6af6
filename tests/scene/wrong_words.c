/* A wrong value for each key of three resolved scenes: an unknown word, an empty list, an empty map, or nothing. The
 * scene is either refused with an error message, or resolves to itself. With sanitizers, this test also finds checks
 * involving several keys that use an unknown word as a table index. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/again.h"
#include "test.h"

static char *text_of(const char *path)
{
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	char *text = calloc(1, 100000);
	assert_true(text && fread(text, 1, 99999, file) > 1000 && fclose(file) == 0);
	return text;
}

/* the text with a different value in this line */
static char *changed(const char *text, const char *line, const char *value)
{
	const char *colon = strstr(line, ": "), *end = strchr(line, '\n');
	if (!colon || !end || colon > end) return NULL;
	char *out = NULL;
	size_t length;
	FILE *to = open_memstream(&out, &length);
	assert_non_null(to);
	fprintf(to, "%.*s: %s%s", (int)(colon - text), text, value, end);
	assert_int_equal(fclose(to), 0);
	return out;
}

/* returns whether the scene is refused */
static bool is_refused(const char *text)
{
	scene s;
	char *report = NULL;
	read_again("test", text, strlen(text), 0, NULL, true);
	if (!read_scene("test", text, strlen(text), 0, NULL, true, &s, &report)) {
		scree_free(report);
		return true;
	}
	scree_scene_free(&s);
	return false;
}

static void each_key(const char *name, int *lines, int *refused)
{
	static const char *const wrong[] = {"gird", "[]", "{}", ""};
	char path[200];
	snprintf(path, sizeof path, "%s/tests/fuzz/fuzz_resolved/%s", SCREE_SOURCE, name);
	char *text = text_of(path);
	CHECK(!is_refused(text), "%s is refused", name);
	for (const char *line = text; line && *line; line = strchr(line, '\n') + 1) {
		++*lines;
		for (int k = 0; k < 4; ++k) {
			char *now = changed(text, line, wrong[k]);
			*refused += now && is_refused(now);
			free(now);
		}
	}
	free(text);
}

static void wrong_values_are_refused(void **state)
{
	(void)state;
	int lines = 0, refused = 0;
	static const char *const scenes[] = {"beads", "hopper2d", "press"};
	for (size_t k = 0; k < sizeof scenes / sizeof *scenes; ++k) each_key(scenes[k], &lines, &refused);
	CHECK(refused > 2 * lines, "%d of %d", refused, lines);
}

/* each key of `run` whose value is one of several words */
static void unknown_words_are_told(void **state)
{
	(void)state;
	char *text = text_of(SCREE_SOURCE "/tests/fuzz/fuzz_resolved/beads");
	static const char *const keys[] = {"response",	   "broad_phase",		 "share", "triangles", "integrator",
									   "narrow_phase", "triangle_precision", "law"};
	for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
		char word[40], *report = NULL;
		snprintf(word, sizeof word, " %s: ", keys[k]);
		const char *line = strstr(text, word);
		CHECK(line, "no %s", keys[k]);
		char *now = changed(text, line, "gird");
		scene s;
		CHECK(!read_scene("test", now, strlen(now), 0, NULL, true, &s, &report), "%s: gird", keys[k]);
		CHECK(strstr(report, "'gird' is unknown"), "%s", report);
		scree_free(report);
		free(now);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_values_are_refused),
		cmocka_unit_test(unknown_words_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
