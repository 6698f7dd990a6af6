/* plot: plots columns of a run's tables over time, in the terminal or as a picture. */
#include "json.h"
#include "panels.h"
#include "progress.h"
#include "scree/language.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ------------------------------------------------------------------ choosing */

static const char *series_name(const void *all, int k)
{
	const run_series *of = all;
	return k < of->count ? of->of[k].name : NULL;
}

static int no_column(const run_series *all, const char *name)
{
	const char *near = scree_near_word(name, series_name, all);
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);
	if (!to) return say_error_of(BAD_INPUT, "there is no column '%s'", name);
	fprintf(to, "there is no column '%s'", name);
	if (near) fprintf(to, " (did you mean %s?)", near);
	fputs("; there are", to);
	for (int k = 0; k < all->count; ++k) fprintf(to, "%s %s", k ? "," : "", all->of[k].name);
	fclose(to);
	say_error(BAD_INPUT, text);
	free(text);
	return BAD_INPUT;
}

/* Tests whether a name matches a series; in the name, `*` stands for any text. */
static bool matches(const char *name, const char *wanted)
{
	const size_t n = strcspn(wanted, "*");
	if (strncmp(name, wanted, n) != 0) return false;
	if (!wanted[n]) return !name[n];
	for (const char *rest = name + n;; ++rest) {
		if (matches(rest, wanted + n + 1)) return true;
		if (!*rest) return false;
	}
}

/* Selects the series named by the words after the first one. */
static int choose(const arguments *a, const run_series *all, const series ***chosen, int *count)
{
	*chosen = NULL;
	*count = 0;
	for (int k = 1; k < a->words; ++k) {
		const int before = *count;
		for (int j = 0; j < all->count; ++j) {
			if (!matches(all->of[j].name, a->word[k])) continue;
			*chosen = grow((void *)*chosen, (size_t)*count + 1, sizeof **chosen);
			(*chosen)[(*count)++] = all->of + j;
		}
		if (*count == before) return no_column(all, a->word[k]);
	}
	return 0;
}

/* ------------------------------------------------------------------ the terminal */

/* Tests whether the terminal shows Unicode characters. */
static bool has_unicode(void)
{
	const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (int k = 0; k < 3; ++k) {
		const char *value = getenv(names[k]);
		if (value && *value) return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8");
	}
	return false;
}

/* The smallest and the largest value, or NaN if there are no values. */
static void find_bounds(const series *s, double *least, double *most)
{
	*least = INFINITY, *most = -INFINITY;
	for (int64_t i = 0; i < s->count; ++i) {
		*least = fmin(*least, s->value[i]);
		*most = fmax(*most, s->value[i]);
	}
	if (!(*least <= *most)) *least = *most = NAN;
}

static void print_list(const run_series *all)
{
	printf("%-40s %5s %10s %10s %10s\n", "column", "unit", "least", "greatest", "last");
	for (int k = 0; k < all->count; ++k) {
		const series *s = all->of + k;
		double least, most;
		find_bounds(s, &least, &most);
		print_safely(stdout, "%-40s %5s %10.4g %10.4g %10.4g\n", s->name, s->unit, least, most,
					 s->count ? s->value[s->count - 1] : NAN);
	}
}

static void print_charts(const panels *p)
{
	const bool dots = has_unicode();
	for (int k = 0; k < p->count; ++k) put_text_chart(stdout, p->chart + k, terminal_width(), dots);
}

/* ------------------------------------------------------------------ files */

static bool ends_in(const char *path, const char *ending)
{
	const size_t length = strlen(path), part = strlen(ending);
	return length > part && !strcasecmp(path + length - part, ending);
}

/* Tests whether the extension belongs to a picture format; done before anything is read. */
static bool is_picture(const char *path)
{
	return ends_in(path, ".svg") || ends_in(path, ".png") || ends_in(path, ".pdf");
}

static int write_file(const panels *p, const char *path)
{
	const int code = write_charts(path, p->count, p->chart);
	if (!code) print_safely(stdout, "%s\n", path);
	return code;
}

/* ------------------------------------------------------------------ JSON */

static void put_numbers(json *j, const char *key, int64_t count, const double *value)
{
	json list = open_json(j, key, '[');
	for (int64_t k = 0; k < count; ++k) put_json_number(&list, NULL, value[k]);
	close_json(&list, ']');
}

static void put_column_facts(json *list, const series *s, bool with_values)
{
	double least, most;
	find_bounds(s, &least, &most);
	json one = open_json(list, NULL, '{');
	put_json_text(&one, "name", s->name);
	put_json_text(&one, "unit", *s->unit ? s->unit : NULL);
	put_json_number(&one, "least", least);
	put_json_number(&one, "greatest", most);
	put_json_number(&one, "last", s->count ? s->value[s->count - 1] : NAN);
	put_json_count(&one, "rows", s->count);
	if (with_values) put_numbers(&one, "time", s->count, s->time);
	if (with_values) put_numbers(&one, "values", s->count, s->value);
	close_json(&one, '}');
}

/* Writes the chosen columns with their values, or all columns without values. */
static void print_facts(const arguments *a, const run_place *at, const run_series *all, int count,
						const series *const *chosen)
{
	json j = begin_json("plot");
	put_json_text(&j, "folder", at->folder);
	put_json_text(&j, "name", at->name);
	put_json_text(&j, "picture", a->output);
	put_json_count(&j, "left_out", all->left_out);
	json list = open_json(&j, "columns", '[');
	for (int k = 0; k < count; ++k) put_column_facts(&list, chosen[k], true);
	for (int k = 0; k < all->count && !count; ++k) put_column_facts(&list, all->of + k, false);
	close_json(&list, ']');
	end_json(&j);
}

/* ------------------------------------------------------------------ the call */

static int plot(const arguments *a, const run_place *at, const run_series *all)
{
	const series **chosen;
	int count, code = choose(a, all, &chosen, &count);
	if (!code && !count && !a->output) {
		if (!a->json) print_list(all);
	} else if (!code) {
		panels p = count ? chosen_panels(count, chosen, a->log) : all_panels(all);
		if (a->output)
			code = write_file(&p, a->output);
		else if (!a->json)
			print_charts(&p);
		if (p.left_out)
			fprintf(stderr, "scree: note: %d curves are left out: a chart has at most %d\n", p.left_out, MOST_CURVES);
		free_panels(&p);
	}
	if (!code && a->json) print_facts(a, at, all, count, chosen);
	free((void *)chosen);
	return code;
}

int command_plot(const arguments *a)
{
	run_place at;
	run_series all;
	if (a->output && !is_picture(a->output))
		return say_error(BAD_INPUT, "plots are SVG, PNG or PDF: use a name that ends in .svg, .png or .pdf");
	int code = find_run(a->word[0], &at);
	if (!code) code = read_series(&at, &all);
	if (code) return code;
	if (all.count)
		code = plot(a, &at, &all);
	else
		code = say_error(BAD_INPUT, "this run has no tables over time: output.history, output.measures or output.walls "
									"write them");
	free_series(&all);
	return code;
}
