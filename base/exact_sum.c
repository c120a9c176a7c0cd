/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums doubles as fixed-point numbers: addition of integers is
 * associative, that of doubles is not. */
#include "base/exact_sum.h"

#include <math.h>
#include <stdbool.h>

enum { UNIT = 96, LIMBS = 3, TOP = 190 };       /* TOP: bits of a value and of the sum without the
						 * sign */

static void add_limbs(uint64_t *to, const uint64_t *from)
{
	uint64_t carry = 0;

	for (int i = 0; i < LIMBS; i++) {
		uint64_t sum = to[i] + from[i], more = sum < to[i];

		to[i] = sum + carry;
		carry = more | (to[i] < sum);
	}
}

static void negate(uint64_t *limb)
{
	const uint64_t one[LIMBS] = { 1, 0, 0 };

	for (int i = 0; i < LIMBS; i++)
		limb[i] = ~limb[i];
	add_limbs(limb, one);
}

/* limb = mantissa * 2^shift units, rounded towards zero. */
static void place(uint64_t *limb, uint64_t mantissa, int shift)
{
	int at = shift / 64, bits = shift % 64;

	if (shift <= -64)
		return;
	if (shift < 0) {
		limb[0] = mantissa >> -shift;
		return;
	}
	limb[at] = mantissa << bits;
	if (bits && at + 1 < LIMBS)
		limb[at + 1] = mantissa >> (64 - bits);
}

static bool to_limbs(double v, uint64_t *limb)
{
	int exponent;
	double part = frexp(v < 0 ? -v : v, &exponent);

	if (!isfinite(v) || exponent + UNIT > TOP)
		return false;
	place(limb, (uint64_t)ldexp(part, 53), exponent - 53 + UNIT);
	if (v < 0)
		negate(limb);
	return true;
}

void exact_sum_add(struct exact_sum *s, double v)
{
	uint64_t limb[LIMBS] = { 0 };

	if (!to_limbs(v, limb)) {
		s->unknown++;
		return;
	}
	add_limbs(s->limb, limb);
	s->known++;
}

/* n additions by doubling, so that no product is rounded. */
void exact_sum_add_times(struct exact_sum *s, double v, uint32_t n)
{
	struct exact_sum power = { { 0 }, 0, 0 };

	exact_sum_add(&power, v);
	for (; n; n >>= 1) {
		if (n & 1)
			exact_sum_add_sum(s, &power);
		if (n > 1)
			exact_sum_add_sum(&power, &power);
	}
}

void exact_sum_add_sum(struct exact_sum *s, const struct exact_sum *other)
{
	uint32_t known = other->known, unknown = other->unknown;

	add_limbs(s->limb, (const uint64_t[LIMBS]){ other->limb[0], other->limb[1],
		other->limb[2] });
	s->known += known;
	s->unknown += unknown;
}

static double value(const struct exact_sum *s)
{
	uint64_t limb[LIMBS] = { s->limb[0], s->limb[1], s->limb[2] };
	bool minus = limb[LIMBS - 1] >> 63;
	double v = 0;

	if (minus)
		negate(limb);
	for (int i = LIMBS - 1; i >= 0; i--)
		v += ldexp((double)limb[i], 64 * i - UNIT);
	return minus ? -v : v;
}

double exact_sum_known(const struct exact_sum *s)
{
	return s->known ? value(s) : NAN;
}

double exact_sum_all(const struct exact_sum *s)
{
	return s->unknown ? NAN : exact_sum_known(s);
}

/* A byte says which limbs follow; the others are all 0, or (bit 3 set) all ones. */
void exact_sum_encode(const struct exact_sum *s, struct buf *out)
{
	uint64_t fill = s->limb[LIMBS - 1] >> 63 ? UINT64_MAX : 0;
	uint8_t which = fill ? 8 : 0;

	for (int i = 0; i < LIMBS; i++)
		which |= (uint8_t)((s->limb[i] != fill) << i);
	which |= (uint8_t)((s->unknown != 0) << 4);
	buf_u8(out, which);
	buf_u32(out, s->known);
	if (s->unknown)
		buf_u32(out, s->unknown);
	for (int i = 0; i < LIMBS; i++)
		if (s->limb[i] != fill)
			buf_u64(out, s->limb[i]);
}

void exact_sum_decode(struct exact_sum *s, struct cursor *in)
{
	uint8_t which = cur_u8(in);

	s->known = cur_u32(in);
	s->unknown = which & 16 ? cur_u32(in) : 0;
	for (int i = 0; i < LIMBS; i++)
		s->limb[i] = which & 1 << i ? cur_u64(in) : which & 8 ? UINT64_MAX : 0;
}
