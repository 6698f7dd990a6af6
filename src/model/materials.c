#include "model/materials.h"

#include "base/memory.h"

#include <string.h>

int32_t scree_materials_add(materials *m, material row)
{
	int32_t n = m->count + 1;
	contact_rule *rule = scree_alloc((size_t)n * (size_t)n, sizeof *rule);
	for (int32_t i = 0; i < n; ++i) {
		for (int32_t j = 0; j < n; ++j) {
			bool known = i < m->count && j < m->count;
			if (m->count) rule[i * n + j] = m->rule[known ? i * m->count + j : 0];
		}
	}
	scree_free(m->rule);
	m->rule = rule;
	m->row = scree_grow(m->row, (size_t)m->count, (size_t)n, sizeof *m->row);
	m->row[m->count] = row;
	m->capacity = n;
	return m->count++;
}

int32_t scree_materials_find(const materials *m, const char *name)
{
	for (int32_t i = 0; i < m->count; ++i)
		if (!strcmp(m->row[i].name, name)) return i;
	return -1;
}

contact_rule *scree_materials_rule(const materials *m, int32_t a, int32_t b) { return m->rule + a * m->count + b; }

void scree_materials_set_rule(materials *m, int32_t a, int32_t b, contact_rule rule)
{
	*scree_materials_rule(m, a, b) = rule;
	*scree_materials_rule(m, b, a) = rule;
}

bool scree_materials_conduct(const materials *m)
{
	for (int32_t k = 0; k < m->count; ++k)
		if (m->row[k].conductivity > 0) return true;
	return false;
}

void scree_materials_free(materials *m)
{
	SCREE_FREE_ALL(m->row, m->rule);
	memset(m, 0, sizeof *m);
}
