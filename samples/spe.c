/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes the packets of Arm's Statistical Profiling Extension.  A packet is a header of one or two
 * bytes and a payload whose size the header has; packets up to an end or a timestamp are one
 * record, of one sampled instruction. */
#include "config.h"
#include "samples/spe.h"

#include <string.h>

/* Headers, without the bits of the payload's size (0x30) and of numbers. */
enum {
	PAD = 0x00,
	END = 0x01,
	TIME = 0x71,
	EXTENDED = 0x20,
	EXTENDED_MASK = 0xfc,
	ADDRESS = 0xb0,
	ADDRESS_MASK = 0xf8,
	COUNTER = 0x88,
	COUNTER_MASK = 0xc8,
	EVENTS = 0x42,
	SOURCE = 0x43,
	SIZED_MASK = 0xcf,
	OPERATION = 0x48,
	OPERATION_MASK = 0xfc,
	CONTEXT = 0x64,
	CONTEXT_MASK = 0xfc
};
enum { ADDRESS_PC = 0, ADDRESS_DATA = 2, ADDRESS_PHYSICAL = 3 };
enum { COUNTER_TOTAL = 0 };
enum { CLASS_LOAD_STORE = 1 };
/* Bits of the events packet. */
enum {
	EVENT_L1_REFILL = 3,
	EVENT_WALK = 5,
	EVENT_LLC_ACCESS = 8,
	EVENT_LLC_MISS = 9,
	EVENT_REMOTE = 10
};
/* Numbers of the data source on Neoverse cores; other cores have other tables, or none. */
enum {
	FROM_L1 = 0,
	FROM_L2 = 8,
	FROM_PEER_CORE = 9,
	FROM_LOCAL_CLUSTER = 10,
	FROM_SYSTEM_CACHE = 11,
	FROM_PEER_CLUSTER = 12,
	FROM_REMOTE = 13,
	FROM_MEMORY = 14
};

struct packet {
	unsigned header, number; /* number: of an address or a counter */
	uint64_t payload;
	size_t size; /* of the whole packet */
};

/* What the packets of a record said. */
struct spe_record {
	struct memory_sample sample;
	uint64_t events;
	uint64_t data_source;
	bool any, access, store, has_events, has_source;
};

/* --- packets ---------------------------------------------------------------------------------- */

static uint64_t little_endian(const uint8_t *p, size_t n)
{
	uint64_t value = 0;

	for (size_t i = n; i-- > 0;)
		value = value << 8 | p[i];
	return value;
}

static bool has_payload(unsigned h)
{
	return h == TIME || (h & ADDRESS_MASK) == ADDRESS || (h & COUNTER_MASK) == COUNTER ||
		(h & SIZED_MASK) == EVENTS || (h & SIZED_MASK) == SOURCE ||
		(h & OPERATION_MASK) == OPERATION || (h & CONTEXT_MASK) == CONTEXT;
}

/* Reads the packet at p.  Returns its size; 0: n bytes do not hold it; -1: these bytes begin no
 * packet. */
static int read_packet(const uint8_t *p, size_t n, struct packet *out)
{
	size_t head = 1, payload;
	unsigned h = p[0], above = 0;

	if (h == PAD || h == END) {
		*out = (struct packet){ .header = h, .size = 1 };
		return 1;
	}
	if ((h & EXTENDED_MASK) == EXTENDED) {
		if (n < 2)
			return 0;
		above = (h & 3) << 3;
		h = p[1];
		head = 2;
		if ((h & ADDRESS_MASK) != ADDRESS && (h & COUNTER_MASK) != COUNTER)
			return -1;
	}
	if (!has_payload(h))
		return -1;
	payload = (size_t)1 << (h >> 4 & 3);
	if (n < head + payload)
		return 0;
	*out = (struct packet){ h, above | (h & 7), little_endian(p + head, payload),
		head + payload };
	return (int)out->size;
}

/* --- records ---------------------------------------------------------------------------------- */

/* The top byte of a data address is a tag, and an address of the kernel has ones there. */
static uint64_t without_tag(uint64_t address)
{
	address &= UINT64_MAX >> 8;
	return (address >> 52 & 0xf) == 0xf ? address | UINT64_C(0xff) << 56 : address;
}

static void take_address(struct spe_record *r, const struct packet *p)
{
	switch (p->number) {
	case ADDRESS_PC: r->sample.ip = without_tag(p->payload); break;
	case ADDRESS_DATA: r->sample.address = without_tag(p->payload); break;
	case ADDRESS_PHYSICAL: r->sample.physical = p->payload & UINT64_MAX >> 8; break;
	default: break;
	}
}

static void take_packet(struct spe_record *r, const struct packet *p)
{
	const unsigned h = p->header;

	r->any = true;
	if ((h & ADDRESS_MASK) == ADDRESS) {
		take_address(r, p);
	} else if ((h & COUNTER_MASK) == COUNTER) {
		if (p->number == COUNTER_TOTAL)
			r->sample.latency = (uint32_t)(p->payload & 0xffff);
	} else if ((h & SIZED_MASK) == EVENTS) {
		r->events = p->payload;
		r->has_events = true;
	} else if ((h & SIZED_MASK) == SOURCE) {
		r->data_source = p->payload;
		r->has_source = true;
	} else if ((h & OPERATION_MASK) == OPERATION) {
		r->access = (h & 3) == CLASS_LOAD_STORE;
		r->store = p->payload & 1;
	} else if (h == TIME) {
		r->sample.time = p->payload;
	}
}

static bool event(const struct spe_record *r, int bit)
{
	return r->events >> bit & 1;
}

static enum sample_level level_by_source(uint64_t source)
{
	switch (source) {
	case FROM_L1: return SAMPLE_L1;
	case FROM_L2: return SAMPLE_L2;
	case FROM_PEER_CORE:
	case FROM_LOCAL_CLUSTER:
	case FROM_PEER_CLUSTER: return SAMPLE_PEER_CACHE;
	case FROM_SYSTEM_CACHE: return SAMPLE_L3;
	case FROM_REMOTE: return SAMPLE_REMOTE_CACHE;
	case FROM_MEMORY: return SAMPLE_MEMORY;
	default: return SAMPLE_LEVEL_OTHER;
	}
}

/* Only loads have a source; events tell a little of the others. */
static enum sample_level level_of(const struct spe_record *r)
{
	if (r->has_source && !r->store)
		return level_by_source(r->data_source);
	if (!r->has_events)
		return SAMPLE_LEVEL_UNKNOWN;
	if (event(r, EVENT_REMOTE))
		return SAMPLE_REMOTE_MEMORY;
	if (event(r, EVENT_LLC_MISS))
		return SAMPLE_MEMORY;
	if (event(r, EVENT_LLC_ACCESS))
		return SAMPLE_L3;
	return event(r, EVENT_L1_REFILL) ? SAMPLE_BEYOND_L1 : SAMPLE_L1;
}

static void finish(struct spe_record *r, const struct sample_taker *to)
{
	struct data_source *d = &r->sample.source;

	if (r->any && r->access) {
		d->op = r->store ? SAMPLE_STORE : SAMPLE_LOAD;
		d->level = level_of(r);
		if (d->level == SAMPLE_REMOTE_CACHE || d->level == SAMPLE_REMOTE_MEMORY)
			d->remote = SAMPLE_YES;
		d->tlb_miss = !r->has_events ? SAMPLE_NOT_TOLD :
			event(r, EVENT_WALK) ? SAMPLE_YES :
					       SAMPLE_NO;
		r->sample.exact_ip = true;
		to->take(to->to, &r->sample);
	}
	*r = (struct spe_record){ 0 };
}

size_t spe_decode(
	const void *bytes, size_t n, bool last, const struct sample_taker *to, uint64_t *invalid)
{
	const uint8_t *p = bytes;
	struct spe_record r = { 0 };
	size_t at = 0, begin = 0; /* begin: of the record that is open */

	while (at < n) {
		struct packet packet;
		const int size = read_packet(p + at, n - at, &packet);

		if (size <= 0) {
			if (!size && !last && at - begin < SPE_RECORD_MOST)
				break;
			++*invalid;
			r = (struct spe_record){ 0 };
			begin = ++at;
			continue;
		}
		at += (size_t)size;
		if (packet.header != PAD && packet.header != END)
			take_packet(&r, &packet);
		if (packet.header == END || packet.header == TIME)
			finish(&r, to);
		if (!r.any)
			begin = at;
	}
	if (!last && begin > 0)
		return begin;
	finish(&r, to);
	return n;
}
