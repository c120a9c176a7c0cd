/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the records of a batch again. */
#include "simulate/loop/reread.h"
#include "simulate/access/descriptor.h"

struct sim_segment *reread_next(struct work *w, const uint64_t **next, const uint64_t *end,
	const uint64_t **words)
{
	w->read = false;
	for (const uint64_t *at = *next; at < end; at++) {
		const uint64_t word = *at;
		struct sim_segment *seg = &w->v->seg[sim_segment_slot(word)];
		size_t length;

		if (seg->word != word && PSC_REC_TAG(word) == PSC_REC_CONTEXT) {
			if (!PSC_REC_IS_CALL(word))
				w->context = (uint32_t)(word >> 3);
			else if (PSC_REC_CALL_READS(word))
				w->read = true;
			continue;
		}
		/* The simulation has checked it, but may have forgotten it since. */
		if (seg->word != word && !descriptor_load(w->v, word, w->most, seg))
			return NULL;
		length = (size_t)seg->s->nwords + seg->loop;
		if ((size_t)(end - at) <= length)
			return NULL;
		*words = at + 1;
		*next = at + 1 + length;
		return seg;
	}
	return NULL;
}
