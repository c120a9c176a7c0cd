/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes the packets of Arm's Statistical Profiling Extension (Arm Architecture Reference Manual,
 * D13). */
#ifndef PSC_SAMPLES_SPE_H
#define PSC_SAMPLES_SPE_H

#include <stddef.h>
#include "samples/sample.h"

/* A piece that is decoded at once; a record of packets is much shorter. */
enum { SPE_PIECE = 4096, SPE_RECORD_MOST = 256 };

/* Decodes whole records in [bytes, bytes + n) and hands out those of loads and stores; counts bytes
 * that begin no packet. last: nothing follows.  Otherwise a record that may go on behind is left.
 * Returns the bytes that were used, not 0. */
size_t spe_decode(
	const void *bytes, size_t n, bool last, const struct sample_taker *to, uint64_t *invalid);

#endif
