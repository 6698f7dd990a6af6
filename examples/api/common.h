/* common.h: common parts of the three programs: they open a scene given as text, and end when a call fails. */
#ifndef COMMON_H
#define COMMON_H

#include <math.h>
#include <scree/world.h>
#include <stdio.h>
#include <stdlib.h>

/* ends the program with the error message of a failed call */
static inline void must(scree_sim *s, scree_code code)
{
	if (code == SCREE_DONE) return;
	fprintf(stderr, "%s\n", scree_sim_error(s));
	exit(code);
}

static inline scree_sim *open_text(const char *text)
{
	scree_problems *problems;
	scree_sim *s = scree_sim_open(&(scree_open_options){.text = text}, &problems);
	if (s) return s;
	fputs(scree_problems_text(problems), stderr);
	scree_problems_free(problems);
	exit(SCREE_BAD_INPUT);
}

/* A column of bodies. Steps may move rows: get it again after each step. */
static inline double *column(scree_sim *s, const char *name)
{
	scree_array a;
	must(s, scree_sim_array(s, name, &a));
	return a.data;
}

/* prints the comparison; returns 1 if it fails */
static inline int compare(const char *what, double found, double expected, double tolerance)
{
	const int right = fabs(found - expected) <= tolerance;
	printf("%s: %.9g, expected %.9g (to %.2g)%s\n", what, found, expected, tolerance, right ? "" : ": WRONG");
	return !right;
}

#endif
