/* schema_parts: the tables of keys for the world, materials, contacts and shapes (see schema.h). */
#include "choices/choices.h"
#include "model/law.h"
#include "scene/schema.h"

#include <stddef.h>

static const char *laws(const void *unused, int i)
{
	(void)unused;
	return scree_law_name(i);
}

const char *scree_words_solids(const void *unused, int i)
{
	static const char *const word[] = {"tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron"};
	(void)unused;
	return i < 5 ? word[i] : NULL;
}

static const char *meshes_as(const void *unused, int i)
{
	static const char *const word[] = {[MESH_HULL] = "hull", [MESH_COMPOUND] = "compound", [MESH_SURFACE] = "surface"};
	(void)unused;
	return i < MESH_WAYS ? word[i] : NULL;
}

static const char *clump_masses(const void *unused, int i)
{
	static const char *const word[] = {"union", "added"};
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

static const key domain_keys[] = {
	{"min", KEY_VECTOR, "m", .at = offsetof(domain_spec, min), .required = true, .help = "lower corner"},
	{"max", KEY_VECTOR, "m", .at = offsetof(domain_spec, max), .required = true, .help = "upper corner"},
};
static const section domain = {"domain",
							   "A box that bodies must not leave; `run.guard.lost` says what happens if one does.",
							   sizeof(domain_spec), ROWS(domain_keys)};

const char *scree_words_axes(const void *unused, int i)
{
	static const char *const word[] = {"x", "y", "z"};
	(void)unused;
	return i < 3 ? word[i] : NULL;
}

static const key shear_keys[] = {
	{"rate", KEY_REAL, "1/s", .at = offsetof(shear_spec, rate), .required = true,
	 .help = "change of the flow velocity per distance along `gradient`; the flow is zero at the centre of the domain"},
	{"flow", KEY_WORD, .standard = "x", .words = scree_words_axes, .at = offsetof(shear_spec, flow),
	 .help = "axis along which images move"},
	{"gradient", KEY_WORD, .standard = "y", .words = scree_words_axes, .at = offsetof(shear_spec, gradient),
	 .help = "axis across which the flow velocity changes"},
};
static const section shear = {
	"shear",
	"Homogeneous shear, periodic along both axes; velocities of `fill` and `sources` are relative to the flow.",
	sizeof(shear_spec), ROWS(shear_keys)};

static const key strain_keys[] = {
	{"time", KEY_REALS, "s", NULL, ">= 0", offsetof(cell_table_spec, time),
	 .help = "times of the rows, rising, counted from the start, or from that of the stage which gives them",
	 .changes = true},
	{"rate", KEY_POINTS, "1/s", .at = offsetof(cell_table_spec, value), .group = 1,
	 .help = "strain rates of the rows, as in `strain_rate`; linear between rows, before them that of the first row, "
			 "then that "
			 "of the last",
	 .changes = true},
	{"file", KEY_FILE, .at = offsetof(cell_table_spec, file), .group = 1,
	 .help = "instead of the lists: a table (CSV) with the columns `time`, `rate_x`, `rate_y`, `rate_z`; a rate "
			 "without a column is 0",
	 .changes = true},
};
static const section strain_table = {"strain_table", "Strain rates of the periodic cell over time.",
									 sizeof(cell_table_spec), ROWS(strain_keys), .needs = 1u << 1};

static const key stress_keys[] = {
	{"time", KEY_REALS, "s", NULL, ">= 0", offsetof(cell_table_spec, time),
	 .help = "times of the rows, rising, counted from the start, or from that of the stage which gives them",
	 .changes = true},
	{"stress", KEY_POINTS, "Pa", .at = offsetof(cell_table_spec, value), .group = 1,
	 .help = "stresses of the rows, as `stress` of the servo; linear between rows, before them that of the first row, "
			 "then that of the last",
	 .changes = true},
	{"file", KEY_FILE, .at = offsetof(cell_table_spec, file), .group = 1,
	 .help = "instead of the lists: a table (CSV) with the columns `time`, `stress_x`, `stress_y`, `stress_z`; axes "
			 "without a servo need no column",
	 .changes = true},
};
static const section stress_table = {"stress_table", "Stresses of the periodic cell over time.",
									 sizeof(cell_table_spec), ROWS(stress_keys), .needs = 1u << 1};

static const key cell_servo_keys[] = {
	{"stress", KEY_VECTOR, "Pa", .at = offsetof(cell_servo_spec, stress), .group = 1,
	 .help = "normal stresses of the cell, compression positive; only those of `axes` count, and they must be above 0",
	 .changes = true},
	{"table", KEY_SECTION, .of = &stress_table, .at = offsetof(cell_servo_spec, table), .group = 1,
	 .help = "instead of `stress`: stresses over time", .changes = true},
	{"axes", KEY_WORDS, .words = scree_words_axes, .at = offsetof(cell_servo_spec, axes),
	 .help = "axes whose size follows from their stress; default: all of `periodic`", .changes = true},
	{"max_rate", KEY_REAL, "1/s", NULL, "> 0", offsetof(cell_servo_spec, max_rate),
	 .help = "largest strain rate, with a table that at its largest stress; in a cell without stress that of the axes "
			 "with the largest stress, and of other axes in proportion; default: an inertial number of 0.005",
	 .changes = true},
	{"lag", KEY_REAL, "s", NULL, "> 0", offsetof(cell_servo_spec, lag),
	 .help = "time in which the strain rate follows the stress; default: five contact times, at least 20 steps",
	 .changes = true},
	{"active", KEY_FLAG, .standard = "true", .at = offsetof(cell_servo_spec, active),
	 .help = "false: all axes follow `strain_rate`, which may be zero", .changes = true},
};
static const section cell_servo = {"cell_servo", "Changes the size of the periodic cell until it has given stresses.",
								   sizeof(cell_servo_spec), ROWS(cell_servo_keys), .needs = 1u << 1};

static const char *drags(const void *unused, int i)
{
	static const char *const word[] = {"stokes", "schiller-naumann"}; /* as drag_law */
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

static const key fluid_keys[] = {
	{"density", KEY_REAL, "kg/m^3", NULL, "> 0", offsetof(fluid_spec, density), .required = true,
	 .help = "density of the fluid"},
	{"viscosity", KEY_REAL, "Pa*s", NULL, "> 0", offsetof(fluid_spec, viscosity), .required = true,
	 .help = "dynamic viscosity"},
	{"velocity", KEY_VECTOR, "m/s", "[0, 0, 0]", .at = offsetof(fluid_spec, velocity),
	 .help = "velocity of the fluid, the same everywhere"},
	{"drag", KEY_WORD, .standard = "schiller-naumann", .words = drags, .at = offsetof(fluid_spec, drag),
	 .help = "drag law, for the sphere of the body's volume"},
	{"buoyancy", KEY_FLAG, .standard = "true", .at = offsetof(fluid_spec, buoyancy),
	 .help = "whether bodies are lifted by the weight of the displaced fluid"},
};
static const section fluid_section = {"fluid", "A fluid that acts on bodies and is not affected by them.",
									  sizeof(fluid_spec), ROWS(fluid_keys)};

static const key world_keys[] = {
	{"dimension", KEY_COUNT, .standard = "3", .range = "[2, 3]", .at = offsetof(world_spec, dimension),
	 .help = "2: the plane of x and y, where vectors have two components and angular velocities one"},
	{"thickness", KEY_REAL, "m", "1 m", "> 0", offsetof(world_spec, thickness), .only = 2,
	 .help = "thickness of all bodies along z, which turns areas into volumes"},
	{"gravity", KEY_VECTOR, "m/s^2", "[0, 0, -9.81 m/s^2]", .at = offsetof(world_spec, gravity),
	 .help = "acceleration of all bodies", .flat = "[0, -9.81 m/s^2]", .changes = true},
	{"temperature", KEY_REAL, "K", NULL, "> 0", offsetof(world_spec, temperature), .only = 3,
	 .help = "in scenes with heat: temperature of bodies whose fill or source gives none; default: 293.15 K"},
	{"domain", KEY_SECTION, .of = &domain, .at = offsetof(world_spec, domain),
	 .help = "box that bodies must not leave; default: no box"},
	{"fluid", KEY_SECTION, .of = &fluid_section, .at = offsetof(world_spec, fluid), .only = 3,
	 .help = "drag and buoyancy; default: none"},
	{"periodic", KEY_WORDS, .words = scree_words_axes, .at = offsetof(world_spec, periodic),
	 .help = "axes along which space repeats with the period of `domain`; a body that leaves on one side comes in on "
			 "the other"},
	{"shear", KEY_SECTION, .of = &shear, .at = offsetof(world_spec, shear),
	 .help = "Lees-Edwards boundaries: images move past each other"},
	{"strain_rate", KEY_VECTOR, "1/s", .at = offsetof(world_spec, strain_rate), .group = 1,
	 .help = "rates at which the logarithms of the periods change; negative: the cell shrinks. Default: it keeps its "
			 "size",
	 .changes = true},
	{"strain_table", KEY_SECTION, .of = &strain_table, .at = offsetof(world_spec, strain_table), .group = 1,
	 .help = "instead of `strain_rate`: strain rates over time", .changes = true},
	{"servo", KEY_SECTION, .of = &cell_servo, .at = offsetof(world_spec, servo),
	 .help = "changes the periods so that the cell has given stresses; default: no such axes", .changes = true},
};
const section scree_section_world = {"world", "Space and gravity.", sizeof(world_spec), ROWS(world_keys)};

static const key material_keys[] = {
	{"density", KEY_REAL, "kg/m^3", NULL, "> 0", offsetof(material_spec, density), .required = true,
	 .help = "mass per volume of the solid", .changes = true},
	{"young", KEY_REAL, "Pa", NULL, "> 0", offsetof(material_spec, young),
	 .help = "Young's modulus; all laws except `linear`, `power` and `plastic` need it", .changes = true},
	{"poisson", KEY_REAL, NULL, "0.25", "(-1, 0.5]", offsetof(material_spec, poisson), .help = "Poisson's ratio",
	 .changes = true},
	{"conductivity", KEY_REAL, "W/m/K", NULL, "> 0", offsetof(material_spec, conductivity),
	 .help = "thermal conductivity of the solid; heat flows through contacts of bodies and walls that have it"},
	{"heat_capacity", KEY_REAL, "J/kg/K", NULL, "> 0", offsetof(material_spec, capacity),
	 .help = "specific heat of the solid; needed with `conductivity`"},
	{"conduction_young", KEY_REAL, "Pa", NULL, "> 0", offsetof(material_spec, conduction_young),
	 .help = "Young's modulus of the real solid, for areas of contact through which heat flows; default: `young`"},
};
const section scree_section_material = {"material", "Materials of bodies and walls, by name.", sizeof(material_spec),
										ROWS(material_keys), .most = 200};

static const key power_keys[] = {
	{"overlap", KEY_REAL, "m", NULL, "> 0", offsetof(power_spec, overlap), .required = true,
	 .help = "D, the overlap at which force and damping are given"},
	{"force", KEY_REAL, "N", NULL, "> 0", offsetof(power_spec, force), .required = true,
	 .help = "elastic force at D: force * (d/D)^1.5"},
	{"damping", KEY_REAL, "kg/s", "0", ">= 0", offsetof(power_spec, damping),
	 .help = "force over speed at D: damping * (d/D)^exponent * speed"},
	{"exponent", KEY_REAL, NULL, "0.5", "[0, 1]", offsetof(power_spec, exponent),
	 .help = "exponent of the overlap in the damping: 0, 0.25, 0.5, 0.75 or 1"},
	{"tangential", KEY_REAL, "kg/s", "0", ">= 0", offsetof(power_spec, tangential),
	 .help = "tangential force over speed, up to friction * normal force; without history"},
	{"attraction", KEY_FLAG, .standard = "false", .at = offsetof(power_spec, attraction),
	 .help = "whether damping may pull when bodies separate fast, as in the paper"},
};
static const section power = {
	"power_law", "The law of Govender et al. (2014), whose constants hold for bodies of any size and mass.",
	sizeof(power_spec), ROWS(power_keys)};

static const key plastic_keys[] = {
	{"unloading", KEY_REAL, "N/m", NULL, "> 0", offsetof(plastic_spec, unloading), .required = true,
	 .help = "stiffness k2 of unloading, at least `stiffness`, that of loading, k1; an impact has the restitution "
			 "(k1/k2)^0.5 with `restitution: 1`, below which a dashpot damps it further"},
	{"adhesion", KEY_REAL, "N/m", "0", ">= 0", offsetof(plastic_spec, adhesion),
	 .help = "stiffness kc of the adhesive branch, on which a contact pulls with kc times its overlap"},
	{"depth", KEY_REAL, NULL, "0", "[0, 0.5]", offsetof(plastic_spec, depth),
	 .help = "largest plastic overlap over twice the reduced radius (Luding's phi): until then the stiffness of "
			 "unloading grows from k1 to k2, and beyond it the contact is elastic; 0: k2 at any overlap"},
};
static const section plastic = {"plastic_law", "The law of Walton and Braun (1986) and of Luding (2008).",
								sizeof(plastic_spec), ROWS(plastic_keys)};

static const key capillary_keys[] = {
	{"tension", KEY_REAL, "N/m", NULL, "> 0", offsetof(capillary_spec, tension), .required = true,
	 .help = "surface tension of the liquid", .changes = true},
	{"volume", KEY_REAL, "m^3", NULL, "> 0", offsetof(capillary_spec, volume), .required = true,
	 .help = "volume of a bridge; the closed form is meant for up to 1e-3 of the cube of the radius", .changes = true},
	{"angle", KEY_REAL, "rad", "0", "[0, 1.57]", offsetof(capillary_spec, angle),
	 .help = "contact angle of the liquid on the solid", .changes = true},
};
static const section capillary = {"capillary", "Liquid bridges, which form when bodies touch and break at a distance.",
								  sizeof(capillary_spec), ROWS(capillary_keys)};

static const key cohesion_keys[] = {
	{"jkr", KEY_REAL, "J/m^2", NULL, ">= 0", offsetof(cohesion_spec, jkr), .group = 1,
	 .help = "Johnson, Kendall and Roberts, for spheres with the law hertz: energy of one surface, half the work of "
			 "adhesion; 0: no cohesion, which a stage may begin or end",
	 .changes = true},
	{"dmt", KEY_REAL, "J/m^2", NULL, ">= 0", offsetof(cohesion_spec, dmt), .group = 1,
	 .help = "Derjaguin, Muller and Toporov: energy of one surface, half the work of adhesion; 0: no cohesion",
	 .changes = true},
	{"simple", KEY_REAL, "J/m^3", NULL, ">= 0", offsetof(cohesion_spec, simple), .group = 1,
	 .help = "energy density: the attraction is this times the area in which the spheres intersect; 0: no cohesion",
	 .changes = true},
	{"capillary", KEY_SECTION, .of = &capillary, .at = offsetof(cohesion_spec, capillary), .group = 1,
	 .help = "liquid bridges of Willett et al. (2000), for spheres with the laws hertz and linear", .changes = true},
};
static const section cohesion = {
	"cohesion", "Attraction between bodies, and between bodies and walls, in addition to the law's force.",
	sizeof(cohesion_spec), ROWS(cohesion_keys), .needs = 1u << 1};

static const key bond_keys[] = {
	{"young", KEY_REAL, "Pa", NULL, "> 0", offsetof(bond_spec, young), .required = true,
	 .help = "Young's modulus of a bond; its stiffness is this times its section over the distance of the centres"},
	{"ratio", KEY_REAL, NULL, "2.5", "> 0", offsetof(bond_spec, ratio), .help = "normal over shear stiffness"},
	{"tensile_strength", KEY_REAL, "Pa", NULL, "> 0", offsetof(bond_spec, tension), .required = true,
	 .help = "largest tension in the section, of force and bending, at which a bond breaks"},
	{"shear_strength", KEY_REAL, "Pa", NULL, "> 0", offsetof(bond_spec, shear), .required = true,
	 .help = "largest shear stress in the section, of force and torsion, at which a bond breaks"},
	{"deviation", KEY_REAL, NULL, "0", "[0, 0.3]", offsetof(bond_spec, deviation),
	 .help = "relative standard deviation of both strengths, which are normally distributed up to three deviations"},
	{"seed", KEY_COUNT, NULL, "1", "[0, 1e15]", offsetof(bond_spec, seed), .help = "seed of the strengths"},
	{"radius_factor", KEY_REAL, NULL, "1", "(0, 1]", offsetof(bond_spec, factor),
	 .help = "radius of the section over that of the smaller body"},
	{"damping", KEY_REAL, NULL, "0.1", "[0, 1]", offsetof(bond_spec, damping), .help = "damping ratio of its springs"},
	{"gap", KEY_REAL, "m", "0", ">= 0", offsetof(bond_spec, gap),
	 .help = "bodies whose surfaces are no farther apart become bonded"},
	{"from", KEY_REAL, "s", "0", ">= 0", offsetof(bond_spec, from),
	 .help = "time at which bonds form; 0: at the start"},
};
static const section bond = {"bond", "Elastic bonds between spheres or discs, which break (Potyondy and Cundall 2004).",
							 sizeof(bond_spec), ROWS(bond_keys)};

static const key rule_keys[] = {
	{"law", KEY_WORD, NULL, "overlap", .words = laws, .at = offsetof(rule_spec, law),
	 .help = "contact law; for pairs with cohesion the default is `hertz`",
	 .fixed = "histories of contacts belong to their law: start another scene from the snapshot of this run, "
			  "fill: [{from: NAME.snap}]"},
	{"restitution", KEY_REAL, NULL, "0.5", "(0, 1]", offsetof(rule_spec, restitution),
	 .help = "coefficient of restitution of a head-on impact; sets the damping", .changes = true},
	{"friction", KEY_REAL, NULL, "0.5", ">= 0", offsetof(rule_spec, friction),
	 .help = "Coulomb's coefficient of friction", .changes = true},
	{"rolling_friction", KEY_REAL, NULL, "0", ">= 0", offsetof(rule_spec, rolling_friction),
	 .help = "largest rolling torque over normal force and reduced radius", .changes = true},
	{"twisting_friction", KEY_REAL, NULL, "0", ">= 0", offsetof(rule_spec, twisting_friction),
	 .help = "largest torque about the normal over normal force and reduced radius", .changes = true},
	{"stiffness", KEY_REAL, "N/m", NULL, "> 0", offsetof(rule_spec, stiffness),
	 .help =
		 "stiffness of the normal spring of the law `linear`, which needs it; of the law `plastic`, of first loading",
	 .changes = true},
	{"tangential_ratio", KEY_REAL, NULL, NULL, "> 0", offsetof(rule_spec, tangential_ratio),
	 .help = "tangential over normal stiffness of the laws `linear` and `plastic`, there of unloading; default: 2/7",
	 .changes = true},
	{"power", KEY_SECTION, .of = &power, .at = offsetof(rule_spec, power),
	 .help = "constants of the law `power`, which needs them"},
	{"plastic", KEY_SECTION, .of = &plastic, .at = offsetof(rule_spec, plastic),
	 .help = "constants of the law `plastic`, which needs them"},
	{"cohesion", KEY_SECTION, .of = &cohesion, .at = offsetof(rule_spec, cohesion), .help = "attraction; default: none",
	 .changes = true},
	{"friction_heat", KEY_REAL, NULL, "0", "[0, 1]", offsetof(rule_spec, friction_heat),
	 .help = "part of the losses by friction, rolling and twisting that heats the bodies"},
	{"bond", KEY_SECTION, .of = &bond, .at = offsetof(rule_spec, bond), .help = "bonds between bodies; default: none"},
};
const section scree_section_rule = {"contact",
									"Contact of two materials: `default` for all pairs, `a + b` for one pair, which "
									"inherits other keys from `default`.",
									sizeof(rule_spec),
									ROWS(rule_keys),
									.inherits = true,
									.most = 2000};

static const key sphere_keys[] = {
	{"diameter", KEY_REAL, NULL, "1", "> 0", offsetof(sphere_spec, diameter),
	 .help = "diameter of the unit shape; a body's diameter is this times its size"},
};
static const section sphere = {"sphere_shape", "A sphere.", sizeof(sphere_spec), ROWS(sphere_keys),
							   .shorthand = "diameter"};

static const section disc = {"disc_shape", "A disc.", sizeof(sphere_spec), ROWS(sphere_keys), .shorthand = "diameter"};

static const key ellipse_keys[] = {
	{"length", KEY_REAL, NULL, "1", "> 0", offsetof(ellipse_spec, length), .help = "length of the axis along x"},
	{"width", KEY_REAL, NULL, NULL, "> 0", offsetof(ellipse_spec, width), .required = true,
	 .help = "length of the axis along y"},
};
static const section ellipse = {"ellipse_shape", "An ellipse.", sizeof(ellipse_spec), ROWS(ellipse_keys)};

static const key random_polygon_keys[] = {
	{"corners", KEY_COUNT, .range = "[3, 1000]", .at = offsetof(random_polygon_spec, corners), .required = true,
	 .help = "number of corners"},
	{"roundness", KEY_REAL, NULL, "0.5", "[0, 1]", offsetof(random_polygon_spec, roundness),
	 .help = "1: regular; 0: corners at any distinct points of the circle of diameter 1"},
	{"seed", KEY_COUNT, NULL, "1", "[0, 1e15]", offsetof(random_polygon_spec, seed),
	 .help = "seed of the random numbers"},
};
static const section random_polygon = {"random_polygon", "A polygon with its corners on a circle of diameter 1.",
									   sizeof(random_polygon_spec), ROWS(random_polygon_keys)};

static const key polygon_keys[] = {
	{"sides", KEY_COUNT, .range = "[3, 8192]", .at = offsetof(flat_polygon_spec, sides), .group = 1,
	 .help = "number of sides of a regular polygon with diameter 1 across its corners"},
	{"points", KEY_POINTS, .at = offsetof(flat_polygon_spec, points), .group = 1,
	 .help = "corners of a convex polygon, counter-clockwise"},
	{"random", KEY_SECTION, .of = &random_polygon, .at = offsetof(flat_polygon_spec, random), .group = 1,
	 .help = "an irregular polygon"},
};
static const section polygon = {"polygon_shape",	"A convex polygon.",   sizeof(flat_polygon_spec),
								ROWS(polygon_keys), .shorthand = "points", .needs = 1u << 1};

static const key mesh_keys[] = {
	{"file", KEY_FILE, .at = offsetof(mesh_spec, file), .required = true,
	 .help = "STL, OBJ, PLY or OFF, relative to the scene's folder"},
	{"as", KEY_WORD, .standard = "hull", .words = meshes_as, .at = offsetof(mesh_spec, as),
	 .help = "hull: convex hull of the mesh's points; compound: the mesh itself, convex or not, as the union of convex "
			 "parts; surface: its surface with a halo, which touches where surfaces are close"},
	{"halo", KEY_REAL, NULL, "0.002", "(0, 1]", offsetof(mesh_spec, halo),
	 .help = "with `as: surface`: reach of the halo, in units of the unit shape; bodies touch within the sum of both "
			 "halos. Thinner halos conserve energy better and need shorter steps"},
	{"scale", KEY_REAL, NULL, "1", "> 0", offsetof(mesh_spec, scale), .help = "factor for the file's coordinates"},
};
const section scree_section_mesh_shape = {"mesh_shape", "A shape from a file.", sizeof(mesh_spec), ROWS(mesh_keys)};

static const key clump_keys[] = {
	{"centers", KEY_POINTS, .at = offsetof(clump_spec, centers), .group = 1, .help = "centres of the spheres"},
	{"file", KEY_FILE, .at = offsetof(clump_spec, file), .group = 1,
	 .help =
		 "closed mesh (STL, OBJ, PLY or OFF) to fill with spheres, or a table of spheres (CSV) with the columns x, y, "
		 "z and r"},
	{"radii", KEY_REALS, NULL, NULL, "> 0", offsetof(clump_spec, radii),
	 .help = "with `centers`: radii of the spheres, one for each or one for all"},
	{"count", KEY_COUNT, NULL, "20", "[1, 1000]", offsetof(clump_spec, count),
	 .help = "with the `file` of a mesh: largest number of spheres"},
	{"excess", KEY_REAL, NULL, "0", "[0, 0.5]", offsetof(clump_spec, excess),
	 .help = "with the `file` of a mesh: distance by which spheres may stick out, as a fraction of the mesh's size"},
	{"scale", KEY_REAL, NULL, "1", "> 0", offsetof(clump_spec, scale),
	 .help = "with a table: factor for its numbers; `size` is the length of one of these units"},
	{"mass", KEY_WORD, .standard = "union", .words = clump_masses, .at = offsetof(clump_spec, mass),
	 .help = "volume inside several spheres counts once (`union`), or once per sphere (`added`)"},
};
const section scree_section_clump = {"clump_shape", "A rigid body of spheres that may overlap.", sizeof(clump_spec),
									 ROWS(clump_keys), .needs = 1u << 1};

static const char *granulate_orders(const void *unused, int i)
{
	static const char *const word[] = {"scale-then-hull", "hull-then-scale"};
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

static const key granulate_keys[] = {
	{"points", KEY_COUNT, NULL, "50", "[4, 1000]", offsetof(granulate_spec, points),
	 .help = "number of points, in random directions"},
	{"scale", KEY_PAIR, NULL, "[0.75, 1]", "(0, 1]", offsetof(granulate_spec, scale),
	 .help = "distances of the points from the centre, uniformly distributed between these two"},
	{"order", KEY_WORD, .standard = "scale-then-hull", .words = granulate_orders, .at = offsetof(granulate_spec, order),
	 .help = "scale-then-hull: convex hull of the points; hull-then-scale: hull of their directions, scaled "
			 "afterwards, where all points are corners and some may be concave"},
	{"as", KEY_WORD, .standard = "hull", .words = meshes_as, .at = offsetof(granulate_spec, as),
	 .help = "as for `mesh`"},
	{"halo", KEY_REAL, NULL, "0.002", "(0, 1]", offsetof(granulate_spec, halo), .help = "as for `mesh`"},
	{"seed", KEY_COUNT, NULL, "1", "[0, 1e9]", offsetof(granulate_spec, seed),
	 .help = "seed of the random numbers; each seed gives other grains"},
	{"number", KEY_COUNT, NULL, "0", "[0, 1e9]", offsetof(granulate_spec, number),
	 .help = "number of the grain of this seed"},
	{"count", KEY_COUNT, NULL, "1", "[1, 10000]", offsetof(granulate_spec, count),
	 .help = "number of different grains, beginning with `number`: bodies of a fill use them in turn, as NAME.0, "
			 "NAME.1, ..., and then NAME.0 again; those of a source are drawn. A source has at most 16 shapes"},
};
const section scree_section_granulate = {"granulate_shape", "A random grain: the hull of points in random directions.",
										 sizeof(granulate_spec), ROWS(granulate_keys), .shorthand = "seed"};

static const key superquadric_keys[] = {
	{"axes", KEY_VECTOR, NULL, NULL, "> 0", offsetof(superquadric_spec, axes), .required = true,
	 .help = "lengths of the three axes"},
	{"n", KEY_BOTH, NULL, NULL, "[2, 8]", offsetof(superquadric_spec, power), .required = true,
	 .help = "exponents q of the sections across z and p along z, `[2, 8]` is nearly a cylinder; one number sets both: "
			 "2 is an ellipsoid, greater ones make it boxier"},
};
static const section superquadric = {"superquadric",
									 "The body (|2x/a|^q + |2y/b|^q)^(p/q) + |2z/c|^p <= 1 with the axes a, b, c and "
									 "the exponents n = [q, p].",
									 sizeof(superquadric_spec), ROWS(superquadric_keys)};

static const key cylinder_keys[] = {
	{"length", KEY_REAL, NULL, NULL, "> 0", offsetof(cylinder_shape_spec, length), .required = true,
	 .help = "length, along z"},
	{"diameter", KEY_REAL, NULL, "1", "> 0", offsetof(cylinder_shape_spec, diameter), .help = "diameter"},
	{"n", KEY_REAL, NULL, "8", "[2, 8]", offsetof(cylinder_shape_spec, power),
	 .help = "exponent: the smaller it is, the rounder are the edges; 8 has 4 % less volume than a cylinder, 2 is an "
			 "ellipsoid"},
	{"facets", KEY_COUNT, .range = "[8, 248]", .at = offsetof(cylinder_shape_spec, facets),
	 .help = "flat ends and sharp edges instead: a prism with this many flats around it, and the volume of the "
			 "cylinder; 48 is round to 0.14 % of the radius. It excludes n"},
};
const section scree_section_cylinder_shape = {
	"cylinder_shape",
	"A cylinder with rounded edges, the superquadric with the exponents [2, n]; with `facets` with sharp edges.",
	sizeof(cylinder_shape_spec), ROWS(cylinder_keys)};

static const key capsule_keys[] = {
	{"length", KEY_REAL, NULL, NULL, "> 0", offsetof(capsule_spec, length), .required = true,
	 .help = "length from tip to tip, at least the diameter"},
	{"diameter", KEY_REAL, NULL, "1", "> 0", offsetof(capsule_spec, diameter), .help = "diameter"},
};
static const section capsule = {"capsule",
								"A cylinder with hemispheres at both ends: all points near a segment along z.",
								sizeof(capsule_spec), ROWS(capsule_keys)};

static const key shape_keys[] = {
	{"sphere", KEY_SECTION, .of = &sphere, .at = offsetof(shape_spec, sphere), .group = 1, .help = "a sphere",
	 .only = 3, .instead = "disc"},
	{"box", KEY_VECTOR, NULL, NULL, "> 0", offsetof(shape_spec, box), .group = 1,
	 .help = "a box with these edge lengths; in dimension 2 a rectangle"},
	{"regular", KEY_WORD, .words = scree_words_solids, .at = offsetof(shape_spec, regular), .group = 1,
	 .help = "a regular solid: the cube has edge 1, the others diameter 1 across their corners", .only = 3,
	 .instead = "polygon: {sides: 6}"},
	{"ellipsoid", KEY_VECTOR, NULL, NULL, "> 0", offsetof(shape_spec, ellipsoid), .group = 1,
	 .help = "an ellipsoid with axes of these lengths", .only = 3, .instead = "ellipse"},
	{"superquadric", KEY_SECTION, .of = &superquadric, .at = offsetof(shape_spec, superquadric), .group = 1,
	 .help = "a superquadric: between an ellipsoid and a box", .only = 3, .instead = "ellipse"},
	{"capsule", KEY_SECTION, .of = &capsule, .at = offsetof(shape_spec, capsule), .group = 1,
	 .help = "a capsule: a cylinder with hemispheres at both ends", .only = 3, .instead = "ellipse"},
	{"cylinder", KEY_SECTION, .of = &scree_section_cylinder_shape, .at = offsetof(shape_spec, cylinder), .group = 1,
	 .help = "a cylinder with rounded edges, or with flat ends and sharp ones", .only = 3, .instead = "box"},
	{"hull", KEY_POINTS, .at = offsetof(shape_spec, hull), .group = 1,
	 .help = "the convex hull of these points, at least four", .only = 3, .instead = "polygon: {points: [..]}"},
	{"mesh", KEY_SECTION, .of = &scree_section_mesh_shape, .at = offsetof(shape_spec, mesh), .group = 1,
	 .help = "a shape from a mesh file", .only = 3, .instead = "polygon: {points: [..]}"},
	{"clump", KEY_SECTION, .of = &scree_section_clump, .at = offsetof(shape_spec, clump), .group = 1,
	 .help = "a rigid body of spheres", .only = 3, .instead = "disc"},
	{"granulate", KEY_SECTION, .of = &scree_section_granulate, .at = offsetof(shape_spec, granulate), .group = 1,
	 .help = "a random grain", .only = 3, .instead = "polygon: {random: ..}"},
	{"disc", KEY_SECTION, .of = &disc, .at = offsetof(shape_spec, disc), .group = 1, .help = "a disc", .only = 2,
	 .instead = "sphere"},
	{"ellipse", KEY_SECTION, .of = &ellipse, .at = offsetof(shape_spec, ellipse), .group = 1, .help = "an ellipse",
	 .only = 2},
	{"polygon", KEY_SECTION, .of = &polygon, .at = offsetof(shape_spec, polygon), .group = 1,
	 .help = "a convex polygon", .only = 2, .instead = "hull"},
};
const section scree_section_shape = {
	"shape",
	"Unit shapes, by name, in plain numbers; a body's `size` (a length) multiplies them.",
	sizeof(shape_spec),
	ROWS(shape_keys),
	.needs = 1u << 1,
	.most = 1000};
