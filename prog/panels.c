#include "panels.h"

#include <stdlib.h>
#include <string.h>

/* removes "[3]" from "measures.column[3].stress_zz" */
static void drop_number(const char *name, char *to, size_t room)
{
	const char *open = strchr(name, '['), *close = open ? strchr(open, ']') : NULL;
	snprintf(to, room, "%.*s%s", open && close ? (int)(open - name) : SERIES_NAME, name,
			 open && close ? close + 1 : "");
}

/* Series with the same title share a chart. */
static void title_of(const series *s, char title[SERIES_NAME])
{
	const char *dot = strrchr(s->name, '.');
	if (!strncmp(s->name, "measures.", 9))
		drop_number(s->name, title, SERIES_NAME);
	else if (dot)
		snprintf(title, SERIES_NAME, "%.*s, %.15s", (int)(dot - s->name), s->name, *s->unit ? s->unit : dot + 1);
	else if (!strcmp(s->name, "thermal") || !strncmp(s->name, "heat_", 5))
		snprintf(title, SERIES_NAME, "heat");
	else if (!strcmp(s->unit, "J") && strcmp(s->name, "residual") != 0)
		snprintf(title, SERIES_NAME, "energies");
	else if (!strncmp(s->name, "stress_", 7))
		snprintf(title, SERIES_NAME, "stress");
	else
		snprintf(title, SERIES_NAME, "%s", s->name);
}

/* The name of a series in the legend of its chart. */
static const char *name_in(const series *s)
{
	const char *dot = strrchr(s->name, '.');
	return !strncmp(s->name, "walls.", 6) && dot ? dot + 1 : s->name;
}

static int add_panel(panels *p, const char *title, const series *s, bool log)
{
	const int k = p->count++;
	p->chart = grow(p->chart, (size_t)p->count, sizeof *p->chart);
	p->title = grow(p->title, (size_t)p->count, sizeof *p->title);
	p->y_name = grow(p->y_name, (size_t)p->count, sizeof *p->y_name);
	p->chart[k] = (chart){.x_name = "time (s)", .log = log};
	snprintf(p->title[k], sizeof p->title[k], "%s", title);
	snprintf(p->y_name[k], sizeof p->y_name[k], "%.20s", *s->unit ? s->unit : "1");
	return k;
}

static void add_curve(panels *p, int at, const char *name, const series *s)
{
	chart *c = p->chart + at;
	if (c->curves == MOST_CURVES)
		p->left_out += 1;
	else
		c->curve[c->curves++] = (curve){name, s->count, s->time, s->value};
}

/* Sets pointers into arrays, which are no longer moved. */
static panels ready(panels *p)
{
	for (int k = 0; k < p->count; ++k) p->chart[k].y_name = p->y_name[k];
	return *p;
}

panels all_panels(const run_series *of)
{
	panels p = {0};
	for (int k = 0; k < of->count; ++k) {
		char title[SERIES_NAME];
		int at = 0;
		if (!strcmp(of->of[k].name, "step")) continue;
		title_of(of->of + k, title);
		while (at < p.count && strcmp(p.title[at], title) != 0) ++at;
		if (at == p.count) at = add_panel(&p, title, of->of + k, false);
		add_curve(&p, at, name_in(of->of + k), of->of + k);
	}
	return ready(&p);
}

panels chosen_panels(int count, const series *const *of, bool log)
{
	panels p = {0};
	for (int k = 0; k < count; ++k) {
		const bool same = k && !strcmp(of[k]->unit, of[k - 1]->unit) && p.chart[p.count - 1].curves < MOST_CURVES;
		const int at = same ? p.count - 1 : add_panel(&p, of[k]->name, of[k], log);
		add_curve(&p, at, of[k]->name, of[k]);
	}
	return ready(&p);
}

void free_panels(panels *p)
{
	free(p->chart);
	free(p->title);
	free(p->y_name);
	*p = (panels){0};
}
