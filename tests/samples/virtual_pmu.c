/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the rings of a virtual unit. */
#define _GNU_SOURCE
#include "config.h"
#include "tests/samples/virtual_pmu.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "samples/event_source.h"

#define WEIGHT_STRUCT (UINT64_C(1) << 24)
enum { PAGE = 4096, TYPE_AUX = 11, PART_BYTES = 16 << 10 };

static uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

int virtual_pmu_open(struct virtual_pmu *v, const struct perf_event_attr *attr, bool packets,
	size_t ring, uint64_t seed)
{
	const size_t all = PAGE + ring + SAMPLE_PACKET_BYTES;

	*v = (struct virtual_pmu){
		.attr = *attr, .packets = packets, .random = seed, .left = attr->sample_period
	};
	v->fd = memfd_create("virtual_pmu", MFD_CLOEXEC);
	if (v->fd < 0 || ftruncate(v->fd, (off_t)all))
		return -1;
	v->page = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED, v->fd, 0);
	if (v->page == MAP_FAILED)
		return -1;
	v->page->data_offset = PAGE;
	v->page->data_size = ring;
	return v->fd;
}

void virtual_pmu_close(struct virtual_pmu *v)
{
	munmap(v->page, PAGE + v->page->data_size + SAMPLE_PACKET_BYTES);
	close(v->fd);
}

/* --- records ---------------------------------------------------------------------------------- */

static void put_bytes(struct virtual_pmu *v, uint64_t head, const void *bytes, size_t n)
{
	char *data = (char *)v->page + v->page->data_offset;

	for (size_t i = 0; i < n; i++)
		data[(head + i) % v->page->data_size] = ((const char *)bytes)[i];
}

void virtual_pmu_raw(struct virtual_pmu *v, const void *bytes, size_t n)
{
	put_bytes(v, v->page->data_head, bytes, n);
	__atomic_store_n(&v->page->data_head, v->page->data_head + n, __ATOMIC_RELEASE);
}

static int put(struct virtual_pmu *v, uint32_t type, uint16_t misc, const uint64_t *words, size_t n)
{
	const struct perf_event_header h = { type, misc, (uint16_t)(sizeof h + n * sizeof *words) };
	const uint64_t head = v->page->data_head,
		       tail = __atomic_load_n(&v->page->data_tail, __ATOMIC_ACQUIRE);

	if (head + h.size - tail > v->page->data_size)
		return -1;
	put_bytes(v, head, &h, sizeof h);
	put_bytes(v, head + sizeof h, words, n * sizeof *words);
	__atomic_store_n(&v->page->data_head, head + h.size, __ATOMIC_RELEASE);
	return 0;
}

int virtual_pmu_record(struct virtual_pmu *v, uint32_t type, const uint64_t *words, size_t n)
{
	return put(v, type, 0, words, n);
}

static uint64_t ids(const struct virtual_access *a)
{
	return (uint64_t)a->tid << 32 | a->pid;
}

/* What sample_id_all puts behind a record.  Returns the words. */
static size_t trailer(const struct virtual_pmu *v, const struct virtual_access *a, uint64_t *out)
{
	const uint64_t type = v->attr.sample_type;
	size_t n = 0;

	if (!v->attr.sample_id_all)
		return 0;
	if (type & PERF_SAMPLE_TID)
		out[n++] = ids(a);
	if (type & PERF_SAMPLE_TIME)
		out[n++] = a->time;
	if (type & PERF_SAMPLE_CPU)
		out[n++] = a->cpu;
	return n;
}

/* --- where data came from --------------------------------------------------------------------- */

uint64_t virtual_pmu_source(const struct virtual_access *a)
{
	static const unsigned char level_number[SAMPLE_LEVELS] = {
		[SAMPLE_LEVEL_UNKNOWN] = 15,
		[SAMPLE_L1] = 1,
		[SAMPLE_FILL_BUFFER] = 12,
		[SAMPLE_L2] = 2,
		[SAMPLE_L3] = 3,
		[SAMPLE_PEER_CACHE] = 3,
		[SAMPLE_REMOTE_CACHE] = 11,
		[SAMPLE_MEMORY] = 13,
		[SAMPLE_REMOTE_MEMORY] = 13,
		[SAMPLE_FAR_MEMORY] = 9,
		[SAMPLE_UNCACHED] = 8,
		[SAMPLE_LEVEL_OTHER] = 7,
	};
	const bool remote = a->level == SAMPLE_REMOTE_CACHE || a->level == SAMPLE_REMOTE_MEMORY;
	union perf_mem_data_src d = { 0 };

	d.mem_op = a->store ? PERF_MEM_OP_STORE : PERF_MEM_OP_LOAD;
	d.mem_lvl = PERF_MEM_LVL_NA;
	d.mem_lvl_num = level_number[a->level] & 15u;
	d.mem_remote = remote;
	d.mem_snoop = a->modified ? PERF_MEM_SNOOP_HITM : PERF_MEM_SNOOP_NONE;
	d.mem_hops = a->level == SAMPLE_PEER_CACHE ? PERF_MEM_HOPS_0 : 0;
	d.mem_dtlb = a->tlb_miss ? PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2 :
				   PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1;
	return d.val;
}

/* --- packets of Arm's form -------------------------------------------------------------------- */

struct bytes {
	unsigned char at[64];
	size_t n;
};

static void put_packet(struct bytes *b, unsigned header, uint64_t payload, size_t n)
{
	b->at[b->n++] = (unsigned char)header;
	for (size_t i = 0; i < n; i++, payload >>= 8)
		b->at[b->n++] = (unsigned char)payload;
}

static unsigned packet_source(enum sample_level level)
{
	switch (level) {
	case SAMPLE_L1: return 0;
	case SAMPLE_L2: return 8;
	case SAMPLE_PEER_CACHE: return 9;
	case SAMPLE_L3: return 11;
	case SAMPLE_REMOTE_CACHE: return 13;
	default: return 14;
	}
}

/* Returns whether there was room. */
static bool put_packets(struct virtual_pmu *v, const struct virtual_access *a)
{
	char *data = (char *)v->page + v->page->aux_offset;
	const uint64_t size = v->page->aux_size,
		       tail = __atomic_load_n(&v->page->aux_tail, __ATOMIC_ACQUIRE);
	struct bytes b = { { 0 }, 0 };

	put_packet(&b, 0xb0, a->ip, 8);
	put_packet(&b, 0x49, a->store, 1);
	put_packet(&b, 0x52, 2 | (a->level != SAMPLE_L1 ? 8u : 0) | (a->tlb_miss ? 32u : 0), 2);
	put_packet(&b, 0x98, a->latency, 2);
	put_packet(&b, 0xb2, a->address, 8);
	if (!a->store)
		put_packet(&b, 0x43, packet_source(a->level), 1);
	put_packet(&b, 0x71, a->time, 8);
	if (!size || v->aux_head + v->packet_bytes + b.n - tail > size)
		return false;
	for (size_t i = 0; i < b.n; i++)
		data[(v->aux_head + v->packet_bytes + i) % size] = (char)b.at[i];
	v->packet_bytes += b.n;
	return true;
}

void virtual_pmu_part(struct virtual_pmu *v, const struct virtual_access *a, uint64_t flags)
{
	uint64_t words[6] = { v->aux_head, v->packet_bytes, flags };

	if (put(v, TYPE_AUX, 0, words, 3 + trailer(v, a, words + 3)) == 0) {
		v->aux_head += v->packet_bytes;
		v->packet_bytes = 0;
	}
}

/* --- samples ---------------------------------------------------------------------------------- */

static bool put_sample(struct virtual_pmu *v, const struct virtual_access *a)
{
	const uint64_t type = v->attr.sample_type;
	uint64_t words[16];
	size_t n = 0;

	if (type & PERF_SAMPLE_IDENTIFIER)
		words[n++] = 1;
	if (type & PERF_SAMPLE_IP)
		words[n++] = a->ip;
	if (type & PERF_SAMPLE_TID)
		words[n++] = ids(a);
	if (type & PERF_SAMPLE_TIME)
		words[n++] = a->time;
	if (type & PERF_SAMPLE_ADDR)
		words[n++] = a->address;
	if (type & PERF_SAMPLE_CPU)
		words[n++] = a->cpu;
	if (type & PERF_SAMPLE_PERIOD)
		words[n++] = v->attr.sample_period * (a->stands_for ? a->stands_for : 1);
	if (type & (PERF_SAMPLE_WEIGHT | WEIGHT_STRUCT))
		words[n++] = a->latency;
	if (type & PERF_SAMPLE_DATA_SRC)
		words[n++] = virtual_pmu_source(a);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		words[n++] = a->address ^ 0xfff000;
	return put(v, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP, words,
		       n) == 0;
}

/* Tells of lost samples before the next record, as the kernel does. */
static bool tell_lost(struct virtual_pmu *v, const struct virtual_access *a)
{
	uint64_t words[5] = { 1, v->pending };

	if (v->pending && put(v, PERF_RECORD_LOST, 0, words, 2 + trailer(v, a, words + 2)))
		return false;
	v->pending = 0;
	return true;
}

void virtual_pmu_access(struct virtual_pmu *v, const struct virtual_access *a)
{
	const uint64_t period = v->attr.sample_period;
	bool done;

	if (--v->left)
		return;
	/* The period varies a little, as the real units' does. */
	v->left = period - period / 16 + draw(&v->random) % (period / 8 + 1);
	v->left += !v->left;
	done = tell_lost(v, a) && (v->packets ? put_packets(v, a) : put_sample(v, a));
	v->emitted += done;
	v->lost += !done;
	v->pending += !done;
	if (v->packet_bytes >= PART_BYTES)
		virtual_pmu_part(v, a, 0);
}
