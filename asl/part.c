/* SPDX-License-Identifier: BSD-3-Clause */
/* Accumulates aggregates over processes.  A sum is a long integer that holds any double exactly (a
 * Kulisch accumulator): additions commute, nothing overflows, and the result is rounded once, at
 * the end. STDEV uses an exact sum of squares too: n * sum(x^2) - sum(x)^2 cancels without an
 * error. */
#include "asl/code.h"
#include "base/buf.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PART_VERSION 1
#define LOW (-1074)             /* exponent of the least double */
#define WHY sizeof ((struct asl_part *)0)->why_unsure
#define WIDE (2 * ASL_SUM_LIMBS)

/* --- long integers: limbs of 32 bits, lowest first ------------------------------------------- */

/* acc += x << shift, or acc -= x << shift; modulo the width of acc. */
static void add_shifted(uint32_t *acc, int n, const uint32_t *x, int nx, int shift, bool negative)
{
	int at = shift / 32, bits = shift % 32;
	uint64_t carry = 0, high = 0;

	for (int i = 0; at + i < n && (i <= nx || carry); i++) {
		uint64_t limb = i < nx ? (uint64_t)x[i] << bits : 0;
		uint64_t add = (limb & UINT32_MAX) | high;
		uint64_t r = negative ? (uint64_t)acc[at + i] - add - carry
				      : (uint64_t)acc[at + i] + add + carry;

		high = limb >> 32;
		carry = r >> 32 & 1;
		acc[at + i] = (uint32_t)r;
	}
}

static bool is_negative(const uint32_t *x, int n)
{
	return x[n - 1] >> 31;
}

/* out = |x|; true: x is negative. */
static bool magnitude(uint32_t *out, const uint32_t *x, int n)
{
	bool negative = is_negative(x, n);
	uint64_t carry = negative;

	for (int i = 0; i < n; i++) {
		carry += negative ? (uint32_t)~x[i] : x[i];
		out[i] = (uint32_t)carry;
		carry >>= 32;
	}
	return negative;
}

static void add_long(uint32_t *into, const uint32_t *from, int n)
{
	uint64_t carry = 0;

	for (int i = 0; i < n; i++) {
		carry += (uint64_t)into[i] + from[i];
		into[i] = (uint32_t)carry;
		carry >>= 32;
	}
}

/* out (nx + ny limbs) = x * y */
static void multiply(uint32_t *out, const uint32_t *x, int nx, const uint32_t *y, int ny)
{
	memset(out, 0, (size_t)(nx + ny) * sizeof *out);
	for (int i = 0; i < nx; i++) {
		uint64_t carry = 0;

		for (int k = 0; x[i] && k < ny; k++) {
			carry += (uint64_t)x[i] * y[k] + out[i + k];
			out[i + k] = (uint32_t)carry;
			carry >>= 32;
		}
		if (x[i])
			out[i + ny] = (uint32_t)carry;
	}
}

/* A long integer rounded once, to nearest like the conversion of a 64-bit integer: m * 2^e. */
struct real {
	double m;
	int e;
};

static bool bit(const uint32_t *x, int at)
{
	return at >= 0 && x[at / 32] >> at % 32 & 1;
}

static struct real rounded(const uint32_t *x, int n)
{
	int high = n * 32 - 1, low;
	uint64_t top = 0;
	bool lost = false;

	while (high >= 0 && !bit(x, high))
		high--;
	if (high < 0)
		return (struct real){ 0, 0 };
	low = high - 63;
	for (int i = 0; i < 64; i++)
		top |= (uint64_t)bit(x, low + i) << i;
	for (int i = 0; i < low && !lost; i++)
		lost = bit(x, i);
	return (struct real){ (double)(top | lost), low };
}

/* --- adding values --- */

void asl_part_init(struct asl_part *acc)
{
	memset(acc, 0, sizeof *acc);
	acc->min = INFINITY;
	acc->max = -INFINITY;
}

static void add_finite(struct asl_part *acc, double x)
{
	int exponent;
	double fraction = frexp(fabs(x), &exponent);
	uint64_t m = (uint64_t)ldexp(fraction, DBL_MANT_DIG);
	int shift = exponent - DBL_MANT_DIG - LOW;
	uint32_t limbs[2], square[4];

	if (!m)
		return;
	if (shift < 0) {        /* a subnormal: the bits shifted out are zero */
		m >>= -shift;
		shift = 0;
	}
	limbs[0] = (uint32_t)m;
	limbs[1] = (uint32_t)(m >> 32);
	multiply(square, limbs, 2, limbs, 2);
	add_shifted(acc->sum, ASL_SUM_LIMBS, limbs, 2, shift, x < 0);
	add_shifted(acc->squares, ASL_SQUARES_LIMBS, square, 4, 2 * shift, false);
}

/* Keeps the least cause by strcmp, so that the order of merges does not show. */
static void because(char *into, const char *why)
{
	if (*why && (!*into || strcmp(why, into) < 0)) {
		memset(into, 0, WHY);
		snprintf(into, WHY, "%s", why);
	}
}

void asl_part_add(struct asl_part *acc, double value, const char *why)
{
	if (isnan(value)) {
		acc->undefined++;
		because(acc->why_undefined, why);
		return;
	}
	value += 0.0;           /* -0 becomes +0: min and max must not depend on the order */
	acc->n++;
	acc->below += value == -INFINITY;
	acc->above += value == INFINITY;
	if (value < acc->min)
		acc->min = value;
	if (value > acc->max)
		acc->max = value;
	if (isfinite(value))
		add_finite(acc, value);
}

void asl_part_miss(struct asl_part *acc, const char *why)
{
	acc->unsure++;
	because(acc->why_unsure, why);
}

void asl_part_merge(struct asl_part *into, const struct asl_part *from)
{
	into->n += from->n;
	into->undefined += from->undefined;
	into->unsure += from->unsure;
	into->below += from->below;
	into->above += from->above;
	into->min = from->min < into->min ? from->min : into->min;
	into->max = from->max > into->max ? from->max : into->max;
	add_long(into->sum, from->sum, ASL_SUM_LIMBS);
	add_long(into->squares, from->squares, ASL_SQUARES_LIMBS);
	because(into->why_undefined, from->why_undefined);
	because(into->why_unsure, from->why_unsure);
}

/* --- results --- */

static struct real sum_of(const struct asl_part *acc)
{
	uint32_t x[ASL_SUM_LIMBS];
	bool negative = magnitude(x, acc->sum, ASL_SUM_LIMBS);
	struct real r = rounded(x, ASL_SUM_LIMBS);

	r.m = negative ? -r.m : r.m;
	r.e += LOW;
	return r;
}

/* over: 1 for the sum, n for the mean, which may be finite when the sum overflows. */
static double sum_over(const struct asl_part *acc, double over)
{
	struct real r;

	if (acc->below && acc->above)
		return NAN;
	if (acc->below || acc->above)
		return acc->above ? INFINITY : -INFINITY;
	r = sum_of(acc);
	return ldexp(r.m / over, r.e);
}

/* sqrt(n * sum(x^2) - sum(x)^2) / n */
static double deviation(const struct asl_part *acc)
{
	uint32_t sum[ASL_SUM_LIMBS], n[2] = { (uint32_t)acc->n, (uint32_t)(acc->n >> 32) };
	uint32_t a[WIDE] = { 0 }, b[WIDE];
	struct real r;

	if (acc->below || acc->above)
		return NAN;
	magnitude(sum, acc->sum, ASL_SUM_LIMBS);
	multiply(b, sum, ASL_SUM_LIMBS, sum, ASL_SUM_LIMBS);
	multiply(a, acc->squares, ASL_SQUARES_LIMBS, n, 2);
	add_shifted(a, WIDE, b, WIDE, 0, true);
	r = rounded(a, WIDE);
	r.e += 2 * LOW;
	if (r.e % 2) {
		r.m *= 2;
		r.e--;
	}
	return ldexp(sqrt(r.m) / (double)acc->n, r.e / 2);
}

static double quantified(const struct asl_part *acc, bool decided, double otherwise)
{
	if (decided)
		return !otherwise;
	return acc->undefined || acc->unsure ? NAN : otherwise;
}

double asl_part_result(const struct asl_part *acc, enum asl_aggregate aggregate)
{
	if (aggregate == ASL_EXISTS)
		return quantified(acc, acc->max == 1, 0);
	if (aggregate == ASL_FORALL)
		return quantified(acc, acc->min == 0, 1);
	if (acc->unsure)
		return NAN;
	if (aggregate == ASL_COUNT)
		return (double)acc->n + (double)acc->undefined;
	if (acc->undefined || (!acc->n && aggregate != ASL_SUM))
		return NAN;
	switch (aggregate) {
	case ASL_MIN: return acc->min;
	case ASL_MAX: return acc->max;
	case ASL_AVG: return sum_over(acc, (double)acc->n);
	case ASL_STDEV: return deviation(acc);
	default: return sum_over(acc, 1);
	}
}

/* --- on the wire ----------------------------------------------------------------------------- */

/* Writes the sign, the index of the lowest nonzero limb, the number of limbs, and the limbs: every
 * value has one encoding. */
static void put_long(struct buf *out, const uint32_t *x, int n)
{
	uint32_t limbs[ASL_SQUARES_LIMBS];
	bool negative = magnitude(limbs, x, n);
	int low = 0, high = n;

	while (high > 0 && !limbs[high - 1])
		high--;
	while (low < high && !limbs[low])
		low++;
	buf_u8(out, negative);
	buf_u8(out, (uint8_t)low);
	buf_u8(out, (uint8_t)(high - low));
	for (int i = low; i < high; i++)
		buf_u32(out, limbs[i]);
}

static bool get_long(struct cursor *in, uint32_t *x, int n)
{
	static const uint32_t zeros[ASL_SQUARES_LIMBS];
	uint32_t limbs[ASL_SQUARES_LIMBS] = { 0 };
	unsigned negative = cur_u8(in);
	int low = cur_u8(in), count = cur_u8(in);

	if (in->failed || negative > 1 || low + count > n || (!count && (low || negative)))
		return false;
	for (int i = 0; i < count; i++)
		limbs[low + i] = cur_u32(in);
	memcpy(x, zeros, (size_t)n * sizeof *x);
	add_shifted(x, n, limbs, n, 0, negative);
	return !in->failed && is_negative(x, n) == (bool)negative
		&& (!count || (limbs[low] && limbs[low + count - 1]));
}

static void put_text(struct buf *out, const char *s)
{
	size_t n = strlen(s);

	buf_u8(out, (uint8_t)n);
	buf_add(out, s, n);
}

static bool get_text(struct cursor *in, char *s, size_t size)
{
	size_t n = cur_u8(in);

	memset(s, 0, size);
	if (n >= size)
		return false;
	for (size_t i = 0; i < n; i++) {
		s[i] = (char)cur_u8(in);
		if (!s[i])
			return false;
	}
	return !in->failed;
}

void asl_part_encode(const struct asl_part *acc, struct buf *out)
{
	buf_u8(out, PART_VERSION);
	buf_u64(out, acc->n);
	buf_u64(out, acc->undefined);
	buf_u64(out, acc->unsure);
	buf_u64(out, acc->below);
	buf_u64(out, acc->above);
	buf_f64(out, acc->min);
	buf_f64(out, acc->max);
	put_long(out, acc->sum, ASL_SUM_LIMBS);
	put_long(out, acc->squares, ASL_SQUARES_LIMBS);
	put_text(out, acc->why_undefined);
	put_text(out, acc->why_unsure);
}

/* Whether counts are small enough for sums of many accumulators, and the figures are consistent. */
static bool plausible(const struct asl_part *a)
{
	const uint64_t most = UINT64_C(1) << 40;

	return a->n <= most && a->undefined <= most && a->unsure <= most && a->below <= a->n
		&& a->above <= a->n - a->below && (a->n ? a->min <= a->max
		: a->min == INFINITY && a->max == -INFINITY)
		&& !is_negative(a->squares, ASL_SQUARES_LIMBS);
}

int asl_part_decode(struct asl_part *acc, struct cursor *in)
{
	struct asl_part a;
	bool known = cur_u8(in) == PART_VERSION;

	a.n = cur_u64(in);
	a.undefined = cur_u64(in);
	a.unsure = cur_u64(in);
	a.below = cur_u64(in);
	a.above = cur_u64(in);
	a.min = cur_f64(in);
	a.max = cur_f64(in);
	if (!known || in->failed || !get_long(in, a.sum, ASL_SUM_LIMBS)
			|| !get_long(in, a.squares, ASL_SQUARES_LIMBS)
			|| !get_text(in, a.why_undefined, sizeof a.why_undefined)
			|| !get_text(in, a.why_unsure, sizeof a.why_unsure) || !plausible(&a))
		return -1;
	*acc = a;
	return 0;
}
