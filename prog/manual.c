/* manual: manual pages in man format (groff_man(7)) and bash completion, from the tables in usage.c and the keys of the
 * scene language. */
#include "usage.h"

#include "scree/language.h"

#include <string.h>

/* Prints a line of text, escaped because roff would interpret a leading dot or quote, a backslash or a hyphen. */
static void put_line(FILE *to, const char *text)
{
	if (*text == '.' || *text == '\'') fputs("\\&", to);
	for (; *text && *text != '\n'; ++text) {
		if (*text == '\\' || *text == '-') putc('\\', to);
		fputs(*text == '\\' ? "e" : (char[]){*text, 0}, to);
	}
	putc('\n', to);
}

static void put_head(const char *name, int part, const char *title, const char *about)
{
	printf(".TH %s %d \"\" \"scree %s\" \"%s\"\n.SH NAME\n", name, part, SCREE_VERSION, title);
	put_line(stdout, about);
}

static void put_section(const char *name) { printf(".SH %s\n", name); }

static void put_item(const char *bold, const char *text)
{
	fputs(".TP\n.B ", stdout);
	put_line(stdout, bold);
	put_line(stdout, text);
}

/* "scree run, compare" */
static void put_verbs_of(const option_row *o)
{
	if (o->verbs == ~0U) return;
	fputs("Of", stdout);
	const char *join = " ";
	for (int k = 0; k < verb_count(); ++k) {
		if (!(o->verbs & scree_verbs[k].bit)) continue;
		printf("%s%s", join, scree_verbs[k].name);
		join = ", ";
	}
	fputs(".\n", stdout);
}

static void put_options(void)
{
	put_section("OPTIONS");
	for (int k = 0; k < option_count(); ++k) {
		char name[64], letter[5] = "";
		const option_row *o = scree_options + k;
		if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
		snprintf(name, sizeof name, "%s--%s%s%s", letter, o->name, o->value ? " " : "", o->value ? o->value : "");
		put_item(name, o->help);
		put_verbs_of(o);
	}
}

static int put_command_page(void)
{
	static const struct {
		const char *code, *means;
	} exits[] = {{"0", "done, or stopped by --steps, with a snapshot"},
				 {"2", "bad input"},
				 {"3", "a physics guard stopped the run, or its result cannot be trusted"},
				 {"4", "a file could not be read or written"},
				 {"5", "stopped by a signal or a time limit, with a snapshot"},
				 {"70", "internal error"}};
	put_head("SCREE", 1, "User commands", "scree - granular matter of particles of any shape");
	put_section("SYNOPSIS");
	for (int k = 0; k < verb_count(); ++k) {
		char call[160];
		snprintf(call, sizeof call, "scree %s %s", scree_verbs[k].name, scree_verbs[k].takes);
		fputs(k ? ".br\n" : "", stdout);
		put_line(stdout, call);
	}
	put_section("DESCRIPTION");
	put_line(
		stdout,
		"scree simulates granular matter by the discrete element method: balls, ellipsoids, superquadrics, cylinders, "
		"capsules, discs, ellipses, "
		"convex polygons and polyhedra, and triangulated grains. A scene is a YAML file, see scree-scene(5).");
	put_section("COMMANDS");
	for (int k = 0; k < verb_count(); ++k) {
		char call[160];
		snprintf(call, sizeof call, "%s %s", scree_verbs[k].name, scree_verbs[k].takes);
		put_item(call, scree_verbs[k].help);
		fputs(".br\n", stdout);
		put_line(stdout, scree_verbs[k].more);
	}
	put_options();
	put_section("EXIT STATUS");
	for (size_t k = 0; k < sizeof exits / sizeof *exits; ++k) put_item(exits[k].code, exits[k].means);
	put_section("EXAMPLES");
	put_item("scree run /usr/share/scree/examples/drum.scene.yaml -o drum", "runs an example");
	put_item("scree run --resume drum/drum.snap", "continues it");
	put_item("mpirun -n 4 scree run SCENE", "runs a scene on four processes");
	put_section("SEE ALSO");
	put_line(stdout, "scree-scene(5)");
	return 0;
}

/* ------------------------------------------------------------------ the language */

/* Returns the text of `explain` for a key, which the caller frees, or NULL after an error message. */
static char *explained(const char *key)
{
	char *text;
	const scree_code code = scree_explain(key, &text);
	if (!code) return text;
	print_safely(stderr, "scree: error: %s\n", text ? text : "out of memory");
	scree_text_free(text);
	return NULL;
}

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');
	return end ? end + 1 : line + strlen(line);
}

/* Writes the lines between the first line of a key and the list of its keys: format of the value, unit, and default. */
static void put_form(const char *line)
{
	for (; *line == ' '; line = next_line(line)) {
		fputs(".br\n", stdout);
		put_line(stdout, line + strspn(line, " "));
	}
}

static bool put_keys(const char *key);

/* The full name of the key on a line of a list. */
static void name_key(char *to, size_t room, const char *parent, const char *line)
{
	char name[32] = "";
	sscanf(line, " %31s", name);
	snprintf(to, room, "%s%s%s", parent, *parent ? "." : "", name);
}

/* `explain scene` explains the whole language, not the key with this name. */
static bool is_whole(const char *path) { return !strcmp(path, "scene"); }

/* Writes an entry of a list of keys, " name help". */
static bool put_key(const char *parent, const char *line)
{
	char path[128];
	name_key(path, sizeof path, parent, line);
	const char *name = line + strspn(line, " "), *after = name + strcspn(name, " ");
	printf(".TP\n.B %.*s\n", (int)(after - name), name);
	put_line(stdout, after + strspn(after, " "));
	if (is_whole(path)) return true;
	char *text = explained(path);
	if (!text) return false;
	if (!strstr(text, "Keys:\n"))
		put_form(next_line(text));
	else
		printf(".br\nSee below, %s.\n", path);
	scree_text_free(text);
	return true;
}

/* Calls `put` for each key below `key`, in the order of the table. */
static bool each_key(const char *key, const char *text, bool (*put)(const char *parent, const char *line))
{
	const char *list = strstr(text, "Keys:\n");
	for (const char *line = list ? next_line(list) : ""; *line == ' '; line = next_line(line))
		if (!put(key, line)) return false;
	return true;
}

static bool put_below(const char *parent, const char *line)
{
	char path[128];
	name_key(path, sizeof path, parent, line);
	return is_whole(path) || put_keys(path);
}

/* Writes the text that follows a list of keys. */
static void put_rest(const char *text)
{
	const char *line = next_line(strstr(text, "Keys:\n"));
	while (*line == ' ') line = next_line(line);
	if (*line) fputs(".PP\n", stdout);
	for (; *line; line = next_line(line)) put_line(stdout, line);
}

/* Writes the keys of a section, and then the keys of its subsections. */
static bool put_keys(const char *key)
{
	char *text = explained(key);
	if (!text) return false;
	bool ok = true;
	if (strstr(text, "Keys:\n")) {
		printf(strchr(key, '.') || !*key ? ".SS %s\n" : ".SH %s\n", *key ? key : "top-level keys");
		ok = each_key(key, text, put_key);
		put_rest(text);
		ok = ok && each_key(key, text, put_below);
	}
	scree_text_free(text);
	return ok;
}

static int put_scene_page(void)
{
	put_head("SCREE-SCENE", 5, "File formats", "scree-scene - scenes of scree");
	put_section("DESCRIPTION");
	put_line(stdout, "A scene is a YAML file with these keys. Numbers may have units (3 mm) and be expressions (= "
					 "2*R). 'scree explain KEY' prints the entry of a key, 'scree schema' a JSON Schema.");
	if (!put_keys("")) return INTERNAL;
	put_section("SEE ALSO");
	put_line(stdout, "scree(1)");
	return 0;
}

/* ------------------------------------------------------------------ completion */

static void put_options_of(const verb *v)
{
	for (int k = 0; k < option_count(); ++k)
		if (scree_options[k].verbs & v->bit) printf(" --%s", scree_options[k].name);
}

static int put_bash(void)
{
	puts("# completion of bash for scree\n_scree()\n{\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} "
		 "words=");
	fputs("\tif [ \"$COMP_CWORD\" = 1 ]; then\n\t\twords=\"", stdout);
	for (int k = 0; k < verb_count(); ++k) printf("%s%s", k ? " " : "", scree_verbs[k].name);
	puts(" --help --version\"\n\telse\n\t\tcase $verb in");
	for (int k = 0; k < verb_count(); ++k) {
		printf("\t\t%s) words=\"", scree_verbs[k].name);
		put_options_of(scree_verbs + k);
		puts("\" ;;");
	}
	puts("\t\tesac\n\tfi\n"
		 "\tif [[ $cur == -* || $COMP_CWORD = 1 ]]; then\n"
		 "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
		 "\telse\n"
		 "\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n"
		 "\tfi\n}\n"
		 "complete -o filenames -F _scree scree");
	return 0;
}

int command_manual(const arguments *a)
{
	static const struct {
		const char *name;
		int (*put)(void);
	} pages[] = {{"scree", put_command_page}, {"scree-scene", put_scene_page}, {"bash", put_bash}};
	const char *wanted = a->words ? a->word[0] : "scree";
	for (size_t k = 0; k < sizeof pages / sizeof *pages; ++k)
		if (!strcmp(wanted, pages[k].name)) return pages[k].put();
	print_safely(stderr, "scree: error: there is no page '%s'; pages are scree, scree-scene, bash\n", wanted);
	return BAD_INPUT;
}
