/* Arbitrary bytes as a table of numbers that a scene reads (a sieve curve, spheres of a clump, the motion of a wall,
 * the load of a servo, or strain rates and stresses of the cell) are accepted or refused without a crash. The first
 * byte selects the kind of table. Seed inputs: tests/fuzz/fuzz_curve/. */
#include <stdio.h>
#include <unistd.h>

#include "again.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#define HEAD                                                                                                           \
	"scene: 1\nworld: {gravity: [0, 0, 0]}\nmaterials: {m: {density: 1 g/cm^3, young: 1 MPa}}\nrun: {until: 1 s}\n"
#define BEAD "shapes: {s: {sphere: {diameter: 1}}}\n"
#define BOX	 "region: {box: {min: [0, 0, 0], max: [40 mm, 40 mm, 40 mm]}}, material: m, shape: s, "
#define LID	 "walls: {lid: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m, motion: "
#define TWO                                                                                                            \
	"fill: [{region: {box: {min: [0, 0, 0], max: [9 mm, 9 mm, 9 mm]}}, material: m, shape: s, count: 2, size: 1 "      \
	"mm}]\n"
#define CELL                                                                                                           \
	"scene: 1\nmaterials: {m: {density: 1 g/cm^3, young: 1 MPa}}\nrun: {until: 1 ms}\n" BEAD                           \
	"world: {gravity: [0, 0, 0], periodic: [x, y, z], domain: {min: [0, 0, 0], max: [9 mm, 9 mm, 9 mm]}, "

static const char *const scenes[] = {
	HEAD BEAD "fill: [{" BOX "count: 20, size: {sieve: {file: table.csv}}}]\n",
	HEAD "shapes: {s: {clump: {file: table.csv}}}\nfill: [{" BOX "count: 2, size: 2 mm}]\n",
	HEAD BEAD LID "{table: {file: table.csv}}}}\n" TWO,
	HEAD BEAD LID "{servo: {table: {file: table.csv}, max_speed: 1 m/s, mass: 1 kg}}}}\n" TWO,
	CELL "strain_table: {file: table.csv}}\n" TWO,
	CELL "servo: {axes: [x, z], max_rate: 1 1/s, lag: 1 ms, table: {file: table.csv}}}\n" TWO};

/* an in-memory folder, removed at the end */
static char folder[64], path[96];

static void remove_folder(void)
{
	unlink(path);
	rmdir(folder);
}

static void make_folder(void)
{
	snprintf(folder, sizeof folder, "/dev/shm/fuzz_curve_XXXXXX");
	if (!mkdtemp(folder)) abort();
	snprintf(path, sizeof path, "%s/table.csv", folder);
	if (atexit(remove_folder) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	char name[96];
	if (!length) return 0;
	if (!folder[0]) make_folder();
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes + 1, 1, length - 1, file) != length - 1 || fclose(file) != 0) abort();
	const char *text = scenes[bytes[0] % (sizeof scenes / sizeof *scenes)];
	snprintf(name, sizeof name, "%s/fuzz", folder);
	read_again(name, text, strlen(text), 0, NULL, false);
	return 0;
}
