/* forged_scenes.h: small scenes whose ranks send all kinds of messages (forged.h). */
#ifndef SCREE_TESTS_FORGED_SCENES_H
#define SCREE_TESTS_FORGED_SCENES_H

#define FORGED_HEAD FORGED_BEGIN(", friction: 0.4")
#define FORGED_BEGIN(friction)                                                                                         \
	"scene: 1\n"                                                                                                       \
	"materials: {glass: {density: 2500 kg/m^3, young: 1 MPa}, stone: {density: 2600 kg/m^3, young: 1 MPa}}\n"          \
	"contacts: {default: {restitution: 0.4" friction "}}\n"                                                            \
	"shapes: {ball: {sphere: {diameter: 1}}, die: {box: [1, 1, 0.9]},\n"                                               \
	"  twin: {clump: {centers: [[-0.25, 0, 0], [0.25, 0, 0]], radii: [0.25]}}}\n"
#define FORGED_WALLS                                                                                                   \
	"walls: {box: {box: {min: [-12 mm, -6 mm, 0.1 mm], max: [12 mm, 6 mm, 30 mm], open: [z_max]}, material: stone}}\n"
#define FORGED_FILL(mix)                                                                                               \
	"fill: [{region: {box: {min: [-11 mm, -5.6 mm, 0], max: [11 mm, 5.6 mm, 11 mm]}}, lattice: {spacing: 4.9 mm},\n"   \
	"  material: glass, velocity: [0.2 m/s, 0.1 m/s, -2 m/s], mix: [" mix "]}]\n"
#define FORGED_RUN(more) "run: {until: 1 s, guard: {overlap: 90 %, speed: 100 m/s}" more "}\n"
#define FORGED_MIX                                                                                                     \
	"{shape: ball, share: 2, size: 5 mm}, {shape: die, share: 2, size: 5 mm}, {shape: twin, share: 1, size: 5 mm}"
#define FORGED_BALLS "{shape: ball, share: 1, size: 5 mm}"

/* shapes in a box */
#define FORGED_SHAPES FORGED_HEAD FORGED_WALLS FORGED_FILL(FORGED_MIX) FORGED_RUN("")
#define FORGED_IMPLICIT                                                                                                \
	FORGED_HEAD FORGED_WALLS FORGED_FILL(FORGED_BALLS) FORGED_RUN(", response: implicit, step: 20 us")
#define FORGED_HARD		  FORGED_HEAD FORGED_WALLS FORGED_FILL(FORGED_MIX) FORGED_RUN(", response: hard, step: 20 us")
#define FORGED_HARD_BALLS FORGED_HEAD FORGED_WALLS FORGED_FILL(FORGED_BALLS) FORGED_RUN(", response: hard, step: 20 us")
#define FORGED_ELASTIC                                                                                                 \
	FORGED_BEGIN("") FORGED_WALLS FORGED_FILL(FORGED_BALLS) FORGED_RUN(", response: elastic, step: 20 us")
#define FORGED_PE                                                                                                      \
	FORGED_HEAD FORGED_WALLS FORGED_FILL(                                                                              \
		FORGED_BALLS) "run: {until: 1 s, response: ffd/pe, step: 50 us, guard: {overlap: 0}}\n"
/* one ball is far larger than the others */
#define FORGED_GIANT                                                                                                   \
	FORGED_HEAD                                                                                                        \
	"fill: [{region: {box: {min: [-11 mm, -5.6 mm, 0], max: [11 mm, 5.6 mm, 11 mm]}}, lattice: {spacing: 2.4 mm},\n"   \
	"  material: glass, shape: ball, size: 2.5 mm},\n"                                                                 \
	"  {region: {box: {min: [-20 mm, -20 mm, -40 mm], max: [20 mm, 20 mm, 0]}}, lattice: {spacing: 40 mm},\n"          \
	"  material: stone, shape: ball, size: 39.9 mm}]\n" FORGED_RUN("")
/* bodies are added and removed, and a wall presses on them */
#define FORGED_SOURCES                                                                                                 \
	FORGED_HEAD                                                                                                        \
	"walls: {floor: {plane: {point: [0, 0, 0.1 mm], normal: [0, 0, 1]}, material: stone},\n"                           \
	"  lid: {polygon: {points: [[-12 mm, -6 mm, 13 mm], [12 mm, -6 mm, 13 mm], [12 mm, 6 mm, 13 mm], [-12 mm, 6 mm, "  \
	"13 mm]]}, two_sided: true, material: stone, motion: {servo: {force: 1 N, max_speed: 0.4 m/s}}}}\n" FORGED_FILL(   \
		FORGED_BALLS) "sources: [{name: rain, region: {box: {min: [-11 mm, -5 mm, 18 mm], max: [11 mm, 5 mm, 30 "      \
					  "mm]}}, rate: 1e6 "                                                                              \
					  "1/s, count: 40, material: stone, seed: 1, mix: [{shape: ball, share: 1, size: 3 mm}]}]\n"       \
					  "sinks: [{name: out, below: {z: 4 mm}}]\n" FORGED_RUN("")
#define FORGED_PERIODIC                                                                                                \
	FORGED_HEAD                                                                                                        \
	"world: {gravity: [0, 0, 0], periodic: [x, y], domain: {min: [-12 mm, -6 mm, -6 mm], max: [12 mm, 6 mm, 30 "       \
	"mm]}}\n" FORGED_FILL(FORGED_BALLS) FORGED_RUN("")

#endif
