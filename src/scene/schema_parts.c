/* schema_parts: the tables of keys for the world, materials, contacts and shapes (see schema.h). */
#include "choices/choices.h"
#include "model/law.h"
#include "scene/schema.h"

static NAMES(laws, scree_law_name(i));
WORDS(scree_words_solids, "tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron");
static WORDS(meshes_as, [MESH_HULL] = "hull", [MESH_COMPOUND] = "compound", [MESH_SURFACE] = "surface");
static WORDS(clump_masses, "union", "added");

static const key domain_keys[] = {
	VECTOR(box, min, "m", NULL, "lower corner", NEEDED),
	VECTOR(box, max, "m", NULL, "upper corner", NEEDED),
};
static TABLE(domain, box, domain_keys, "domain",
			 "A box that bodies must not leave; `run.guard.lost` sets what happens when a body does leave.");

WORDS(scree_words_axes, "x", "y", "z");

static const key shear_keys[] = {
	REAL(shear, rate, "1/s", NULL, NULL,
		 "change in the flow velocity per unit length along `gradient`; the flow velocity is zero at the centre of the "
		 "domain",
		 NEEDED),
	WORD(shear, flow, scree_words_axes, "x", "axis along which periodic images move"),
	WORD(shear, gradient, scree_words_axes, "y", "axis across which the flow velocity changes"),
};
static TABLE(
	shear, shear, shear_keys, "shear",
	"Homogeneous shear, periodic along both axes; velocities of `fill` and `sources` are relative to the flow.");

static const key strain_keys[] = {
	KEY(REALS, cell_table, time,
		"times of the rows, increasing, counted from the start of the run, or of the stage that gives them",
		.unit = "s", .range = ">= 0"),
	KEY_OF("rate", POINTS, cell_table, value,
		   "strain rates of the rows, as in `strain_rate`; linear between rows, and constant before the first and "
		   "after the last row",
		   .unit = "1/s", .group = 1),
	KEY(FILE, cell_table, file,
		"instead of the lists: a table (CSV) with the columns `time`, `rate_x`, `rate_y`, `rate_z`; a rate without a "
		"column is 0",
		.group = 1),
};
static TABLE(strain_table, cell_table, strain_keys, "strain_table", "Strain rates of the periodic cell over time.",
			 .needs = 1u << 1, CHANGES);

static const key stress_keys[] = {
	KEY(REALS, cell_table, time,
		"times of the rows, increasing, counted from the start of the run, or of the stage that gives them",
		.unit = "s", .range = ">= 0"),
	KEY_OF("stress", POINTS, cell_table, value,
		   "stresses of the rows, as in `stress` of the servo; linear between rows, and constant before the first and "
		   "after the last row",
		   .unit = "Pa", .group = 1),
	KEY(FILE, cell_table, file,
		"instead of the lists: a table (CSV) with the columns `time`, `stress_x`, `stress_y`, `stress_z`; axes without "
		"a servo need no column",
		.group = 1),
};
static TABLE(stress_table, cell_table, stress_keys, "stress_table", "Stresses of the periodic cell over time.",
			 .needs = 1u << 1, CHANGES);

static const key cell_servo_keys[] = {
	VECTOR(
		cell_servo, stress, "Pa", NULL,
		"normal stresses of the cell, positive in compression; only those of `axes` are used, and they must be above 0",
		.group = 1),
	SECTION(cell_servo, table, stress_table, "instead of `stress`: stresses over time", .group = 1),
	KEY(WORDS, cell_servo, axes,
		"axes along which the size is controlled by the stress; default: all axes in `periodic`",
		.words = scree_words_axes),
	REAL(cell_servo, max_rate, "1/s", NULL, "> 0",
		 "largest strain rate; with a table, the rate at its largest stress. An unloaded cell is strained at this rate "
		 "along the axes with the largest target stress, and along the others in proportion to their target stress; "
		 "default: the rate for an inertial number of 0.005"),
	REAL(cell_servo, lag, "s", NULL, "> 0",
		 "time lag of the strain rate behind the stress; default: five contact times, but at least 20 steps"),
	FLAG(cell_servo, active, "true", "false: all axes follow `strain_rate`, which may be zero"),
};
static TABLE(cell_servo, cell_servo, cell_servo_keys, "cell_servo",
			 "Changes the size of the periodic cell until it has the given stresses.", .needs = 1u << 1, CHANGES);

static WORDS(drags, "stokes", "schiller-naumann"); /* as drag_law */

static const key fluid_keys[] = {
	REAL(fluid, density, "kg/m^3", NULL, "> 0", "density of the fluid", NEEDED),
	REAL(fluid, viscosity, "Pa*s", NULL, "> 0", "dynamic viscosity", NEEDED),
	VECTOR(fluid, velocity, "m/s", "[0, 0, 0]", "velocity of the fluid, the same everywhere"),
	WORD(fluid, drag, drags, "schiller-naumann", "drag law, applied to a sphere with the body's volume"),
	FLAG(fluid, buoyancy, "true", "whether bodies are lifted by the weight of the fluid that they displace"),
};
static TABLE(fluid_section, fluid, fluid_keys, "fluid", "A fluid that acts on bodies but is not affected by them.");

static const key world_keys[] = {
	COUNT(world, dimension, "3", "[2, 3]",
		  "2: the x-y plane, in which vectors have two components and angular velocities one"),
	REAL(world, thickness, "m", "1 m", "> 0", "thickness of all bodies along z, which turns areas into volumes",
		 .only = 2),
	VECTOR(world, gravity, "m/s^2", "[0, 0, -9.81 m/s^2]", "acceleration of all bodies", .flat = "[0, -9.81 m/s^2]",
		   CHANGES),
	REAL(world, temperature, "K", NULL, "> 0",
		 "in scenes with heat: temperature of bodies whose fill or source does not set one; default: 293.15 K",
		 .only = 3),
	SECTION(world, domain, domain, "box that bodies must not leave; default: no box"),
	SECTION(world, fluid, fluid_section, "drag and buoyancy; default: none", .only = 3),
	KEY(WORDS, world, periodic,
		"axes along which space repeats with the period of `domain`; a body that leaves on one side enters on the "
		"opposite side",
		.words = scree_words_axes),
	SECTION(world, shear, shear, "Lees-Edwards boundaries: images move past each other"),
	VECTOR(world, strain_rate, "1/s", NULL,
		   "rates at which the logarithms of the periods change; negative if the cell shrinks. Default: the cell keeps "
		   "its size",
		   .group = 1, CHANGES),
	SECTION(world, strain_table, strain_table, "instead of `strain_rate`: strain rates over time", .group = 1, CHANGES),
	SECTION(world, servo, cell_servo,
			"changes the periods so that the cell reaches the given stresses; default: no servo", CHANGES),
};
TABLE(scree_section_world, world, world_keys, "world", "Space and gravity.");

static const key material_keys[] = {
	REAL(material, density, "kg/m^3", NULL, "> 0", "mass per volume of the solid", NEEDED, CHANGES),
	REAL(material, young, "Pa", NULL, "> 0", "Young's modulus; all laws except `linear`, `power` and `plastic` need it",
		 CHANGES),
	REAL(material, poisson, NULL, "0.25", "(-1, 0.5]", "Poisson's ratio", CHANGES),
	REAL(material, conductivity, "W/m/K", NULL, "> 0",
		 "thermal conductivity of the solid; heat flows through contacts between bodies and walls whose materials "
		 "conduct heat"),
	KEY_OF("heat_capacity", REAL, material, capacity, "specific heat of the solid; needed with `conductivity`",
		   .unit = "J/kg/K", .range = "> 0"),
	REAL(material, conduction_young, "Pa", NULL, "> 0",
		 "Young's modulus of the real solid, used for the contact areas through which heat flows; default: `young`"),
};
TABLE(scree_section_material, material, material_keys, "material", "Materials of bodies and walls, by name.",
	  .most = 200);

static const key power_keys[] = {
	REAL(power, overlap, "m", NULL, "> 0", "D, the overlap at which `force` and `damping` are given", NEEDED),
	REAL(power, force, "N", NULL, "> 0", "elastic force at D: force * (d/D)^1.5", NEEDED),
	REAL(power, damping, "kg/s", "0", ">= 0", "force divided by speed at D: damping * (d/D)^exponent * speed"),
	REAL(power, exponent, NULL, "0.5", "[0, 1]", "exponent of the overlap in the damping: 0, 0.25, 0.5, 0.75 or 1"),
	REAL(power, tangential, "kg/s", "0", ">= 0",
		 "tangential force divided by speed, limited to friction * normal force; without history"),
	FLAG(power, attraction, "false",
		 "whether damping may make the force attractive when bodies separate fast, as in the paper"),
};
static TABLE(power, power, power_keys, "power_law",
			 "The law of Govender and co-authors (2014), with constants that hold for bodies of any size and mass.");

static const key plastic_keys[] = {
	REAL(plastic, unloading, "N/m", NULL, "> 0",
		 "stiffness k2 of unloading, not below the stiffness k1 of loading, which is `stiffness`; with `restitution: "
		 "1` an impact has the restitution (k1/k2)^0.5, and a lower value adds a dashpot",
		 NEEDED),
	REAL(plastic, adhesion, "N/m", "0", ">= 0",
		 "stiffness kc of the adhesive branch, on which a contact pulls with kc times its overlap"),
	REAL(plastic, depth, NULL, "0", "[0, 0.5]",
		 "largest plastic overlap divided by twice the reduced radius (Luding's phi): until then the stiffness of "
		 "unloading grows from k1 to k2, and beyond it the contact is elastic; 0: k2 at any overlap"),
};
static TABLE(plastic, plastic, plastic_keys, "plastic_law", "The law of Walton and Braun (1986) and of Luding (2008).");

static const key capillary_keys[] = {
	REAL(capillary, tension, "N/m", NULL, "> 0", "surface tension of the liquid", NEEDED),
	REAL(
		capillary, volume, "m^3", NULL, "> 0",
		"volume of a bridge; the closed form of the force is meant for volumes of up to 1e-3 of the cube of the radius",
		NEEDED),
	REAL(capillary, angle, "rad", "0", "[0, 1.57]", "contact angle of the liquid on the solid"),
};
static TABLE(capillary, capillary, capillary_keys, "capillary",
			 "Liquid bridges, which form when bodies touch, and break at a rupture distance.", CHANGES);

static const key cohesion_keys[] = {
	REAL(cohesion, jkr, "J/m^2", NULL, ">= 0",
		 "Johnson, Kendall and Roberts, for spheres with the law hertz: energy of one surface, half the work of "
		 "adhesion; 0: no cohesion, but a stage may set another value",
		 .group = 1),
	REAL(cohesion, dmt, "J/m^2", NULL, ">= 0",
		 "Derjaguin, Muller and Toporov: energy of one surface, half the work of adhesion; 0: no cohesion", .group = 1),
	REAL(cohesion, simple, "J/m^3", NULL, ">= 0",
		 "energy density: the attraction is this density times the cross-section of the spheres' intersection; 0: no "
		 "cohesion",
		 .group = 1),
	SECTION(cohesion, capillary, capillary,
			"liquid bridges of Willett and co-authors (2000), for spheres with the laws hertz and linear", .group = 1),
};
static TABLE(cohesion, cohesion, cohesion_keys, "cohesion",
			 "Attraction between bodies, and between bodies and walls, in addition to the law's force.",
			 .needs = 1u << 1, CHANGES);

static const key bond_keys[] = {
	REAL(bond, young, "Pa", NULL, "> 0",
		 "Young's modulus of a bond, whose stiffness is the modulus times its cross-section, divided by the distance "
		 "between the centres",
		 NEEDED),
	REAL(bond, ratio, NULL, "2.5", "> 0", "normal stiffness, divided by the shear stiffness"),
	KEY_OF("tensile_strength", REAL, bond, tension,
		   "largest tensile stress in the cross-section, due to force and bending, at which a bond breaks",
		   .unit = "Pa", .range = "> 0", NEEDED),
	KEY_OF("shear_strength", REAL, bond, shear,
		   "largest shear stress in the cross-section, due to force and torsion, at which a bond breaks", .unit = "Pa",
		   .range = "> 0", NEEDED),
	REAL(bond, deviation, NULL, "0", "[0, 0.3]",
		 "relative standard deviation of the two strengths, which are normally distributed and truncated at three "
		 "standard deviations"),
	COUNT(bond, seed, "1", "[0, 1e15]", "seed of the random strengths"),
	KEY_OF("radius_factor", REAL, bond, factor,
		   "radius of the bond's cross-section, divided by the radius of the smaller body", .standard = "1",
		   .range = "(0, 1]"),
	REAL(bond, damping, NULL, "0.1", "[0, 1]", "damping ratio of the bond's springs"),
	REAL(bond, gap, "m", "0", ">= 0", "bodies whose surfaces are at most this far apart are bonded"),
	REAL(bond, from, "s", "0", ">= 0", "time at which bonds form; 0: at the start"),
};
static TABLE(bond, bond, bond_keys, "bond",
			 "Breakable elastic bonds between spheres or discs (Potyondy and Cundall 2004).");

static const key rule_keys[] = {
	WORD(rule, law, laws, "overlap", "contact law; for pairs with cohesion the default is `hertz`",
		 .fixed = "histories of contacts belong to their law: start another scene from the snapshot of this run, "
				  "fill: [{from: NAME.snap}]"),
	REAL(rule, restitution, NULL, "0.5", "(0, 1]", "coefficient of restitution of a head-on impact; sets the damping",
		 CHANGES),
	REAL(rule, friction, NULL, "0.5", ">= 0", "Coulomb's coefficient of friction", CHANGES),
	REAL(rule, rolling_friction, NULL, "0", ">= 0", "largest rolling torque divided by normal force and reduced radius",
		 CHANGES),
	REAL(rule, twisting_friction, NULL, "0", ">= 0",
		 "largest torque about the normal, divided by the normal force and the reduced radius", CHANGES),
	REAL(rule, stiffness, "N/m", NULL, "> 0",
		 "stiffness of the normal spring of the law `linear`, which needs it; for the law `plastic`, the stiffness of "
		 "first loading",
		 CHANGES),
	REAL(rule, tangential_ratio, NULL, NULL, "> 0",
		 "tangential stiffness of the laws `linear` and `plastic`, divided by the normal stiffness (for `plastic`, the "
		 "stiffness of unloading); default: 2/7",
		 CHANGES),
	SECTION(rule, power, power, "constants of the law `power`, which needs them"),
	SECTION(rule, plastic, plastic, "constants of the law `plastic`, which needs them"),
	SECTION(rule, cohesion, cohesion, "attraction; default: none", CHANGES),
	REAL(rule, friction_heat, NULL, "0", "[0, 1]",
		 "fraction of the losses due to friction, rolling and twisting that heats the bodies"),
	SECTION(rule, bond, bond, "bonds between bodies; default: none"),
};
TABLE(
	scree_section_rule, rule, rule_keys, "contact",
	"Contact between two materials: `default` for all pairs, or `a + b` for one pair, which otherwise uses `default`.",
	.inherits = true, .most = 2000);

static const key sphere_keys[] = {
	REAL(round, diameter, NULL, "1", "> 0",
		 "diameter of the unit shape; a body's diameter is this value times its size"),
};
static TABLE(sphere, round, sphere_keys, "sphere_shape", "A sphere.", .shorthand = "diameter");

static TABLE(disc, round, sphere_keys, "disc_shape", "A disc.", .shorthand = "diameter");

static const key ellipse_keys[] = {
	REAL(round, length, NULL, "1", "> 0", "length of the axis along x"),
	REAL(round, width, NULL, NULL, "> 0", "length of the axis along y", NEEDED),
};
static TABLE(ellipse, round, ellipse_keys, "ellipse_shape", "An ellipse.");

static const key random_polygon_keys[] = {
	COUNT(random_polygon, corners, NULL, "[3, 1000]", "number of corners", NEEDED),
	REAL(random_polygon, roundness, NULL, "0.5", "[0, 1]",
		 "1 for a regular polygon; 0 for corners at any distinct points on the circle of diameter 1"),
	COUNT(random_polygon, seed, "1", "[0, 1e15]", "seed of the random numbers"),
};
static TABLE(random_polygon, random_polygon, random_polygon_keys, "random_polygon",
			 "A polygon with its corners on a circle of diameter 1.");

static const key polygon_keys[] = {
	COUNT(flat_polygon, sides, NULL, "[3, 8192]",
		  "number of sides of a regular polygon whose circumscribed circle has diameter 1", .group = 1),
	KEY(POINTS, flat_polygon, points, "corners of a convex polygon, counter-clockwise", .group = 1),
	SECTION(flat_polygon, random, random_polygon, "an irregular polygon", .group = 1),
};
static TABLE(polygon, flat_polygon, polygon_keys, "polygon_shape", "A convex polygon.", .shorthand = "points",
			 .needs = 1u << 1);

static const key mesh_keys[] = {
	KEY(FILE, mesh, file, "STL, OBJ, PLY or OFF, relative to the scene's folder", NEEDED),
	WORD(mesh, as, meshes_as, "hull",
		 "hull: convex hull of the mesh's points; compound: the mesh itself, convex or not, as a union of convex "
		 "parts; surface: its surface with a halo, for contacts wherever surfaces are close"),
	REAL(mesh, halo, NULL, "0.002", "(0, 1]",
		 "with `as: surface`: reach of the halo, in units of the unit shape; bodies touch when their distance is less "
		 "than the sum of both halos. Thinner halos conserve energy better, but need shorter steps"),
	REAL(mesh, scale, NULL, "1", "> 0", "factor applied to the file's coordinates"),
};
static TABLE(mesh, mesh, mesh_keys, "mesh_shape", "A shape from a file.");

static const key clump_keys[] = {
	KEY(POINTS, clump, centers, "centres of the spheres", .group = 1),
	KEY(FILE, clump, file,
		"a closed mesh (STL, OBJ, PLY or OFF) to be filled with spheres, or a table of spheres (CSV) with the columns "
		"x, y, z and r",
		.group = 1),
	KEY(REALS, clump, radii, "with `centers`: radii of the spheres, one for each sphere or one for all",
		.range = "> 0"),
	COUNT(clump, count, "20", "[1, 1000]", "with the `file` of a mesh: largest number of spheres"),
	REAL(clump, excess, NULL, "0", "[0, 0.5]",
		 "with the `file` of a mesh: distance by which spheres may protrude, as a fraction of the mesh's size"),
	REAL(clump, scale, NULL, "1", "> 0",
		 "with a table: factor applied to its numbers; `size` is the length of one such unit"),
	WORD(clump, mass, clump_masses, "union",
		 "volume shared by several spheres counts once (`union`), or once per sphere (`added`)"),
};
static TABLE(clump, clump, clump_keys, "clump_shape", "A rigid body of spheres that may overlap.", .needs = 1u << 1);

static WORDS(granulate_orders, "scale-then-hull", "hull-then-scale");

static const key granulate_keys[] = {
	COUNT(granulate, points, "50", "[4, 1000]", "number of points, in random directions"),
	KEY(PAIR, granulate, scale,
		"distances of the points from the centre, uniformly distributed between these two values",
		.standard = "[0.75, 1]", .range = "(0, 1]"),
	WORD(granulate, order, granulate_orders, "scale-then-hull",
		 "scale-then-hull: convex hull of the points; hull-then-scale: hull of their directions, scaled afterwards, so "
		 "that all points are corners and some edges may be concave"),
	WORD(granulate, as, meshes_as, "hull", "as for `mesh`"),
	REAL(granulate, halo, NULL, "0.002", "(0, 1]", "as for `mesh`"),
	COUNT(granulate, seed, "1", "[0, 1e9]", "seed of the random numbers; each seed gives different grains"),
	COUNT(granulate, number, "0", "[0, 1e9]", "number of the grain among the grains of this seed"),
	COUNT(granulate, count, "1", "[1, 10000]",
		  "number of different grains, beginning with `number`: the bodies of a fill use NAME.0, NAME.1, ... "
		  "cyclically, and a source draws from them at random. A source has at most 16 shapes"),
};
static TABLE(granulate, granulate, granulate_keys, "granulate_shape",
			 "A random grain: the hull of points in random directions.", .shorthand = "seed");

static const key superquadric_keys[] = {
	VECTOR(superquadric, axes, NULL, NULL, "lengths of the three axes", .range = "> 0", NEEDED),
	KEY_OF("n", BOTH, superquadric, power,
		   "exponents: q of the cross-sections perpendicular to z, and p along z; `[2, 8]` is nearly a cylinder; one "
		   "number sets both: 2 gives an ellipsoid, and larger numbers make it boxier",
		   .range = "[2, 8]", NEEDED),
};
static TABLE(
	superquadric, superquadric, superquadric_keys, "superquadric",
	"The body (|2x/a|^q + |2y/b|^q)^(p/q) + |2z/c|^p <= 1 with the axes a, b, c and the exponents n = [q, p].");

static const key cylinder_keys[] = {
	REAL(round, length, NULL, NULL, "> 0", "length, along z", NEEDED),
	REAL(round, diameter, NULL, "1", "> 0", "diameter"),
	KEY_OF("n", REAL, round, power,
		   "exponent: smaller exponents give rounder edges; 8 gives 4 % less volume than a cylinder, and 2 gives an "
		   "ellipsoid",
		   .standard = "8", .range = "[2, 8]"),
	COUNT(round, facets, NULL, "[8, 248]",
		  "flat ends and sharp edges instead: a prism with this many flats around it, and the volume of the cylinder; "
		  "with 48 flats, the deviation from a circle is at most 0.14 % of the radius. It cannot be combined with n"),
};
static TABLE(cylinder, round, cylinder_keys, "cylinder_shape",
			 "A cylinder with rounded edges, which is the superquadric with the exponents [2, n]; with `facets` it has "
			 "sharp edges.");

static const key capsule_keys[] = {
	REAL(round, length, NULL, NULL, "> 0", "length from tip to tip, at least the diameter", NEEDED),
	REAL(round, diameter, NULL, "1", "> 0", "diameter"),
};
static TABLE(capsule, round, capsule_keys, "capsule",
			 "A cylinder with hemispheres at both ends: all points within half the diameter of a segment along z.");

static const key shape_keys[] = {
	SECTION(shape, sphere, sphere, "a sphere", .group = 1, .only = 3, .instead = "disc"),
	VECTOR(shape, box, NULL, NULL, "a box with these edge lengths; in dimension 2 a rectangle", .range = "> 0",
		   .group = 1),
	WORD(shape, regular, scree_words_solids, NULL,
		 "a regular solid: the cube has edges of length 1, and the others a circumscribed sphere of diameter 1",
		 .group = 1, .only = 3, .instead = "polygon: {sides: 6}"),
	VECTOR(shape, ellipsoid, NULL, NULL, "an ellipsoid with axes of these lengths", .range = "> 0", .group = 1,
		   .only = 3, .instead = "ellipse"),
	SECTION(shape, superquadric, superquadric, "a superquadric, a shape between an ellipsoid and a box", .group = 1,
			.only = 3, .instead = "ellipse"),
	SECTION(shape, capsule, capsule, "a capsule: a cylinder with hemispheres at both ends", .group = 1, .only = 3,
			.instead = "ellipse"),
	SECTION(shape, cylinder, cylinder, "a cylinder with rounded edges, or with flat ends and sharp edges", .group = 1,
			.only = 3, .instead = "box"),
	KEY(POINTS, shape, hull, "the convex hull of these points, at least four", .group = 1, .only = 3,
		.instead = "polygon: {points: [..]}"),
	SECTION(shape, mesh, mesh, "a shape from a mesh file", .group = 1, .only = 3, .instead = "polygon: {points: [..]}"),
	SECTION(shape, clump, clump, "a rigid body of spheres", .group = 1, .only = 3, .instead = "disc"),
	SECTION(shape, granulate, granulate, "a random grain", .group = 1, .only = 3, .instead = "polygon: {random: ..}"),
	SECTION(shape, disc, disc, "a disc", .group = 1, .only = 2, .instead = "sphere"),
	SECTION(shape, ellipse, ellipse, "an ellipse", .group = 1, .only = 2),
	SECTION(shape, polygon, polygon, "a convex polygon", .group = 1, .only = 2, .instead = "hull"),
};
TABLE(scree_section_shape, shape, shape_keys, "shape",
	  "Unit shapes, by name; their plain numbers are multiplied by a body's `size` (a length).", .needs = 1u << 1,
	  .most = 1000);
