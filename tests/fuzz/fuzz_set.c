/* Arbitrary lines, used as arguments of --set for one sealed scene, are accepted or refused without a crash. Seed
 * inputs: tests/fuzz/fuzz_set/. */
#include "again.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { MOST = 16 };

static const char SCENE[] =
	"scene: 1\n"
	"title: Beads\n"
	"let: {R: 40 mm, n: 5}\n"
	"world: {gravity: [0, 0, -9.81 m/s^2], domain: {min: [-1 m, -1 m, -1 m], max: [1 m, 1 m, 1 m]}}\n"
	"materials: {glass: {density: 2500 kg/m^3, young: 10 MPa}, steel: {density: 7800 kg/m^3, young: 20 MPa}}\n"
	"contacts: {default: {restitution: 0.5, friction: 0.3}, glass + steel: {friction: 0.1}}\n"
	"shapes: {bead: {sphere: {diameter: 1}}, brick: {box: [1, 2, 3]}}\n"
	"walls:\n"
	"  drum: {cylinder: {radius: = R, axis: y}, material: steel, motion: {angular_velocity: 10 rpm, about: y}}\n"
	"  floor: {plane: {point: [0, 0, -50 mm], normal: [0, 0, 1]}, material: steel}\n"
	"fill:\n"
	"  - {region: {box: {min: [-20 mm, -20 mm, -20 mm], max: [20 mm, 20 mm, 20 mm]}}, count: = n, material: glass, "
	"shape: bead, size: 4 mm}\n"
	"sources:\n"
	"  - {region: {box: {min: [-9 mm, -9 mm, 21 mm], max: [9 mm, 9 mm, 30 mm]}}, rate: 100 1/s, material: glass, mix: "
	"[{shape: brick, size: 2 mm}]}\n"
	"run: {until: 1 s, guard: {overlap: 10 %}}\n"
	"output: {history: {every: 1 ms}, images: {every: 0.1 s, color: speed}}\n";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	char *text = scree_alloc(length + 1, 1), *set[MOST], *line = text;
	int sets = 0;
	if (length) memcpy(text, bytes, length);
	while (line && sets < MOST) {
		set[sets++] = line;
		line = strchr(line, '\n');
		if (line) *line++ = 0;
	}
	/* a separate copy of each line, so that a sanitizer detects reads past the end */
	for (int k = 0; k < sets; ++k) set[k] = scree_copy_text(set[k]);
	read_again("fuzz", SCENE, strlen(SCENE), sets, (const char *const *)set, true);
	for (int k = 0; k < sets; ++k) scree_free(set[k]);
	scree_free(text);
	return 0;
}
