/* embree.h: private to render/: Embree 3 or 4 (SCREE_EMBREE), with wrappers of the two calls that differ. */
#ifndef SCREE_RENDER_EMBREE_H
#define SCREE_RENDER_EMBREE_H

#if SCREE_EMBREE == 4
#include <embree4/rtcore.h>

/* Finds the first hit on the ray. */
static inline void embree_first(RTCScene scene, struct RTCRayHit *rh) { rtcIntersect1(scene, rh, NULL); }
/* Tests for a hit: tfar of the ray becomes negative if anything is hit. */
static inline void embree_any(RTCScene scene, struct RTCRay *ray) { rtcOccluded1(scene, ray, NULL); }
#else
#include <embree3/rtcore.h>

static inline void embree_first(RTCScene scene, struct RTCRayHit *rh)
{
	struct RTCIntersectContext context;
	rtcInitIntersectContext(&context);
	rtcIntersect1(scene, &context, rh);
}
static inline void embree_any(RTCScene scene, struct RTCRay *ray)
{
	struct RTCIntersectContext context;
	rtcInitIntersectContext(&context);
	rtcOccluded1(scene, &context, ray);
}
#endif

#endif
