/* compare_json: writes a comparison as JSON. */
#include "compare.h"
#include "json.h"

#include <math.h>

static void print_mean(FILE *to, const mean *m)
{
	fputs("{\"mean\": ", to);
	print_json_number(to, mean_of(m));
	fputs(", \"deviation\": ", to);
	print_json_number(to, m->count ? deviation(m) : NAN);
	fputc('}', to);
}

static void print_values(FILE *to, const comparison *c, const piece *p)
{
	fputs(", \"values\": {", to);
	for (int k = 0; k < VALUES; ++k) {
		fprintf(to, "%s\"%s\": ", k ? ", " : "", value_key(k));
		print_mean(to, p->value + k);
	}
	fputs("}, \"walls\": {", to);
	for (int k = 0; k < c->walls && p->wall; ++k) {
		fputs(k ? ", " : "", to);
		print_json_string(to, c->wall[k]);
		fputs(": ", to);
		print_mean(to, p->wall + k);
	}
	fputc('}', to);
}

static void print_piece(FILE *to, const comparison *c, const piece *p)
{
	static const char *const trusted[] = {[UNJUDGED] = "null", [TRUSTED] = "true", [DISTRUSTED] = "false"};
	fprintf(to, "\n  {\"response\": \"%s\", \"repeat\": %d, \"end\": \"%s\", \"sentence\": ", p->response, p->repeat,
			fate_name(p->fate));
	print_json_string(to, p->sentence);
	fputs(", \"warnings\": ", to);
	print_json_string(to, p->warnings);
	fputs(", \"time\": ", to);
	print_json_number(to, p->time);
	fprintf(to, ", \"trusted\": %s, \"why\": ", trusted[p->trust]);
	print_json_string(to, p->why);
	print_values(to, c, p);
	fputc('}', to);
}

static void print_limits(FILE *to, const comparison *c)
{
	const char *between = "";
	fputs("], \"limits\": {", to);
	for (int k = 0; k < VALUES + c->walls; ++k) {
		if (!(limit_of(c, k) > 0)) continue;
		fputs(between, to);
		print_json_string(to, k < VALUES ? value_key(k) : c->wall[k - VALUES]);
		fputs(": ", to);
		print_json_number(to, limit_of(c, k));
		between = ", ";
	}
	fputs("}}\n", to);
}

void print_json(FILE *to, const comparison *c)
{
	fprintf(to, "{\"scree\": \"%s\", \"verb\": \"compare\", \"scene\": ", scree_version());
	print_json_string(to, c->scene);
	fputs(", \"title\": ", to);
	print_json_string(to, c->title);
	fputs(", \"until\": ", to);
	print_json_number(to, c->until);
	fprintf(to, ", \"forces_over_weight\": %s, \"runs\": [", c->has_weight ? "true" : "false");
	for (int k = 0; k < c->pieces; ++k) {
		fputs(k ? "," : "", to);
		print_piece(to, c, c->piece + k);
	}
	print_limits(to, c);
}
