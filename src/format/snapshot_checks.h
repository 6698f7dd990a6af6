/* snapshot_checks.h: consistency of the sections of a snapshot. A file may have right hashes and wrong content, so
 * every index, count and number is checked before it is used. Each function returns NULL, or a description of the
 * error. */
#ifndef SCREE_FORMAT_SNAPSHOT_CHECKS_H
#define SCREE_FORMAT_SNAPSHOT_CHECKS_H

#include "format/snapshot.h"
#include "model/declared.h"
#include "model/flow_planes.h"
#include "model/materials.h"
#include "shape/shapes.h"
#include "state/contact_key.h"
#include "state/flow_count.h"
#include "state/impulses.h"
#include "state/source_state.h"

const char *scree_check_numbers(const scree_world *w);
const char *scree_check_materials(const materials *m);
const char *scree_check_heat(const scree_world *w);
const char *scree_check_energy(const scree_world *w);
const char *scree_check_counts(const impulses *o);
/* Checks that counts and lengths are right, so that indices may be followed. Makes shapes of parts or of triangles
 * again from their source. */
const char *scree_restore_shape(shape *s, bool flat);
/* numbers of bodies, whose shapes and materials exist: also checked before saving */
const char *scree_check_motion(const scree_world *w);
const char *scree_check_bodies(const scree_world *w);
const char *scree_check_walls(const scree_world *w);
const char *scree_check_source(const source *s, const source_state *now, const scree_world *w);
const char *scree_check_sink(const sink *s, const sink_state *now, const scree_world *w);
const char *scree_check_flow_plane(const flow_plane *f, const flow_count *now, const scree_world *w);
/* Checks the contacts of one kind, in the order of their partners' ids. b: row of surfaces for walls */
const char *scree_check_contacts(const scree_world *w, int kind, int32_t count, const contact_key *key,
								 const pair_list *history);
const char *scree_check_extra(const snapshot_extra *e);

#endif
