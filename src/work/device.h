/* device.h: a device that makes the steps of a world in place of the processor (resident/resident.h). */
#ifndef SCREE_WORK_DEVICE_H
#define SCREE_WORK_DEVICE_H

#include <stdbool.h>

struct model;
struct state;
struct work;

/* The first member of the device's own data. */
typedef struct device {
	/* makes one or more steps, until the state is read; returns false, with a report, if the run must stop */
	bool (*step)(const struct model *m, struct state *s, struct work *w);
	void (*forget)(struct device *d); /* the caller may have changed the state since the last step */
	void (*close)(struct device *d);
} device;

#endif
