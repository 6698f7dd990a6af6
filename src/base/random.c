#include "base/random.h"

#include "base/maths.h"

/* Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (SC 2011), Philox4x32 with ten rounds */
void scree_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
	uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
	for (int round = 0; round < 10; ++round) {
		uint64_t a = (uint64_t)0xD2511F53u * c0, b = (uint64_t)0xCD9E8D57u * c2;
		c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
		c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
		c1 = (uint32_t)b;
		c3 = (uint32_t)a;
		k0 += 0x9E3779B9u;
		k1 += 0xBB67AE85u;
	}
	out[0] = c0;
	out[1] = c1;
	out[2] = c2;
	out[3] = c3;
}

random_stream scree_random_start(uint64_t seed, uint64_t stream)
{
	return (random_stream){.seed = seed, .stream = stream};
}

uint32_t scree_random_bits(random_stream *r)
{
	if (r->left == 0) {
		uint32_t counter[4] = {(uint32_t)r->counter, (uint32_t)(r->counter >> 32), (uint32_t)r->stream,
							   (uint32_t)(r->stream >> 32)};
		uint32_t key[2] = {(uint32_t)r->seed, (uint32_t)(r->seed >> 32)};
		scree_philox(counter, key, r->block);
		++r->counter;
		r->left = 4;
	}
	return r->block[--r->left];
}

real scree_random_real(random_stream *r)
{
	uint64_t high = scree_random_bits(r), low = scree_random_bits(r);
	return (real)((high << 21) | (low >> 11)) * 0x1p-53;
}

real scree_random_between(random_stream *r, real low, real high) { return low + (high - low) * scree_random_real(r); }

real scree_random_normal(random_stream *r)
{
	real u = 1 - scree_random_real(r); /* (0, 1] */
	real angle = 2 * SCREE_PI * scree_random_real(r);
	return sqrt(-2 * scree_log(u)) * scree_cos(angle);
}

quat scree_random_rotation(random_stream *r)
{
	real u = scree_random_real(r), a = 2 * SCREE_PI * scree_random_real(r), b = 2 * SCREE_PI * scree_random_real(r);
	real sa, ca, sb, cb, s = sqrt(1 - u), t = sqrt(u);
	scree_sincos(a, &sa, &ca);
	scree_sincos(b, &sb, &cb);
	return (quat){t * cb, s * sa, s * ca, t * sb};
}

quat scree_random_turn(random_stream *r)
{
	quat q = {0, 0, 0, 0};
	scree_sincos(SCREE_PI * scree_random_real(r), &q.z, &q.w);
	return q;
}

vec3 scree_random_direction(random_stream *r)
{
	real z = scree_random_between(r, -1, 1), a = 2 * SCREE_PI * scree_random_real(r), s, c;
	scree_sincos(a, &s, &c);
	real across = sqrt(real_max(0, 1 - z * z));
	return v3(across * c, across * s, z);
}
