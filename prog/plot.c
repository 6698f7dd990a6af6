/* plot: columns of the tables of a run over time: in the terminal, as SVG, and as PNG by gnuplot. */
#include "json.h"
#include "panels.h"
#include "progress.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* ------------------------------------------------------------------ choosing */

static int no_column(const run_series *all, const char *name)
{
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);
	if (!to) return say_error_of(BAD_INPUT, "there is no column '%s'", name);
	fprintf(to, "there is no column '%s'; there are", name);
	for (int k = 0; k < all->count; ++k) fprintf(to, "%s %s", k ? "," : "", all->of[k].name);
	fclose(to);
	say_error(BAD_INPUT, text);
	free(text);
	return BAD_INPUT;
}

/* Whether a series is meant by a name: its own, or one with `*` for any text. */
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

/* The series of the words after the first. */
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

/* Whether the terminal shows characters of Unicode. */
static bool has_unicode(void)
{
	const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (int k = 0; k < 3; ++k) {
		const char *value = getenv(names[k]);
		if (value && *value) return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8");
	}
	return false;
}

/* Least and greatest value, NaN if there is none. */
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
		printf("%-40s %5s %10.4g %10.4g %10.4g\n", s->name, s->unit, least, most,
			   s->count ? s->value[s->count - 1] : NAN);
	}
}

static void print_charts(const panels *p)
{
	const bool dots = has_unicode();
	for (int k = 0; k < p->count; ++k) put_text_chart(stdout, p->chart + k, terminal_width(), dots);
}

/* ------------------------------------------------------------------ files */

static int cannot(const char *what, const char *path)
{
	char text[RUN_PATH + 256];
	snprintf(text, sizeof text, "cannot %s %.4000s: %s", what, path, strerror(errno));
	return say_error(FILES, text);
}

static int write_svg(const panels *p, const char *path)
{
	FILE *to = fopen(path, "w");
	if (!to) return cannot("write", path);
	put_svg(to, p->count, p->chart);
	const bool failed = ferror(to);
	return fclose(to) != 0 || failed ? cannot("write", path) : 0;
}

/* A text as gnuplot reads it between quotes. */
static void put_quoted(FILE *to, const char *text)
{
	fputc('"', to);
	for (; *text; ++text) {
		if (*text == '"' || *text == '\\') fputc('\\', to);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
	}
	fputc('"', to);
}

static void put_gnuplot(FILE *to, const panels *p, const char *path)
{
	fprintf(to, "set terminal pngcairo noenhanced size %d,%d\nset output ", CHART_WIDTH, CHART_HEIGHT * p->count);
	put_quoted(to, path);
	fprintf(to, "\nset multiplot layout %d,1\nset grid\nset key noenhanced\n", p->count);
	for (int k = 0; k < p->count; ++k) {
		const chart *c = p->chart + k;
		fputs(c->log ? "set logscale y\nset xlabel " : "unset logscale y\nset xlabel ", to);
		put_quoted(to, c->x_name);
		fputs("\nset ylabel ", to);
		put_quoted(to, c->y_name);
		fputs("\nplot", to);
		for (int j = 0; j < c->curves; ++j) {
			fputs(j ? ", '-' with lines title " : " '-' with lines title ", to);
			put_quoted(to, c->curve[j].name);
		}
		fputc('\n', to);
		for (int j = 0; j < c->curves; ++j) {
			for (int64_t i = 0; i < c->curve[j].count; ++i) {
				const double y = c->curve[j].y[i];
				if (isfinite(y) && (!c->log || y > 0))
					fprintf(to, "%.9g %.9g\n", c->curve[j].x[i], y);
				else
					fputc('\n', to);
			}
			fputs("e\n", to);
		}
	}
	fputs("unset multiplot\n", to);
}

static int write_png(const panels *p, const char *path)
{
	if (system("command -v gnuplot >/dev/null 2>&1") != 0)
		return say_error(BAD_INPUT,
						 "plots as PNG need gnuplot (Debian: gnuplot-nox), which is not installed: write .svg");
	FILE *to = popen("gnuplot", "w");
	if (!to) return cannot("start gnuplot for", path);
	put_gnuplot(to, p, path);
	if (pclose(to) == 0 && access(path, R_OK) == 0) return 0;
	return say_error(FILES, "gnuplot could not write the picture");
}

static bool ends_in(const char *path, const char *ending)
{
	const size_t length = strlen(path), part = strlen(ending);
	return length > part && !strcasecmp(path + length - part, ending);
}

static int write_file(const panels *p, const char *path)
{
	int code = BAD_INPUT;
	if (ends_in(path, ".svg"))
		code = write_svg(p, path);
	else if (ends_in(path, ".png"))
		code = write_png(p, path);
	else
		return say_error(code, "plots are SVG or PNG: use a name that ends in .svg or .png");
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

/* Chosen columns with their values, or all without. */
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
