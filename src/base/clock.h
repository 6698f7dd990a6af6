/* clock.h: one timer per stage. */
#ifndef SCREE_BASE_CLOCK_H
#define SCREE_BASE_CLOCK_H

typedef enum clock_stage {
	CLOCK_POPULATION,
	CLOCK_DRIFT,
	CLOCK_BROAD,
	CLOCK_NARROW, /* contacts between bodies */
	CLOCK_WALLS,  /* contacts of bodies with walls */
	CLOCK_LAW,
	CLOCK_SUM,
	CLOCK_KICK,
	CLOCK_SOLVER,
	CLOCK_OUTPUT,
	CLOCK_STAGES
} clock_stage;

typedef struct clock_table {
	double seconds[CLOCK_STAGES];
	double lap; /* time at which the running stage started */
} clock_table;

extern const char *const scree_clock_names[CLOCK_STAGES];
double scree_now(void);			   /* seconds, monotonic */
double scree_processor_time(void); /* processor time of all threads of this process, in s */
void scree_clock_start(clock_table *c);
void scree_clock_lap(clock_table *c, clock_stage stage); /* adds the time since the last start or lap to this stage */

#endif
