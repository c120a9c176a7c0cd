/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes records of the kernel's ring.  The fields of a sample follow one another in an order that
 * the kernel fixes, each only if the event asked for it, so all in front of a field must be known
 * to find it. */
#include "config.h"
#include "samples/ring_records.h"

#include <linux/perf_event.h>
#include <string.h>

#include "samples/data_source.h"

/* Values that headers of older kernels do not have. */
#define SAMPLE_WEIGHT_STRUCT (UINT64_C(1) << 24)
#define SAMPLE_CGROUP (UINT64_C(1) << 21)
#define SAMPLE_DATA_PAGE_SIZE (UINT64_C(1) << 22)
#define SAMPLE_CODE_PAGE_SIZE (UINT64_C(1) << 23)
#define BRANCH_HW_INDEX (UINT64_C(1) << 17)
#define FORMAT_LOST (UINT64_C(1) << 4)
enum { TYPE_LOST_SAMPLES = 13, TYPE_AUX = 11, REGS_NONE = 0 };

/* Words of a record that are left.  Once too few are, `bad` stays set and all further ones are 0.
 */
struct words {
	const uint64_t *at, *end;
	bool bad;
};

static uint64_t next(struct words *w)
{
	if (w->at == w->end) {
		w->bad = true;
		return 0;
	}
	return *w->at++;
}

static void skip(struct words *w, uint64_t n)
{
	if (n > (uint64_t)(w->end - w->at)) {
		w->bad = true;
		w->at = w->end;
	} else {
		w->at += n;
	}
}

static uint32_t low(uint64_t word)
{
	uint32_t half[2];

	memcpy(half, &word, sizeof half);
	return half[0];
}

static uint32_t high(uint64_t word)
{
	uint32_t half[2];

	memcpy(half, &word, sizeof half);
	return half[1];
}

/* --- fields of variable length ---------------------------------------------------------------- */

/* Values of counters. */
static void skip_read(struct words *w, uint64_t format)
{
	const uint64_t times = ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0) +
		((format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0);
	const uint64_t each = 1 + ((format & PERF_FORMAT_ID) != 0) + ((format & FORMAT_LOST) != 0);
	uint64_t n = 1;

	if (format & PERF_FORMAT_GROUP)
		n = next(w);
	skip(w, times);
	skip(w, n > UINT16_MAX ? UINT16_MAX : n * each);
}

/* A length in 32 bits, then as many bytes, filled up to whole words together. */
static void skip_raw(struct words *w)
{
	skip(w, ((uint64_t)low(next(w)) + 3) / 8);
}

static void skip_branches(struct words *w, uint64_t branch_type)
{
	const uint64_t n = next(w);

	if (branch_type & BRANCH_HW_INDEX)
		skip(w, 1);
	skip(w, n > UINT16_MAX ? UINT16_MAX : 3 * n);
}

static void skip_registers(struct words *w, uint64_t mask)
{
	if (next(w) != REGS_NONE)
		skip(w, (uint64_t)__builtin_popcountll(mask));
}

static void skip_stack(struct words *w)
{
	const uint64_t bytes = next(w);

	skip(w, bytes / 8 > UINT16_MAX ? UINT16_MAX : bytes / 8);
	if (bytes)
		skip(w, 1);
}

/* --- a sample --------------------------------------------------------------------------------- */

static void take_ids(struct words *w, uint64_t type, struct memory_sample *s)
{
	if (type & PERF_SAMPLE_TID) {
		const uint64_t ids = next(w);

		s->pid = low(ids);
		s->tid = high(ids);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time = next(w);
}

static void skip_middle(struct words *w, const struct record_form *f)
{
	const uint64_t type = f->sample_type;

	if (type & PERF_SAMPLE_READ)
		skip_read(w, f->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		const uint64_t n = next(w);

		skip(w, n);
	}
	if (type & PERF_SAMPLE_RAW)
		skip_raw(w);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(w, f->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		skip_registers(w, f->regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		skip_stack(w);
}

/* The latency: the whole word of the older form, its first half of the newer one. */
static void take_weight(struct words *w, uint64_t type, struct memory_sample *s)
{
	uint64_t word;

	if (!(type & (PERF_SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT)))
		return;
	word = next(w);
	s->latency =
		type & SAMPLE_WEIGHT_STRUCT || word <= UINT32_MAX ? (uint32_t)word : UINT32_MAX;
}

static void take_tail(struct words *w, const struct record_form *f, struct memory_sample *s)
{
	const uint64_t type = f->sample_type;

	take_weight(w, type, s);
	if (type & PERF_SAMPLE_DATA_SRC)
		s->source = data_source_decode(next(w));
	skip(w, (type & PERF_SAMPLE_TRANSACTION) != 0);
	if (type & PERF_SAMPLE_REGS_INTR)
		skip_registers(w, f->regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		s->physical = next(w);
	skip(w,
		((type & SAMPLE_CGROUP) != 0) + ((type & SAMPLE_DATA_PAGE_SIZE) != 0) +
			((type & SAMPLE_CODE_PAGE_SIZE) != 0));
}

static void decode_sample(struct words *w, const struct record_form *f, struct memory_sample *s)
{
	const uint64_t type = f->sample_type;

	skip(w, (type & PERF_SAMPLE_IDENTIFIER) != 0);
	if (type & PERF_SAMPLE_IP)
		s->ip = next(w);
	take_ids(w, type, s);
	if (type & PERF_SAMPLE_ADDR)
		s->address = next(w);
	skip(w, ((type & PERF_SAMPLE_ID) != 0) + ((type & PERF_SAMPLE_STREAM_ID) != 0));
	if (type & PERF_SAMPLE_CPU)
		s->cpu = low(next(w));
	if (type & PERF_SAMPLE_PERIOD)
		s->period = next(w);
	skip_middle(w, f);
	take_tail(w, f, s);
}

/* --- other records ---------------------------------------------------------------------------- */

/* What an event with sample_id_all puts behind each other record. */
static void decode_trailer(
	const struct record_form *f, const uint64_t *end, size_t words, struct memory_sample *s)
{
	const uint64_t type = f->sample_type;
	const uint64_t mask = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
		PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
	const size_t n = (size_t)__builtin_popcountll(type & mask);
	struct words w = { end - (n < words ? n : 0), end, false };

	if (!f->sample_id_all || n >= words)
		return;
	take_ids(&w, type, s);
	skip(&w, ((type & PERF_SAMPLE_ID) != 0) + ((type & PERF_SAMPLE_STREAM_ID) != 0));
	if (type & PERF_SAMPLE_CPU)
		s->cpu = low(next(&w));
}

static enum record_kind kind_of(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_SAMPLE: return RECORD_SAMPLE;
	case PERF_RECORD_LOST: return RECORD_LOST;
	case TYPE_LOST_SAMPLES: return RECORD_LOST_SAMPLES;
	case PERF_RECORD_THROTTLE: return RECORD_THROTTLE;
	case TYPE_AUX: return RECORD_AUX;
	default: return RECORD_OTHER;
	}
}

static void decode_aux(struct words *w, struct record *out)
{
	out->aux.offset = next(w);
	out->aux.size = next(w);
	out->aux.flags = next(w);
}

void record_decode(
	const struct record_form *form, const void *bytes, size_t size, struct record *out)
{
	const uint64_t *word = bytes;
	const size_t n = size / sizeof *word;
	struct words w = { word + 1, word + n, false };
	struct perf_event_header h;

	*out = (struct record){ .sample = {
					.pid = UINT32_MAX, .tid = UINT32_MAX, .cpu = UINT32_MAX } };
	if (size < sizeof h)
		return;
	memcpy(&h, bytes, sizeof h);
	out->kind = kind_of(h.type);
	if (out->kind == RECORD_SAMPLE) {
		out->sample.exact_ip = (h.misc & PERF_RECORD_MISC_EXACT_IP) != 0;
		decode_sample(&w, form, &out->sample);
	} else {
		decode_trailer(form, word + n, n, &out->sample);
	}
	if (out->kind == RECORD_LOST)
		skip(&w, 1); /* the event's number */
	if (out->kind == RECORD_LOST || out->kind == RECORD_LOST_SAMPLES)
		out->lost = next(&w);
	if (out->kind == RECORD_AUX)
		decode_aux(&w, out);
	if (w.bad)
		out->kind = RECORD_INVALID;
}
