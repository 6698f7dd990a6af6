/* tables: prints the rows of the tables from which a scene chooses. */
#include "report/notes.h"

#include "broad/broad.h"
#include "choices/choices.h"
#include "format/mesh.h"
#include "machine/machine.h"
#include "model/integrator.h"
#include "model/law.h"
#include "model/narrow.h"
#include "model/sharing.h"
#include "model/response.h"
#include "narrow/triangle/triangles.h"

#include <string.h>

static void list_laws(FILE *to)
{
	for (int k = 0; scree_law_name(k); ++k) fprintf(to, "  %-10s %s\n", scree_law_name(k), scree_laws[k].help);
}

static void list_triangles(FILE *to)
{
	for (int k = 0; scree_triangle_way_name(k); ++k)
		fprintf(to, "  %-16s %s\n", scree_triangle_way_name(k), scree_triangle_ways[k].help);
}

static void list_meshes(FILE *to)
{
	for (int k = 0; k < scree_mesh_format_count; ++k)
		fprintf(to, "  %-10s %s\n", scree_mesh_formats[k].ending, scree_mesh_formats[k].help);
}

static void list_device(FILE *to, const machine_kind *kind, int which)
{
	fail why;
	machine *m = scree_machine_open(kind, which, &why);
	const char *name = scree_machine_kind_name(kind);
	fprintf(to, "  %-10s device %d: ", name, which);
	if (m)
		fprintf(to, "%s, %.1f GB\n", scree_machine_label(m), 1e-9 * (double)scree_machine_memory(m));
	else
		fprintf(to, "%s\n", why.text);
	scree_machine_close(m);
}

/* the devices of this computer; for a kind without one, the reason */
static void list_machines(FILE *to)
{
	for (int k = 0; k < scree_machine_kind_count(); ++k) {
		fail why;
		const machine_kind *kind = scree_machine_kind_at(k);
		const int count = scree_machine_count(kind, &why);
		for (int which = 0; which < count; ++which) list_device(to, kind, which);
		if (!count) fprintf(to, "  %-10s %s\n", scree_machine_kind_name(kind), why.text);
	}
}

static void list_choices(FILE *to, const choices *c, int width)
{
	const char *name;
	for (int k = 0; (name = scree_choice_name(c, k)); ++k)
		fprintf(to, "  %-*s %s\n", width, name, scree_choice_help(c, k));
}

bool scree_tables_print(FILE *to, const char *table, fail *why)
{
	static const struct {
		const char *name;
		void (*print)(FILE *to); /* NULL for a table of choices */
		const choices *rows;
		int width; /* of names */
	} tables[] = {{"laws", list_laws, NULL, 0},
				  {"broad_phases", NULL, &scree_broads, 19},
				  {"narrow_phases", NULL, &scree_narrows, 10},
				  {"integrators", NULL, &scree_integrators, 15},
				  {"responses", NULL, &scree_responses, 14},
				  {"sharings", NULL, &scree_sharings, 16},
				  {"triangles", list_triangles, NULL, 0},
				  {"mesh_formats", list_meshes, NULL, 0},
				  {"machines", list_machines, NULL, 0}};
	bool found = false;
	for (size_t k = 0; k < sizeof tables / sizeof *tables; ++k) {
		if (table && strcmp(table, tables[k].name) != 0) continue;
		fprintf(to, "%s\n", tables[k].name);
		if (tables[k].print)
			tables[k].print(to);
		else
			list_choices(to, tables[k].rows, tables[k].width);
		found = true;
	}
	return found || scree_fail(why, FAIL_INPUT,
							   "there is no table '%s'; tables are laws, broad_phases, narrow_phases, integrators, "
							   "responses, sharings, triangles, mesh_formats, machines",
							   table);
}
