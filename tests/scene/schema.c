/* The JSON Schema and the reader agree: the schema accepts everything that the reader accepts, and both refuse an
 * invalid structure. The validator is python3-jsonschema. files/beyond_schema.txt lists only errors that no schema can
 * detect (units, expressions, names, geometry, files). A build without papers does not have some of the words used in
 * scenes; the validator accepts these words. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "papers/rows.h"
#include "scene/scene.h"

static const char JUDGE[] =
	"import sys, glob, json, re\n"
	"try:\n"
	"    import jsonschema, yaml\n"
	"except ImportError:\n"
	"    sys.exit(77)\n"
	"schema = json.load(open(sys.argv[1]))\n"
	"jsonschema.Draft202012Validator.check_schema(schema)\n"
	"judge = jsonschema.Draft202012Validator(schema)\n"
	"bad = 0\n"
	"left_out = set(sys.argv[2].split(','))\n"
	"def errors(scene):\n"
	"    return [e for e in judge.iter_errors(scene) if not (isinstance(e.instance, str) and e.instance in left_out)]\n"
	"good = sorted(glob.glob('scenes/*.scene.yaml')) + sorted(glob.glob('tests/scene/files/*.scene.yaml')) + "
	"sys.argv[3:]\n"
	"for path in good:\n"
	"    for e in errors(yaml.safe_load(open(path))):\n"
	"        print(path, 'is refused by the schema:', list(e.path), e.message[:200]); bad += 1\n"
	"beyond = set(open('tests/scene/files/beyond_schema.txt').read().split())\n"
	"seen = 0\n"
	"for path in sorted(glob.glob('tests/bad/scenes/*.scene.yaml')):\n"
	"    name = path.split('/')[-1].split('.')[0]\n"
	"    try:\n"
	"        taken = not errors(yaml.safe_load(open(path, encoding='utf-8')))\n"
	"    except (yaml.YAMLError, UnicodeDecodeError):\n"
	"        taken = False\n"
	"    seen += not taken\n"
	"    if taken != (name in beyond):\n"
	"        print(path, 'is taken by the schema' if taken else 'is refused by the schema, but is in "
	"beyond_schema.txt'); bad += 1\n"
	"print(len(good), 'good and', seen, 'broken scenes')\n"
	"sys.exit(1 if bad or seen < 20 or len(good) < 10 else 0)\n";

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* names of rows missing from this build, separated by commas */
static void names_left_out(char *out, size_t size)
{
	size_t used = 0;
	*out = 0;
	for (const char *const *name = scree_paper_names; *name; ++name)
		if (scree_paper_left_out(*name) && used < size)
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? "," : "", *name);
	assert_true(used < size);
}

static void schema_and_reader_agree(void **state)
{
	(void)state;
	char schema[600], judge[600], resolved[600], names[600], command[3200];
	snprintf(schema, sizeof schema, "%s/scene_schema.json", SCREE_BINARY);
	snprintf(judge, sizeof judge, "%s/scene_judge.py", SCREE_BINARY);
	snprintf(resolved, sizeof resolved, "%s/scene_resolved.yaml", SCREE_BINARY);
	char *text = scree_scene_schema(), *report;
	scene s;
	write_file(schema, text);
	write_file(judge, JUDGE);
	scree_free(text);
	/* a resolved scene contains every key, with its default */
	assert_true(scree_scene_load("scenes/mixed_drum.scene.yaml", 0, NULL, &s, &report));
	write_file(resolved, s.resolved);
	scree_scene_free(&s);
	names_left_out(names, sizeof names);
	snprintf(command, sizeof command, "/usr/bin/python3 '%s' '%s' '%s' '%s'", judge, schema, names, resolved);
	int code = system(command);
	if (code == 77 << 8 || code == 127 << 8) skip();
	CHECK(code == 0, "the schema and the reader do not agree");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(schema_and_reader_agree)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
