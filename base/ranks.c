/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps sets of process ranks as runs. */
#include "base/ranks.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void ranks_free(struct rank_set *s)
{
	free(s->run);
	*s = (struct rank_set){ NULL, 0, 0 };
}

/* The first run that ends at `rank - 1` or later: the first that a run from `rank` on can touch. */
static int lower(const struct rank_run *run, int n, int rank)
{
	int low = 0, high = n;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (run[mid].last < rank - 1)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int grow(struct rank_set *s, int n)
{
	int cap = s->cap ? s->cap : 4;
	struct rank_run *run;

	if (n <= s->cap)
		return 0;
	while (cap < n)
		cap *= 2;
	run = realloc(s->run, (size_t)cap * sizeof *run);
	if (!run)
		return -1;
	s->run = run;
	s->cap = cap;
	return 0;
}

static int add_run(struct rank_set *s, struct rank_run r)
{
	int at = lower(s->run, s->n, r.first), end = at;

	while (end < s->n && s->run[end].first - 1 <= r.last) {
		if (s->run[end].first < r.first)
			r.first = s->run[end].first;
		if (s->run[end].last > r.last)
			r.last = s->run[end].last;
		end++;
	}
	if (end == at && grow(s, s->n + 1))
		return -1;
	if (end != at + 1)
		memmove(s->run + at + 1, s->run + end, (size_t)(s->n - end) * sizeof *s->run);
	s->n += 1 - (end - at);
	s->run[at] = r;
	return 0;
}

int ranks_add(struct rank_set *s, const struct rank_run *run, int n)
{
	for (int i = 0; i < n; i++)
		if (add_run(s, run[i]))
			return -1;
	return 0;
}

int ranks_add_one(struct rank_set *s, int rank)
{
	return add_run(s, (struct rank_run){ rank, rank });
}

int ranks_split(const struct rank_set *s, const struct rank_run *run, int n, struct rank_set *in,
	struct rank_set *out)
{
	int k = 0;

	in->n = out->n = 0;
	for (int i = 0; i < s->n; i++) {
		int first = s->run[i].first, last = s->run[i].last;

		while (k < n && run[k].last < first)
			k++;
		for (int j = k; first <= last; j++) {
			int begin = j < n && run[j].first <= last ? run[j].first : last + 1;
			int end = j < n && run[j].last < last ? run[j].last : last;

			if (begin > first && add_run(out, (struct rank_run){ first, begin - 1 }))
				return -1;
			first = begin > first ? begin : first;
			if (first <= last && add_run(in, (struct rank_run){ first, end }))
				return -1;
			first = first <= last ? end + 1 : first;
		}
	}
	return 0;
}

long ranks_count(const struct rank_run *run, int n)
{
	long count = 0;

	for (int i = 0; i < n; i++)
		count += (long)run[i].last - run[i].first + 1;
	return count;
}

bool ranks_have(const struct rank_run *run, int n, int rank)
{
	int at = lower(run, n, rank);

	if (at < n && run[at].last < rank)
		at++;
	return at < n && run[at].first <= rank;
}

int ranks_compare(const struct rank_run *a, int na, const struct rank_run *b, int nb)
{
	for (int i = 0; i < na && i < nb; i++) {
		if (a[i].first != b[i].first)
			return a[i].first < b[i].first ? -1 : 1;
		if (a[i].last == b[i].last)
			continue;
		/* The shorter run is followed by a later rank, or by none. */
		if (a[i].last < b[i].last)
			return i + 1 < na ? 1 : -1;
		return i + 1 < nb ? -1 : 1;
	}
	return na < nb ? -1 : na > nb;
}

void ranks_text(struct buf *out, const struct rank_run *run, int n, int most, const char *separator)
{
	for (int i = 0; i < n; i++) {
		if (most && i == most) {
			buf_printf(out, "%s..", separator);
			return;
		}
		buf_printf(out, "%s%d", i ? separator : "", run[i].first);
		if (run[i].last > run[i].first)
			buf_printf(out, "-%d", run[i].last);
	}
}

static int number(const char **at, int *out)
{
	char *end;
	long v;

	if (**at < '0' || **at > '9')
		return -1;
	errno = 0;
	v = strtol(*at, &end, 10);
	if (errno || v > INT_MAX - 1)
		return -1;
	*at = end;
	*out = (int)v;
	return 0;
}

int ranks_parse(struct rank_set *s, const char *text)
{
	static const char between[] = ", \t\r\n";

	s->n = 0;
	for (text += strspn(text, between); *text; text += strspn(text, between)) {
		struct rank_run r;

		if (number(&text, &r.first))
			return -1;
		r.last = r.first;
		if (*text == '-' && (text++, number(&text, &r.last) || r.last < r.first))
			return -1;
		if ((*text && !strchr(between, *text)) || add_run(s, r))
			return -1;
	}
	return 0;
}

/* --- on the wire ------------------------------------------------------------------------------ */

/* The number of runs; bit 31: a bitmap follows, of bits from the first rank to the last. */
#define BITMAP (UINT32_C(1) << 31)

static void encode_bitmap(const struct rank_run *run, int n, struct buf *out)
{
	int first = run[0].first, last = run[n - 1].last;
	uint8_t byte = 0;

	buf_u32(out, (uint32_t)n | BITMAP);
	buf_u32(out, (uint32_t)first);
	buf_u32(out, (uint32_t)last);
	for (int rank = first, i = 0; rank <= last; rank++) {
		int bit = (rank - first) % 8;

		i += rank > run[i].last;
		byte |= (uint8_t)((rank >= run[i].first) << bit);
		if (bit == 7 || rank == last) {
			buf_u8(out, byte);
			byte = 0;
		}
	}
}

void ranks_encode(const struct rank_run *run, int n, struct buf *out)
{
	if (n && ((long)run[n - 1].last - run[0].first) / 8 + 9 < 8L * n) {
		encode_bitmap(run, n, out);
		return;
	}
	buf_u32(out, (uint32_t)n);
	for (int i = 0; i < n; i++) {
		buf_u32(out, (uint32_t)run[i].first);
		buf_u32(out, (uint32_t)run[i].last);
	}
}

static int decode_bitmap(struct rank_set *s, struct cursor *in)
{
	uint32_t first = cur_u32(in), last = cur_u32(in);
	size_t bytes = ((size_t)last - first) / 8 + 1;

	if (in->failed || last >= INT_MAX || first > last || bytes > in->len - in->pos)
		return -1;
	for (uint32_t rank = first; rank <= last; rank++) {
		const uint8_t *byte = in->data + in->pos + (rank - first) / 8;

		if (*byte >> (rank - first) % 8 & 1 && ranks_add_one(s, (int)rank))
			return -1;
	}
	in->pos += bytes;
	return 0;
}

int ranks_decode(struct rank_set *s, struct cursor *in)
{
	uint32_t n = cur_u32(in);

	s->n = 0;
	if (n & BITMAP)
		return decode_bitmap(s, in);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t first = cur_u32(in), last = cur_u32(in);

		if (in->failed || last >= INT_MAX || first > last ||
		    add_run(s, (struct rank_run){ (int)first, (int)last }))
			return -1;
	}
	return in->failed ? -1 : 0;
}
