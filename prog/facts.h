/* facts.h: members of the objects of --json. */
#ifndef SCREE_PROG_FACTS_H
#define SCREE_PROG_FACTS_H

#include "json.h"

/* take facts from the texts of scree_list, scree_explain and scree_sim_bench */
void put_list_facts(json *j, const char *text);
void put_key_facts(json *j, const char *key, const char *text);
void put_bench_facts(json *j, const char *text);
/* title, hash, time, bodies, walls */
void put_state_facts(json *j, scree_sim *s);
/* energies and guards */
void put_energy_facts(json *j, scree_sim *s);

#endif
