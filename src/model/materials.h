/* materials.h: materials of bodies and walls, and the rules for pairs of materials. */
#ifndef SCREE_MODEL_MATERIALS_H
#define SCREE_MODEL_MATERIALS_H

#include "base/real.h"
#include "kernel/bond.h"

typedef struct material {
	char name[48];
	real density; /* kg/m3 */
	real young;	  /* Pa    */
	real poisson;
	real conductivity, capacity; /* W/(m K), J/(kg K); 0: no heat */
	real conduction_young;		 /* in Pa, for contact areas; 0 to use the value of young */
} material;

/* Power law: F = stiffness d^1.5 - damping d^exponent v, and the tangential force is at most tangential * speed. */
typedef struct power_rule {
	real stiffness;	 /* N/m^1.5 */
	real damping;	 /* N s/m^(1 + exponent) */
	real exponent;	 /* 0, 1/4, 1/2, 3/4 or 1 */
	real tangential; /* N s/m */
	bool attraction; /* whether damping may make the force attractive */
} power_rule;

/* Elastic-plastic law: the stiffness of the first loading is the rule's `stiffness`. */
typedef struct plastic_rule {
	real unloading; /* largest stiffness of unloading, in N/m */
	real adhesion;	/* stiffness of the branch with attraction, in N/m */
	real depth;		/* largest plastic overlap / (2 reduced radius); 0: constant unloading stiffness */
} plastic_rule;

/* Contact properties of a pair of materials, as given in the scene; laws derive their constants from them. */
typedef struct contact_rule {
	int32_t law;			/* row of scree_laws */
	real restitution;		/* 0 < e <= 1 */
	real friction;			/* Coulomb coefficient */
	real rolling_friction;	/* the torque is at most this * reduced radius * normal force */
	real twisting_friction; /* torsional resistance coefficient: like rolling_friction, but about the normal */
	int32_t cohesion;		/* cohesion_kind */
	real surface;	/* JKR, DMT: surface energy of one surface, J/m2; simple: energy per volume of overlap, J/m3 */
	real stiffness; /* linear: stiffness of the normal spring, in N/m; plastic: stiffness of the first loading */
	real tangential_ratio; /* linear, plastic: ratio of tangential to normal spring, 2/7 unless given */
	real bridge;		   /* capillary: volume of a liquid bridge in m3; `surface` is the tension in N/m */
	real wetting;		   /* capillary: contact angle, in rad */
	real friction_heat;	   /* fraction of the frictional loss that heats the bodies */
	power_rule power;
	plastic_rule plastic;
	bond_rule bond;
} contact_rule;

typedef struct materials {
	int32_t count, capacity;
	material *row;
	contact_rule *rule; /* [count*count], symmetric */
} materials;

/* Adds a material and returns its row. Its rules are copies of the rule for (0, 0), or zero for the first material. */
int32_t scree_materials_add(materials *m, material row);
int32_t scree_materials_find(const materials *m, const char *name);
contact_rule *scree_materials_rule(const materials *m, int32_t a, int32_t b);
void scree_materials_set_rule(materials *m, int32_t a, int32_t b, contact_rule rule);
bool scree_materials_conduct(const materials *m);
void scree_materials_free(materials *m);

#endif
