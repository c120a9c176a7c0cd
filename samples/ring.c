/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes records out of a ring that the kernel fills.  The kernel stores `data_head` after the bytes
 * before it; this side stores `data_tail` after it has copied them. */
#include "config.h"
#include "samples/ring.h"

#include <string.h>

#include "samples/spe.h"

#define AUX_TRUNCATED UINT64_C(1)
#define AUX_PARTIAL UINT64_C(4)
#define AUX_COLLISION UINT64_C(8)

/* Copies n bytes that may go on at the ring's begin. */
static void copy(const char *data, uint64_t size, uint64_t from, void *out, uint64_t n)
{
	const uint64_t at = from % size, first = size - at < n ? size - at : n;

	memcpy(out, data + at, first);
	memcpy((char *)out + first, data, n - first);
}

static bool in_the_kernel(uint64_t address)
{
	return address >> 63;
}

static void hand_out(const struct sample_ring *r, struct sample_ledger *l,
	const struct sample_taker *to, struct memory_sample *s)
{
	s->event = r->event;
	s->period = s->period ? s->period : r->period;
	l->samples++;
	if (in_the_kernel(s->ip) || in_the_kernel(s->address))
		l->kernel++;
	else if ((!s->address && !r->no_addresses) || s->source.op == SAMPLE_PREFETCH)
		l->without_address++;
	else
		to->take(to->to, s);
}

/* --- Arm's packets ---------------------------------------------------------------------------- */

struct packet_samples {
	const struct sample_ring *ring;
	struct sample_ledger *ledger;
	const struct sample_taker *to;
	const struct memory_sample *part; /* time, thread and processor of the part */
};

static void take_packet_sample(void *to, const struct memory_sample *decoded)
{
	const struct packet_samples *p = to;
	struct memory_sample s = *decoded;

	s.pid = p->part->pid;
	s.tid = p->part->tid;
	s.cpu = p->part->cpu;
	hand_out(p->ring, p->ledger, p->to, &s);
}

static void read_part(const struct sample_ring *r, struct sample_ledger *l,
	const struct sample_taker *to, const struct record *part)
{
	struct packet_samples p = { r, l, to, &part->sample };
	const struct sample_taker taker = { take_packet_sample, &p };
	const uint64_t size = r->page->aux_size;
	uint64_t from = part->aux.offset, left = part->aux.size;

	l->truncated += (part->aux.flags & AUX_TRUNCATED) != 0;
	l->collisions += (part->aux.flags & AUX_COLLISION) != 0;
	if (!r->packets || !size || left > size) {
		l->invalid++;
		return;
	}
	/* A record of Arm's unit may go on at the buffer's begin; it is short, so both pieces are
	 * decoded as one. */
	while (left) {
		char piece[SPE_PIECE];
		const uint64_t n = left < sizeof piece ? left : sizeof piece;
		size_t used;

		copy(r->packets, size, from, piece, n);
		used = spe_decode(piece, (size_t)n, n == left, &taker, &l->invalid);
		from += used;
		left -= used;
	}
	l->invalid += (part->aux.flags & AUX_PARTIAL) != 0;
	__atomic_store_n(&r->page->aux_tail, part->aux.offset + part->aux.size, __ATOMIC_RELEASE);
}

/* --- records ---------------------------------------------------------------------------------- */

static void take_record(const struct sample_ring *r, struct sample_ledger *l,
	const struct sample_taker *to, struct record *rec)
{
	switch (rec->kind) {
	case RECORD_SAMPLE: hand_out(r, l, to, &rec->sample); break;
	case RECORD_LOST: l->lost_ring += rec->lost; break;
	case RECORD_LOST_SAMPLES: l->lost_unit += rec->lost; break;
	case RECORD_THROTTLE: l->throttled++; break;
	case RECORD_AUX: read_part(r, l, to, rec); break;
	case RECORD_INVALID: l->invalid++; break;
	default: break;
	}
}

/* Decodes the record that begins at `tail`.  Returns its bytes; 0: it is torn, and what follows is
 * not known. */
static uint64_t read_record(
	const struct sample_ring *r, uint64_t tail, uint64_t head, struct record *out)
{
	const char *data = (const char *)r->page + r->page->data_offset;
	static _Thread_local _Alignas(8) char bytes[RING_RECORD_MOST];
	struct perf_event_header h;

	if (head - tail < sizeof h)
		return 0;
	copy(data, r->page->data_size, tail, &h, sizeof h);
	if (h.size < sizeof h || h.size % 8 || h.size > head - tail)
		return 0;
	copy(data, r->page->data_size, tail, bytes, h.size);
	record_decode(&r->form, bytes, h.size, out);
	return h.size;
}

void sample_ring_read(struct sample_ring *r, struct sample_ledger *l, const struct sample_taker *to)
{
	const uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = r->page->data_tail;

	if (head - tail > r->page->data_size) { /* no kernel writes this */
		l->invalid++;
		tail = head;
	}
	while (tail != head) {
		struct record rec;
		const uint64_t n = read_record(r, tail, head, &rec);

		if (!n) {
			l->invalid++;
			tail = head;
			break;
		}
		take_record(r, l, to, &rec);
		tail += n;
	}
	__atomic_store_n(&r->page->data_tail, tail, __ATOMIC_RELEASE);
}
