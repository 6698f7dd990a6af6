#include "state/pairs.h"

#define ROW(member, unit, help, type, saved) {#member, unit, help, offsetof(pair_list, member), type, SHARE_OWNER, saved}

static const field rows[] = {
	/* history first: scree_history_table is the head of this table */
	ROW(sx, "m", "tangential spring", KIND_F64, true),
	ROW(sy, "m", "tangential spring", KIND_F64, true),
	ROW(sz, "m", "tangential spring", KIND_F64, true),
	ROW(rx, "rad", "rolling spring", KIND_F64, true),
	ROW(ry, "rad", "rolling spring", KIND_F64, true),
	ROW(rz, "rad", "rolling spring", KIND_F64, true),
	ROW(stiff, "m", "scale of the tangential stiffness", KIND_F64, true),
	ROW(elastic, "J", "elastic energy of the normal spring", KIND_F64, true),
	ROW(bent, "J", "elastic energy of the tangential spring", KIND_F64, true),
	ROW(rolled, "J", "elastic energy of the rolling spring", KIND_F64, true),
	ROW(lost_normal, "J", "dissipated normally", KIND_F64, true),
	ROW(lost_friction, "J", "dissipated by friction", KIND_F64, true),
	ROW(lost_rolling, "J", "dissipated by rolling resistance", KIND_F64, true),
	ROW(made, "J", "made by changes of contact geometry", KIND_F64, true),
	ROW(power, "W", "work rate of the normal spring on the bodies", KIND_F64, true),
	ROW(heat, "W", "rate of dissipation", KIND_F64, true),
	/* this step's contact */
	ROW(a, "", "row of the first body", KIND_I32, false),
	ROW(b, "", "row of the second body, or surface", KIND_I32, false),
	ROW(touching, "", "1 in contact", KIND_I32, false),
	ROW(nx, "", "normal from b to a", KIND_F64, false),
	ROW(ny, "", "normal from b to a", KIND_F64, false),
	ROW(nz, "", "normal from b to a", KIND_F64, false),
	ROW(px, "m", "contact point from the centre of a", KIND_F64, false),
	ROW(py, "m", "contact point from the centre of a", KIND_F64, false),
	ROW(pz, "m", "contact point from the centre of a", KIND_F64, false),
	ROW(depth, "m", "greatest overlap", KIND_F64, false),
	ROW(points, "", "points of the patch", KIND_I32, false),
	ROW(first, "", "first point of the patch", KIND_U64, false),
	ROW(fx, "N", "force on a", KIND_F64, false),
	ROW(fy, "N", "force on a", KIND_F64, false),
	ROW(fz, "N", "force on a", KIND_F64, false),
	ROW(tx, "N m", "torque on a", KIND_F64, false),
	ROW(ty, "N m", "torque on a", KIND_F64, false),
	ROW(tz, "N m", "torque on a", KIND_F64, false),
	ROW(ux, "N m", "torque on b", KIND_F64, false),
	ROW(uy, "N m", "torque on b", KIND_F64, false),
	ROW(uz, "N m", "torque on b", KIND_F64, false),
	ROW(axis, "", "cache of the narrow phase", KIND_I32, false),
};

enum { ROWS = sizeof rows / sizeof *rows, HISTORY = 16 };
_Static_assert(ROWS == (sizeof(pair_list) - offsetof(pair_list, a)) / sizeof(void *), "each array has its row");

const field_table scree_pair_table = {rows, ROWS};
const field_table scree_history_table = {rows, HISTORY};
