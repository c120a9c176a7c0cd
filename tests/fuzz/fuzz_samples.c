/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes as a ring of the kernel with a second buffer: the first 16 say what form its records have.
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "samples/ring.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RING = 4096, PACKETS = 4096, HEAD = 16 };

static uint64_t seen;

static void look(void *to, const struct memory_sample *s)
{
	(void)to;
	seen += s->address ^ s->ip ^ s->latency ^ (uint64_t)s->source.level;
}

static uint64_t word(const uint8_t *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof w);
	return w;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sample_taker to = { look, NULL };
	struct perf_event_mmap_page *page;
	struct sample_ledger ledger = { 0 };
	struct sample_ring ring;
	size_t n;

	if (size < HEAD)
		return 0;
	page = calloc(1, sizeof *page + RING + PACKETS);
	if (!page)
		return 0;
	page->data_offset = sizeof *page;
	page->data_size = RING;
	page->aux_size = PACKETS;
	n = size - HEAD < RING + PACKETS ? size - HEAD : RING + PACKETS;
	memcpy((char *)page + sizeof *page, data + HEAD, n);
	page->data_tail = data[8] % 32 * 8;
	page->data_head =
		data[9] & 1 ? page->data_tail + RING : page->data_tail + (n < RING ? n : RING);
	ring = (struct sample_ring){ .page = page,
		.packets = (char *)page + sizeof *page + RING,
		.form = { .sample_type = word(data),
			.read_format = data[10],
			.branch_sample_type = (uint64_t)(data[11] & 1) << 17,
			.regs_user = data[12],
			.regs_intr = data[13],
			.sample_id_all = data[14] & 1 } };
	sample_ring_read(&ring, &ledger, &to);
	free(page);
	return 0;
}
