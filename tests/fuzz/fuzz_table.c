/* Arbitrary bytes as the body table of a fill, with and without the keys that columns replace, in space and in the
 * plane, are accepted or refused without a crash. The first byte selects the scene. Seed inputs:
 * tests/fuzz/fuzz_table/. */
#include <stdio.h>
#include <unistd.h>

#include "again.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#define HEAD                                                                                                           \
	"scene: 1\n"                                                                                                       \
	"materials: {glass: {density: 2500 kg/m^3, young: 10 MPa}, steel: {density: 7800 kg/m^3, young: 20 MPa}}\n"        \
	"run: {until: 1 s}\n"
#define SPACE "shapes: {bead: {sphere: {diameter: 1}}, brick: {box: [1, 2, 3]}}\n"
#define PLANE                                                                                                          \
	"world: {dimension: 2}\n"                                                                                          \
	"shapes: {bead: {disc: {diameter: 1}}, brick: {box: [1, 2]}}\n"
#define FULL "fill: [{from: bodies.csv, material: glass, shape: brick, size: 4 mm}]\n"
#define BARE "fill: [{from: bodies.csv, material: steel, orientation: random}]\n"

static const char *const scenes[] = {HEAD SPACE FULL, HEAD SPACE BARE, HEAD PLANE FULL, HEAD PLANE BARE};

/* an in-memory folder, removed at the end */
static char folder[64], path[96];

static void remove_folder(void)
{
	unlink(path);
	rmdir(folder);
}

static void make_folder(void)
{
	snprintf(folder, sizeof folder, "/dev/shm/fuzz_table_XXXXXX");
	if (!mkdtemp(folder)) abort();
	snprintf(path, sizeof path, "%s/bodies.csv", folder);
	if (atexit(remove_folder) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	char name[96];
	if (!length) return 0;
	if (!folder[0]) make_folder();
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes + 1, 1, length - 1, file) != length - 1 || fclose(file) != 0) abort();
	const char *text = scenes[bytes[0] % 4];
	snprintf(name, sizeof name, "%s/fuzz", folder);
	read_again(name, text, strlen(text), 0, NULL, false);
	return 0;
}
