/* declared.h: names of the structures of a world; sources that read their members include their headers. */
#ifndef SCREE_MODEL_DECLARED_H
#define SCREE_MODEL_DECLARED_H

typedef struct model model;
typedef struct bodies bodies;
typedef struct pair_list pair_list;
typedef struct kept_contacts kept_contacts;
typedef struct state state;
typedef struct work work;
typedef struct scree_world scree_world;
typedef struct new_body new_body;
typedef struct new_response new_response;

#endif
