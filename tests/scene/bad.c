/* Broken scenes: each scene of tests/bad/scenes produces exactly the messages in its .expected file, and leaks no
 * memory. SCREE_UPDATE=1 rewrites the files: read the diff before you commit it. */
#include "lab.h"
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "papers/rows.h"
#include "scene/scene.h"

static const char FOLDER[] = "tests/bad/scenes/";

static char *whole_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	if (!file) return NULL;
	char *bytes = scree_alloc(1 << 16, 1);
	size_t n = fread(bytes, 1, (1 << 16) - 1, file);
	bytes[n] = 0;
	fclose(file);
	return bytes;
}

/* Removes the names of omitted rows from a list of known words. */
static void leave_out(char *list)
{
	for (const char *const *name = scree_paper_names; *name; ++name) {
		const size_t length = strlen(*name) + 2;
		char word[64];
		snprintf(word, sizeof word, ", %s", *name);
		for (char *at = list; scree_paper_left_out(*name) && (at = strstr(at, word));)
			if (strchr(",\n", at[length]))
				memmove(at, at + length, strlen(at + length) + 1);
			else
				++at;
	}
}

static void check_one(const char *name, size_t stem)
{
	char path[512], expected_path[512];
	snprintf(path, sizeof path, "%s%s", FOLDER, name);
	snprintf(expected_path, sizeof expected_path, "%s%.*s.expected", FOLDER, (int)stem, name);
	int64_t before = scree_memory_used();
	scene s;
	char *report = NULL;
	bool ok = scree_scene_load(path, 0, NULL, &s, &report);
	CHECK(!ok, "%s was accepted", path);
	if (ok) return;
	if (SCREE_PAPERS && getenv("SCREE_UPDATE")) {
		FILE *file = fopen(expected_path, "wb");
		CHECK(file && fputs(report, file) >= 0 && fclose(file) == 0, "%s cannot be written", expected_path);
	}
	char *expected = whole_file(expected_path);
	CHECK(expected, "%s is missing", expected_path);
	leave_out(expected);
	CHECK(!strcmp(report, expected) || lab_left_out(report), "%s: found\n%sexpected\n%s", path, report, expected);
	scree_free(expected);
	scree_free(report);
	CHECK(scree_memory_used() == before, "%s leaves %lld bytes", path, (long long)(scree_memory_used() - before));
}

static void broken_scenes_say_what_is_wrong(void **state)
{
	(void)state;
	DIR *folder = opendir(FOLDER);
	CHECK(folder, "%s: run the tests from the root", FOLDER);
	int count = 0;
	for (struct dirent *e; (e = readdir(folder));) {
		const char *end = strstr(e->d_name, ".scene.yaml");
		if (!end) continue;
		check_one(e->d_name, (size_t)(end - e->d_name));
		++count;
	}
	closedir(folder);
	CHECK(count >= 60, "only %d broken scenes", count);
}

static void at_most_twenty_messages(void **state)
{
	(void)state;
	scene s;
	char *report;
	assert_false(scree_scene_load("tests/bad/scenes/many_errors.scene.yaml", 0, NULL, &s, &report));
	int count = 0;
	for (const char *p = report; (p = strstr(p, ": error: ")); ++p) ++count;
	assert_int_equal(count, 20);
	assert_non_null(strstr(report, "more errors are not shown"));
	scree_free(report);
}

static void a_file_that_is_not_there(void **state)
{
	(void)state;
	scene s;
	char *report;
	assert_false(scree_scene_load("tests/bad/scenes/no_such_file.yaml", 0, NULL, &s, &report));
	assert_non_null(strstr(report, "No such file"));
	scree_free(report);
	assert_false(scree_scene_load("tests/bad/scenes", 0, NULL, &s, &report));
	assert_non_null(strstr(report, "cannot be read"));
	scree_free(report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(broken_scenes_say_what_is_wrong),
		cmocka_unit_test(at_most_twenty_messages),
		cmocka_unit_test(a_file_that_is_not_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
