/* verbs: all commands other than run. */
#include "command.h"
#include "facts.h"

#include "scree/language.h"

#include <string.h>
#include <strings.h>

/* Writes a valid scene as JSON. */
static void print_check_facts(scree_sim *s, const char *path, const char *text)
{
	json j = begin_json("check");
	put_json_text(&j, "file", path);
	put_json_flag(&j, "valid", true);
	put_json_problems(&j, NULL);
	put_state_facts(&j, s);
	put_json_lines(&j, "summary", text);
	put_json_lines(&j, "notes", scree_sim_notes(s));
	end_json(&j);
}

int command_check(const arguments *a)
{
	int code;
	const char *text, *path = a->word[0];
	scree_sim *s = open_scene(a, path, &code);
	if (!s) return code;
	code = scree_sim_check(s, &text);
	if (code && a->json) {
		json j = begin_json("check");
		put_json_text(&j, "file", path);
		put_json_flag(&j, "valid", false);
		put_json_count(&j, "code", code);
		put_json_text(&j, "sentence", scree_sim_error(s));
		put_json_problems(&j, NULL);
		end_json(&j);
	}
	if (code) return say_and_close(s, code);
	if (a->json) {
		print_check_facts(s, path, text);
		scree_sim_close(s);
		return 0;
	}
	const char *title = scree_sim_title(s);
	print_safely(stdout, "%s: %s\n", path, title ? title : "(no title)");
	fputs(text, stdout);
	fputs(scree_sim_notes(s), stdout);
	scree_sim_close(s);
	return 0;
}

/* ------------------------------------------------------------------ language */

static int print_text(scree_code code, char *text, const char *error)
{
	if (code)
		note_error(error, text ? text : "out of memory");
	else
		fputs(text, stdout);
	scree_text_free(text);
	return code;
}

int command_list(const arguments *a)
{
	char *text;
	const scree_code code = scree_list(a->words ? a->word[0] : NULL, &text);
	if (code || !a->json) return print_text(code, text, "");
	json j = begin_json("list");
	put_list_facts(&j, text);
	end_json(&j);
	scree_text_free(text);
	return 0;
}

int command_explain(const arguments *a)
{
	char *text;
	const char *key = a->words ? a->word[0] : "";
	const scree_code code = scree_explain(key, &text);
	if (code || !a->json) return print_text(code, text, "error: ");
	json j = begin_json("explain");
	put_key_facts(&j, key, text);
	end_json(&j);
	scree_text_free(text);
	return 0;
}

int command_schema(const arguments *a)
{
	char *text;
	(void)a;
	const scree_code code = scree_schema(&text);
	return print_text(code, text, "error: ");
}

/* ------------------------------------------------------------------ snapshots */

bool has_ending(const char *path, const char *ending, const char *what)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
	if (!*name)
		say_error_of(BAD_INPUT, "%s: the file name is missing", path);
	else if (dot && strcasecmp(dot + 1, ending) != 0)
		say_error_of(BAD_INPUT, "%s: %s, not '%s' files: use a name that ends in .%s", path, what, dot + 1, ending);
	else
		return true;
	return false;
}

/* Tests whether a picture may have this name. */
static bool is_of_picture(const char *path)
{
	const char *dot = strrchr(path, '.');
	const bool other = dot && (!strcasecmp(dot, ".svg") || !strcasecmp(dot, ".pdf"));
	return other || has_ending(path, "png", "render draws PNG, SVG and PDF");
}

static bool are_of_pictures(const arguments *a)
{
	for (int k = 0; k < a->sets; ++k) {
		if (!strncmp(a->set[k], "output.images.format=", 21)) {
			say_error_of(BAD_INPUT, "--set %s: the format follows from the name of the file (-o): .png, .svg or .pdf",
						 a->set[k]);
			return false;
		}
		if (!strncmp(a->set[k], "output.images.", 14)) continue;
		say_error_of(BAD_INPUT, "--set %s: scree render accepts only keys of output.images", a->set[k]);
		return false;
	}
	return true;
}

/* Prints the result of a verb that reads the state in a snapshot. */
static void print_written(const arguments *a, scree_sim *s, const char *what, const char *path)
{
	if (!a->json) {
		print_safely(stdout, "%s\n", path);
		return;
	}
	json j = begin_json(a->verb);
	put_json_text(&j, "file", a->word[0]);
	put_state_facts(&j, s);
	put_json_text(&j, what, path);
	end_json(&j);
}

int command_render(const arguments *a)
{
	const char *png = a->output ? a->output : "scree.png";
	int code;
	if (!is_of_picture(png)) return BAD_INPUT;
	scree_sim *s = open_snapshot(a, a->word[0], &code);
	if (!s) return code;
	code = are_of_pictures(a) ? change_plan(s, a) : BAD_INPUT;
	if (!code && (code = (int)scree_sim_render(s, png, 0, NULL))) return say_and_close(s, code);
	if (!code) print_written(a, s, "picture", png);
	scree_sim_close(s);
	return code;
}

int command_hash(const arguments *a)
{
	int code;
	scree_sim *s = open_snapshot(a, a->word[0], &code);
	if (!s) return code;
	if (a->json) {
		json j = begin_json("hash");
		put_json_text(&j, "file", a->word[0]);
		put_state_facts(&j, s);
		end_json(&j);
	} else {
		printf("hash %016llx\n", (unsigned long long)scree_sim_hash(s));
	}
	scree_sim_close(s);
	return 0;
}

int command_export(const arguments *a)
{
	const char *path = a->output ? a->output : "mesh.vtp";
	int code;
	if (!has_ending(path, "vtp", "export writes VTP (VTK's polygons)")) return BAD_INPUT;
	scree_sim *s = open_snapshot(a, a->word[0], &code);
	if (!s) return code;
	code = scree_sim_export(s, path);
	if (code) return say_and_close(s, code);
	print_written(a, s, "mesh", path);
	scree_sim_close(s);
	return 0;
}

int command_bench(const arguments *a)
{
	enum { STEPS = 1000 };
	const char *text;
	int code;
	scree_sim *s = open_snapshot(a, a->word[0], &code);
	if (!s) return code;
	code = scree_sim_bench(s, a->steps ? a->steps : STEPS, a->unsorted, &text);
	if (code) return say_and_close(s, code);
	if (a->json) {
		json j = begin_json("bench");
		put_json_text(&j, "file", a->word[0]);
		put_bench_facts(&j, text);
		end_json(&j);
	} else {
		fputs(text, stdout);
	}
	scree_sim_close(s);
	return 0;
}
