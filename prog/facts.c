/* facts: writes the output of verbs other than run and compare as JSON. The library's texts about the scene language
 * consist of lines in a fixed form, from which the members are taken. */
#include "facts.h"

#include <stdlib.h>
#include <string.h>

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');
	return end ? end + 1 : line + strlen(line);
}

/* Copies part of a line. */
static void copy(char *to, size_t room, const char *from, size_t length)
{
	snprintf(to, room, "%.*s", (int)length, from);
}

/* "  name   help" */
static void put_entry(json *list, const char *line)
{
	char name[128], help[4096];
	const char *from = line + strspn(line, " "), *after = from + strcspn(from, " \n");
	copy(name, sizeof name, from, (size_t)(after - from));
	after += strspn(after, " ");
	copy(help, sizeof help, after, strcspn(after, "\n"));
	json one = open_json(list, NULL, '{');
	put_json_text(&one, "name", name);
	put_json_text(&one, "help", help);
	close_json(&one, '}');
}

void put_list_facts(json *j, const char *text)
{
	json tables = open_json(j, "tables", '{');
	for (const char *line = text; *line;) {
		char name[128];
		copy(name, sizeof name, line, strcspn(line, "\n"));
		json rows = open_json(&tables, name, '[');
		for (line = next_line(line); *line == ' '; line = next_line(line)) put_entry(&rows, line);
		close_json(&rows, ']');
	}
	close_json(&tables, '}');
}

/* Writes the value and the default of a key, and whether it is required, from the lines below the first line that begin
 * with two blanks. */
static const char *put_form(json *j, const char *line)
{
	char value[4096] = "", standard[4096] = "";
	bool needed = false;
	for (; *line == ' '; line = next_line(line)) {
		const char *word = line + 2;
		const size_t length = strcspn(word, "\n");
		if (!strncmp(word, "value    ", 9)) copy(value, sizeof value, word + 9, length - 9);
		if (!strncmp(word, "default  ", 9)) copy(standard, sizeof standard, word + 9, length - 9);
		needed |= !strncmp(word, "needed", 6);
	}
	put_json_text(j, "value", *value ? value : NULL);
	put_json_text(j, "default", *standard ? standard : NULL);
	put_json_flag(j, "needed", needed);
	return line;
}

/* "  table      unit    help" */
static void put_column(json *list, const char *line)
{
	char table[32] = "", unit[32] = "", help[4096];
	int used = 0;
	sscanf(line, " %31s %31s %n", table, unit, &used);
	copy(help, sizeof help, line + used, strcspn(line + used, "\n"));
	json one = open_json(list, NULL, '{');
	put_json_text(&one, "table", table);
	put_json_text(&one, "unit", unit);
	put_json_text(&one, "help", help);
	close_json(&one, '}');
}

static void put_key(json *j, const char *key, const char *text)
{
	char help[4096];
	const size_t name = strlen(key);
	const bool whole = strncmp(text, key, name) != 0 || text[name] != ':' || !name;
	const char *first = whole ? text : text + name + 2;
	copy(help, sizeof help, first, strcspn(first, "\n"));
	put_json_text(j, "key", key);
	put_json_text(j, "help", *text ? help : NULL);
	const char *line = put_form(j, next_line(text)), *list = strstr(line, "Keys:\n");
	json keys = open_json(j, "keys", '[');
	if (list)
		for (line = next_line(list); *line == ' '; line = next_line(line)) put_entry(&keys, line);
	close_json(&keys, ']');
	put_json_lines(j, "rules", list ? line : "");
}

void put_key_facts(json *j, const char *key, const char *text)
{
	const char *list = strstr(text, "Columns of this name");
	char *own = strndup(text, list ? (size_t)(list - text) : strlen(text));
	if (own) put_key(j, key, own);
	free(own);
	json columns = open_json(j, "columns", '[');
	for (const char *line = list ? next_line(list) : ""; *line == ' '; line = next_line(line))
		put_column(&columns, line);
	close_json(&columns, ']');
}

/* "name value  name value", or "group  name value  name value" */
static void put_pairs(json *j, const char *text, size_t length)
{
	char line[2048], *words[128], *end;
	int n = 0;
	copy(line, sizeof line, text, length);
	for (char *word = strtok(line, " "); word && n < 128; word = strtok(NULL, " ")) words[n++] = word;
	if (n < 2) return;
	strtod(words[1], &end);
	const bool hash = !strcmp(words[0], "hash"), group = !hash && end == words[1];
	json within = group ? open_json(j, words[0], '{') : (json){0};
	for (int k = group; k + 1 < n; k += 2) {
		if (group && !strcmp(words[k], "rebuilds")) { /* shares end here */
			close_json(&within, '}');
			put_json_number(j, words[k], strtod(words[k + 1], NULL));
			return;
		}
		if (hash)
			put_json_text(j, words[k], words[k + 1]);
		else
			put_json_number(group ? &within : j, words[k], strtod(words[k + 1], NULL));
	}
	if (group) close_json(&within, '}');
}

void put_bench_facts(json *j, const char *text)
{
	for (const char *line = text; *line; line = next_line(line)) put_pairs(j, line, strcspn(line, "\n"));
}

void put_state_facts(json *j, scree_sim *s)
{
	char hash[20];
	snprintf(hash, sizeof hash, "%016llx", (unsigned long long)scree_sim_hash(s));
	put_json_text(j, "title", scree_sim_title(s));
	put_json_text(j, "hash", hash);
	put_json_number(j, "time", scree_sim_time(s));
	put_json_number(j, "until", scree_sim_until(s));
	put_json_number(j, "step_length", scree_sim_step_length(s));
	put_json_count(j, "steps", scree_sim_steps(s));
	put_json_count(j, "bodies", scree_sim_bodies(s));
	json walls = open_json(j, "walls", '[');
	for (int k = 0; k < scree_sim_walls(s); ++k) {
		scree_wall wall;
		if (!scree_sim_wall(s, k, &wall)) put_json_text(&walls, NULL, wall.name);
	}
	close_json(&walls, ']');
}

void put_energy_facts(json *j, scree_sim *s)
{
	scree_ledger l;
	scree_guards g;
	if (scree_sim_ledger(s, &l) || scree_sim_guards(s, &g)) return;
	json energies = open_json(j, "energies", '{');
	const struct {
		const char *name;
		double value;
	} energy[] = {{"kinetic", l.kinetic},
				  {"potential", l.potential},
				  {"elastic", l.elastic},
				  {"lost_normal", l.lost_normal},
				  {"lost_friction", l.lost_friction},
				  {"lost_rolling", l.lost_rolling},
				  {"lost_method", l.lost_method},
				  {"made", l.made},
				  {"wall_work", l.wall_work},
				  {"brought", l.brought},
				  {"residual", l.residual}},
	  guard[] = {{"overlap", g.overlap},
				 {"overlap_limit", g.overlap_limit},
				 {"speed", g.speed},
				 {"speed_limit", g.speed_limit},
				 {"energy", g.energy},
				 {"energy_limit", g.energy_limit},
				 {"method", g.method},
				 {"method_limit", g.method_limit},
				 {"step_used", g.step_used},
				 {"unsolved", g.unsolved},
				 {"run_overlap", g.run_overlap},
				 {"run_speed", g.run_speed},
				 {"own_step", g.own_step}};
	for (size_t k = 0; k < sizeof energy / sizeof *energy; ++k)
		put_json_number(&energies, energy[k].name, energy[k].value);
	close_json(&energies, '}');
	json guards = open_json(j, "guards", '{');
	for (size_t k = 0; k < sizeof guard / sizeof *guard; ++k) put_json_number(&guards, guard[k].name, guard[k].value);
	put_json_count(&guards, "lost", g.lost);
	put_json_flag(&guards, "stopped", g.stopped);
	put_json_flag(&guards, "unsafe", g.unsafe);
	close_json(&guards, '}');
}
